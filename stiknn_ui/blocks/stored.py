"""A matrix that was computed elsewhere and lies in a Zarr store: opened lazily. Pure.

What the block view asks of a `RankedNeighbors`, answered by reading the tiles that are needed.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast, get_args

import numpy as np

from stiknn_core import games
from stiknn_core.errors import FileError, ParameterError
from stiknn_core.games import Score
from stiknn_core.games.gains import Kernel
from stiknn_core.games.scores import Kind
from stiknn_core.ordering import Order, input_order
from stiknn_core.plane import Plane
from stiknn_core.results import BlockInteractions
from stiknn_core.types import Dataset, FloatArray, IntArray, LabelSupport, read_only
from stiknn_core.units import order_of_blocks
from stiknn_ui.asked.spec import ComputeSpec, DataSpec
from stiknn_ui.blocks.analysis import BlockAnalysis
from stiknn_ui.blocks.estimate import MAX_BLOCK_POINTS
from stiknn_ui.results.doubt import ClassDoubt
from stiknn_ui.results.inputs import Inputs
from stiknn_ui.results.parts import Parts
from stiknn_ui.work.progress import Progress

if TYPE_CHECKING:
    from stiknn_core.distributed import InteractionStore

FOLDER: Final = "STIKNN_STORES"
"""Environment variable that names the folder whose stores may be opened; none without it."""

MAX_READ: Final = 20_000
"""Most points of a part whose pairs are read for block means: 3.2 GB of tiles, one at a time."""

MAX_BLOCKS: Final = 4_096
"""Most blocks of a store that is opened: their sums are read at once."""

_STRIP: Final = 1_000
_WITHOUT_SUPPORT: Final = ("labels", "measured")
_CALL: Final = re.compile(r"(\w+)\((.*)\)", re.DOTALL)
_KERNEL: Final = re.compile(r"'(inverse|rbf|tricube)', ([0-9.e+-]+)")


def offered() -> tuple[str, ...]:
    """Return the names of the stores that may be opened, sorted."""
    folder = os.environ.get(FOLDER, "")
    if not folder or not Path(folder).is_dir():
        return ()
    return tuple(sorted(path.parent.name for path in Path(folder).glob("*/zarr.json")))


def open_analysis(name: str) -> BlockAnalysis:
    """Open one of the stores that are offered.

    Parameters
    ----------
    name : str
        From `offered`; nothing outside the folder can be opened.

    Raises
    ------
    FileError
        If it is none of them, is not finished, or the libraries to read it are missing.
    """
    if name not in offered():
        raise FileError(f"There is no computed store '{name}' on this server; choose another.")
    from stiknn_core.distributed import open_store  # needs an extra that few have

    folder = Path(os.environ[FOLDER]).resolve()
    if (folder / name).resolve().parent != folder:
        raise FileError(
            f"The computed store '{name}' is a link out of the folder of stores, and is not "
            "opened; move the store itself there."
        )
    store = open_store(folder / name)
    n_blocks = len(store.block_names or ())
    if store.n_train > MAX_BLOCK_POINTS or n_blocks > MAX_BLOCKS:
        raise FileError(
            f"The computed store '{name}' has {store.n_train:,} points in {n_blocks:,} blocks; up "
            f"to {MAX_BLOCK_POINTS:,} in {MAX_BLOCKS:,} are shown. Read it with open_store."
        )
    if not store.complete:
        raise FileError(
            f"The computed store '{name}' is not finished. Run interactions_to_zarr again with "
            "the same data to go on with it, then open it."
        )
    score = named_score(store.score)
    if score is None or score.kind in _WITHOUT_SUPPORT:
        raise FileError(
            f"The computed store '{name}' is of the score {store.score}, which has no label "
            "quality to show. Read it with open_store."
        )
    return _analysis(name, store, score)


def named_score(name: str) -> Score | None:
    """Return the score that is written so, as far as its name tells; None of an unknown one.

    Tables of shares are named by a digest and not held; with numbers in its name a score has them.
    """
    call = _CALL.fullmatch(name)
    if name == "plain" or call is None:
        return games.plain() if name == "plain" else None
    if call[1] not in get_args(Kind):
        return None
    kernel = _KERNEL.fullmatch(call[2])
    if call[1] == "kernel" and kernel is not None:
        return games.kernel(cast(Kernel, kernel[1]), float(kernel[2]))
    return Score(name, "", cast(Kind, call[1]))


class StoredMatrix:
    """Answers for parts of a stored matrix, as `RankedNeighbors` does for one it ranks."""

    keeps = True
    nbytes = 0

    def __init__(self, store: InteractionStore) -> None:
        self._store = store
        self.n_train: int = store.n_train
        self.n_test: int = store.n_test
        self.k: int = store.k

    def pairs(self, points: Any, progress: Progress | None = None) -> FloatArray:
        """Read all interactions among some of the points, (m, m)."""
        self._need_matrix()
        return self._store.submatrix(points)

    def block_sums(self, blocks: Any, progress: Progress | None = None) -> BlockInteractions:
        """Return the sums over blocks: as stored where they are the same blocks, else read.

        Parameters
        ----------
        blocks : (n,) int64
            The block of each point, 0..B-1; -1 leaves it out.
        progress : callable, optional
            Called with (done, total) in points.

        Raises
        ------
        ParameterError
            If the part is too large to be read.
        FileError
            If there is no matrix to read.
        """
        block_of: IntArray = np.asarray(blocks, dtype=np.int64)
        store = self._store
        if store.block_names is not None and np.array_equal(block_of, store.block_of):
            return self._told(store.block_sums, store.block_counts)
        points = np.flatnonzero(block_of >= 0)
        self._need_matrix()
        if len(points) > MAX_READ:
            raise ParameterError(
                f"Finer blocks of {len(points):,} points would read too much of this store; "
                f"select up to {MAX_READ:,} points."
            )
        n_blocks = int(block_of.max()) + 1
        sums = np.zeros((n_blocks, n_blocks))
        members = block_of[points]
        for start in range(0, len(points), _STRIP):
            if progress is not None:
                progress(start, len(points))
            own = slice(start, min(start + _STRIP, len(points)))
            cells = store.block(points[own], points)
            cells[np.arange(cells.shape[0]), np.arange(own.start, own.stop)] = 0.0
            by_column = np.zeros((cells.shape[0], n_blocks))
            order = np.argsort(members, kind="stable")
            starts = np.searchsorted(members[order], np.arange(n_blocks))
            by_column[:] = np.add.reduceat(cells[:, order], starts, axis=1)
            np.add.at(sums, members[own], by_column)
        return self._told(sums, np.bincount(members, minlength=n_blocks).astype(np.int64))

    def _told(self, sums: FloatArray, counts: IntArray) -> BlockInteractions:
        store = self._store
        return BlockInteractions(
            sums=read_only(sums),
            counts=read_only(counts),
            names=tuple(range(len(counts))),
            k=store.k,
            index=store.index,
            metric=store.metric,
            ties=store.ties,
            n_train=store.n_train,
            n_test=store.n_test,
        )

    def _need_matrix(self) -> None:
        if not self._store.has_matrix:
            raise FileError(
                "This store holds block sums only, so no part of it can be opened. Compute it "
                "with matrix=True to see single pairs."
            )


def stored_order(store: InteractionStore) -> Order:
    """Return the order whose blocks are those of the store; as given where it has none."""
    if store.block_names is None:
        return input_order(store.n_train)
    return order_of_blocks(store.block_of, [str(name) for name in store.block_names])


def _analysis(name: str, store: InteractionStore, score: Score) -> BlockAnalysis:
    xy = store.xy
    first, second = store.xy_titles or ("x", "y")
    if xy is None:
        place = np.arange(store.n_train, dtype=np.float64)
        xy = np.column_stack([place, np.asarray(store.values)])
        first, second = "position", "value"
    dataset = Dataset(
        X=np.asarray(xy),
        y=store.labels,
        name=name,
        feature_names=(first, second),
        ids=store.ids,
    )
    alone = store.evaluation == "leave-one-out"
    near: tuple[Any, ...] = ("plain", 0.0)
    if score.kind == "kernel" and len(score.options) == 2:
        near = score.options
    compute = ComputeSpec(
        k=store.k,
        score=near[0],
        width=near[1],
        index=store.index,
        metric=store.metric,
        ties=store.ties,
        evaluation="leave-one-out" if alone else "test-file",
        test_name="" if alone else f"of {store.n_test:,} points",
        test_digest=store.fingerprint,
    )
    rows: IntArray = read_only(np.arange(store.n_train, dtype=np.int64))
    return BlockAnalysis(
        data=DataSpec(source="upload", name=name, flip=0.0, digest=store.fingerprint),
        compute=compute,
        dataset=dataset,
        rows=rows,
        given=Inputs(Parts(rows, None), dataset.X, dataset.y, None, None, None, compute, score),
        values=store.values,
        leave_one_out=read_only(np.full(store.n_train, np.nan)),
        ranked=StoredMatrix(store),
        doubt=ClassDoubt(
            LabelSupport(
                support=read_only(np.empty((store.n_train, 0))),
                quality=store.quality,
                suggested=store.suggested,
                classes=store.classes,
                ids=store.ids,
                frequency=read_only(np.empty(0)),
            ),
            dataset.y,
        ),
        plane=Plane(dataset.X, (first, second), "columns"),
        fixed_order=stored_order(store),
    )
