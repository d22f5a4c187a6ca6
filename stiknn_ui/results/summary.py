"""What a selection amounts to, in numbers and in one sentence. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from stiknn_core.types import FloatArray, IntArray
from stiknn_view.selection import Selection

Group = Literal["class", "band"]
GROUPS: Final[Mapping[Group, str]] = {"class": "classes", "band": "bands of targets"}


@dataclass(frozen=True)
class Pair:
    """Two points and their interaction, ``first < second`` as point ids."""

    first: int
    second: int
    value: float


@dataclass(frozen=True)
class Summary:
    """Numbers of one selection.

    Attributes
    ----------
    n_points : int
        Selected points, each once.
    per_class : tuple of (str, int)
        Points of each class that occurs, in class order.
    within : float or None
        Mean interaction of the pairs of one class inside the selection, signed, in units
        of utility; None where there is no such pair.
    across : float or None
        The same for pairs of different classes.
    overall : float
        Mean interaction of all pairs of the data set, for comparison.
    strongest : tuple of Pair
        Pairs with the largest magnitude, largest first.
    sentence : str
        The gist in plain words.
    group : Group
        What classes are called: they may be bands of measured targets.
    """

    n_points: int
    per_class: tuple[tuple[str, int], ...]
    within: float | None
    across: float | None
    overall: float
    strongest: tuple[Pair, ...]
    sentence: str
    group: Group = "class"

    @property
    def groups(self) -> str:
        """The plural of ``group``."""
        return GROUPS[self.group]


def summarise(
    selection: Selection,
    matrix: FloatArray,
    codes: IntArray,
    classes: tuple[str, ...],
    *,
    n_strongest: int = 5,
    group: Group = "class",
) -> Summary:
    """Summarise the pairs (row point, column point) of a selection.

    A pair counts once, however it was selected, and no point is paired with itself.
    O(rows x columns) time and memory.

    Parameters
    ----------
    selection : Selection
        Point ids.
    matrix : (n, n) float64
        Symmetric interactions; the diagonal is not used.
    codes : (n,) int64
        Class of each point as a position in ``classes``.
    classes : tuple of str
    n_strongest : int
        How many pairs to name.
    group : Group
        What classes are called.
    """
    points = np.asarray(selection.points, dtype=np.int64)
    counts = np.bincount(codes[points], minlength=len(classes))
    per_class = tuple(
        (name, int(count)) for name, count in zip(classes, counts, strict=True) if count
    )
    rows = np.asarray(selection.rows, dtype=np.int64)
    cols = np.asarray(selection.cols, dtype=np.int64)
    block = matrix[np.ix_(rows, cols)]
    pairs = counted_once(rows, cols)
    same = codes[rows][:, None] == codes[cols][None, :]
    within, across = _mean(block[pairs & same]), _mean(block[pairs & ~same])
    strongest = _strongest(block, pairs, rows, cols, n_strongest)
    return Summary(
        len(points),
        per_class,
        within,
        across,
        overall_mean(matrix),
        strongest,
        sentence_of(per_class, within, across, group),
        group,
    )


def overall_mean(matrix: FloatArray) -> float:
    """Return the mean over all pairs of different points; 0 where there are none."""
    n = len(matrix)
    if n < 2:
        return 0.0
    return float((matrix.sum() - np.trace(matrix)) / (n * (n - 1)))


def counted_once(rows: IntArray, cols: IntArray) -> NDArray[np.bool_]:
    """Mark the cells that are pairs of two points, each pair in one place only.

    Where rows and columns overlap a pair comes twice, once from either side.
    """
    mirrored = np.isin(rows, cols)[:, None] & np.isin(cols, rows)[None, :]
    pairs: NDArray[np.bool_] = rows[:, None] < cols[None, :]
    return pairs | (~mirrored & (rows[:, None] > cols[None, :]))


def _strongest(
    block: FloatArray, pairs: NDArray[np.bool_], rows: IntArray, cols: IntArray, count: int
) -> tuple[Pair, ...]:
    cells = np.flatnonzero(pairs)
    strength = np.abs(block.ravel()[cells])
    if len(cells) > count:
        best = np.argpartition(-strength, count)[:count]
        cells, strength = cells[best], strength[best]
    found = []
    for cell in cells[np.lexsort((cells, -strength))]:
        i, j = divmod(int(cell), len(cols))
        first, second = sorted((int(rows[i]), int(cols[j])))
        found.append(Pair(first, second, float(block[i, j])))
    return tuple(found)


def _mean(values: FloatArray) -> float | None:
    return float(values.mean()) if len(values) else None


def sentence_of(
    per_class: tuple[tuple[str, int], ...],
    within: float | None,
    across: float | None,
    group: Group = "class",
) -> str:
    """Say in plain words what the means within and across classes amount to."""
    total = sum(count for _, count in per_class)
    if total == 0:
        return "Nothing is selected."
    if total == 1:
        return "One point is selected; a pair needs two."
    one_pair = within if across is None else across
    if total == 2 and one_pair is not None:
        alike = len(per_class) == 1
        of = f"{group} {per_class[0][0]}" if alike else f"different {GROUPS[group]}"
        return f"These two points, of {of}, {_verb(one_pair)}."
    if across is None and within is not None:
        return f"{_one_class(per_class, group)} {_meaning(within)}"
    if within is None and across is not None:
        return f"All pairs are between different {GROUPS[group]}. On average they {_verb(across)}."
    if within is None or across is None:
        return f"{total:,} points without a pair."
    if np.sign(within) == np.sign(across):
        both = f"Both within and across {GROUPS[group]}"
        return f"{both}, these points {_verb(within)} on average."
    return (
        f"Within a {group} these points {_verb(within)}, across {GROUPS[group]} they "
        f"{_verb(across)}, on average."
    )


def _one_class(per_class: tuple[tuple[str, int], ...], group: Group) -> str:
    if len(per_class) == 1:
        return f"All {per_class[0][1]:,} points are of {group} {per_class[0][0]}."
    return f"All pairs are within one {group}."


def _meaning(value: float) -> str:
    return f"On average they {_verb(value)}."


def _verb(value: float) -> str:
    if value < 0:
        return "are substitutes (negative interaction: each adds less where the other is)"
    if value > 0:
        return "are complements (positive interaction: each adds more where the other is)"
    return "do not affect each other (interaction 0)"
