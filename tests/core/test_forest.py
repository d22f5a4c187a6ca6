"""Distances by the trees of a random forest, against the same written out plainly."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier

from stiknn_core import (
    FeatureError,
    LabelError,
    ParameterError,
    ShapeError,
    forest_distances,
    interactions,
)
from stiknn_core.labels import growing

SMALL = {"n_trees": 31, "seed": 3, "n_jobs": 1}


@pytest.fixture
def table(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Whole numbers that are their own ranks, so that a forest on them is the same forest."""
    X = np.column_stack([rng.permutation(40) for _ in range(3)]).astype(float)
    return X, np.where(X[:, 0] + X[:, 1] > 40, "high", "low")


def plainly(X: np.ndarray, y: np.ndarray, X_test: np.ndarray | None = None) -> np.ndarray:
    """Ask every tree about every pair; in leave-one-out only trees that did not see the row."""
    growth = {"bootstrap": True, "max_features": 0.5, "min_samples_leaf": 2, "n_jobs": 1}
    forests = [
        RandomForestClassifier(16, random_state=3, **growth).fit(X, y),
        ExtraTreesClassifier(15, random_state=4, **growth).fit(X, y),
    ]
    trees = [tree for forest in forests for tree in forest.estimators_]
    bags = [bag for forest in forests for bag in forest.estimators_samples_]
    asked = X if X_test is None else X_test
    out = np.empty((len(asked), len(X)))
    for p in range(len(asked)):
        answers = [
            tree.apply(X.astype(np.float32)) != tree.apply(asked[p : p + 1].astype(np.float32))
            for tree, in_bag in zip(trees, bags, strict=True)
            if X_test is not None or p not in in_bag
        ]
        out[p] = np.mean(answers, axis=0)
        if X_test is None:
            out[p, p] = 0.0
    return out


@pytest.fixture
def whole_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    """No leaf is cut, so that the trees are scikit-learn's own."""
    monkeypatch.setattr(growing, "MOST_IN_A_LEAF", 1000)


@pytest.mark.slow
@pytest.mark.usefixtures("whole_leaves")
def test_leave_one_out_asks_the_trees_that_have_not_seen_the_point(table) -> None:
    X, y = table
    comp = forest_distances(X, y, **SMALL)
    ref = plainly(X, y)
    assert 0 < ref.max() <= 1
    assert len(np.unique(ref)) > 20
    np.testing.assert_allclose(comp, ref, rtol=0, atol=1e-12)


@pytest.mark.usefixtures("whole_leaves")
def test_test_points_ask_all_trees(table) -> None:
    X, y = table
    X_test = np.array([[0.0, 1.0, 2.0], [20.25, 20.75, 3.0], [39.0, 39.0, 39.0]])
    comp = forest_distances(X, y, X_test, **SMALL)
    np.testing.assert_allclose(comp, plainly(X, y, X_test), rtol=0, atol=1e-12)


@pytest.mark.parametrize("point", [0, 7, 39])
def test_the_label_of_a_point_has_no_say_in_its_own_row(table, point: int) -> None:
    X, y = table
    flipped = y.copy()
    flipped[point] = "low" if y[point] == "high" else "high"
    before, after = forest_distances(X, y, **SMALL), forest_distances(X, flipped, **SMALL)
    np.testing.assert_array_equal(before[point], after[point])
    assert (np.delete(before, point, axis=0) != np.delete(after, point, axis=0)).any()


@pytest.mark.slow
def test_a_label_of_its_own_has_no_say_either(table) -> None:
    """With a class of its own, or without it, the forest counts other classes."""
    X, y = table
    for name in ("a new one, sorted first", "zuletzt"):
        alone = y.astype(object)
        alone[5] = name
        before, after = forest_distances(X, y, **SMALL), forest_distances(X, alone, **SMALL)
        np.testing.assert_array_equal(before[5], after[5])


def test_scale_offset_and_order_of_size_do_not_matter(table) -> None:
    X, y = table
    ref = forest_distances(X, y, **SMALL)
    for other in (X * 1e-12, X * 1e300, X + 1e12, np.exp(X)):
        np.testing.assert_array_equal(forest_distances(other, y, **SMALL), ref)


@pytest.mark.slow
def test_threads_do_not_matter(table) -> None:
    X, y = table
    ref = forest_distances(X, y, **SMALL)
    np.testing.assert_array_equal(forest_distances(X, y, **SMALL | {"n_jobs": 2}), ref)
    assert (forest_distances(X, y, **SMALL | {"seed": 4}) != ref).any()


