"""What a selection of blocks amounts to. Pure."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stiknn_core.types import FloatArray, IntArray
from stiknn_ui.results.summary import Group, Pair, Summary, counted_once, sentence_of
from stiknn_view.selection import Selection


def summarise_blocks(
    selection: Selection,
    sums: FloatArray,
    sizes: IntArray,
    codes: IntArray,
    classes: tuple[str, ...],
    *,
    n_strongest: int = 5,
    group: Group = "class",
) -> Summary:
    """Summarise all pairs of points (of a row block, of a column block) of a selection.

    A pair of points counts once, however it was selected, and no point is paired with itself.

    Parameters
    ----------
    selection : Selection
        Block numbers.
    sums : (U, U) float64
        Sums over ordered pairs of different points, as in `BlockInteractions`.
    sizes : (U,) int64
        Points of each block.
    codes : (U,) int64
        Class of each block as a position in ``classes``.
    classes : tuple of str
    n_strongest : int
        How many pairs of blocks to name, by the magnitude of their mean.
    group : Group
        What classes are called.
    """
    units = np.asarray(selection.points, dtype=np.int64)
    counts = np.bincount(codes[units], sizes[units], minlength=len(classes)).astype(np.int64)
    per_class = tuple(
        (name, int(count)) for name, count in zip(classes, counts, strict=True) if count
    )
    rows = np.asarray(selection.rows, dtype=np.int64)
    cols = np.asarray(selection.cols, dtype=np.int64)
    pairs = np.outer(sizes, sizes) - np.diag(sizes)
    # Off the diagonal a cell holds each pair of points once, on it twice.
    weight = counted_once(rows, cols).astype(np.float64)
    weight[rows[:, None] == cols[None, :]] = 0.5
    block_sums, block_pairs = sums[np.ix_(rows, cols)], pairs[np.ix_(rows, cols)]
    same = codes[rows][:, None] == codes[cols][None, :]
    within = _mean(block_sums, block_pairs, weight * same)
    across = _mean(block_sums, block_pairs, weight * ~same)
    all_pairs = float(pairs.sum())
    return Summary(
        int(sizes[units].sum()),
        per_class,
        within,
        across,
        float(sums.sum()) / all_pairs if all_pairs else 0.0,
        _strongest(block_sums, block_pairs, weight > 0, rows, cols, n_strongest),
        sentence_of(per_class, within, across, group),
        group,
    )


def _mean(sums: FloatArray, pairs: IntArray, weight: FloatArray) -> float | None:
    total = float((pairs * weight).sum())
    return float((sums * weight).sum()) / total if total else None


def _strongest(
    sums: FloatArray,
    pairs: IntArray,
    counted: NDArray[np.bool_],
    rows: IntArray,
    cols: IntArray,
    count: int,
) -> tuple[Pair, ...]:
    cells = np.flatnonzero(counted & (pairs > 0))
    means = sums.ravel()[cells] / pairs.ravel()[cells]
    found = []
    for cell in np.lexsort((cells, -np.abs(means)))[:count]:
        i, j = divmod(int(cells[cell]), len(cols))
        first, second = sorted((int(rows[i]), int(cols[j])))
        found.append(Pair(first, second, float(means[cell])))
    return tuple(found)
