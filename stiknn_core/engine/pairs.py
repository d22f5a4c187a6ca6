"""Add the pairs of one chunk of test points to the matrix, on threads.

Test points are sorted into two bins. Without ties, or with a few accidental ones, they
take the short kernel, after which the few tied pairs are put right. With many
ties (grids, categories, copies) they take the kernel that knows of ties.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from stiknn_core._kernels import coefficients, packed, pairs
from stiknn_core.engine.neighbors import Ranking
from stiknn_core.engine.packing import largest_coefficient, packing
from stiknn_core.engine.threads import ThreadMap
from stiknn_core.types import AnyArray, FloatArray, IntArray
from stiknn_core.validation import Problem

#: Rows of the matrix that one task fills, and the side of the tiles it walks through: two
#: tiles of keys fit the second-level cache.
_TASK_ROWS = 64
_TILE = 32

#: Putting one tied pair right costs about as much as this many pairs of the short kernel.
_COST_OF_CORRECTION = 80

#: Rows are filled up to a multiple of the first (pairs are taken 4 by 2), columns to one of
#: the second, or the last few test points would take a slow remainder loop.
_ROWS, _COLUMNS = 4, 8


@dataclass(frozen=True, eq=False)
class Packed:
    """What is left to do for a block of test points once their keys are in their columns.

    Attributes
    ----------
    first : int
        Column of the first of its b test points.
    pairs : (b,) int64
        Pairs of tied training points of each.
    members : (4, m) int64
        Its tied training points, test point by test point; see `coefficients.pack_block`.
    entries : (b + 1,) int64
        Where those of each test point begin.
    """

    first: int
    pairs: IntArray
    members: IntArray
    entries: IntArray


class Chunk:
    """The keys of the test points start..stop, one column each, and from them a part of the matrix.

    ``w`` are the pair weights of the index.
    """

    def __init__(self, problem: Problem, w: FloatArray, start: int, stop: int) -> None:
        self._problem = problem
        self._w = w
        self._start = start
        self._count = stop - start
        largest = largest_coefficient(w) * problem.unit * float(problem.weights[start:stop].max())
        self._packing = packing(problem.n_train, self._count, largest)
        self._keys = _zeros(problem.n_train, self._count)

    def pack(self, ranking: Ranking) -> Packed:
        """Fill the columns of a block of test points; on any thread, since no two share one."""
        problem = self._problem
        keys = np.empty_like(ranking.order)
        room = np.count_nonzero(ranking.tied_pairs) * problem.n_train
        members = np.empty((4, room), np.int64)
        entries = np.empty(len(keys) + 1, np.int64)
        coefficients.pack_block(
            ranking.order,
            ranking.ends,
            problem.n_ranked,
            problem.codes,
            problem.test_codes[ranking.tests],
            problem.weights[ranking.tests],
            problem.unit,
            self._w,
            self._packing.bits,
            self._packing.step,
            keys,
            members,
            entries,
        )
        first = ranking.start - self._start
        packed.put_columns(keys, first, self._keys)
        return Packed(first, ranking.tied_pairs, members[:, : entries[-1]].copy(), entries)

    def add_to(
        self,
        matrix: AnyArray,
        blocks: Sequence[Packed],
        run: ThreadMap,
        rows: range | None = None,
    ) -> None:
        """Add the pairs of all its test points to the upper triangle of ``matrix``, (n, n).

        ``blocks`` are what `pack` gave for its test points, in their order; ``rows`` begin at a
        multiple of 64, and are all by default.
        """
        rows = range(len(matrix)) if rows is None else rows
        few = self._problem.n_train**2 // (2 * _COST_OF_CORRECTION)
        many = np.zeros(self._count, dtype=np.bool_)
        for block in blocks:
            many[block.first : block.first + len(block.pairs)] = block.pairs > few
        if not many.all():
            keys = self._some(self._keys, ~many)
            self._add_few(keys, _members(blocks, ~many), matrix, run, rows)
        if many.any():
            same = self._some(self._same(blocks), many)
            self._add_many(self._some(self._keys, many), same, matrix, run, rows)

    def _add_few(
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

    def _add_many(
        self, keys: IntArray, same: IntArray, matrix: AnyArray, run: ThreadMap, rows: range
    ) -> None:
        bits, step = self._packing.bits, self._packing.step
        seen = keys.view(np.float64)
        _bands(
            lambda i0, i1: packed.add_tied_pairs(seen, same, i0, i1, _TILE, bits, step, matrix),
            rows,
            run,
        )

    def _some(self, columns: IntArray, wanted: AnyArray) -> IntArray:
        """Return the wanted columns, filled up; all of them as they are."""
        if wanted.all():
            return columns
        some = _zeros(self._problem.n_train, int(wanted.sum()))
        some[:, : wanted.sum()] = columns[:, np.flatnonzero(wanted)]
        return some

    def _same(self, blocks: Sequence[Packed]) -> IntArray:
        same = _zeros(self._problem.n_train, self._count)
        for block in blocks:
            columns = np.repeat(np.arange(len(block.pairs)), np.diff(block.entries))
            same[block.members[0], block.first + columns] = block.members[2]
        return same


def mirror(matrix: AnyArray, run: ThreadMap) -> None:
    """Copy the upper triangle of ``matrix`` onto the lower one, in place."""
    _bands(lambda i, j: pairs.mirror(matrix, i, j), range(len(matrix)), run)


def _bands(work: Callable[[int, int], object], rows: range, run: ThreadMap) -> None:
    """Do ``work`` for every band of these rows of the matrix."""

    def one(i: int) -> None:
        with np.errstate(over="ignore"):  # sums of keys run over on purpose; see the kernels
            work(i, min(i + _TASK_ROWS, rows.stop))

    run(one, range(rows.start, rows.stop, _TASK_ROWS))


def _zeros(n: int, count: int) -> IntArray:
    """Return room for the keys of ``count`` test points, filled up with zeros."""
    return np.zeros((-(-n // _ROWS) * _ROWS, -(-count // _COLUMNS) * _COLUMNS), np.int64)


def _members(blocks: Sequence[Packed], wanted: AnyArray) -> IntArray:
    """Join what the blocks hold of the wanted test points."""
    joined = []
    size = 0
    for block in blocks:
        chosen = wanted[block.first : block.first + len(block.pairs)]
        for entry in np.flatnonzero(chosen & (block.pairs > 0)).tolist():
            begin, end = block.entries[entry : entry + 2]
            part = block.members[:, begin:end].copy()
            part[3] += size - begin
            size += end - begin
            joined.append(part)
    return np.hstack(joined) if joined else np.empty((4, 0), np.int64)
