"""A part of the training points as test points: the mean over them alone, all others as players."""

from __future__ import annotations

import numpy as np
import pytest

from stiknn_core import (
    ParameterError,
    RankedNeighbors,
    ShapeError,
    forest_distances,
    interactions,
    label_support,
    values,
)
from stiknn_core.types import FloatArray, IntArray

ROWS = np.array([11, 2, 30, 7])


@pytest.fixture
def table(rng: np.random.Generator) -> tuple[FloatArray, IntArray]:
    X = np.round(rng.normal(size=(40, 3)), 1)
    X[:8] = X[8:16]  # copies: ties take part
    return X, rng.integers(0, 3, 40)


def alone(n: int) -> FloatArray:
    """All other rows without weight: the same game, by a detour."""
    weights = np.zeros(n)
    weights[ROWS] = 1.0
    return weights


@pytest.mark.parametrize("index", ["STII", "SII", "BII"])
def test_some_rows_are_as_all_rows_of_which_the_others_weigh_nothing(table, index) -> None:
    X, y = table
    some = interactions(X, y, index=index, test_rows=ROWS)
    ref = interactions(X, y, index=index, sample_weight=alone(len(y)))
    np.testing.assert_allclose(some.matrix, ref.matrix, rtol=0, atol=1e-14)
    np.testing.assert_allclose(some.values, ref.values, rtol=0, atol=1e-14)
    assert (some.n_test, some.n_train, some.evaluation) == (4, 40, "leave-one-out")
    parts = RankedNeighbors(X, y, index=index, test_rows=ROWS)
    np.testing.assert_allclose(parts.pairs([5, 11, 2]), ref.matrix[[5, 11, 2]][:, [5, 11, 2]])
    np.testing.assert_allclose(parts.rows([30]), ref.matrix[[30]], rtol=0, atol=1e-14)


@pytest.mark.parametrize("kind", ["shapley", "banzhaf", "leave_one_out"])
def test_values_and_support_of_some_rows(table, kind) -> None:
    X, y = table
    weights = alone(len(y))
    comp = values(X, y, kind=kind, test_rows=ROWS)
    np.testing.assert_allclose(comp, values(X, y, kind=kind, sample_weight=weights), atol=1e-14)
    ref = label_support(X, y, sample_weight=weights)
    found = label_support(X, y, test_rows=ROWS)
    np.testing.assert_allclose(found.support, ref.support, rtol=0, atol=1e-14)
    np.testing.assert_allclose(found.quality, ref.quality, rtol=0, atol=1e-14)


def test_distances_of_the_tested_rows_alone(table) -> None:
    X, y = table
    far = forest_distances(X, y, n_trees=20)
    ref = values(far, y, metric="precomputed", sample_weight=alone(len(y)))
    comp = values(far[ROWS], y, metric="precomputed", test_rows=ROWS)
    np.testing.assert_allclose(comp, ref, rtol=0, atol=1e-14)


@pytest.mark.parametrize(
    ("rows", "said"),
    [([], "at least one"), ([1, 1], "1 are different"), ([40], "from 0 to 39"), ([0.5], "whole")],
)
def test_rows_that_are_none_are_refused(table, rows, said) -> None:
    X, y = table
    with pytest.raises(ParameterError, match=said):
        values(X, y, test_rows=rows)


def test_rows_and_a_test_set_exclude_each_other(table) -> None:
    X, y = table
    with pytest.raises(ParameterError, match="leave them out with a test set"):
        values(X, y, X, y, test_rows=ROWS)
    with pytest.raises(ShapeError, match="one weight per test point, 4 here"):
        values(X, y, test_rows=ROWS, sample_weight=np.ones(40))
