"""Distances from test to training points, their ranking, and groups of equal distance."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from stiknn_core._kernels import ranking
from stiknn_core._kernels.distances import settle_distances, squared_distances
from stiknn_core.engine.threads import cut
from stiknn_core.types import FloatArray, IntArray, Metric, read_only
from stiknn_core.validation import Problem

#: Neighbours whose distances differ by no more than this share of the largest distance are tied, so
#: that rounding neither makes nor breaks a tie. See `_kernels.ranking.find_groups` for outliers.
TIE_TOLERANCE = 1e-9

#: Test points that one thread ranks at a time. Fixed, so that sums over test points are
#: always formed in the same order, whatever the number of threads.
BLOCK = 16

#: Where all rows point one way, all cosine distances are rounding noise, some 1e-32 a column.
_COSINE_FLOOR = 1e-16

#: From this many features on, our own loop over squared differences is faster than `cdist`.
_WIDE = 4

_CDIST_NAMES: dict[str, Literal["euclidean", "cityblock", "chebyshev", "sqeuclidean"]] = {
    "euclidean": "euclidean",
    "manhattan": "cityblock",
    "chebyshev": "chebyshev",
    "cosine": "sqeuclidean",
}

#: How `settle_distances` is told of a metric; cosine distances are of unit rows, always in range.
_POWERS: dict[Metric, int] = {"euclidean": 2, "manhattan": 1, "chebyshev": 0}

#: Among such numbers and zeros no distance, nor its square, overflows or loses digits.
_USUAL = (1e-100, 1e100)


class Ranking(NamedTuple):
    """Training points ranked by a block of test points.

    A named tuple, since one is made for each test point where a pass goes through them singly.

    Attributes
    ----------
    start, stop : int
        Which test points these are.
    order : (stop - start, n) int64
        Training positions, nearest first. Only the first ``n_ranked`` of a row take
        part; in leave-one-out testing the last is the test point itself.
    ends : (stop - start, n) int64
        For each rank, one past the last rank of its group of tied points.
    tied_pairs : (stop - start,) int64
        Pairs of equally distant training points that stay tied; 0 with ``ties="index"``.
    mixed : (stop - start,) bool
        Whether any of them have different labels, and the test point has weight.
    gains : (stop - start, n) float64
        What each training point brings to the test point, in places; see `games.gains`.
    """

    start: int
    stop: int
    order: IntArray
    ends: IntArray
    tied_pairs: IntArray
    mixed: NDArray[np.bool_]
    gains: FloatArray

    @property
    def tests(self) -> slice:
        """Which test points these are, to cut them out of an array of all."""
        return slice(self.start, self.stop)

    def single(self) -> Iterator[Ranking]:
        """Yield the ranking of each test point."""
        for p, test in enumerate(range(self.start, self.stop)):
            own = slice(p, p + 1)
            order, ends, tied_pairs = self.order[own], self.ends[own], self.tied_pairs[own]
            yield Ranking(test, test + 1, order, ends, tied_pairs, self.mixed[own], self.gains[own])


def blocks(start: int, stop: int) -> list[tuple[int, int]]:
    """Cut the test points start..stop into blocks that are ranked at a time."""
    return cut(start, stop, BLOCK)


class NeighborRanker:
    """Ranks blocks of test points of one problem; safe to call from several threads."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        # Read-only, whatever came: compiled loops are made anew for arrays of another kind.
        self._train, self._test = map(read_only, prepared(problem))
        self._power = _POWERS.get(problem.metric)
        self._usual = all(map(_in_range, (self._train, self._test)))

    def rank(self, start: int, stop: int) -> Ranking:
        """Rank all training points for the test points start..stop. O(b n (d + log n))."""
        problem = self._problem
        distances = self._distances(start, stop)
        gains = self.gains(start, stop, distances)
        if problem.leave_one_out:
            distances[np.arange(stop - start), problem.own[start:stop]] = np.inf
        order = _nearest_first(distances)
        ends = np.empty_like(order)
        tied_pairs = np.empty(stop - start, dtype=np.int64)
        mixed = np.empty(stop - start, dtype=np.bool_)
        ranking.find_groups(
            distances,
            order,
            problem.n_ranked,
            TIE_TOLERANCE,
            _COSINE_FLOOR if problem.metric == "cosine" else 0.0,
            problem.codes,
            ends,
            tied_pairs,
            mixed,
        )
        if problem.ties == "index":
            ranking.part_groups(order, ends, problem.n_ranked)
            tied_pairs[:] = 0
        mixed &= problem.weights[start:stop] > 0  # without weight, nothing hangs on it
        return Ranking(start, stop, order, ends, tied_pairs, mixed, gains)

    def gains(
        self,
        start: int,
        stop: int,
        distances: FloatArray | None = None,
        *,
        as_tested: bool = False,
    ) -> FloatArray:
        """Return what all training points bring to the test points start..stop, (b, n). O(b n).

        Distances are found anew where the score asks for them and they are not given.
        ``as_tested`` says what they would bring if their label were that of the test point.
        """
        problem = self._problem
        if problem.gains.near:
            distances = self._distances(start, stop) if distances is None else distances
            # What ranks cosines is twice the distance, as a square.
            distances = 0.5 * distances if problem.metric == "cosine" else distances
        tests = slice(start, stop)
        asked = problem.test_codes[tests]
        codes = asked[:, None] if as_tested else problem.codes
        gains = problem.gains.of(tests, codes, asked, distances)
        if problem.leave_one_out:
            gains[np.arange(stop - start), problem.own[tests]] = 0.0
        return gains

    def _distances(self, start: int, stop: int) -> FloatArray:
        problem = self._problem
        if problem.distances is not None:
            # A copy, since what a test point has of itself is put out of the way.
            return np.array(problem.distances[start:stop])
        test = self._test[start:stop]
        if problem.metric in ("euclidean", "cosine") and test.shape[1] >= _WIDE:
            distances = np.empty((stop - start, problem.n_train))
            squared_distances(test, self._train, distances)
            if problem.metric == "euclidean":
                np.sqrt(distances, out=distances)
        else:
            distances = cdist(test, self._train, _CDIST_NAMES[problem.metric])
        if self._power is not None and not self._usual:
            settle_distances(test, self._train, self._power, distances)
        return distances


