"""Distances in the space of a random forest, where neighbours are what trees hold alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier

from stiknn_core._kernels.leaves import leaf_distances
from stiknn_core.engine.neighbors import blocks
from stiknn_core.engine.threads import Progress, chunks, silent, thread_map
from stiknn_core.errors import ShapeError
from stiknn_core.types import FloatArray, IntArray
from stiknn_core.validation import check_n_jobs, check_whole
from stiknn_core.validation.rows import check_rows, check_same_features
from stiknn_core.validation.settings import MAX_SEED, check_seed

#: Trees that are grown between two calls of ``progress``.
_TREES_AT_A_TIME = 25

#: How trees are grown, chosen by the measurements in docs/detection.md. Every split sees half
#: of the columns, and no point has a leaf of its own, where a wrong label could hide.
_GROWTH: dict[str, Any] = {"max_features": 0.5, "min_samples_leaf": 2}

#: Every split is tried for each class: time and memory would grow with their number. Of two
#: classes taken together in some trees, the others tell them apart.
_MOST_CLASSES = 64


def forest_distances(
    X: Any,
    y: Any,
    X_test: Any = None,
    *,
    n_trees: int = 200,
    seed: int = 0,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> FloatArray:
    """Return how often the trees of a random forest part two points.

    Half of the trees look for the best split, half draw splits at random (extremely
    randomised trees), all of them on bootstrap samples.

    Parameters
    ----------
    X : (n, d) array or DataFrame
        Training features: finite numbers. Units and scale do not matter, since every column
        is replaced by its ranks.
    y : (n,) labels
        Of any one kind, as in `stiknn_core.interactions`.
    X_test : (t, d) array or DataFrame, optional
        Test features; None for leave-one-out, where t = n.
    n_trees : int, default 200
        Trees of both kinds together, at least 1. A training point is out of bag in about 37 %
        of them.
    seed : int, default 0
        0 to 2**32 - 1; the same seed gives the same bits for any ``n_jobs``.
    n_jobs : int or None
        Threads; None and -1 for all cores.
    progress : callable or None
        Called with (done, total) of trees grown and rows compared; what it raises stops the
        work.

    Returns
    -------
    (t, n) float64
        In [0, 1], row p for test point p: the share of trees in which p and training point i
        fall into different leaves. Low = alike. To be passed to other functions as ``X`` with
        ``metric="precomputed"``.

    Raises
    ------
    StiknnError
        If features or labels are not usable, or a setting is impossible.

    Notes
    -----
    In leave-one-out only those trees are asked in whose bootstrap sample p does not occur.
    None of them has seen the label of p, so that p cannot choose neighbours that agree with
    its label, and changing that label changes nothing in row p. (The other points' rows do
    change: p is one of their training points.) A point that is in every sample, which takes
    very few trees, is equally far from all. The matrix is not symmetric; its diagonal is 0.
    Usually an out-of-bag proximity asks only trees in whose samples neither of both points is.

    With more than 64 classes every 25 trees see them in other groups, 64 of them, so that time does
    not grow with the number of classes.

    O(n_trees n (d log n + t)) time, of which the trees are the larger part, and O(t n)
    memory.

    References
    ----------
    Breiman (2001), "Random forests": out-of-bag samples and proximities. Geurts, Ernst and
    Wehenkel (2006), "Extremely randomized trees". The mix of both is our own.
    """
    n_trees = check_whole("n_trees", n_trees, least=1)
    seed = check_seed(seed)
    n_jobs = check_n_jobs(n_jobs)
    train, labels = check_rows(X, y)
    if len(labels.values) < 2:
        raise ShapeError("A forest needs at least 2 rows; got 1. Add rows.")
    codes = labels.codes(labels.classes)
    test = None if X_test is None else check_same_features(X_test, train)
    ranks = _ranks(train.X, train.X)
    test_ranks = None if test is None else _ranks(train.X, test.X)
    n_test = len(codes) if test is None else len(test.X)
    report, total = progress or silent, n_trees + n_test
    report(0, total)
    forests = _grow(ranks, codes, n_trees, seed, n_jobs, lambda grown: report(grown, total))
    leaves = _leaves(forests, ranks)
    test_leaves = leaves if test_ranks is None else _leaves(forests, test_ranks)
    votes = np.ones((n_trees, n_test), dtype=np.bool_)
    if test is None:
        samples = [in_bag for forest in forests for in_bag in forest.estimators_samples_]
        for tree, in_bag in enumerate(samples):
            votes[tree, in_bag] = False
    distances = _empty(n_test, len(codes))

    def fill(block: tuple[int, int]) -> None:
        leaf_distances(leaves, test_leaves, votes, *block, distances)

    with thread_map(n_jobs) as run:
        for span in chunks(n_test, lambda done, _: report(n_trees + done, total)):
            run(fill, blocks(*span))
    if test is None:
        np.fill_diagonal(distances, 0.0)
    return distances


def _ranks(train: FloatArray, X: FloatArray) -> FloatArray:
    """Return the columns of ``X`` as places among the different training values.

    Trees only ask on which side of a value a point lies, but scikit-learn does so in single
    precision and takes values closer than 1e-7 for equal. Ranks survive both, whatever the
    offset or unit of a column. A value between two training values gets a place between theirs.
    """
    out = np.empty(X.shape)
    for column in range(X.shape[1]):
        values = np.unique(train[:, column])
        out[:, column] = np.interp(X[:, column], values, np.arange(len(values)))
    return out


def _grow(
    X: FloatArray,
    codes: IntArray,
    n_trees: int,
    seed: int,
    n_jobs: int,
    report: Callable[[int], object],
) -> list[Any]:
    """Grow both kinds of trees some at a time; they are the same as if grown at once.

    Where there are more classes than `_MOST_CLASSES`, each time other ones are taken together.
    """
    n_classes = int(codes.max()) + 1
    rng = np.random.default_rng(seed)
    shared: dict[str, Any] = {"bootstrap": True, "warm_start": True, "n_jobs": n_jobs, **_GROWTH}
    n_extra = n_trees // 2
    plan = [(RandomForestClassifier(random_state=seed, **shared), n_trees - n_extra)]
    if n_extra:
        # Another seed, or both kinds would draw the same bootstrap samples.
        other = (seed + 1) % (MAX_SEED + 1)
        plan.append((ExtraTreesClassifier(random_state=other, **shared), n_extra))
    grown = 0
    for forest, wanted in plan:
        for trees in (*range(_TREES_AT_A_TIME, wanted, _TREES_AT_A_TIME), wanted):
            told = codes
            if n_classes > _MOST_CLASSES:
                told = rng.permutation(n_classes)[codes] % _MOST_CLASSES
            forest.set_params(n_estimators=trees).fit(X, told)
            report(grown + trees)
        grown += wanted
    return [forest for forest, _ in plan]


def _leaves(forests: list[Any], X: FloatArray) -> NDArray[np.int32]:
    """Return the leaf (n_trees, n) that every point falls into in every tree."""
    found = np.concatenate([forest.apply(X) for forest in forests], axis=1)
    return np.ascontiguousarray(found.T, dtype=np.int32)


def _empty(n_test: int, n_train: int) -> FloatArray:
    try:
        return np.empty((n_test, n_train))
    except MemoryError:
        raise ShapeError(
            f"The distances from {n_test:,} to {n_train:,} points need "
            f"{8e-9 * n_test * n_train:,.1f} GB, more than this machine can give. "
            "Use a sample of the rows."
        ) from None
