"""Distances at any scale: what is huge or tiny in one row or column leaves the others alone."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from stiknn_core import FeatureError, interactions, values
from stiknn_core.engine.neighbors import NeighborRanker
from stiknn_core.validation import check_problem
from stiknn_core.validation.sentinels import is_sentinel
from tests import naive

METRICS = ("euclidean", "manhattan", "chebyshev")
HUGE = (1e3, 1e99, 1e150, 1e155, 1e170, 1e200, 1e307)


def sample(d: int) -> tuple[Any, Any, Any, Any]:
    rng = np.random.default_rng(d)
    X, Xt = rng.random((12, d)), rng.random((5, d))
    return X, rng.integers(0, 2, 12), Xt, rng.integers(0, 2, 5)


def order_of(X: Any, Xt: Any, metric: Any) -> Any:
    """Return the order of training points for each test point, as the engine has it."""
    problem = check_problem(
        X, [0, 1] * (len(X) // 2) + [0] * (len(X) % 2), Xt, [0] * len(Xt), k=1, metric=metric,
        ties="expected",
    )  # fmt: skip
    ranking = NeighborRanker(problem).rank(0, len(Xt))
    return ranking.order, ranking.ends


@pytest.mark.parametrize("d", [2, 7])
@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("huge", HUGE)
def test_a_huge_judge_without_weight_changes_nothing(huge: float, metric: Any, d: int) -> None:
    X, y, Xt, yt = sample(d)
    alone = interactions(X, y, Xt, yt, k=2, metric=metric)
    far = np.full((1, d), -huge)
    weights = [1.0] * 5 + [0.0]
    joined = interactions(
        X, y, np.r_[Xt, far], [*yt, 0], k=2, metric=metric,
        sample_weight=weights,
    )  # fmt: skip
    np.testing.assert_allclose(joined.matrix, alone.matrix, rtol=0, atol=1e-16)
    np.testing.assert_allclose(joined.values, alone.values, rtol=0, atol=1e-16)
    assert joined.tied_test_points == alone.tied_test_points == 0
    assert joined.likelihood == pytest.approx(alone.likelihood, abs=1e-15)


def test_a_judge_without_weight_has_no_class_of_its_own() -> None:
    X, y, Xt, yt = sample(2)
    result = interactions(X, y, Xt, [*yt[:-1], 7], sample_weight=[1, 1, 1, 1, 0])
    assert result.absent_classes == ()


@pytest.mark.parametrize("d", [2, 7])
@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("huge", HUGE)
def test_a_huge_training_row_leaves_the_order_of_the_others(
    huge: float, metric: Any, d: int
) -> None:
    X, _, Xt, _ = sample(d)
    order, _ = order_of(X, Xt, metric)
    # The first judge is far away too, on the other side: their distance is beyond any double.
    wide = np.r_[X, np.full((1, d), huge)]
    found, ends = order_of(wide, np.r_[Xt, np.full((1, d), -huge)], metric)
    np.testing.assert_array_equal(found[:5, :12], order)
    np.testing.assert_array_equal(found[:, 12], 12)
    np.testing.assert_array_equal(ends[:5], np.tile(np.arange(1, 14), (5, 1)))
    assert ends[5, 11] == 12  # all others are nearer to it


@pytest.mark.parametrize("d", [2, 7])
@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("scale", [5e-321, 1e-300, 1e-170, 1e-150, 1e150, 1e170, 1e300])
def test_scaling_all_features_changes_nothing(scale: float, metric: Any, d: int) -> None:
    rng = np.random.default_rng(1)
    X, Xt = rng.integers(1, 500, (40, d)).astype(float), rng.integers(1, 500, (9, d)).astype(float)
    y, yt = rng.integers(0, 3, 40), rng.integers(0, 3, 9)
    plain = interactions(X, y, Xt, yt, k=3, metric=metric)
    scaled = interactions(X * scale, y, Xt * scale, yt, k=3, metric=metric)
    np.testing.assert_array_equal(scaled.matrix, plain.matrix)


@pytest.mark.parametrize("d", [2, 7])
@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("constant", [1.0, 1e170, 1e300])
def test_a_constant_column_of_any_size_changes_nothing(
    constant: float, metric: Any, d: int
) -> None:
    X, y, Xt, yt = sample(d)
    plain = interactions(X, y, Xt, yt, k=2, metric=metric)
    X2 = np.c_[X * 1e-170, np.full(12, constant)]
    Xt2 = np.c_[Xt * 1e-170, np.full(5, constant)]
    np.testing.assert_array_equal(interactions(X2, y, Xt2, yt, k=2, metric=metric).matrix,
                                  plain.matrix)  # fmt: skip


def test_ranks_are_those_of_exact_arithmetic() -> None:
    """Rows of mixed sizes, from 2^-1000 to 2^1000: against squared distances in fractions."""
    rng = np.random.default_rng(3)
    for d in (2, 5):
        exponents = rng.choice([-1000, -600, -300, 0, 300, 600, 1000], 30)
        X = np.ldexp(rng.integers(-9, 10, (30, d)).astype(float), exponents[:, None])
        exact = [
            [sum((Fraction(a) - Fraction(b)) ** 2 for a, b in zip(p, x, strict=True)) for x in X]
            for p in X
        ]
        order, _ = order_of(X, X[:20], "euclidean")
        for row, ranked in zip(exact[:20], order.tolist(), strict=True):
            met = [row[i] for i in ranked]
            # No digit beyond a double's: neighbours may change places only within one part in 1e9.
            assert all(b >= a * (1 - Fraction(1, 10**9)) for a, b in pairwise(met))


def test_ties_survive_an_outlier() -> None:
    X = np.r_[[[0.1 + 0.2], [0.3], [-0.3], [5.0], [7.0], [9.0]], [[1e12]]]
    groups = naive.tie_groups([[3], [3], [-3], [50], [70], [90], [1e13]], [[0]])
    expected = [int((groups[0] <= g).sum()) for g in sorted(groups[0])]
    _, ends = order_of(X, [[0.0]], "euclidean")
    assert ends[0].tolist() == expected == [3, 3, 3, 4, 5, 6, 7]


def test_leave_one_out_at_a_mixed_scale() -> None:
    X, y, _, _ = sample(3)
    X = np.r_[X, [[1e200, 0, 0], [-1e307, 1e307, 1e307]]]
    found = values(X, [*y, 0, 1], k=2)
    assert np.isfinite(found).all()
    assert found.sum() == pytest.approx(interactions(X, [*y, 0, 1], k=2).likelihood)


@pytest.mark.parametrize(
    "mark",
    [1.797e308, -1.797e308, 1.7e308, np.finfo(float).max, np.finfo(float).min, 2.0**1023,
     2.0**1023 * (1 + 26 / 4096), 8.988e307, 3.4028235e38, -3.40282e38, np.finfo(np.float32).max,
     1.70141e38, 2.0**127, 9.96921e36],
)  # fmt: skip
def test_a_mark_for_missing_is_named(mark: float) -> None:
    X = np.arange(8.0).reshape(4, 2)
    X[2, 1] = mark
    match = (
        r"X has 1 value that looks like a mark for missing \(.*\) in row 2 \(counted from 0\), "
        r"column 1\. Fill or drop"
    )
    with pytest.raises(FeatureError, match=match):
        interactions(X, [0, 1, 0, 1])
    with pytest.raises(FeatureError, match="X_test has 1 value that looks like"):
        interactions([[0.0, 1.0]], [0], X[2:3], [0])


def test_what_can_be_measured_is_no_mark() -> None:
    assert not is_sentinel([0.0, -999.0, -(2.0**31), 1e20, 1e30, 3.4e38, 1e300, 2.0**1022]).any()
    assert is_sentinel([np.nan, np.inf, 1.0]).tolist() == [False, False, False]
