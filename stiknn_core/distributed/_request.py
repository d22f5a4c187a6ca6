"""What a caller of a run asked for, checked, and by what it is known again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from stiknn_core.distributed._format import plain
from stiknn_core.distributed._inputs import fingerprint
from stiknn_core.distributed._layout import Layout
from stiknn_core.games import PairIndex
from stiknn_core.types import AnyArray, IntArray
from stiknn_core.validation import Problem

StoredType = Literal["float64", "float32"]


@dataclass(frozen=True, eq=False)
class Request:
    """Everything a caller asked for, checked."""

    problem: Problem
    index: PairIndex
    cuts: Layout
    matrix: bool
    dtype: StoredType
    blocks: tuple[tuple[Any, ...], IntArray] | None
    xy: AnyArray | None

    @property
    def n_tasks(self) -> int:
        """Parts to rank and tiles to fill."""
        bands = self.cuts.n_bands
        return self.cuts.n_parts + (bands * (bands + 1) // 2 if self.matrix else 0)

    def known_by(self) -> str:
        """Return the SHA-256 of data, settings and cuts: the name of the run."""
        cuts = (self.cuts.tile, self.cuts.part)
        settings: dict[str, Any] = {
            "index": self.index.name,
            "matrix": self.matrix,
            "dtype": self.dtype,
            "cuts": cuts,
        }
        names, block_of = self.blocks or (None, None)
        settings["block_names"] = names
        return fingerprint(self.problem, settings, {"blocks": block_of, "xy": self.xy})

    def attributes(self, run: str) -> dict[str, Any]:
        """Return what is written into the store at once, for a run of this name."""
        problem = self.problem
        return {
            "fingerprint": run,
            "k": problem.k,
            "index": self.index.name,
            "score": problem.score.name,
            "metric": problem.metric,
            "ties": problem.ties,
            "n_train": problem.n_train,
            "n_test": problem.n_test,
            "evaluation": "leave-one-out" if problem.leave_one_out else "test set",
            "test_weight": problem.total_weight,
            "classes": [plain(name) for name in problem.classes],
            "absent_classes": [plain(name) for name in problem.absent_classes],
            "block_names": None if self.blocks is None else [plain(b) for b in self.blocks[0]],
            "matrix": self.matrix,
            "dtype": self.dtype,
            "tile": self.cuts.tile,
            "test_chunk": self.cuts.part,
            "prepared": False,
            "summarised": False,
            "complete": False,
        }