def _nearest_first(distances: FloatArray) -> IntArray:
    """Return the places of each row from the nearest on, (b, n) int64; equal ones in any order.

    Members of a group of tied points are treated alike, or sorted afterwards.
    """
    bits = max(distances.shape[1] - 1, 1).bit_length()
    keys = np.empty(distances.shape, np.int64)
    ranking.make_sort_keys(distances, bits, keys)
    keys.sort(axis=1)
    ranking.settle_order(distances, bits, keys)
    return keys


def prepared(problem: Problem) -> tuple[FloatArray, FloatArray]:
    """Return the features whose differences are the distances."""
    if problem.X is None or problem.X_test is None:
        empty = np.empty((0, 0))
        return empty, empty
    if problem.metric != "cosine":
        return problem.X, problem.X_test
    # 1 - cos = |x/|x| - y/|y||² / 2, which unlike 1 - cos itself keeps small angles.
    train = _unit_rows(problem.X)
    return train, (train if problem.X_test is problem.X else _unit_rows(problem.X_test))


def _in_range(X: FloatArray) -> bool:
    size = np.abs(X)
    least, most = _USUAL
    return bool(((size == 0) | ((size > least) & (size < most))).all())


def _unit_rows(X: FloatArray) -> FloatArray:
    X = X / np.abs(X).max(axis=1, keepdims=True)
    return np.asarray(X / np.sqrt((X * X).sum(axis=1, keepdims=True)))
