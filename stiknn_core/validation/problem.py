"""Check a whole call - training set, test set, weights, metric - into one `Problem`."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from stiknn_core.errors import ParameterError, ShapeError
from stiknn_core.games.gains import PLACES, Gains
from stiknn_core.games.scores import PLAIN, Facts, Score, score_of
from stiknn_core.phrases import counted
from stiknn_core.quiet import warn
from stiknn_core.types import AnyArray, FloatArray, IntArray, Metric, Ties
from stiknn_core.validation.features import (
    Features,
    check_cosine,
    check_distances,
    check_features,
)
from stiknn_core.validation.labels import Labels, check_labels, check_same_kind, class_array
from stiknn_core.validation.nearby import DistanceRows, Distances, check_source
from stiknn_core.validation.positions import check_positions
from stiknn_core.validation.rows import (
    check_same_features,
    labels_for,
    refuse_other_index,
    same_length,
)
from stiknn_core.validation.settings import check_choice, check_n_jobs, check_whole
from stiknn_core.validation.targets import check_targets

METRICS: tuple[Metric, ...] = ("euclidean", "manhattan", "chebyshev", "cosine", "precomputed")
TIES: tuple[Ties, ...] = ("expected", "index")


@dataclass(frozen=True, eq=False)
class Problem:
    """Checked input of every public function.

    Attributes
    ----------
    X, X_test : (n, d) and (t, d) float64, or None with precomputed distances
        In leave-one-out testing the two are the same array, unless ``test_rows`` are given.
    distances : (t, n) float64 or None
        Precomputed distances, or what makes rows of them when asked.
    codes : (n,) int64
        Position of each training label in ``classes``.
    test_codes : (t,) int64
        The same for test labels; -1 for a class that training lacks.
    weights : (t,) float64
        Weights of the test points, summing to 1.
    total_weight : float
        Their sum before that; the number of test points where none were given.
    test_rows : (t,) int64 or None
        In leave-one-out testing the training points that are the test points; None for all.
    score : Score
        What is asked of a neighbour.
    gains : Gains
        The same, bound to these data.
    """

    X: FloatArray | None
    X_test: FloatArray | None
    distances: FloatArray | DistanceRows | None
    codes: IntArray
    test_codes: IntArray
    classes: tuple[Any, ...]
    absent_classes: tuple[Any, ...]
    ids: AnyArray
    weights: FloatArray
    total_weight: float
    leave_one_out: bool
    k: int
    metric: Metric
    ties: Ties
    n_jobs: int
    test_rows: IntArray | None = None
    score: Score = PLAIN
    gains: Gains = PLACES

    @property
    def n_train(self) -> int:
        """Number of training points."""
        return len(self.codes)

    @property
    def n_test(self) -> int:
        """Number of test points; that of the training points in leave-one-out testing."""
        return len(self.test_codes)

    @property
    def n_ranked(self) -> int:
        """Number of training points that each test point ranks."""
        return self.n_train - self.leave_one_out

    @property
    def voters(self) -> int:
        """k, or all ranked points where k is larger: the weights over ranks are the same."""
        return min(self.k, self.n_ranked)

    @property
    def unit(self) -> float:
        """What one place among the nearest adds to the utility of a test point: 1 / k."""
        return 1 / self.k

    @cached_property
    def own(self) -> IntArray:
        """Which training point each test point is, (t,) int64; none of them with a test set."""
        if not self.leave_one_out:
            return np.empty(0, dtype=np.int64)
        return np.arange(self.n_train) if self.test_rows is None else self.test_rows

    @property
    def labels(self) -> AnyArray:
        """Class name of each training point."""
        return class_array(self.classes, self.codes)

    @property
    def class_weights(self) -> FloatArray:
        """(n_classes,) float64: weight of the test points of each class."""
        known = self.test_codes >= 0
        weights = self.weights[known]
        counts = np.bincount(self.test_codes[known], weights, minlength=len(self.classes))
        return counts.astype(np.float64)

    def unweighted(self) -> Problem:
        """Return the problem with a weight of 1 for each test point: for what each says alone."""
        return replace(self, weights=np.ones(self.n_test))

    def in_order(self, tests: IntArray) -> Problem:
        """Return the plain problem with the test points in another order, (t,)."""
        distances = self.distances
        if isinstance(distances, DistanceRows):
            distances = distances.in_order(tests)
        elif distances is not None:
            distances = distances[tests]
        return replace(
            self,
            X_test=None if self.X_test is None else np.ascontiguousarray(self.X_test[tests]),
            distances=distances,
            test_codes=self.test_codes[tests],
            weights=self.weights[tests],
            test_rows=self.own[tests] if self.leave_one_out else None,
            score=PLAIN,
            gains=PLACES,
        )


def check_problem(
    X: Any,
    y: Any,
    X_test: Any,
    y_test: Any,
    *,
    k: Any,
    metric: Any,
    ties: Any,
    sample_weight: Any = None,
    n_jobs: Any = 1,
    test_rows: Any = None,
    score: Any = PLAIN,
) -> Problem:
    """Check everything a caller passed; raise the first StiknnError found."""
    k = check_whole("k", k, least=1)
    metric = check_choice("metric", metric, METRICS)
    ties = check_choice("ties", ties, TIES)
    n_jobs = check_n_jobs(n_jobs)
    score = score_of(score)
    check_answers = check_targets if score.measured else check_labels
    y, y_test = labels_for(X, y), labels_for(X_test, y_test)
    leave_one_out = y_test is None
    labels = check_answers(y, "y")
    n_train = len(labels.values)
    if metric != "precomputed" or leave_one_out:
        refuse_other_index(X, y, "X", "y")
    tested = None if test_rows is None else _check_test_rows(test_rows, n_train, leave_one_out)

    train: Features | None = None
    test: Features | None = None
    distances: FloatArray | DistanceRows | None = None
    if metric == "precomputed":
        if X_test is not None:
            raise ParameterError(
                "With metric='precomputed' pass the distances as X, of shape (n_test, n_train), "
                "and leave X_test out."
            )
        n_rows = n_train if leave_one_out else len(check_answers(y_test, "y_test").values)
        n_rows = n_rows if tested is None else len(tested)
        distances = (
            check_source(X, n_rows, n_train, leave_one_out, tested)
            if isinstance(X, Distances)
            else check_distances(X, n_rows, n_train)
        )
        ids: AnyArray = np.arange(n_train)
    else:
        if (X_test is None) != (y_test is None):
            given, absent = ("y_test", "X_test") if X_test is None else ("X_test", "y_test")
            raise ParameterError(
                f"X_test and y_test go together; got {given} without {absent}. "
                "Leave both out for leave-one-out testing."
            )
        train = check_features(X, "X")
        same_length(train, labels, "X", "y")
        if metric == "cosine":
            check_cosine(train.X, "X")
        ids = train.ids
        if not leave_one_out:
            refuse_other_index(X_test, y_test, "X_test", "y_test")
            test = check_same_features(X_test, train)
            if metric == "cosine":
                check_cosine(test.X, "X_test")

    if leave_one_out:
        if n_train < 2:
            raise ShapeError(
                "Leave-one-out testing needs at least 2 rows; got 1. Add rows, or pass X_test "
                "and y_test."
            )
        test_labels = labels
    else:
        test_labels = check_answers(y_test, "y_test")
        check_same_kind(labels, test_labels)
        if test is not None:
            same_length(test, test_labels, "X_test", "y_test")
        if train is not None and test is not None and np.array_equal(train.X, test.X):
            _warn_of_self_test(n_train)
    test_codes = test_labels.codes(labels.classes)
    test_codes = test_codes if tested is None else test_codes[tested]
    weights, total = _check_weights(sample_weight, len(test_codes))
    codes = labels.codes(labels.classes)
    own = np.arange(n_train) if tested is None else tested
    facts = Facts(codes, test_codes, labels.classes, own if leave_one_out else None)
    if score.measured:
        answers = np.array(test_labels.values)
        facts = facts._replace(
            targets=np.array(labels.values),
            test_targets=answers if tested is None else answers[tested],
        )
    return Problem(
        X=None if train is None else train.X,
        X_test=_test_features(train, test, tested),
        distances=distances,
        codes=codes,
        test_codes=test_codes,
        classes=labels.classes,
        absent_classes=()
        if leave_one_out or score.measured
        else _warn_of_absent(test_labels, labels.classes, weights),
        ids=ids,
        weights=weights,
        total_weight=total,
        leave_one_out=leave_one_out,
        k=k,
        metric=metric,
        ties=ties,
        n_jobs=n_jobs,
        test_rows=tested,
        score=score,
        gains=score.bind(facts),
    )


def _test_features(
    train: Features | None, test: Features | None, tested: IntArray | None
) -> FloatArray | None:
    if train is None or test is not None:
        return None if test is None else test.X
    return train.X if tested is None else np.ascontiguousarray(train.X[tested])


def _check_test_rows(test_rows: Any, n: int, leave_one_out: bool) -> IntArray:
    if not leave_one_out:
        raise ParameterError("test_rows are training points; leave them out with a test set.")
    rows = check_positions("test_rows", test_rows, n)
    if len(rows) == 0 or len(np.unique(rows)) < len(rows):
        raise ParameterError(
            "test_rows must be different positions of training points, at least one; got "
            f"{len(rows):,} of which {len(np.unique(rows)):,} are different."
        )
    return rows


def _warn_of_self_test(n_train: int) -> None:
    warn(
        f"X_test repeats all {n_train:,} training rows, so that each point is its own nearest "
        "neighbour. Leave X_test and y_test out for leave-one-out testing."
    )


def _check_weights(sample_weight: Any, n_test: int) -> tuple[FloatArray, float]:
    if sample_weight is None:
        return np.full(n_test, 1.0 / n_test), float(n_test)
    try:
        weights = np.asarray(sample_weight, dtype=np.float64)
    except (TypeError, ValueError):
        raise ParameterError("sample_weight must hold numbers, one per test point.") from None
    if weights.shape != (n_test,):
        raise ShapeError(
            f"sample_weight must hold one weight per test point, {n_test:,} here; "
            f"got shape {weights.shape}."
        )
    if not np.isfinite(weights).all() or (weights < 0).any():
        wrong = int(np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))[0])
        raise ParameterError(
            "sample_weight must be finite and not negative; "
            f"got {weights[wrong]:g} at position {wrong}."
        )
    if not weights.any():
        raise ParameterError("sample_weight must have a positive sum; all weights are 0.")
    largest = float(weights.max())
    weights = weights / largest  # keeps the sum finite
    return weights / weights.sum(), largest * float(weights.sum())


def _warn_of_absent(
    test_labels: Labels, classes: tuple[Any, ...], weights: FloatArray
) -> tuple[Any, ...]:
    known = set(classes)
    tests = zip(test_labels.values, weights.tolist(), strict=True)
    absent = Counter(label for label, weight in tests if weight and label not in known)
    if absent:
        parts = ", ".join(f"{label!r} ({counted(n, 'test point')})" for label, n in absent.items())
        warn(
            f"Classes without any training point: {parts}. These test points count, "
            "but contribute only zeros."
        )
    return tuple(absent)
