"""Sums over blocks of pairs, and single rows, from the coefficients of each test point."""

from __future__ import annotations

from stiknn_core._kernels import blocks
from stiknn_core.engine.coefficients import coefficients_of_each
from stiknn_core.engine.neighbors import Ranking
from stiknn_core.engine.passes import Sum
from stiknn_core.types import FloatArray, IntArray
from stiknn_core.validation import Problem


def block_half_sum(problem: Problem, w: FloatArray, block_of: IntArray, n_blocks: int) -> Sum:
    """Return the sum over test points, (B, B), that with its mirror gives the block sums.

    ``block_of`` holds 0..B-1, or -1 for points whose pairs are left out; they stay players.
    """

    def add(ranking: Ranking, out: FloatArray) -> None:
        for one, farther, same, _ in coefficients_of_each(problem, ranking, w):
            blocks.add_block_pairs(
                one.order[0], one.ends[0], problem.n_ranked, block_of, farther, same, out
            )

    return Sum(add, (n_blocks, n_blocks))


def rows_sum(problem: Problem, w: FloatArray, wanted: IntArray) -> Sum:
    """Return the sum over test points, (m, n), that gives rows of the matrix but its diagonal."""

    def add(ranking: Ranking, out: FloatArray) -> None:
        for one, farther, same, rank in coefficients_of_each(problem, ranking, w):
            order, ends = one.order[0], one.ends[0]
            for point, row in zip(wanted.tolist(), out, strict=True):
                blocks.add_row(order, ends, problem.n_ranked, point, farther, same, rank, row)

    return Sum(add, (len(wanted), problem.n_train))
