"""Which test points have neighbours of different labels at one distance."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from stiknn_core.engine.neighbors import NeighborRanker, blocks
from stiknn_core.types import IntArray, Metric, read_only
from stiknn_core.validation import check_problem


def tied_test_points(
    X: ArrayLike,
    y: ArrayLike,
    X_test: ArrayLike | None = None,
    y_test: ArrayLike | None = None,
    *,
    metric: Metric = "euclidean",
) -> IntArray:
    """Find the test points whose answer hangs on how ties are settled; input as of `interactions`.

    Returns the positions, sorted and read-only, of those with at least one group of equally distant
    training points that hold different labels; as many as ``Interactions.tied_test_points`` says.
    Time O(t n (d + log n)), memory O(n); no matrix is made.
    """
    problem = check_problem(X, y, X_test, y_test, k=1, metric=metric, ties="expected")
    ranker = NeighborRanker(problem)
    found = [
        ranking.start + np.flatnonzero(ranking.mixed)
        for ranking in (ranker.rank(*block) for block in blocks(0, problem.n_test))
    ]
    tied: IntArray = read_only(np.concatenate(found).astype(np.int64))
    return tied
