"""The value of one point split into what it earns alone and what it shares, exactly. Pure."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stiknn_core.types import FloatArray, IntArray


@dataclass(frozen=True)
class Share:
    """The interactions of a point with all points of one class.

    Attributes
    ----------
    name : str
        The class.
    own : bool
        Whether it is the point's own class.
    count : int
        Other points of the class.
    total : float
        Sum of the point's interactions with them, in units of utility; negative = substitutes.
    """

    name: str
    own: bool
    count: int
    total: float

    @property
    def mean(self) -> float:
        """Mean interaction with one of them; NaN where there is none."""
        return self.total / self.count if self.count else float("nan")

    @property
    def half(self) -> float:
        """What of the sum counts for this point: the other half counts for the others."""
        return self.total / 2


@dataclass(frozen=True)
class Split:
    """What one value is made of.

    Attributes
    ----------
    value : float
        The value that belongs to the index, in units of utility.
    own : float
        The diagonal of the matrix: what the point earns alone with STII; with every other index
        it is the value itself.
    shares : tuple of Share
        One for each class that has other points, the point's own class first.
    exact : bool
        Whether ``own`` and the halves add up to the value. They do so for STII alone.
    """

    value: float
    own: float
    shares: tuple[Share, ...]
    exact: bool

    @property
    def interactions(self) -> float:
        """Sum of all interactions of the point."""
        return float(sum(share.total for share in self.shares))


def split_value(
    row: FloatArray,
    value: float,
    point: int,
    codes: IntArray,
    classes: tuple[str, ...],
    index: str,
) -> Split:
    """Split the value of a point by the classes it interacts with.

    Parameters
    ----------
    row : (n,) float64
        Its row of the matrix, the diagonal included.
    value : float
        Its value of that index.
    point : int
    codes : (n,) int64
        Class of each point as a position in ``classes``.
    classes : tuple of str
    index : str

    Notes
    -----
    The Shapley-Taylor index of order 2 gives each pair's whole effect to the pair, and the
    Shapley value half of it to either point, so that ``phi_ii + sum over j of phi_ij / 2`` is
    the value exactly, whatever the score. The other indices are means of the same differences
    with other weights, and their diagonal is the value before anything is split off.
    """
    others = np.ones(len(row), dtype=bool)
    others[point] = False
    counts = np.bincount(codes[others], minlength=len(classes))
    totals = np.bincount(codes[others], row[others], minlength=len(classes))
    own_class = int(codes[point])
    order = sorted(range(len(classes)), key=lambda code: code != own_class)
    shares = tuple(
        Share(classes[code], code == own_class, int(counts[code]), float(totals[code]))
        for code in order
        if counts[code]
    )
    return Split(float(value), float(row[point]), shares, index == "STII")


def strongest(split: Split, most: int) -> tuple[tuple[Share, ...], Share | None]:
    """Return the own class and those that count most, and the rest summed up, if there is any."""
    if len(split.shares) <= most:
        return split.shares, None
    ranked = sorted(split.shares, key=lambda share: (not share.own, -abs(share.total)))
    kept = {share.name for share in ranked[: most - 1]}
    left = ranked[most - 1 :]
    rest = Share(
        f"{len(left)} other classes",
        False,
        sum(share.count for share in left),
        float(sum(share.total for share in left)),
    )
    return tuple(share for share in split.shares if share.name in kept), rest
