"""What a worker does: rank one part of the test points, or fill one tile. Results go to the store.

Only the name of the store and a few numbers travel in a task, and nothing comes back, so that a
worker's death costs what it was doing and no more.
"""

from __future__ import annotations

import numpy as np
import zarr
from zarr.buffer.cpu import NDBuffer

from stiknn_core.distributed._coefficients import Coefficients
from stiknn_core.distributed._format import Target, make_array
from stiknn_core.distributed._inputs import Inputs, inputs_of
from stiknn_core.distributed._layout import PART, Layout
from stiknn_core.distributed._tiles import Desk, add_to_tile, finish_diagonal
from stiknn_core.errors import FileError
from stiknn_core.types import AnyArray

_desk = Desk()


def make_work_arrays(
    work: zarr.Group, cuts: Layout, n_classes: int, n_blocks: int, matrix: bool
) -> None:
    """Make the arrays that `rank_part` writes to; no support for 0 classes."""
    n, t, parts = cuts.n_train, cuts.n_test, cuts.n_parts
    rows = min(n, 2**22)
    make_array(work, "values", (parts, n), "f8", (1, rows))
    make_array(work, "diagonal", (parts, n), "f8", (1, rows))
    if n_classes:
        make_array(work, "support", (parts, n, n_classes), "f8", (1, rows, n_classes))
    make_array(work, "totals", (parts, 2), "f8", (1, 2))
    if n_blocks:
        make_array(work, "blocks", (parts, n_blocks, n_blocks), "f8", (1, n_blocks, n_blocks))
    if matrix:
        size = (cuts.tile, cuts.part)
        make_array(work, "farther", (n, t), "f8", size, packed=False)
        make_array(work, "same", (n, t), "f8", size, packed=False)
        # A rank is never negative, so that a chunk that went missing is noticed.
        make_array(work, "rank", (n, t), "i4", size, fill=-1, packed=False)
        make_array(work, "tied", (t,), "u1", (cuts.part,))


def rank_part(target: Target, run: str, matrix: bool, part: int) -> None:
    """Rank one part of the test points and store what was found."""
    given = inputs_of(target, run)
    tests = slice(*given.layout.tests(part))
    found, sums, half = given.tests.everything(tests.start, tests.stop, matrix, given.blocks)
    if matrix:
        given.array("work/farther")[:, tests] = found.farther[given.order]
        given.array("work/rank")[:, tests] = found.rank[given.order]
        if found.tied.any():
            given.array("work/same")[:, tests] = found.same[given.order]
        given.array("work/tied")[tests] = found.tied.astype(np.uint8)
    given.array("work/values")[part] = sums.values
    given.array("work/diagonal")[part] = sums.diagonal
    if sums.support.shape[1]:
        given.array("work/support")[part] = sums.support
    given.array("work/totals")[part] = sums.totals
    if given.blocks is not None:
        given.array("work/blocks")[part] = half


def fill_tile(target: Target, run: str, tile: tuple[int, int]) -> None:
    """Compute one tile of the matrix from what ranking has stored, and store it."""
    given = inputs_of(target, run)
    cuts, (i, j) = given.layout, tile
    rows, columns = cuts.band(i), cuts.band(j)
    out = np.zeros((rows.stop - rows.start, columns.stop - columns.start))
    # Whole parts, so that nothing is read twice, and as many as fill the inner loop.
    step = cuts.part * max(1, PART // cuts.part)
    for start in range(0, cuts.n_test, step):
        tests = slice(start, min(start + step, cuts.n_test))
        a = _read_band(given, "a", rows, tests)
        b = a if i == j else _read_band(given, "b", columns, tests)
        add_to_tile(out, a, b, i == j)
    if i == j:
        out = finish_diagonal(out, np.asarray(given.array("diagonal")[...])[given.order[rows]])
    given.array("upper")[rows, columns] = out


def _read_band(given: Inputs, side: str, rows: slice, tests: slice) -> Coefficients:
    tied = np.asarray(given.array("work/tied")[tests]).astype(np.bool_)
    farther = _read(given, "farther", side, rows, tests)
    rank = _read(given, "rank", side, rows, tests)
    if rank.min() < 0:
        raise FileError(
            f"The run at {given.group.store} has lost a part of what was ranked. Start it again "
            "under another path."
        )
    same = _read(given, "same", side, rows, tests) if tied.any() else farther[:, :0]
    return Coefficients(farther, same, rank, tied)


def _read(given: Inputs, name: str, side: str, rows: slice, tests: slice) -> AnyArray:
    """Read a part of an array into memory that the next tile of this thread will use again."""
    stored = given.array(f"work/{name}")
    shape = (rows.stop - rows.start, tests.stop - tests.start)
    out = _desk.take(name + side, shape, stored.dtype)
    stored.get_basic_selection((rows, tests), out=NDBuffer.from_numpy_array(out))
    return out
