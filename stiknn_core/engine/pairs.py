"""Add the pairs of one chunk of test points to the matrix, on threads.

Test points are sorted into two bins. Without ties, or with a few accidental ones, they take the
short kernel over packed keys, after which the few tied pairs are put right. With many ties (grids,
categories, copies) or much weight they take the kernel in doubles: keys are fixed-point numbers,
whose rounding is as coarse for all test points as it has to be for the heaviest of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeAlias

import numpy as np

from stiknn_core._kernels import coefficients, packed, pairs
from stiknn_core.engine.bands import Bands
from stiknn_core.engine.coefficients import coefficients_of_each
from stiknn_core.engine.neighbors import Ranking
from stiknn_core.engine.packing import Packing, largest_coefficient, packing
from stiknn_core.engine.threads import ThreadMap
from stiknn_core.types import AnyArray, FloatArray, IntArray
from stiknn_core.validation import Problem

#: Rows of the matrix that one task fills, and the side of the tiles it walks through: two
#: tiles of keys fit the second-level cache.
_TASK_ROWS = 64
_TILE = 32

#: Putting one tied pair right costs about as much as this many pairs of the short kernel.
_COST_OF_CORRECTION = 80

#: A test point with more than this share of all weight takes the kernel in doubles.
_HEAVY = 1 / 64

#: Rows are filled up to a multiple of the first (pairs are taken 4 by 2), columns to one of
#: the second, or the last few test points would take a slow remainder loop.
_ROWS, _COLUMNS = 4, 8


#: What a block of test points hands on: tied points to put right, or a ranking not packed yet.
Taken: TypeAlias = IntArray | Ranking


class Chunk:
    """What pairs need to know of the test points start..stop, and from it a part of the matrix.

    ``w`` are the pair weights of the index. How large the coefficients of the plain score can be
    is known from the weights of the test points; of any other one it is seen from all of the
    chunk's rankings, so that these are packed when the last is there.
    """

    def __init__(self, problem: Problem, w: FloatArray, start: int, stop: int) -> None:
        self._problem = problem
        self._w = w
        self._start = start
        self._size = stop - start
        self._tied = np.zeros(stop - start, dtype=np.bool_)
        self._bands = Bands(problem, w, start, stop)
        self._settled = problem.gains.plain
        if self._settled:
            self._settle(problem.weights[start:stop], 1.0)

    def _settle(self, reach: FloatArray, total: float) -> None:
        """Choose the packing; ``reach`` bounds the gains of each test point times its weight.

        ``total`` is the sum of that over all test points, or about that.
        """
        self._apart = reach > _HEAVY * total
        heaviest = float(reach[~self._apart].max(initial=0.0))
        largest = largest_coefficient(self._w) * self._problem.unit * heaviest
        self._packing: Packing = packing(self._problem.n_train, largest)
        self._keys = self._no_keys(self._size)

    def take(self, ranking: Ranking) -> Taken:
        """Take in a block of test points; on any thread, since no two share one."""
        return self._pack(ranking) if self._settled else ranking

    def _pack(self, ranking: Ranking) -> IntArray:
        """Fill the columns of a block of test points; on any thread, since no two share one.

        What comes back are their tied training points that are left to be put right; see
        `coefficients.pack_block`.
        """
        problem = self._problem
        first = ranking.start - self._start
        own = slice(first, first + len(ranking.order))
        self._tied[own] = ranking.tied_pairs > 0
        few = problem.n_train**2 // (2 * _COST_OF_CORRECTION)
        self._apart[own] |= ranking.tied_pairs > few
        for one, apart in zip(ranking.single(), self._apart[own].tolist(), strict=True):
            if apart:
                for found in coefficients_of_each(problem, one, self._w):
                    self._bands.put(*found)
        light = np.flatnonzero(~self._apart[own])
        tests = light + ranking.start
        keys = np.empty((len(light), problem.n_train), np.int64)
        room = np.count_nonzero(ranking.tied_pairs[light]) * problem.n_train
        members = np.empty((4, room), np.int64)
        count = coefficients.pack_block(
            ranking.order[light],
            ranking.ends[light],
            problem.n_ranked,
            ranking.gains[light],
            problem.weights[tests],
            problem.unit,
            self._w,
            self._packing.bits,
            self._packing.step,
            keys,
            members,
        )
        packed.put_columns(keys, light + first, self._keys)
        return members[:, :count].copy()

    def add_to(
        self,
        matrix: AnyArray,
        taken: Sequence[Taken],
        run: ThreadMap,
        rows: range | None = None,
    ) -> None:
        """Add the pairs of all its test points to the upper triangle of ``matrix``, (n, n).

        ``taken`` is what `take` gave for its test points, in their order; ``rows`` begin at a
        multiple of 64, and are all by default.
        """
        rows = range(len(matrix)) if rows is None else rows
        rankings = [one for one in taken if isinstance(one, Ranking)]
        members = [one for one in taken if not isinstance(one, Ranking)]
        if rankings:
            reach = np.concatenate(run(self._reach, rankings))
            self._settle(reach, float(reach.sum()) * self._problem.n_test / self._size)
            members = run(self._pack, rankings)
        light = np.flatnonzero(~self._apart)
        if len(light):
            self._add_light(self._keys_of(light), _joined(members), matrix, run, rows)
        for tied in (False, True):
            columns = np.flatnonzero(self._apart & (self._tied == tied))
            if len(columns):
                bands = self._bands.over(columns, tied)
                run(partial(bands.add_pairs, out=matrix), _starts(rows))

    def _reach(self, ranking: Ranking) -> FloatArray:
        """Return how far apart the gains of each test point lie, and 0, times its weight."""
        gains = ranking.gains
        spread = gains.max(axis=1, initial=0.0) - gains.min(axis=1, initial=0.0)
        return np.asarray(self._problem.weights[ranking.tests] * spread)

    def _add_light(
        self, keys: IntArray, members: IntArray, matrix: AnyArray, run: ThreadMap, rows: range
    ) -> None:
        bits, step = self._packing.bits, self._packing.step
        seen = keys.view(np.float64)
        begins = np.empty(len(matrix) + 1, np.int64)
        places = np.empty(members.shape[1], np.int64)
        packed.sort_members(members[0], begins, places)

        def add(i0: int, i1: int) -> None:
            packed.add_pairs(seen, i0, i1, _TILE, bits, step, matrix)
            if len(places):
                packed.correct_tied_pairs(members, begins, places, i0, i1, step, matrix)

        _bands(add, rows, run)

    def _keys_of(self, columns: IntArray) -> IntArray:
        """Return the keys of some test points, filled up; those of all as they are."""
        if len(columns) == len(self._apart):
            return self._keys
        some = self._no_keys(len(columns))
        some[:, : len(columns)] = self._keys[:, columns]
        return some

    def _no_keys(self, count: int) -> IntArray:
        """Return room for the keys of ``count`` test points, filled up with coefficients of 0."""
        shape = -(-self._problem.n_train // _ROWS) * _ROWS, -(-count // _COLUMNS) * _COLUMNS
        return np.full(shape, 1 << (self._packing.bits - 1), np.int64)


def mirror(matrix: AnyArray, run: ThreadMap) -> None:
    """Copy the upper triangle of ``matrix`` onto the lower one, in place."""
    _bands(lambda i, j: pairs.mirror(matrix, i, j), range(len(matrix)), run)


def _bands(work: Callable[[int, int], object], rows: range, run: ThreadMap) -> None:
    """Do ``work`` for every band of these rows of the matrix."""
    run(lambda i: work(i, min(i + _TASK_ROWS, rows.stop)), _starts(rows))


def _starts(rows: range) -> range:
    """Return the first row of each task."""
    return range(rows.start, rows.stop, _TASK_ROWS)


def _joined(members: Sequence[IntArray]) -> IntArray:
    """Join what the blocks hold, each place counted from the first of all."""
    joined = np.hstack(members)
    sizes = [part.shape[1] for part in members]
    joined[3] += np.repeat(np.cumsum([0, *sizes[:-1]]), sizes)
    return joined
