"""KNN-Shapley and Banzhaf values of single points."""

from __future__ import annotations

import numpy as np
import pytest

from stiknn_core import LabelError, ParameterError, interactions, values
from tests import naive

close = {"rtol": 0, "atol": 1e-12}
X = [[0.0], [1.0], [2.0], [3.0], [4.0]]
y = ["a", "b", "a", "a", "b"]


def test_by_hand() -> None:
    """k=1, test point left of all, label a: s_5 = 0, s_4 = 1/4, s_3 = 1/4, s_2 = -1/12 ...

    With one neighbour, s_m - s_{m+1} = (u_m - u_{m+1}) / m, and the last is u_5 / 5.
    """
    u = [1.0, 0.0, 1.0, 1.0, 0.0]
    by_hand = [0.0] * 5
    by_hand[4] = u[4] / 5
    for m in (4, 3, 2, 1):
        by_hand[m - 1] = by_hand[m] + (u[m - 1] - u[m]) / m
    np.testing.assert_allclose(values(X, y, [[-1.0]], ["a"], k=1), by_hand, **close)


def test_shape_and_kind_of_the_answer() -> None:
    comp = values(X, y, k=2)
    assert isinstance(comp, np.ndarray)
    assert comp.shape == (5,)
    assert comp.dtype == np.float64


def test_shapley_values_share_out_the_likelihood() -> None:
    tests, labels = [[-1.0], [5.0]], ["a", "b"]
    likelihood = interactions(X, y, tests, labels, k=2).likelihood
    assert values(X, y, tests, labels, k=2).sum() == pytest.approx(likelihood, abs=1e-12)
    banzhaf = values(X, y, tests, labels, k=2, kind="banzhaf")
    assert banzhaf.sum() != pytest.approx(likelihood, abs=1e-3)


def test_shapley_is_the_default() -> None:
    np.testing.assert_array_equal(values(X, y, k=2), values(X, y, k=2, kind="shapley"))
    assert not np.allclose(values(X, y, k=2), values(X, y, k=2, kind="banzhaf"))


def test_the_default_k_is_5() -> None:
    rng = np.random.default_rng(0)
    points, labels = rng.normal(size=(30, 2)), rng.integers(0, 2, size=30)
    np.testing.assert_array_equal(values(points, labels), values(points, labels, k=5))
    assert interactions(points, labels).k == 5


@pytest.mark.parametrize("kind", ["shapley", "banzhaf"])
@pytest.mark.parametrize("k", [1, 7, 299, 300, 400])
def test_against_the_plain_formula(kind: str, k: int) -> None:
    rng = np.random.default_rng(3)
    points, tests = rng.normal(size=(300, 4)), rng.normal(size=(9, 4))
    labels, test_labels = rng.integers(0, 3, size=300), rng.integers(0, 3, size=9)
    ref = naive.formula_values(
        naive.nearest_first(points, tests), labels, test_labels, k=k, kind=kind
    )
    np.testing.assert_allclose(
        values(points, labels, tests, test_labels, k=k, kind=kind), ref, **close
    )


@pytest.mark.parametrize("kind", ["shapley", "banzhaf"])
def test_leave_one_out_against_the_plain_formula(kind: str) -> None:
    rng = np.random.default_rng(4)
    points, labels = rng.normal(size=(80, 2)), rng.integers(0, 3, size=80)
    ref = naive.formula_values(naive.nearest_first(points, None), labels, labels, k=4, kind=kind)
    np.testing.assert_allclose(values(points, labels, k=4, kind=kind), ref, **close)


def test_a_flipped_label_has_the_lowest_value() -> None:
    rng = np.random.default_rng(5)
    points = np.concatenate([rng.normal(-3, 0.5, (20, 2)), rng.normal(3, 0.5, (20, 2))])
    labels = np.repeat(["left", "right"], 20)
    labels[7] = "right"
    comp = values(points, labels, k=3)
    assert comp.argmin() == 7
    assert comp[7] < 0


def test_a_copy_shares_the_value() -> None:
    doubled = values([*X, [2.0]], [*y, "a"], [[-1.0], [5.0]], ["a", "b"], k=2)
    assert doubled[2] == pytest.approx(doubled[5], abs=1e-15)


def test_unknown_kind() -> None:
    with pytest.raises(ParameterError, match=r"kind.*shapley.*banzhaf.*'owen'"):
        values(X, y, kind="owen")  # type: ignore[arg-type]


def test_checks_its_input_as_interactions_does() -> None:
    with pytest.raises(ParameterError, match=r"k must be an integer of at least 1; got 0\."):
        values(X, y, k=0)
    with pytest.raises(LabelError, match="y has none in 1 of 5 rows"):
        values(X, ["a", None, "a", "b", "b"])
