"""What stands for distances without holding them: made when asked for, a few rows at a time."""

from __future__ import annotations

from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np

from stiknn_core.errors import ParameterError, ShapeError
from stiknn_core.types import FloatArray, IntArray


class Lists(NamedTuple):
    """The near rows of some test points, nearest first; see `_kernels.near`.

    Attributes
    ----------
    start : (b + 1,) int64
        Where the list of each test point begins in the others.
    rows : (m,) int32
        Different rows; all that are not listed are equally far, and farther.
    ends : (m,) int32
        The rank one past the end of its group of tied points, copies counted.
    far : (m,) float64
        Their distances.
    """

    start: IntArray
    rows: IntArray
    ends: IntArray
    far: FloatArray

    @property
    def least(self) -> int:
        """Fewest points that are listed of a test point."""
        filled = self.start[1:] > self.start[:-1]
        return int(self.ends[self.start[1:] - 1].min()) if filled.all() else 0


class NearRows(Protocol):
    """Answers for the near rows of any test point.

    Attributes
    ----------
    row_of : (n,) int64
        Which of the different rows each training point is.
    copies : (n_rows,) int64
        How many points are such a row.
    order : (t,) int64
        The test points in an order in which it is quick to ask for them.
    """

    row_of: IntArray
    copies: IntArray

    @property
    def order(self) -> IntArray:
        """See above."""

    def lists(self, tests: IntArray) -> Lists:
        """Return the lists of some test points. Safe to call from several threads."""


@runtime_checkable
class Distances(Protocol):
    """May be passed as ``X`` with ``metric="precomputed"``.

    Attributes
    ----------
    row_of, copies
        As of `NearRows`.
    n_train, n_test : int
    leave_one_out : bool
        Whether the training points are the test points.
    """

    row_of: IntArray
    copies: IntArray
    n_train: int
    n_test: int
    leave_one_out: bool

    def lists(self, tests: IntArray) -> Lists:
        """Return the lists of some test points. Safe to call from several threads."""

    def distances(self, tests: IntArray) -> FloatArray:
        """Return the distances (b, n_train) of some test points; O(b n) memory."""


class DistanceRows:
    """Looks like an array (n_test, n_train) of which only slices of rows are taken.

    It knows near rows too, by the number of a test point among those that are asked.
    """

    def __init__(self, source: Distances, tests: IntArray | None) -> None:
        self._source = source
        self._tests = np.arange(source.n_test) if tests is None else tests
        self.shape = (len(self._tests), source.n_train)
        self.row_of, self.copies = source.row_of, source.copies

    def __getitem__(self, rows: slice) -> FloatArray:
        return self._source.distances(self._tests[rows])

    def in_order(self, tests: IntArray) -> DistanceRows:
        """Return the rows in another order."""
        return DistanceRows(self._source, self._tests[tests])

    @property
    def order(self) -> IntArray:
        """All test points, as they come."""
        return np.arange(self.shape[0])

    def lists(self, tests: IntArray) -> Lists:
        """Return the lists of some test points."""
        return self._source.lists(self._tests[tests])


def check_source(
    source: Distances, n_test: int, n_train: int, leave_one_out: bool, tested: IntArray | None
) -> DistanceRows:
    """Return rows of distances, or say why they do not fit the labels."""
    if source.leave_one_out != leave_one_out:
        made, asked = ("without", "with") if source.leave_one_out else ("with", "without")
        raise ParameterError(
            f"The forest was grown {made} X_test, and is asked {asked} y_test; the two go together."
        )
    rows = DistanceRows(source, tested)
    if rows.shape != (n_test, n_train):
        raise ShapeError(
            f"The forest was grown on {source.n_train:,} training and {source.n_test:,} test "
            f"points; got labels of {n_train:,} and {n_test:,}."
        )
    return rows
