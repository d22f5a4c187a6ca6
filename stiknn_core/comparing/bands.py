"""The three coefficients of training points, a column for each of some test points."""

from __future__ import annotations

import numpy as np

from stiknn_core._kernels import coefficients, moments, pairs
from stiknn_core.comparing.agreement import pair_vector
from stiknn_core.engine.neighbors import Ranking
from stiknn_core.types import FloatArray, IntArray
from stiknn_core.validation import Problem

#: Rows of the matrix that one task fills, and the side of the tiles it walks through.
TASK_ROWS = 64
TILE = 32


class Bands:
    """What pairs of points need to know, for the test points start..stop; not weighted.

    Parameters
    ----------
    problem : Problem
    w : (n_ranked + 2,) float64
        Pair weights of the index.
    start, stop : int
        Which test points these are.
    points : (m,) int64, optional
        Positions of the training points to keep; all by default.

    Attributes
    ----------
    farther, same, rank : (m_padded, stop - start) float64
        As from `coefficients.pair_coefficients`; ``same`` is a stub where ties do not count.
    tied : bool
        Whether any of the test points has tied training points.
    """

    def __init__(
        self,
        problem: Problem,
        w: FloatArray,
        start: int,
        stop: int,
        points: IntArray | None = None,
    ) -> None:
        self._problem = problem
        self._w = w
        self._start = start
        self._points = points
        self._m = problem.n_train if points is None else len(points)
        shape = (self._m + self._m % 2, stop - start)
        self.farther = np.zeros(shape)
        self.rank = np.zeros(shape)
        self.same = np.zeros(shape if problem.ties == "expected" else (1, 1))
        self.tied = False

    def fill(self, ranking: Ranking) -> FloatArray:
        """Fill the columns of a block of test points; return the sum of all pairs of each.

        On any thread, since no two share a column.
        """
        problem = self._problem
        count = ranking.stop - ranking.start
        shape = (problem.n_train, count)
        farther, same, rank = np.zeros(shape), np.zeros(shape), np.zeros(shape)
        block = slice(ranking.start, ranking.stop)
        coefficients.pair_coefficients(
            ranking.order,
            ranking.ends,
            problem.n_ranked,
            problem.codes,
            problem.test_codes[block],
            np.ones(count),
            0,
            problem.unit,
            self._w,
            farther,
            same,
            rank,
        )
        totals = np.empty(count)
        for p in range(count):
            totals[p] = moments.pair_total(
                farther[:, p], same[:, p], ranking.order[p], ranking.ends[p], problem.n_ranked
            )
        here = slice(ranking.start - self._start, ranking.stop - self._start)
        chosen = slice(None) if self._points is None else self._points
        self.farther[: self._m, here] = farther[chosen]
        self.rank[: self._m, here] = rank[chosen]
        if ranking.tied_pairs.any():
            self.tied = True  # never back to False, so the order of threads does not matter
            self.same[: self._m, here] = same[chosen]
        return totals

    def pairs(self, columns: IntArray) -> FloatArray:
        """Return the sums of all pairs of the kept points over some of the test points.

        Parameters
        ----------
        columns : (c,) int64
            Test points, counted from ``start``.

        Returns
        -------
        (m (m - 1) / 2,) float64
            As from `agreement.pair_vector`.
        """
        m = self._m
        out = np.zeros((m, m))
        # Not by brackets, which would lay out test points far apart in memory.
        farther, rank = self.farther.take(columns, axis=1), self.rank.take(columns, axis=1)
        same = self.same.take(columns, axis=1) if self.tied else self.same
        for i0 in range(0, m, TASK_ROWS):
            i1 = min(i0 + TASK_ROWS, m)
            if self.tied:
                pairs.add_tied_pairs(farther, same, rank, i0, i1, TILE, out)
            else:
                pairs.add_pairs(farther, rank, i0, i1, TILE, out)
        return pair_vector(out)
