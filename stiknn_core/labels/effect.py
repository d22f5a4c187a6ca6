"""What changed labels do to the classifier, beside as many changes made at random."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from stiknn_core._kernels import votes
from stiknn_core.engine.neighbors import Ranking
from stiknn_core.engine.passes import Sum, sum_over_test_points
from stiknn_core.engine.threads import Progress
from stiknn_core.errors import LabelError, ParameterError, ShapeError
from stiknn_core.types import IntArray, Metric, Ties
from stiknn_core.validation import check_problem, check_whole
from stiknn_core.validation.labels import check_labels, check_same_kind, sort_classes
from stiknn_core.validation.positions import check_positions
from stiknn_core.validation.rows import labels_for
from stiknn_core.validation.settings import check_seed

BoolArray = NDArray[np.bool_]


@dataclass(frozen=True)
class Fit:
    """How well the k nearest neighbours answer, as a mean over test points.

    Attributes
    ----------
    likelihood : float
        Share of the k neighbours that have the test point's label, in [0, 1]; high = good.
    accuracy : float
        Share of test points whose label gets most votes, in [0, 1]; equally many votes share.
    """

    likelihood: float
    accuracy: float


@dataclass(frozen=True)
class Effect:
    """The classifier before and after changes of its labels, and after random ones.

    Attributes
    ----------
    n_relabelled, n_removed : int
        Training points with another label, and without any part.
    n_test : int
        Test points it was measured on.
    before, after : Fit
    random : tuple of Fit
        After as many changes to training points drawn at random.
    """

    n_relabelled: int
    n_removed: int
    n_test: int
    before: Fit
    after: Fit
    random: tuple[Fit, ...]

    @property
    def random_mean(self) -> Fit:
        """Mean over the random changes."""
        return Fit(*self._random().mean(axis=0).tolist())

    @property
    def random_sd(self) -> Fit:
        """Standard deviation over the random changes (n - 1 in the denominator)."""
        return Fit(*self._random().std(axis=0, ddof=1).tolist())

    def _random(self) -> NDArray[np.float64]:
        return np.array([(one.likelihood, one.accuracy) for one in self.random])


def relabel_effect(
    X: Any,
    y: Any,
    y_after: Any,
    *,
    removed: Any = None,
    X_test: Any = None,
    y_test: Any = None,
    test_rows: Any = None,
    k: int = 5,
    metric: Metric = "euclidean",
    ties: Ties = "expected",
    n_random: int = 20,
    seed: int = 0,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> Effect:
    """Measure what changed labels do on test points whose labels stay as they are.

    Parameters
    ----------
    X : (n, d) array or DataFrame
        Training points; distances with ``metric="precomputed"``.
    y, y_after : (n,) labels
        Training labels before and after.
    removed : (n,) bool, optional
        Training points that are gone afterwards, whatever ``y_after`` says of them.
    X_test, y_test : (t, d) and (t,), optional
        Test points. Without them every training point is tested with the others.
    test_rows : (m,) int, optional
        Only without a test set: which training points are test points, each by its label before. By
        default those that are neither relabelled nor removed.
    k, metric, ties
        As in `stiknn_core.interactions`.
    n_random : int, default 20
        How often as many changes are made at random, at least 2: the same number of training
        points, drawn from all of them, get another class (all others equally likely), and the
        same number are removed.
    seed : int, default 0
        0 to 2**32 - 1. Decides the random changes.
    n_jobs, progress
        As in `stiknn_core.interactions`.

    Returns
    -------
    Effect

    Raises
    ------
    LabelError, ShapeError
        If labels before and after don't fit each other, or ``removed`` is no mask.
    ParameterError
        If ``test_rows`` are no training points or none is left, or a setting is impossible.
    StiknnError
        As `stiknn_core.interactions`.

    Notes
    -----
    The ranking is made once. Ties are resolved by the exact expectation over all orders of
    tied points, for the majority too. With fewer than k points left the likelihood is still
    divided by k, as v(N) is. O(t n (d + log n)) for the ranking and O(v t k c) for v = 2 +
    ``n_random`` variants and c classes, where no large groups are tied.
    """
    y, y_test = labels_for(X, y), labels_for(X_test, y_test)
    n_random = check_whole("n_random", n_random, least=2)
    rng = np.random.default_rng(check_seed(seed))
    problem = check_problem(X, y, X_test, y_test, k=k, metric=metric, ties=ties, n_jobs=n_jobs)
    before, after = check_labels(y, "y"), check_labels(y_after, "y_after")
    check_same_kind(before, after)
    n = problem.n_train
    if len(after.values) != n:
        raise LabelError(
            f"y_after must hold one label per training point, {n:,} here; got "
            f"{len(after.values):,}."
        )
    classes = sort_classes({*before.classes, *after.classes})
    old, new = before.codes(classes), after.codes(classes)
    gone = _check_removed(removed, n)
    changed = (old != new) & ~gone
    tests = before if y_test is None else check_labels(y_test, "y_test")
    counted = _check_tests(test_rows, changed | gone, problem.n_test, problem.leave_one_out)
    n_test = int(counted.sum())
    test_codes = tests.codes(classes)
    if problem.leave_one_out and metric != "precomputed":
        # Nobody else has to be ranked.
        rows = np.flatnonzero(counted)
        problem = check_problem(
            X, y, None, None, k=k, metric=metric, ties=ties, n_jobs=n_jobs, test_rows=rows
        )
        test_codes, counted = test_codes[rows], np.ones(n_test, dtype=np.bool_)
    variants = np.empty((2 + n_random, n), dtype=np.int64)
    variants[0] = old
    variants[1] = np.where(gone, -1, new)
    for place in range(n_random):
        variants[2 + place] = _at_random(
            old, int(changed.sum()), int(gone.sum()), len(classes), rng
        )
    log_factorial = gammaln(np.arange(n + 1) + 1.0)

    def add(ranking: Ranking, out: Any) -> None:
        votes.add_votes(
            ranking.order,
            ranking.ends,
            problem.n_ranked,
            variants,
            test_codes[ranking.tests],
            counted[ranking.tests],
            len(classes),
            problem.k,
            log_factorial,
            out,
        )

    total = sum_over_test_points(problem, Sum(add, (len(variants), 2)), progress) / n_test
    fits = tuple(Fit(*one) for one in total.tolist())
    return Effect(int(changed.sum()), int(gone.sum()), n_test, fits[0], fits[1], fits[2:])


def _check_removed(removed: Any, n: int) -> BoolArray:
    if removed is None:
        return np.zeros(n, dtype=np.bool_)
    gone = np.asarray(removed)
    if gone.dtype != np.bool_ or gone.shape != (n,):
        raise ShapeError(
            f"removed must hold one True or False per training point, {n:,} here; got "
            f"{gone.dtype} of shape {gone.shape}."
        )
    if gone.all():
        raise ParameterError("All training points are removed; keep at least one.")
    return gone


def _check_tests(test_rows: Any, touched: BoolArray, n_test: int, leave_one_out: bool) -> BoolArray:
    """Return which test points take part."""
    if not leave_one_out:
        if test_rows is not None:
            raise ParameterError("test_rows are training points; leave them out with X_test.")
        return np.ones(n_test, dtype=np.bool_)
    if test_rows is None:
        counted = ~touched
    else:
        counted = np.zeros(n_test, dtype=np.bool_)
        counted[check_positions("test_rows", test_rows, n_test)] = True
    if not counted.any():
        raise ParameterError(
            "No training point is left to measure on: every one of them is changed or left out."
        )
    return counted


def _at_random(
    old: IntArray, n_changed: int, n_gone: int, n_classes: int, rng: np.random.Generator
) -> IntArray:
    """Give so many points another class, and remove so many others; -1 = removed."""
    drawn = rng.permutation(len(old))
    shift = rng.integers(1, n_classes, size=n_changed) if n_classes > 1 else 0
    new = old.copy()
    rows = drawn[:n_changed]
    new[rows] = (old[rows] + shift) % n_classes
    new[drawn[n_changed : n_changed + n_gone]] = -1
    return new
