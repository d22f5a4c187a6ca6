"""The map: rank some test points, and keep what the pairs and the points need of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stiknn_core.distributed._layout import rows_at_once
from stiknn_core.engine.blocks import block_half_sum
from stiknn_core.engine.coefficients import (
    add_values,
    fill_coefficients,
    has_support,
    support_sum,
    values_of,
)
from stiknn_core.engine.neighbors import BLOCK, NeighborRanker
from stiknn_core.engine.threads import cut
from stiknn_core.games import PairIndex
from stiknn_core.types import FloatArray, IntArray
from stiknn_core.validation import Problem


@dataclass(frozen=True, eq=False)
class Coefficients:
    """What all pairs of some training points need of some test points.

    Attributes
    ----------
    farther, same : (rows, m) float64
        See `stiknn_core._kernels.coefficients.pair_coefficients`; ``same`` is zero without ties.
    rank : (rows, m) int32
    tied : (m,) bool
        Whether a test point has tied training points.
    """

    farther: FloatArray
    same: FloatArray
    rank: NDArray[np.int32]
    tied: NDArray[np.bool_]

    def rows(self, band: slice) -> Coefficients:
        """Return a copy of some rows, so that a band can travel without the others."""
        return Coefficients(
            self.farther[band].copy(), self.same[band].copy(), self.rank[band].copy(), self.tied
        )


@dataclass(frozen=True, eq=False)
class PointSums:
    """Sums over some test points that belong to single training points or to all of them.

    Attributes
    ----------
    values : (n,) float64
    diagonal : (n,) float64
        That of the matrix, where it is neither the values nor known in advance.
    support : (n, n_classes) float64
        Of no class where the score has none.
    totals : (2,) float64
        Likelihood, and the number of test points with ties of different labels.
    """

    values: FloatArray
    diagonal: FloatArray
    support: FloatArray
    totals: FloatArray


def diagonal_is_summed(problem: Problem, index: PairIndex) -> bool:
    """Whether the diagonal is another sum over test points, and not known without one."""
    return index.diagonal is not index and not problem.gains.plain


class TestPoints:
    """Ranks test points of one problem; safe to call from several threads.

    Parameters
    ----------
    problem : Problem
    index : PairIndex
    """

    __test__ = False  # no test, whatever pytest thinks of the name

    def __init__(self, problem: Problem, index: PairIndex) -> None:
        self.problem = problem
        self._ranker = NeighborRanker(problem)
        self._w = index.pair_weights(problem.n_ranked, problem.voters)
        self._values = values_of(problem, index)
        summed = diagonal_is_summed(problem, index)
        self._diagonal = values_of(problem, index.diagonal) if summed else None

    def everything(
        self,
        start: int,
        stop: int,
        matrix: bool,
        blocks: tuple[IntArray, int] | None,
        points: bool = True,
    ) -> tuple[Coefficients, PointSums, FloatArray]:
        """Return coefficients, sums of points, and (B, B) which with its mirror gives block sums.

        What is not asked for is empty, or zero.
        """
        problem = self.problem
        n = problem.n_train
        shape = (n, stop - start) if matrix else (0, stop - start)
        # Untouched pages of zeros cost nothing, so ``same`` is free where there are no ties.
        farther, same, rank = np.zeros(shape), np.zeros(shape), np.zeros(shape)
        tied = np.zeros(stop - start, dtype=np.bool_)
        support = support_sum(problem) if points and has_support(problem) else None
        classes = (n, 0) if support is None else support.shape
        sums = PointSums(np.zeros(n), np.zeros(n), np.zeros(classes), np.zeros(2))
        pairs = None if blocks is None else block_half_sum(problem, self._w, *blocks)
        half = np.zeros((0, 0) if pairs is None else pairs.shape)
        for block in cut(start, stop, rows_at_once(n, BLOCK)):
            ranking = self._ranker.rank(*block)
            if matrix:
                first = block[0] - start
                fill_coefficients(problem, ranking, self._w, farther, same, rank, first)
            if points:
                sums.totals[0] += add_values(problem, ranking, self._values, sums.values)
                sums.totals[1] += ranking.mixed.sum()
                if self._diagonal is not None:
                    add_values(problem, ranking, self._diagonal, sums.diagonal)
            if support is not None:
                support.put(ranking, support.part(ranking), sums.support)
            if pairs is not None:
                pairs.add(ranking, half)
            tied[block[0] - start : block[1] - start] = ranking.tied_pairs > 0
        return Coefficients(farther, same, rank.astype(np.int32), tied), sums, half
