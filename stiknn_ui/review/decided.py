"""What is decided of the rows of a data set: a number a row, and the few decisions it stands for.

A page looks at all rows in every run, and a person decides one of them at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from stiknn_core.types import IntArray
from stiknn_ui.review.decisions import Decision, Record
from stiknn_ui.review.keys import Places


@dataclass(frozen=True, eq=False)
class Decided(Mapping[int, Decision]):
    """Decisions by row of a data set, sorted.

    Attributes
    ----------
    codes : (n,) int64
        0 where nothing is decided; else one more than the place in ``kinds``.
    kinds : tuple of Decision
        Different ones, also some that no row holds any more.
    """

    codes: IntArray
    kinds: tuple[Decision, ...] = ()

    def __getitem__(self, row: int) -> Decision:
        code = int(self.codes[row])
        if not code:
            raise KeyError(row)
        return self.kinds[code - 1]

    def __iter__(self) -> Iterator[int]:
        return iter(self.rows.tolist())

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def rows(self) -> IntArray:
        """Rows of which something is decided or noted, sorted."""
        return np.flatnonzero(self.codes)

    def where(self, holds: Callable[[Decision], bool]) -> NDArray[np.bool_]:
        """Return of which rows something holds, (n,)."""
        told = np.array([False, *(holds(kind) for kind in self.kinds)], dtype=np.bool_)
        return np.asarray(told[self.codes])

    def after(self, older: Record, record: Record, places: Places) -> Decided:
        """Return what is decided in a newer record; O(what changed), apart from one copy."""
        keys = list(record.changed_since(older))
        which, rows = places.find(keys)
        if not len(rows):
            return self
        number = {kind: place for place, kind in enumerate(self.kinds, 1)}
        found = []
        for key in keys:
            decision = record.decisions.get(key)
            found.append(0 if decision is None else number.setdefault(decision, len(number) + 1))
        codes = self.codes.copy()
        codes[rows] = np.array(found, dtype=np.int64)[which]
        return Decided(codes, tuple(number))
