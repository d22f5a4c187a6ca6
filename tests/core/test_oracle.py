"""Random small cases against the definition, written out over all subsets."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stiknn_core import StiknnWarning, interactions, label_support, values
from tests import naive

METRICS = ("euclidean", "manhattan", "chebyshev", "cosine", "precomputed")
close = {"rtol": 0, "atol": 1e-12}
each_metric = pytest.mark.parametrize("metric", METRICS)
each_ties = pytest.mark.parametrize("ties", ["expected", "index"])


def examples(count: int) -> Any:
    return settings(
        max_examples=count,
        deadline=None,  # the first example waits for the kernels to compile
        suppress_health_check=[HealthCheck.too_slow],
    )


@dataclass(frozen=True)
class Case:
    """One small problem. ``X_test=None`` means leave-one-out."""

    X: list[list[int]]
    y: list[str]
    X_test: list[list[int]] | None
    y_test: list[str] | None
    weights: list[float] | None
    k: int
    metric: str

    @property
    def groups(self) -> naive.IntArray:
        if self.metric != "precomputed":
            return naive.tie_groups(self.X, self.X_test, self.metric)
        groups = naive.tie_groups(self.X, metric="precomputed")
        return naive.leave_self_out(groups) if self.y_test is None else groups

    def __call__(self, function: Any, **options: Any) -> Any:
        arguments: dict[str, Any] = {"y_test": self.y_test, "X_test": self.X_test}
        if self.metric == "precomputed":
            del arguments["X_test"]
        with warnings.catch_warnings():  # absent classes are part of the game here
            warnings.simplefilter("ignore", StiknnWarning)
            return function(
                np.array(self.X, dtype=float),
                self.y,
                **arguments,
                k=self.k,
                metric=self.metric,
                sample_weight=self.weights,
                **options,
            )


@st.composite
def cases(draw: st.DrawFn, metric: str) -> Case:
    """Few grid places, so ties and copies abound; one class and absent classes occur."""
    leave_one_out = draw(st.booleans())
    n = draw(st.integers(2 if leave_one_out else 1, 7))
    t = n if leave_one_out else draw(st.integers(1, 4))
    d = draw(st.integers(1, 3))
    place = st.lists(st.integers(-2, 2), min_size=d, max_size=d)
    if metric == "cosine":
        place = place.filter(any)
    if metric == "precomputed":
        place = st.lists(st.integers(0, 4), min_size=n, max_size=n)
    X = draw(st.lists(place, min_size=n, max_size=n))
    X_test = None if leave_one_out else draw(st.lists(place, min_size=t, max_size=t))
    if metric == "precomputed":
        X = X if X_test is None else X_test
    label = st.sampled_from(draw(st.sampled_from(["a", "ab", "abc"])))
    y = draw(st.lists(label, min_size=n, max_size=n))
    y_test = None
    if not leave_one_out:
        y_test = draw(st.lists(st.sampled_from("abz"), min_size=t, max_size=t))
    weight = st.sampled_from([0.5, 1.0, 3.0])
    weights = draw(st.none() | st.lists(weight, min_size=t, max_size=t))
    if weights is not None and t > 1 and draw(st.booleans()):
        weights[0] = 0.0
    return Case(X, y, X_test, y_test, weights, draw(st.integers(1, n + 2)), metric)


@pytest.mark.slow
@each_metric
@each_ties
@given(data=st.data())
@examples(60)
def test_matrix_against_the_definition(metric: str, ties: str, data: st.DataObject) -> None:
    case = data.draw(cases(metric))
    for index in ("STII", "SII", "BII"):
        ref = naive.reference(
            case.groups, case.y, case.y_test, k=case.k, index=index, ties=ties, weights=case.weights
        )
        comp = case(interactions, index=index, ties=ties)
        np.testing.assert_allclose(comp.matrix, ref.matrix, **close)
        first_order = ref.banzhaf if index == "BII" else ref.shapley
        np.testing.assert_allclose(comp.values, first_order, **close)
        assert comp.likelihood == pytest.approx(ref.likelihood, abs=1e-12)
        if case.weights is None or all(case.weights):
            assert comp.tied_test_points == ref.tied_test_points


@pytest.mark.slow
@each_metric
@each_ties
@given(data=st.data())
@examples(40)
def test_values_against_the_definition(metric: str, ties: str, data: st.DataObject) -> None:
    case = data.draw(cases(metric))
    ref = naive.reference(
        case.groups, case.y, case.y_test, k=case.k, ties=ties, weights=case.weights
    )
    np.testing.assert_allclose(case(values, ties=ties), ref.shapley, **close)
    np.testing.assert_allclose(case(values, ties=ties, kind="banzhaf"), ref.banzhaf, **close)
    removal = case(values, ties=ties, kind="leave_one_out")
    np.testing.assert_allclose(removal, ref.leave_one_out, **close)


@pytest.mark.slow
@each_metric
@each_ties
@given(data=st.data())
@examples(25)
def test_support_against_the_definition(metric: str, ties: str, data: st.DataObject) -> None:
    case = data.draw(cases(metric))
    comp = case(label_support, ties=ties)
    ref = naive.label_support(
        case.groups, case.y, case.y_test, comp.classes, k=case.k, ties=ties, weights=case.weights
    )
    np.testing.assert_allclose(comp.support, ref, **close)


@pytest.mark.parametrize("k", [1, 2, 3, 5, 10, 12])
@pytest.mark.parametrize("index", ["STII", "SII", "BII"])
def test_bigger_tie_groups(k: int, index: str) -> None:
    """Groups of up to eight, several of them, which seven points cannot show."""
    rng = np.random.default_rng(k)
    X = rng.choice(3, size=(10, 2), p=[0.6, 0.2, 0.2])
    X_test = rng.integers(0, 3, size=(3, 2))
    y, y_test = rng.choice(["a", "b"], size=10).tolist(), ["a", "b", "a"]
    groups = naive.tie_groups(X, X_test)
    assert max(np.bincount(row).max() for row in groups) >= 4
    ref = naive.reference(groups, y, y_test, k=k, index=index)
    comp = interactions(X.astype(float), y, X_test.astype(float), y_test, k=k, index=index)
    np.testing.assert_allclose(comp.matrix, ref.matrix, **close)


# The oracles among themselves.


@given(
    groups=st.lists(st.integers(-1, 2), min_size=1, max_size=5),
    u=st.lists(st.sampled_from([0.0, 1.0]), min_size=5, max_size=5),
    k=st.integers(1, 6),
)
@examples(60)
def test_the_expected_game_is_the_mean_over_orders(
    groups: list[int], u: list[float], k: int
) -> None:
    row, worth = np.array(groups), np.array(u[: len(groups)])
    np.testing.assert_allclose(
        naive.game(row, worth, k), naive.expected_game_by_orders(row, worth, k), **close
    )


@pytest.mark.parametrize("index", ["STII", "SII", "BII"])
@pytest.mark.parametrize("leave_one_out", [False, True])
def test_the_formulas_agree_with_the_definition(index: str, leave_one_out: bool) -> None:
    rng = np.random.default_rng(7)
    n = 7
    X, X_test = rng.normal(size=(n, 2)), None if leave_one_out else rng.normal(size=(4, 2))
    y, y_test = rng.integers(0, 2, size=n), rng.integers(0, 2, size=4)
    y_test = y if leave_one_out else y_test
    orders = naive.nearest_first(X, X_test)
    weights = rng.integers(1, 4, size=len(y_test)).astype(float)
    groups = naive.tie_groups(X, X_test)
    for k in range(1, n + 3):
        ref = naive.reference(
            groups, y.tolist(), y_test.tolist(), k=k, index=index, weights=weights
        )
        matrix = naive.formula_matrix(orders, y, y_test, k=k, index=index, weights=weights)
        np.testing.assert_allclose(matrix, ref.matrix - np.diag(np.diag(ref.matrix)), **close)
        for kind, expected in (("shapley", ref.shapley), ("banzhaf", ref.banzhaf)):
            comp = naive.formula_values(orders, y, y_test, k=k, kind=kind, weights=weights)
            np.testing.assert_allclose(comp, expected, **close)
