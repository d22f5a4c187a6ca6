"""What test points say of measured targets: weighted quantiles against sorting them all."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from stiknn_core import (
    ParameterError,
    ShapeError,
    TargetSupport,
    games,
    grow_forest,
    label_support,
    target_support,
)
from stiknn_core.types import FloatArray
from tests import naive


def weights_of(groups: Any, index: games.PairIndex, k: int) -> FloatArray:
    """Weight of each test point for each training point, (n, t): means of g over tied ranks."""
    out = np.zeros(groups.T.shape)
    for p, row in enumerate(groups):
        ranked = np.sort(row[row != naive.LEFT_OUT])
        g = index.value_weights(len(ranked), k)
        for i, group in enumerate(row):
            if group != naive.LEFT_OUT:
                ranks = 1 + np.flatnonzero(ranked == group)
                out[i, p] = g[ranks].mean()
    return out


def quantile(targets: FloatArray, weights: FloatArray, share: float) -> float:
    """The first target, ascending, up to which at least this share of the weight lies."""
    order = np.argsort(targets)
    reached = np.cumsum(weights[order]) / weights.sum()
    return float(targets[order][np.argmax(reached >= share - 1e-9)])


@pytest.mark.parametrize("alone", [False, True])
@pytest.mark.parametrize("ties", ["expected", "index"])
@pytest.mark.parametrize("index", [None, games.SII, games.weighted_banzhaf(0.25)])
def test_against_sorting(alone: bool, ties: Any, index: Any) -> None:
    rng = np.random.default_rng(3)
    n, t, k = 30, 30 if alone else 20, 3
    X, X_test = rng.integers(0, 5, (n, 2)), None if alone else rng.integers(0, 5, (t, 2))
    y, y_test = rng.normal(size=n), None if alone else rng.normal(size=t)
    found = target_support(X, y, X_test, y_test, k=k, index=index, ties=ties, n_jobs=2)
    groups = naive.tie_groups(X, X_test)
    groups = naive.break_ties(groups) if ties == "index" else groups
    told = y if y_test is None else y_test
    weights = weights_of(groups, games.calibrated(4 * k) if index is None else index, k)
    for share, numbers in ((0.1, found.low), (0.5, found.suggested), (0.9, found.high)):
        expected = [quantile(told, row, share) for row in weights]
        np.testing.assert_array_equal(numbers, expected)
    np.testing.assert_array_equal(found.distance, np.abs(y - found.suggested))


def test_a_target_far_from_its_neighbours_comes_first() -> None:
    x = np.linspace(0, 1, 60)
    y = 10 * x
    y[20] += 4.0
    found = target_support(x[:, None], y)
    assert isinstance(found, TargetSupport)
    assert found.distance.argmax() == 20
    assert found.low[20] <= found.suggested[20] <= found.high[20] < y[20]
    assert found.suggested[20] == pytest.approx(10 * x[20], abs=1.0)


def test_test_rows_weights_and_distances(rng: np.random.Generator) -> None:
    X, y = rng.normal(size=(25, 2)), rng.normal(size=25)
    rows = [3, 20, 7, 11]
    some = target_support(X, y, test_rows=rows, index="SII")
    weights = np.zeros(25)
    weights[rows] = 1.0
    weighted = target_support(X, y, sample_weight=weights, index="SII")
    others = np.setdiff1d(np.arange(25), rows)
    np.testing.assert_array_equal(some.suggested, weighted.suggested)
    far = np.linalg.norm(X[:, None] - X, axis=2)
    given = target_support(far, y, metric="precomputed")
    np.testing.assert_array_equal(given.suggested, target_support(X, y).suggested)
    assert set(some.suggested[others]) <= set(y[rows])


def test_in_the_space_of_a_forest(rng: np.random.Generator) -> None:
    X, y = rng.normal(size=(40, 2)), rng.normal(size=40)
    forest = grow_forest(X, y > 0, n_trees=20, n_jobs=1)
    found = target_support(forest, y, metric="precomputed")
    far = forest.distances(np.arange(40))
    np.testing.assert_array_equal(
        found.suggested, target_support(far, y, metric="precomputed").suggested
    )


def test_where_nobody_has_a_weight_nothing_is_known() -> None:
    """Only the nearest of four counts to each of the other three; the last is nobody's nearest."""
    found = target_support([[0.0], [1.0], [2.1], [9.0]], [1.0, 2.0, 3.0, 50.0], k=1,
                           index=games.leave_two_out())  # fmt: skip
    assert np.isnan(found.suggested[3])
    assert found.distance[3] == 0.0
    assert found.suggested[1] == 1.0  # 0 and 2.1 have it as their nearest: 1 and 3


def test_two_rows_are_enough_and_bad_input_is_said() -> None:
    assert target_support([[0.0], [1.0]], [1.0, 2.0]).suggested.tolist() == [2.0, 1.0]
    with pytest.raises(ParameterError, match="coverage must be"):
        target_support([[0.0], [1.0]], [1.0, 2.0], coverage=1.5)
    with pytest.raises(ParameterError, match="coverage must be below 1"):
        target_support([[0.0], [1.0]], [1.0, 2.0], coverage=1)
    with pytest.raises(ShapeError, match="at least 2 rows"):
        target_support([[0.0]], [1.0])
    with pytest.raises(ParameterError, match="Label support"):
        label_support([[0.0], [1.0]], [1.5, 2.0], score=games.measured())
