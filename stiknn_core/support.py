"""How well each given label is supported by the test points around it."""

from __future__ import annotations

from typing import Any

import numpy as np

from stiknn_core import _kernels
from stiknn_core._passes import sum_over_test_points
from stiknn_core._threads import Progress
from stiknn_core.indices import value_weights
from stiknn_core.neighbors import Ranking
from stiknn_core.types import FloatArray, LabelSupport, Metric, Ties, read_only
from stiknn_core.validation import Problem, check_problem
from stiknn_core.validation.labels import class_array


def label_support(
    X: Any,
    y: Any,
    X_test: Any = None,
    y_test: Any = None,
    *,
    k: int = 5,
    metric: Metric = "euclidean",
    ties: Ties = "expected",
    sample_weight: Any = None,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> LabelSupport:
    """Score every training label, and suggest the class with the most support.

    Parameters
    ----------
    X, y, X_test, y_test, k, metric, ties, sample_weight, n_jobs, progress
        As in `stiknn_core.interactions`.

    Returns
    -------
    LabelSupport
        ``quality`` in [0, 1], low = suspicious, is the score to rank by.

    Raises
    ------
    StiknnError
        As `stiknn_core.interactions`.

    Notes
    -----
    ``support[i, c]`` is the mean over test points p of ``g(rank of i) [label of p = c]``
    with ``g(m) = min(k, m) / m``, the part of the KNN-Shapley value that a point earns by
    its own label. Classes are then divided by the square root of their frequency among the
    test points: without any division rare classes are always suspicious, with the full one
    they never are. O(t n (d + log n)) time, O(n c) memory for c classes.
    """
    problem = check_problem(
        X,
        y,
        X_test,
        y_test,
        k=k,
        metric=metric,
        ties=ties,
        sample_weight=sample_weight,
        n_jobs=n_jobs,
    )
    g = value_weights("shapley", problem.n_ranked, problem.voters)

    def add(ranking: Ranking, tests: slice, out: FloatArray) -> None:
        _kernels.label_support(
            ranking.order,
            ranking.ends,
            problem.n_ranked,
            problem.test_codes[tests],
            problem.weights[tests],
            g,
            out,
        )

    shape = (problem.n_train, len(problem.classes))
    support = sum_over_test_points(problem, add, shape, progress)
    return _judge(problem, support)


def _judge(problem: Problem, support: FloatArray) -> LabelSupport:
    known = problem.test_codes >= 0
    frequency = np.bincount(
        problem.test_codes[known], problem.weights[known], minlength=len(problem.classes)
    )
    balanced = support / np.sqrt(np.where(frequency > 0, frequency, 1.0))
    total = balanced.sum(axis=1)
    rows = np.arange(problem.n_train)
    given = balanced[rows, problem.codes]
    # Without any test point of a known class nothing is known against a label.
    quality = np.divide(given, total, out=np.ones_like(total), where=total > 0)
    best = balanced.argmax(axis=1)
    best = np.where(given >= balanced[rows, best], problem.codes, best)
    return LabelSupport(
        support=read_only(support),
        quality=read_only(quality),
        suggested=read_only(class_array(problem.classes, best)),
        classes=problem.classes,
        ids=read_only(problem.ids),
    )
