"""How well each given label is supported by the test points around it."""

from __future__ import annotations

from typing import Any

import numpy as np

from stiknn_core._kernels import coefficients
from stiknn_core.engine.indices import value_weights
from stiknn_core.engine.neighbors import NeighborRanker, Ranking
from stiknn_core.engine.parts import over_blocks
from stiknn_core.engine.passes import Sum, sum_over_test_points
from stiknn_core.engine.threads import Progress
from stiknn_core.errors import ParameterError
from stiknn_core.types import (
    AnyArray,
    FloatArray,
    IntArray,
    LabelSupport,
    Metric,
    Ties,
    read_only,
)
from stiknn_core.validation import Problem, check_problem
from stiknn_core.validation.labels import class_array
from stiknn_core.validation.rows import labels_for


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
    test_rows: Any = None,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> LabelSupport:
    """Score every training label, and suggest the class with the largest share of the support.

    Parameters
    ----------
    X, y, X_test, y_test, k, metric, ties, sample_weight, test_rows, n_jobs, progress
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
    they never are. Quality and suggestion are read from the result, ``LabelSupport.shares``; the
    largest of the undivided ``support`` may be that of another class. O(t n (d + log n)) time,
    O(n c) memory for c classes.
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
        test_rows=test_rows,
        n_jobs=n_jobs,
    )
    return judged(problem, sum_over_test_points(problem, support_sum(problem), progress))


def support_sum(problem: Problem) -> Sum:
    """Return the sum over test points, (n_train, n_classes), that gives the support."""
    g = value_weights("shapley", problem.n_ranked, problem.voters)

    def columns(ranking: Ranking) -> IntArray:
        codes = problem.test_codes[ranking.tests]
        return np.unique(codes[codes >= 0])

    def add(ranking: Ranking, out: FloatArray) -> None:
        codes = problem.test_codes[ranking.tests]
        coefficients.label_support(
            ranking.order,
            ranking.ends,
            problem.n_ranked,
            np.where(codes < 0, codes, np.searchsorted(columns(ranking), codes)),
            problem.weights[ranking.tests],
            g,
            out,
        )

    return Sum(add, (problem.n_train, len(problem.classes)), columns)


def judged(problem: Problem, support: FloatArray) -> LabelSupport:
    """Return the label support of the training points whose sum is ``support``."""
    rows = np.ascontiguousarray(support)
    return _judge(rows, problem.class_weights, problem.codes, problem.classes, problem.ids)


def judge_test_labels(
    X: Any,
    y: Any,
    X_test: Any = None,
    y_test: Any = None,
    *,
    k: int = 5,
    metric: Metric = "euclidean",
    ties: Ties = "expected",
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> LabelSupport:
    """Score every test label by the training points near it: the mirror of `label_support`.

    Test labels may be as wrong as training labels; this reviews them in the same way.

    Parameters
    ----------
    X, y, X_test, y_test, k, metric, ties, n_jobs, progress
        As in `stiknn_core.interactions`. A test set is needed; in leave-one-out the training
        points are the test points, and `label_support` scores their labels.

    Returns
    -------
    LabelSupport
        One row per test point, ``ids`` their positions; the classes are those of the training
        points. ``quality`` in [0, 1], low = suspicious; 0 for a class no training point has.

    Raises
    ------
    ParameterError
        If there is no test set.
    StiknnError
        As `stiknn_core.interactions`.

    Notes
    -----
    ``support[p, c]`` is the mean over training points i of ``g(rank of i) [label of i = c]``
    with ``g(m) = min(k, m) / m``, ranks as test point p has them, ties in expectation.
    Classes are divided by the square root of their frequency among the training points.
    O(t n (d + log n)) time, O(t c) memory for c classes.
    """
    y_test = labels_for(X_test, y_test)
    if y_test is None:
        raise ParameterError(
            "judge_test_labels needs y_test; for leave-one-out use label_support, which scores "
            "the same points."
        )
    problem = check_problem(X, y, X_test, y_test, k=k, metric=metric, ties=ties, n_jobs=n_jobs)
    g = value_weights("shapley", problem.n_ranked, problem.voters)
    n_classes = len(problem.classes)
    earned = np.concatenate([[0.0], np.cumsum(g[1 : problem.n_ranked + 1])])

    support = np.empty((problem.n_test, n_classes))

    def fill(ranking: Ranking) -> None:
        ranks = np.arange(problem.n_train)
        ends = ranking.ends
        begins = np.ones(ends.shape, dtype=bool)
        begins[:, 1:] = ends[:, 1:] != ends[:, :-1]
        starts = np.maximum.accumulate(np.where(begins, ranks, 0), axis=1)
        share = (earned[ends] - earned[starts]) / (ends - starts)
        place = np.arange(len(ends))[:, None] * n_classes + problem.codes[ranking.order]
        summed = np.bincount(place.ravel(), share.ravel(), minlength=len(ends) * n_classes)
        support[ranking.tests] = summed.reshape(-1, n_classes) / problem.n_train

    over_blocks(problem, NeighborRanker(problem), fill, progress)
    frequency: FloatArray = np.bincount(problem.codes, minlength=n_classes) / problem.n_train
    return _judge(
        support, frequency, problem.test_codes, problem.classes, np.arange(problem.n_test)
    )


def _judge(
    support: FloatArray,
    frequency: FloatArray,
    codes: IntArray,
    classes: tuple[Any, ...],
    ids: AnyArray,
) -> LabelSupport:
    """Turn support into quality and suggestion; a code of -1 is a class without any support."""
    balanced = support / np.sqrt(np.where(frequency > 0, frequency, 1.0))
    total = balanced.sum(axis=1)
    rows = np.arange(len(support))
    given = np.where(codes >= 0, balanced[rows, codes], 0.0)
    # Without any test point of a known class nothing is known against a label.
    quality = np.divide(given, total, out=np.ones_like(total), where=total > 0)
    best = balanced.argmax(axis=1)
    best = np.where((codes >= 0) & (given >= balanced[rows, best]), codes, best)
    return LabelSupport(
        support=read_only(support),
        quality=read_only(quality),
        suggested=read_only(class_array(classes, best)),
        classes=classes,
        ids=read_only(ids),
        frequency=read_only(np.array(frequency, dtype=np.float64)),
    )