def test_a_point_that_every_tree_has_seen_is_equally_far_from_all(table) -> None:
    X, y = table
    comp = forest_distances(X, y, n_trees=1, n_jobs=1)
    off = ~np.eye(len(X), dtype=bool)
    seen = [p for p in range(len(X)) if (comp[p, off[p]] == 1).all()]
    # A bootstrap sample holds 63 % of the rows; a leaf of one's own looks the same.
    assert len(X) / 2 <= len(seen) < len(X)
    assert not np.diag(comp).any()  # though no tree may be asked for them


def test_one_class_and_constant_columns_make_all_points_alike() -> None:
    X = np.arange(12.0).reshape(6, 2)
    assert not forest_distances(X, ["a"] * 6, **SMALL).any()
    assert not forest_distances(np.ones((6, 2)), list("ababab"), **SMALL).any()


def test_columns_of_a_frame_are_matched_by_name(table) -> None:
    X, y = table
    frame = pd.DataFrame(X, columns=["p", "q", "r"])
    comp = forest_distances(frame, y, frame[["r", "q", "p"]].iloc[:4], **SMALL)
    np.testing.assert_array_equal(comp, forest_distances(X, y, X[:4], **SMALL))


def test_the_matrix_on_top_is_as_exact_as_ever(table) -> None:
    X, y = table
    result = interactions(forest_distances(X, y, **SMALL), y, metric="precomputed", k=3)
    triangle = np.triu(result.matrix).sum()
    assert triangle == pytest.approx(result.likelihood, abs=1e-12)
    assert result.values.sum() == pytest.approx(result.likelihood, abs=1e-12)


def test_progress_runs_to_its_total_and_can_stop_the_work(table) -> None:
    X, y = table
    told: list[tuple[int, int]] = []
    forest_distances(X, y, progress=lambda *step: told.append(step), **SMALL)
    assert told[0] == (0, 71)
    assert told[-1] == (71, 71)
    assert told == sorted(told)

    def stop(done: int, _: int) -> None:
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        forest_distances(X, y, progress=stop, **SMALL)


@pytest.mark.parametrize(
    ("kwargs", "error", "match"),
    [
        ({"n_trees": 0}, ParameterError, "n_trees must be an integer of at least 1; got 0"),
        ({"n_trees": 2.5}, ParameterError, r"got 2\.5"),
        ({"seed": -1}, ParameterError, "seed must be between 0"),
        ({"X": [[0.0], [np.nan]]}, FeatureError, "1 missing value"),
        ({"X": [[0.0], [1.0], [2.0]]}, ShapeError, "X has 3 rows and y has 2 labels"),
        ({"X": [[0.0]], "y": ["a"]}, ShapeError, "at least 2 rows"),
        ({"y": ["a", None]}, LabelError, "Every row needs a label"),
        ({"X_test": [[0.0, 1.0]]}, FeatureError, "X has 1 column and X_test has 2"),
    ],
)
def test_refuses_what_it_cannot_use(kwargs, error, match: str) -> None:
    with pytest.raises(error, match=match):
        forest_distances(**{"X": [[0.0], [1.0]], "y": ["a", "b"], "n_jobs": 1} | kwargs)


def test_refuses_to_guess_which_label_belongs_to_which_row() -> None:
    X, y = pd.DataFrame({"a": [1.0, 2.0]}), pd.Series(["p", "q"], index=[1, 0])
    with pytest.raises(LabelError, match="same index in the same order"):
        forest_distances(X, y)


def test_many_classes_are_grown_in_groups(rng: np.random.Generator) -> None:
    """No tree is asked to tell more than 64 classes apart, and all of them together do."""
    groupings = [plan.grouping for plan in growing.plans(200, 150, seed=1)]
    assert all(set(grouping) == set(range(64)) for grouping in groupings)
    assert len({tuple(grouping) for grouping in groupings}) == 8  # 25 trees each
    assert all(plan.grouping is None for plan in growing.plans(9, 64, seed=1))
    n_classes, each = 150, 8
    centres = rng.normal(size=(n_classes, 4)) * 30
    y = np.repeat(np.arange(n_classes), each)
    X = centres[y] + rng.normal(size=(len(y), 4))
    distances = forest_distances(X, y, n_trees=200, seed=1, n_jobs=1)
    np.fill_diagonal(distances, 1)
    assert (y[distances.argmin(axis=1)] == y).mean() > 0.97
    np.fill_diagonal(distances, 0)
    again = forest_distances(X, y, n_trees=200, seed=1, n_jobs=2)
    np.testing.assert_array_equal(again, distances)
