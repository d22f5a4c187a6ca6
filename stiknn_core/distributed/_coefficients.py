"""The map: rank some test points, and keep what the pairs and the points need of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stiknn_core.distributed._layout import rows_at_once
from stiknn_core.engine.blocks import block_half_sum
from stiknn_core.engine.coefficients import add_values, fill_coefficients, support_sum
from stiknn_core.engine.indices import VALUE_OF_INDEX, pair_weights, value_weights
from stiknn_core.engine.neighbors import BLOCK, NeighborRanker
from stiknn_core.engine.threads import cut
from stiknn_core.types import FloatArray, Index, IntArray
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
    support : (n, n_classes) float64
    totals : (2,) float64
        Likelihood, and the number of test points with ties of different labels.
    """

    values: FloatArray
    support: FloatArray
    totals: FloatArray


class TestPoints:
    """Ranks test points of one problem; safe to call from several threads.

    Parameters
    ----------
    problem : Problem
    index : {"STII", "SII", "BII"}
    """

    __test__ = False  # no test, whatever pytest thinks of the name

    def __init__(self, problem: Problem, index: Index) -> None:
        self.problem = problem
        self._ranker = NeighborRanker(problem)
        self._w = pair_weights(index, problem.n_ranked, problem.voters)
        self._g = value_weights(VALUE_OF_INDEX[index], problem.n_ranked, problem.voters)

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
        support = support_sum(problem)
        sums = PointSums(np.zeros(n), np.zeros(support.shape), np.zeros(2))
        pairs = None if blocks is None else block_half_sum(problem, self._w, *blocks)
        half = np.zeros((0, 0) if pairs is None else pairs.shape)
        for block in cut(start, stop, rows_at_once(n, BLOCK)):
            ranking = self._ranker.rank(*block)
            if matrix:
                first = block[0] - start
                fill_coefficients(problem, ranking, self._w, farther, same, rank, first)
            if points:
                sums.totals[0] += add_values(problem, ranking, self._g, sums.values)
                sums.totals[1] += ranking.mixed.sum()
                support.put(ranking, support.part(ranking), sums.support)
            if pairs is not None:
                pairs.add(ranking, half)
            tied[block[0] - start : block[1] - start] = ranking.tied_pairs > 0
        return Coefficients(farther, same, rank.astype(np.int32), tied), sums, half
