"""Sums over blocks of pairs, and single rows, from the coefficients of each test point."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from stiknn_core._kernels import blocks
from stiknn_core._kernels.coefficients import pair_coefficients
from stiknn_core.engine.neighbors import Ranking
from stiknn_core.engine.passes import Sum
from stiknn_core.types import FloatArray, IntArray
from stiknn_core.validation import Problem


def block_half_sum(problem: Problem, w: FloatArray, block_of: IntArray, n_blocks: int) -> Sum:
    """Return the sum over test points, (B, B), that with its mirror gives the block sums.

    ``block_of`` holds 0..B-1, or -1 for points whose pairs are left out; they stay players.
    """

    def add(ranking: Ranking, tests: slice, out: FloatArray) -> None:
        for p, farther, same, _ in coefficients(problem, ranking, w):
            blocks.add_block_pairs(
                ranking.order[p], ranking.ends[p], problem.n_ranked, block_of, farther, same, out
            )

    return Sum(add, (n_blocks, n_blocks))


def rows_sum(problem: Problem, w: FloatArray, wanted: IntArray) -> Sum:
    """Return the sum over test points, (m, n), that gives rows of the matrix but its diagonal."""

    def add(ranking: Ranking, tests: slice, out: FloatArray) -> None:
        for p, farther, same, rank in coefficients(problem, ranking, w):
            order, ends = ranking.order[p], ranking.ends[p]
            for place, point in enumerate(wanted.tolist()):
                blocks.add_row(
                    order, ends, problem.n_ranked, point, farther, same, rank, out[place]
                )

    return Sum(add, (len(wanted), problem.n_train))


def coefficients(
    problem: Problem, ranking: Ranking, w: FloatArray
) -> Iterator[tuple[int, FloatArray, FloatArray, FloatArray]]:
    """Yield, test point by test point, its place in the block and its three coefficients."""
    shape = (problem.n_train, 1)
    farther, same, rank = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    for p in range(ranking.stop - ranking.start):
        test = slice(ranking.start + p, ranking.start + p + 1)
        pair_coefficients(
            ranking.order[p : p + 1],
            ranking.ends[p : p + 1],
            problem.n_ranked,
            problem.codes,
            problem.test_codes[test],
            problem.weights[test],
            0,
            problem.unit,
            w,
            farther,
            same,
            rank,
        )
        yield p, farther[:, 0], same[:, 0], rank[:, 0]
