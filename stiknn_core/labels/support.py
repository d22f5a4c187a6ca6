"""How well each given label is supported by the test points around it."""

from __future__ import annotations

from typing import Any

import numpy as np

from stiknn_core.engine.coefficients import class_shares
from stiknn_core.engine.near import near_test_support
from stiknn_core.engine.neighbors import NeighborRanker, Ranking
from stiknn_core.engine.parts import over_blocks
from stiknn_core.engine.points import near_of, point_sums
from stiknn_core.engine.threads import Progress
from stiknn_core.errors import ParameterError
from stiknn_core.games import SII, AnyScore
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

#: Numbers of the support that are compared at a time.
_CELLS = 4_000_000


def label_support(
    X: Any,
    y: Any,
    X_test: Any = None,
    y_test: Any = None,
    *,
    k: int = 5,
    score: AnyScore = "plain",
    metric: Metric = "euclidean",
    ties: Ties = "expected",
    sample_weight: Any = None,
    test_rows: Any = None,
    nearest: int | None = None,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> LabelSupport:
    """Score every training label, and suggest the class with the largest share of the support.

    Parameters
    ----------
    X, y, X_test, y_test, k
        As in `stiknn_core.interactions`; ``X`` may be a `stiknn_core.Forest`, with
        ``metric="precomputed"``.
    score : "plain" or games.Score
        Plain, ``kernel``, ``soft``, ``votes``, ``soft_training`` or ``costs``: what a point would
        bring if it were wholly of another class.
    metric, ties, sample_weight, test_rows
        As in `stiknn_core.interactions`.
    nearest : int, optional
        Of each test point so many nearest different rows are told apart, all others are taken for
        tied; by default that is done above 50,000 training points alone, with 500. Every row keeps
        its part: ``LabelSupport.bound`` says how far the support can be off.
    n_jobs, progress
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
    O(n c) memory for c classes. With soft labels of test points ``[label of p = c]`` is a
    share. With a forest, or with ``nearest`` = m, what is not near a test
    point is one group of ties, and counting it takes O(t m): far less, and exact in the forest.
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
        score=score,
    )
    found = point_sums(problem, (), nearest=nearest, progress=progress)
    return judged(problem, found.support, found.bound)


def judged(problem: Problem, support: FloatArray, bound: float = 0.0) -> LabelSupport:
    """Return the label support of the training points whose sum is ``support``."""
    rows = np.ascontiguousarray(support)
    given = class_shares(problem), problem.codes, problem.classes, problem.ids
    return _judge(rows, *given, bound=bound)


def judge_test_labels(
    X: Any,
    y: Any,
    X_test: Any = None,
    y_test: Any = None,
    *,
    k: int = 5,
    metric: Metric = "euclidean",
    ties: Ties = "expected",
    nearest: int | None = None,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> LabelSupport:
    """Score every test label by the training points near it: the mirror of `label_support`.

    Test labels may be as wrong as training labels; this reviews them in the same way.

    Parameters
    ----------
    X, y, X_test, y_test, k, metric, ties, nearest, n_jobs, progress
        As in `label_support`. A test set is needed; in leave-one-out testing the training
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
            "judge_test_labels needs y_test; for leave-one-out testing use label_support, which "
            "scores the same points."
        )
    problem = check_problem(X, y, X_test, y_test, k=k, metric=metric, ties=ties, n_jobs=n_jobs)
    near = near_of(problem, nearest)
    if near is None:
        support = _test_support(problem, progress)
    else:
        support = near_test_support(problem, near, progress)
    support /= problem.n_train
    n_classes = len(problem.classes)
    frequency: FloatArray = np.bincount(problem.codes, minlength=n_classes) / problem.n_train
    return _judge(
        support, frequency, problem.test_codes, problem.classes, np.arange(problem.n_test)
    )


def _test_support(problem: Problem, progress: Progress | None) -> FloatArray:
    """Return what training points of each class give to each test point, (t, n_classes)."""
    g = SII.value_weights(problem.n_ranked, problem.voters)
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
        support[ranking.tests] = summed.reshape(-1, n_classes)

    over_blocks(problem, NeighborRanker(problem), fill, progress)
    return support


def _judge(
    support: FloatArray,
    frequency: FloatArray,
    codes: IntArray,
    classes: tuple[Any, ...],
    ids: AnyArray,
    bound: float = 0.0,
) -> LabelSupport:
    """Turn support into quality and suggestion; a code of -1 is a class without any support."""
    root = np.sqrt(np.where(frequency > 0, frequency, 1.0))
    quality, best = np.ones(len(support)), np.array(codes)
    # Some rows at a time: an array more of all rows and classes may not fit.
    step = max(1, _CELLS // max(1, len(classes)))
    for start in range(0, len(support), step):
        part = slice(start, start + step)
        balanced, code = support[part] / root, codes[part]
        total, rows = balanced.sum(axis=1), np.arange(len(code))
        given = np.where(code >= 0, balanced[rows, code], 0.0)
        # Without any test point of a known class nothing is known against a label.
        np.divide(given, total, out=quality[part], where=total > 0)
        largest = balanced.argmax(axis=1)
        kept = (code >= 0) & (given >= balanced[rows, largest])
        best[part] = np.where(kept, code, largest)
    return LabelSupport(
        support=read_only(support),
        quality=read_only(quality),
        suggested=read_only(class_array(classes, best)),
        classes=classes,
        ids=read_only(ids),
        frequency=read_only(np.array(frequency, dtype=np.float64)),
        bound=bound,
    )
