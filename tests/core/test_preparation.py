"""Splits, scaling and the plane of the scatter plot."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stiknn_core.errors import FeatureError, LabelError, ParameterError, ShapeError
from stiknn_core.preparation import (
    SCALINGS,
    holdout_split,
    project_2d,
    scale_features,
    spread_notice,
)
from stiknn_core.types import Block

RARE = ["a"] * 8 + ["b"] * 3 + ["rare"]


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(
    y=st.lists(st.sampled_from("abcd"), min_size=2, max_size=60),
    share=st.floats(0.01, 0.99),
    seed=st.integers(0, 2**32 - 1),
)
def test_a_split_uses_each_row_once_and_keeps_every_class_in_training(y, share, seed):
    try:
        split = holdout_split(y, share, seed)
    except (ParameterError, ShapeError):
        wanted = int(share * len(y) + 0.5)
        assert wanted in (0, len(y)) or len(set(y)) == len(y)
        return
    assert sorted([*split.train, *split.test]) == list(range(len(y)))
    assert len(split.test) >= 1
    labels = np.array(y)
    assert set(labels[split.train]) == set(y)
    counts = {name: y.count(name) for name in set(y)}
    spare = len(y) - len(counts)
    assert len(split.test) == min(int(share * len(y) + 0.5), spare)
    if len(split.test) < spare:
        for name, count in counts.items():
            # A class gives about its share, unless others had to step in for single rows.
            excess = (labels[split.test] == name).sum() - share * count
            assert excess <= 1 + len(counts)
    untested = set(y) - set(labels[split.test])
    for name in untested:
        assert any(name in notice for notice in split.notices)
    assert bool(split.notices) == bool(untested)


def test_balanced_classes_are_split_exactly():
    y = np.repeat(["a", "b", "c"], [50, 30, 20])
    split = holdout_split(y, 0.3, 0)
    assert [(y[split.test] == name).sum() for name in "abc"] == [15, 9, 6]
    assert (np.diff(split.test) > 0).all()
    assert (np.diff(split.train) > 0).all()


@pytest.mark.parametrize("share", [0.2, 0.3])
def test_a_single_row_goes_to_training_and_is_named(share):
    split = holdout_split(RARE, share, 0)
    assert 11 in split.train
    assert split.notices[0] == (
        "Classes with a single row went to training and have no test rows: rare."
    )


def test_classes_without_test_rows_are_named():
    split = holdout_split(["a"] * 40 + ["b"] * 2, 0.05, 0)
    assert (split.test < 40).all()
    assert "Classes without test rows at this share: b" in split.notices[0]


def test_the_seed_decides_the_split():
    y = np.arange(40) % 2
    first, again, other = (holdout_split(y, 0.25, seed).test for seed in (1, 1, 2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


@pytest.mark.parametrize(
    ("y", "share", "error", "message"),
    [
        ([0, 1, 0, 1], 0.0, ParameterError, "share = 0 of 4 rows leaves no test row"),
        ([0, 1, 0, 1], 1.0, ParameterError, "share = 1 of 4 rows leaves no training row"),
        ([0, 1, 0, 1], 0.1, ParameterError, "between 0.12 and 0.88"),
        ([0, 1, 0, 1], 1.2, ParameterError, "share must be .* between 0 and 1; got 1.2"),
        ([0, 1, 0, 1], "a", ParameterError, "share must be .*; got 'a'"),
        ([0], 0.5, ShapeError, "at least 2 rows; got 1"),
        ([0, 1, 2, 3], 0.5, ShapeError, "every one of the 4 classes has a single row"),
        ([0, None, 1, 1], 0.5, LabelError, r"none in 1 of 4 rows \(row 1,"),
        ([[0, 1], [1, 0]], 0.5, LabelError, "must hold one label per row"),
    ],
)
def test_impossible_splits_are_refused(y, share, error, message):
    with pytest.raises(error, match=message):
        holdout_split(y, share, 0)


def test_scaling_is_learnt_from_training_rows_alone():
    train = np.array([[0.0, 10.0], [2.0, 30.0], [4.0, 50.0], [6.0, 70.0]])
    test = np.array([[100.0, 10.0]])
    for scaling, center, width in [
        ("standard", train.mean(axis=0), train.std(axis=0)),
        ("robust", [3.0, 40.0], [3.0, 30.0]),
        ("minmax", [0.0, 10.0], [6.0, 60.0]),
        ("none", [0.0, 0.0], [1.0, 1.0]),
    ]:
        scaled_train, scaled_test = scale_features(train, test, scaling)
        np.testing.assert_allclose(scaled_train, (train - center) / width)
        np.testing.assert_allclose(scaled_test, (test - center) / width)


@pytest.mark.parametrize("scaling", SCALINGS)
def test_a_constant_column_stays_constant_and_finite(scaling):
    train = np.column_stack([np.full(5, 0.1), np.arange(5)])
    scaled, scaled_test = scale_features(train, train[:2], scaling)
    assert scaled.dtype == np.float64
    assert np.ptp(scaled[:, 0]) == 0
    assert np.isfinite(scaled).all()
    assert np.isfinite(scaled_test).all()
    assert not np.shares_memory(scaled, train)
    assert scale_features(train, None, scaling)[1] is None


def _mixed() -> tuple[np.ndarray, np.ndarray, tuple[Block, ...]]:
    rng = np.random.default_rng(0)
    X = np.column_stack([
        rng.normal(5, 3, 40), rng.normal(size=(40, 6)) * [9, 4, 1, 1, 1, 0.1] + 7,
        np.eye(3)[np.arange(40) % 3], np.full(40, 0.3), rng.uniform(0, 1e4, 40),
    ])  # fmt: skip
    return X[:30], X[30:], (Block("v", "vector", 1, 7), Block("w", "words", 7, 10))


@pytest.mark.parametrize("scaling", ["standard", "robust", "minmax"])
def test_a_block_weighs_as_much_as_all_else_together(scaling):
    train, test, blocks = _mixed()
    scaled, scaled_test = scale_features(train, test, scaling, blocks)
    singles = [0, 10, 11]
    alone, alone_test = scale_features(train[:, singles], test[:, singles], scaling)
    np.testing.assert_allclose(scaled[:, singles], alone, atol=1e-12)
    np.testing.assert_allclose(scaled_test[:, singles], alone_test, atol=1e-12)
    one = alone.var(axis=0).sum() / 2  # the third is constant
    assert scaled[:, 7:10].var(axis=0).sum() == pytest.approx(one)
    assert scaled[:, 1:7].var(axis=0).sum() == pytest.approx(3 * one)
    np.testing.assert_allclose(scaled.mean(axis=0)[1:10], 0, atol=1e-12)
    for block in blocks:
        place = slice(block.start, block.stop)
        factor = np.ptp(scaled[:, block.start]) / np.ptp(train[:, block.start])
        mean = train[:, place].mean(axis=0)
        np.testing.assert_allclose(scaled_test[:, place], (test[:, place] - mean) * factor)


def test_blocks_alone_have_a_total_variance_of_one():
    train, test, _ = _mixed()
    two = (Block("v", "vector", 0, 4), Block("p", "picture", 4, 6))
    scaled, _ = scale_features(train[:, 1:7], None, "standard", two)
    assert scaled[:, :4].var(axis=0).sum() == pytest.approx(1)
    assert scaled[:, 4:].var(axis=0).sum() == pytest.approx(1)
    unscaled, unscaled_test = scale_features(train[:, 1:7], test[:, 1:7], "none", two)
    assert unscaled.tolist() == train[:, 1:7].tolist()
    assert unscaled_test.tolist() == test[:, 1:7].tolist()


def test_a_block_without_spread_is_only_shifted():
    X = np.column_stack([np.arange(5.0), np.full((5, 2), 0.1)])
    scaled, _ = scale_features(X, None, "standard", (Block("v", "vector", 1, 3),))
    np.testing.assert_allclose(scaled[:, 1:], 0, atol=1e-15)


@pytest.mark.parametrize("places", [[(0, 3)], [(1, 1)], [(-1, 1)], [(0, 2), (1, 2)]])
def test_blocks_that_do_not_fit_are_refused(places):
    blocks = [Block("v", "vector", *place) for place in places]
    with pytest.raises(ShapeError, match=r"blocks must lie apart .* within 2 columns"):
        scale_features([[1, 2], [3, 4]], None, "none", blocks)


def test_a_block_counts_as_one_column_where_spreads_are_compared():
    X = np.random.default_rng(0).normal(size=(50, 4)) * [1, 0.001, 1, 500]
    assert "column 4: " in spread_notice(X)
    block = Block("v", "vector", 0, 2)
    assert spread_notice(X[:, :3], blocks=[block]) is None
    told = spread_notice(X[:, [0, 1, 3]], ["a", "b", "column 4"], [block])
    assert "(column 4: 519, v: 0.9" in told


def test_whole_numbers_and_lists_come_back_as_float64():
    scaled, _ = scale_features([[1, 2], [3, 4]], None, "none")
    assert scaled.dtype == np.float64


@pytest.mark.parametrize(
    ("train", "test", "scaling", "error", "message"),
    [
        ([[1.0]], None, "log", ParameterError, "scaling must be one of .*; got 'log'"),
        ([[1.0], [np.nan]], None, "none", FeatureError, r"X_train has 1 missing value in row 1 "),
        ([[1.0]], [[np.inf]], "none", FeatureError, "finite numbers; X_test has 1 infinite"),
        ([["a"]], None, "none", FeatureError, "must be numbers; X_train holds"),
        ([[1.0, 2.0]], [[1.0]], "none", ShapeError, "same columns; got 2 and 1"),
        ([1.0, 2.0], None, "none", ShapeError, r"got shape \(2,\)"),
        (np.empty((0, 1)), None, "none", ShapeError, "X_train must have at least one row"),
        (
            [[-8e307], [8e307]],
            None,
            "minmax",
            FeatureError,
            r"features above 1e\+150 cannot be scaled",
        ),
    ],
)
def test_impossible_features_are_refused(train, test, scaling, error, message):
    with pytest.raises(error, match=message):
        scale_features(train, test, scaling)


def test_very_different_spreads_are_pointed_out():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.uniform(20, 65, 50), rng.uniform(2e4, 9e4, 50), np.full(50, 0.1)])
    notice = spread_notice(X, ["age", "income", "constant"])
    assert "more than 100 times" in notice
    assert "income: 2" in notice
    assert "age: 1" in notice
    assert "constant" not in notice
    assert spread_notice(X[:, [0, 2]]) is None
    assert spread_notice(X / [1, 1000, 1]) is None
    assert "column 2" in spread_notice(X)


def test_spread_is_judged_at_one_hundred():
    column = np.array([0.0, 1.0])
    assert spread_notice(np.column_stack([column, 100 * column])) is None
    assert spread_notice(np.column_stack([column, 101 * column])) is not None


def test_two_features_are_shown_as_they_are():
    X = np.array([[1.0, 2.0], [3.0, 4.0]])
    plane = project_2d(X, ["u", "v"])
    assert np.array_equal(plane.xy, X)
    assert plane.axis_titles == ("u", "v")
    assert plane.method == "columns"
    assert not plane.xy.flags.writeable


def test_columns_are_picked_by_position_or_name():
    X = np.arange(12.0).reshape(3, 4)
    names = ["p", "q", "r", "s"]
    for columns in ((3, 1), ("s", "q"), ("s", 1)):
        plane = project_2d(X, names, "columns", columns)
        assert np.array_equal(plane.xy, X[:, [3, 1]])
        assert plane.axis_titles == ("s", "q")


def test_more_features_are_projected_after_standardising():
    rng = np.random.default_rng(1)
    base = rng.normal(size=(60, 4))
    base[:, 1] += base[:, 0]
    X = base * [1, 1000, 1e-6, 1] + [1e6, 0, 0, 5]
    plane = project_2d(X, list("abcd"))
    standard = (base - base.mean(axis=0)) / base.std(axis=0)
    values, vectors = np.linalg.eigh(np.cov(standard.T, bias=True))
    share = values[::-1] / values.sum()
    assert plane.axis_titles == (
        f"PC1 ({100 * share[0]:.0f}% of variance)",
        f"PC2 ({100 * share[1]:.0f}% of variance)",
    )
    for axis in (0, 1):
        vector = vectors[:, -1 - axis]
        vector = vector * np.sign(vector[np.abs(vector).argmax()])
        np.testing.assert_allclose(plane.xy[:, axis], standard @ vector, atol=1e-7)
    assert plane.method == "pca"


def test_components_of_one_block_keep_their_proportions():
    rng = np.random.default_rng(7)
    X = rng.normal(size=(80, 5)) * [4, 2, 0.1, 0.1, 0.1]
    plane = project_2d(X, list("abcde"), standardise=False)
    centred = X - X.mean(axis=0)
    _, _, axes = np.linalg.svd(centred, full_matrices=False)
    expected = np.abs(centred @ axes[:2].T) / np.sqrt(centred.var(axis=0).mean())
    np.testing.assert_allclose(np.abs(plane.xy), expected, atol=1e-7)
    assert plane.axis_titles[0].startswith("PC1 (8")
    again = project_2d(1e-3 * X + 5, list("abcde"), standardise=False)
    np.testing.assert_allclose(again.xy, plane.xy, atol=1e-7)


def test_one_feature_gets_a_small_seeded_jitter():
    X = np.array([[0.0], [10.0], [10.0]])
    plane = project_2d(X, ["x"])
    assert plane.method == "single"
    assert np.array_equal(plane.xy[:, 0], X[:, 0])
    assert (np.abs(plane.xy[:, 1]) <= 0.5).all()
    assert plane.xy[1, 1] != plane.xy[2, 1]
    assert np.array_equal(project_2d(X, ["x"], seed=0).xy, plane.xy)
    assert not np.array_equal(project_2d(X, ["x"], seed=1).xy, plane.xy)
    assert len(plane.notices) == 1


@pytest.mark.parametrize(
    "X",
    [
        np.ones((5, 3)),
        np.ones((1, 3)),
        np.array([[1.0, 1.0, 1.0], [1.0, 2.0, 1.0]]),
        np.array([[8e307, -1e300, 0.0], [-8e307, 1e300, 1.0], [0.0, 0.0, 0.0]]),
    ],
)
@pytest.mark.parametrize("standardise", [True, False])
def test_degenerate_features_still_have_a_finite_plane(X, standardise):
    plane = project_2d(X, ["a", "b", "c"], standardise=standardise)
    assert plane.xy.shape == (len(X), 2)
    assert np.isfinite(plane.xy).all()
    assert "nan" not in " ".join(plane.axis_titles)


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"method": "mds"}, ParameterError, "method must be one of .*; got 'mds'"),
        ({"method": "columns", "columns": (0, 5)}, ParameterError, "from 0.; got 5"),
        ({"method": "columns", "columns": (0, -1)}, ParameterError, "got -1"),
        ({"method": "columns", "columns": ("a", "z")}, ParameterError, "got 'z'"),
        ({"method": "columns", "columns": ("a", 0)}, ParameterError, "got 'a' twice"),
        ({"method": "columns", "columns": (0, 1, 2)}, ParameterError, r"got \(0, 1, 2\)"),
        ({"feature_names": ["a"]}, ShapeError, "expected 3 feature names; got 1"),
        ({"X": [[1.0, 2.0, np.nan]]}, FeatureError, "Features must be finite"),
        ({"seed": -1}, ParameterError, "seed must be between"),
    ],
)
def test_impossible_planes_are_refused(change, error, message):
    arguments = {"X": np.eye(3), "feature_names": ["a", "b", "c"]} | change
    with pytest.raises(error, match=message):
        project_2d(**arguments)
