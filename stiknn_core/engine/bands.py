"""The coefficients of some training points, a column for each of some test points."""

from __future__ import annotations

import copy

import numpy as np

from stiknn_core._kernels import pairs
from stiknn_core.engine.coefficients import coefficients_of_each
from stiknn_core.engine.neighbors import Ranking
from stiknn_core.engine.passes import Ranker
from stiknn_core.types import AnyArray, FloatArray, IntArray
from stiknn_core.validation import Problem

#: Rows of the matrix that one task fills, and the side of the tiles it walks through.
TASK_ROWS = 64
TILE = 32

#: Columns are filled up to a multiple of this, or the last few test points would take a slow
#: remainder loop.
_COLUMNS = 8


class Bands:
    """What pairs of points need to know, for the test points start..stop.

    ``w`` are the pair weights of the index, ``points`` (m,) the positions of the training points to
    keep; all by default.

    Attributes
    ----------
    farther, same, rank : (m_padded, stop - start) float64
        As from `_kernels.coefficients.pair_coefficients`; ``same`` is a stub where ties do not
        count.
    size : int
        How many training points these are, m.
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
        self._chosen = slice(None) if points is None else points
        self.size = problem.n_train if points is None else len(points)
        shape = (self.size + self.size % 2, stop - start)
        self.farther = np.zeros(shape)
        self.rank = np.zeros(shape)
        self.same = np.zeros(shape if problem.ties == "expected" else (1, 1))
        self.tied = False

    def fill(self, ranker: Ranker, block: tuple[int, int]) -> None:
        """Fill the columns of a block of test points; on any thread, since no two share one."""
        for found in coefficients_of_each(self._problem, ranker.rank(*block), self._w):
            self.put(*found)

    def put(self, one: Ranking, farther: FloatArray, same: FloatArray, rank: FloatArray) -> None:
        """Fill the column of one test point with the coefficients of all training points."""
        column = one.start - self._start
        self.farther[: self.size, column] = farther[self._chosen]
        self.rank[: self.size, column] = rank[self._chosen]
        if one.tied_pairs.any():
            self.same[: self.size, column] = same[self._chosen]
            self.tied = True  # never back to False, so the order of threads does not matter

    def over(self, columns: IntArray, tied: bool | None = None) -> Bands:
        """Return the bands of some of the test points, counted from ``start``.

        ``tied`` says whether any of them has ties, where that is known.
        """
        some = copy.copy(self)
        some.tied = self.tied if tied is None else tied
        some.farther = _filled(self.farther, columns)
        some.rank = _filled(self.rank, columns)
        some.same = _filled(self.same, columns) if some.tied else self.same
        return some

    def add_pairs(self, i0: int, out: AnyArray) -> None:
        """Add the pairs of a task's rows, i0 and the next, to the upper triangle of (m, m)."""
        i1 = min(i0 + TASK_ROWS, self.size)
        farther, rank = self.farther[i0:], self.rank[i0:]
        same = self.same[i0:] if self.tied else None
        pairs.add_tile(farther, same, rank, farther, same, rank, True, out[i0:i1, i0:])


def _filled(band: FloatArray, columns: IntArray) -> FloatArray:
    """Return some columns side by side, and zeros up to full groups of them."""
    some = np.zeros((len(band), -(-len(columns) // _COLUMNS) * _COLUMNS))
    band.take(columns, axis=1, out=some[:, : len(columns)], mode="clip")
    return some
