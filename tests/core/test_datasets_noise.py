"""Noise on any data set: the truth stays right through every composition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stiknn_core.datasets import (
    add_copies,
    add_outliers,
    flip_labels,
    load_bundled,
    make_dataset,
    thin_class,
)
from stiknn_core.errors import FeatureError, LabelError, ParameterError
from stiknn_core.types import Dataset


def dataset(y, X=None, ids=None) -> Dataset:
    y = np.asarray(y)
    if X is None:
        X = np.random.default_rng(0).normal(size=(len(y), 3))
    return Dataset(
        X=X,
        y=y,
        name="made",
        feature_names=tuple(f"x{i}" for i in range(np.shape(X)[1])),
        ids=np.arange(len(y)) if ids is None else ids,
    )


def check_truth(made: Dataset) -> None:
    """Assert everything that holds for any data set, however it came about."""
    assert len(made.X) == len(made.y) == len(made.ids) == len(made.copy_of)
    assert len(set(made.ids.tolist())) == made.n
    if made.y_true is None:
        assert made.flipped.size == 0
    else:
        differs = [
            row for row in range(made.n) if made.y.tolist()[row] != made.y_true.tolist()[row]
        ]
        assert made.flipped.tolist() == differs
    copies = np.flatnonzero(made.copy_of >= 0)
    assert (made.copy_of[made.copy_of[copies]] == -1).all()
    assert np.array_equal(made.X[copies], made.X[made.copy_of[copies]])
    assert made.outliers.tolist() == sorted(set(made.outliers.tolist()))


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["uniform", "nearest", "asymmetric", "copies", "outliers", "thin"]),
        st.floats(0.05, 0.5),
        st.integers(0, 3),
    ),
    max_size=5,
)
LABELS = [
    np.array([0, 1, 2] * 8),
    np.array(["a", "bb", "ccc"] * 8),
    np.array(["a", "bb", "ccc"] * 8, dtype=object),
    np.array([True, False, False] * 8),
    np.array([-1.0, 1.0, 1.0] * 8),
]


@settings(max_examples=60, deadline=None)
@given(labels=st.sampled_from(LABELS), steps=STEPS)
def test_truth_survives_any_composition(labels, steps):
    made = dataset(labels)
    for what, share, seed in steps:
        if what == "copies":
            made = add_copies(made, share, seed)
        elif what == "outliers":
            made = add_outliers(made, share, seed)
        elif what == "thin":
            made = thin_class(made, sorted(set(made.y.tolist()))[0], share, seed)
        elif len(set(made.y.tolist())) > 1:
            made = flip_labels(made, share, seed, kind=what)
        check_truth(made)
    assert made.y.dtype.kind == labels.dtype.kind
    assert set(made.y.tolist()) <= set(labels.tolist())


def test_flips_change_exactly_the_asked_number_and_keep_the_truth():
    plain = load_bundled("iris")
    made = flip_labels(plain, 0.1, 0)
    assert len(made.flipped) == 15
    assert np.array_equal(made.y_true, plain.y)
    assert plain.flipped.size == 0
    assert made.params["bundled"] == "iris"
    assert made.params["steps"][0]["kind"] == "uniform"


def test_a_second_flip_with_the_same_seed_draws_anew():
    once = flip_labels(dataset([0, 1] * 50), 0.2, 4)
    twice = flip_labels(once, 0.2, 4)
    second = np.flatnonzero(twice.y != once.y)
    assert len(second) == 20
    assert set(second) != set(once.flipped)
    # Rows drawn both times are back at their true class.
    assert set(twice.flipped) == set(second) ^ set(once.flipped)


def test_long_labels_are_not_cut_off():
    made = flip_labels(dataset(["a", "a long name"] * 10), 0.5, 0)
    assert set(made.y) == {"a", "a long name"}


def test_uniform_flips_reach_every_other_class():
    made = flip_labels(dataset([0] * 200 + [1, 2, 3]), 0.5, 0)
    new = made.y[made.flipped[made.flipped < 200]]
    assert set(new) == {1, 2, 3}
    assert np.bincount(new).max() < 60


def test_nearest_flips_go_to_the_neighbouring_class():
    x = np.concatenate([np.linspace(0, 1, 20), np.linspace(1.1, 2.1, 20), np.linspace(5, 6, 20)])
    made = flip_labels(dataset(np.repeat([0, 1, 2], 20), x[:, None]), 0.25, 0, kind="nearest")
    assert len(made.flipped) == 15
    for row in made.flipped:
        assert made.y[row] == {0: 1, 1: 0, 2: 1}[int(made.y_true[row])]
    # The 30 rows nearest to another class all lie on either side of 1.05.
    assert made.flipped.max() < 40


def test_asymmetric_flips_take_a_share_of_the_source_class():
    made = flip_labels(
        dataset(["a"] * 30 + ["b"] * 10 + ["c"] * 10), 0.2, 0, kind="asymmetric", source="b"
    )
    assert made.y_true[made.flipped].tolist() == ["b", "b"]
    assert made.y[made.flipped].tolist() == ["a", "a"]
    away = flip_labels(dataset(["a", "b"] * 10), 0.2, 0, kind="asymmetric", target="a")
    assert set(away.y_true[away.flipped]) == {"b"}


@pytest.mark.parametrize("function", [flip_labels, add_copies, add_outliers])
def test_a_share_of_no_row_changes_nothing(function):
    plain = dataset([0, 1] * 5)
    assert function(plain, 0.0, 0) is plain


def test_copies_are_copied_from_originals_with_label_and_truth():
    flipped = flip_labels(dataset(["a", "b"] * 10), 0.25, 1)
    made = add_copies(add_copies(flipped, 1.0, 1), 0.5, 1)
    assert made.n == 60
    assert (made.copy_of[20:] < 20).all()
    assert sorted(made.copy_of[20:40]) == list(range(20))
    assert np.array_equal(made.y_true[20:], made.y_true[made.copy_of[20:]])
    assert made.ids[20:].tolist() == list(range(20, 60))


def test_added_rows_get_readable_ids_where_ids_are_text():
    ids = np.array(["p", "copy 1", "q", "r"])
    made = add_outliers(add_copies(dataset([0, 1, 0, 1], ids=ids), 0.5, 0), 0.3, 0)
    assert made.ids[4:].tolist() == ["copy 2", "copy 3", "outlier 1", "outlier 2"]


def test_outliers_are_far_from_every_other_row():
    plain = make_dataset("moons", 200, seed=2)
    made = add_outliers(plain, 0.05, 0)
    assert made.outliers.tolist() == list(range(200, 210))
    scaled = (made.X - plain.X.mean(axis=0)) / plain.X.std(axis=0)
    reach = np.linalg.norm(scaled[:200], axis=1).max()
    gaps = np.linalg.norm(scaled[200:, None] - scaled[None, :200], axis=2)
    assert gaps.min() >= 0.5 * reach
    assert np.array_equal(made.y_true, made.y)


def test_outliers_leave_constant_columns_alone_and_refuse_what_they_cannot_use():
    X = np.column_stack([np.arange(10.0), np.full(10, 0.1)])
    made = add_outliers(dataset([0, 1] * 5, X), 0.5, 0)
    assert (made.X[:, 1] == 0.1).all()
    X[2, 0] = np.nan
    with pytest.raises(FeatureError, match="outliers need finite features"):
        add_outliers(dataset([0, 1] * 5, X), 0.5, 0)
    X[2, 0] = 1.7e308
    with pytest.raises(FeatureError, match="too large to add outliers"):
        add_outliers(dataset([0, 1] * 5, X), 0.5, 0)


def test_thinning_keeps_ids_and_renumbers_positions():
    full = make_dataset("moons", 100, seed=0, flip=0.2, outliers=0.1)
    thin = thin_class(full, 0, 0.25, 0)
    assert (thin.y == 0).sum() == round(0.25 * (full.y == 0).sum())
    assert (thin.y == 1).sum() == (full.y == 1).sum()
    assert np.array_equal(thin.X, full.X[thin.ids])
    assert set(thin.ids[thin.flipped]) == set(full.flipped) & set(thin.ids)
    assert set(thin.ids[thin.outliers]) == set(full.outliers) & set(thin.ids)


def test_a_copy_takes_the_place_of_a_dropped_original():
    y = np.array(["a", "b", "a", "a", "a"])
    X = np.array([[1.0], [2.0], [1.0], [1.0], [1.0]])
    base = Dataset(
        X=X,
        y=y,
        name="made",
        feature_names=("x",),
        ids=np.arange(5),
        copy_of=np.array([-1, -1, 0, 0, 0]),
    )
    seeds = [seed for seed in range(30) if 0 not in thin_class(base, "a", 0.75, seed).ids]
    assert seeds  # some draw drops the original
    assert thin_class(base, "a", 0.75, seeds[0]).copy_of.tolist() == [-1, -1, 1, 1]


def test_one_row_always_stays():
    assert (thin_class(dataset([0] * 5 + [1]), 0, 0.01, 0).y == 0).sum() == 1


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda d: flip_labels(d, 0.6, 0), ParameterError, "share must be .* 0 and 0.5; got 0.6"),
        (lambda d: flip_labels(d, 0.1, 1.5), ParameterError, "seed must be an integer"),
        (lambda d: flip_labels(d, 0.1, 0, kind="x"), ParameterError, "kind must be one of"),
        (
            lambda d: flip_labels(d, 0.1, 0, kind="asymmetric", target="z"),
            ParameterError,
            "target must be one of the classes a and b; got 'z'",
        ),
        (
            lambda d: flip_labels(d, 0.1, 0, kind="asymmetric", source="a", target="a"),
            ParameterError,
            "source and target must differ; got 'a' for both",
        ),
        (lambda d: flip_labels(d, 0.1, 0, source="a"), ParameterError, "belong to asymmetric"),
        (lambda d: add_copies(d, 2, 0), ParameterError, "share must be .* 0 and 1; got 2"),
        (lambda d: thin_class(d, "z", 0.5, 0), ParameterError, "cls must be one of .*; got 'z'"),
        (lambda d: thin_class(d, "a", 0, 0), ParameterError, "keep_share must be above 0; got 0"),
    ],
)
def test_impossible_settings_are_refused(call, error, message):
    with pytest.raises(error, match=message):
        call(dataset(["a", "b"] * 5))


def test_one_class_cannot_be_flipped():
    with pytest.raises(LabelError, match=r"at least two classes; got 1 \(a\)"):
        flip_labels(dataset(["a"] * 5), 0.5, 0)


@pytest.mark.parametrize("missing", [None, float("nan")])
def test_missing_labels_are_counted_and_placed(missing):
    labels = np.array(["a", missing, "b", missing], dtype=object)
    with pytest.raises(LabelError, match=r"none in 2 of 4 rows \(rows 1 and 3, counted from 0\)"):
        flip_labels(dataset(labels), 0.5, 0)
