"""Add the pairs of one chunk of test points to the matrix, on threads.

Test points are sorted into two bins. Without ties, or with a few accidental ones, they
take the short kernel, after which the few tied pairs are put right one by one. With many
ties (grids, categories, copies) they take the kernel that knows of ties.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate

import numpy as np

from stiknn_core import _kernels
from stiknn_core._threads import ThreadMap
from stiknn_core.neighbors import Ranking
from stiknn_core.types import FloatArray, IntArray
from stiknn_core.validation import Problem

#: Rows of the matrix that one task fills, and the side of the tiles it walks through: two
#: tiles of coefficients fit the second-level cache.
_TASK_ROWS = 64
_TILE = 32

#: Putting one tied pair right costs about as much as this many pairs of the short kernel.
_COST_OF_CORRECTION = 50

#: Columns are filled up with zeros to a multiple of this, or the last few test points
#: would take a slow remainder loop.
_COLUMNS = 8


def add_chunk(
    problem: Problem, rankings: list[Ranking], w: FloatArray, matrix: FloatArray, run: ThreadMap
) -> None:
    """Add the pairs of the test points in ``rankings`` to the upper triangle of ``matrix``."""
    n = problem.n_train
    few = n * n // (2 * _COST_OF_CORRECTION)
    for many_ties in (False, True):
        picked = [
            (ranking, np.flatnonzero((ranking.tied_pairs > few) == many_ties))
            for ranking in rankings
        ]
        _Bin(problem, picked, w, run).add_to(matrix, many_ties)


def mirror(matrix: FloatArray, run: ThreadMap) -> None:
    """Copy the upper triangle of ``matrix`` onto the lower one, in place."""
    n = len(matrix)
    run(lambda i: _kernels.mirror(matrix, i, min(i + _TASK_ROWS, n)), range(0, n, _TASK_ROWS))


class _Bin:
    """The coefficients of some test points of a chunk, one column each."""

    def __init__(
        self,
        problem: Problem,
        picked: list[tuple[Ranking, IntArray]],
        w: FloatArray,
        run: ThreadMap,
    ) -> None:
        self._problem = problem
        self._run = run
        firsts = list(accumulate((len(rows) for _, rows in picked), initial=0))
        self._parts = [
            (ranking, rows, first)
            for (ranking, rows), first in zip(picked, firsts, strict=False)
            if len(rows)
        ]
        shape = (problem.n_train + problem.n_train % 2, -(-firsts[-1] // _COLUMNS) * _COLUMNS)
        self._any_tie = any(
            (ranking.tied_pairs[rows] > 0).any() for ranking, rows, _ in self._parts
        )
        self._farther = np.zeros(shape)
        self._rank = np.zeros(shape)
        self._same = np.zeros(shape if self._any_tie else (1, 1))
        run(lambda part: self._fill(w, *part), self._parts)

    def _fill(self, w: FloatArray, ranking: Ranking, rows: IntArray, first: int) -> None:
        problem = self._problem
        _kernels.pair_coefficients(
            ranking.order[rows],
            ranking.ends[rows],
            problem.n_ranked,
            problem.codes,
            problem.test_codes[ranking.start + rows],
            problem.weights[ranking.start + rows],
            first,
            problem.unit,
            w,
            self._farther,
            self._same,
            self._rank,
        )

    def add_to(self, matrix: FloatArray, many_ties: bool) -> None:
        if not self._parts:
            return
        self._run(lambda rows: self._add_rows(matrix, *rows, many_ties), self._tasks(len(matrix)))
        if self._any_tie and not many_ties:
            self._correct(matrix)

    def _tasks(self, n: int) -> Iterator[tuple[int, int]]:
        for i in range(0, n, _TASK_ROWS):
            yield i, min(i + _TASK_ROWS, n)

    def _add_rows(self, matrix: FloatArray, i0: int, i1: int, many_ties: bool) -> None:
        if many_ties:
            _kernels.add_tied_pairs(self._farther, self._same, self._rank, i0, i1, _TILE, matrix)
        else:
            _kernels.add_pairs(self._farther, self._rank, i0, i1, _TILE, matrix)

    def _correct(self, matrix: FloatArray) -> None:
        # One after the other: these are few, and may touch any part of the matrix.
        for ranking, rows, first in self._parts:
            _kernels.correct_tied_pairs(
                ranking.order[rows],
                ranking.ends[rows],
                self._problem.n_ranked,
                first,
                self._farther,
                self._same,
                matrix,
            )
