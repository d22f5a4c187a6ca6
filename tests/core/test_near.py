"""Lists of near rows against whole rankings: copies, ties, trees of all kinds, all test sides."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stiknn_core import (
    LabelSupport,
    ParameterError,
    ShapeError,
    StiknnError,
    forest_distances,
    grow_forest,
    judge_test_labels,
    label_support,
    overview,
    values,
)
from stiknn_core.labels import growing
from stiknn_core.types import FloatArray, IntArray

KINDS = ("shapley", "banzhaf", "leave_one_out")


@st.composite
def tables(draw: st.DrawFn) -> dict[str, Any]:
    """A small table with copies, few or many classes, and perhaps a test set of its own."""
    n = draw(st.integers(2, 40))
    d = draw(st.integers(1, 3))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    steps = draw(st.sampled_from([1, 2, 5, 1000]))
    X = rng.integers(0, steps, size=(n, d)) / 7
    y = rng.integers(0, draw(st.sampled_from([1, 2, 3, n])), size=n)
    found = {"X": X, "y": y, "k": draw(st.integers(1, 8))}
    if draw(st.booleans()):
        t = draw(st.integers(1, 12))
        found |= {"X_test": rng.integers(0, steps, size=(t, d)) / 7, "y_test": rng.choice(y, t)}
    return found


def same(comp: LabelSupport, ref: LabelSupport) -> None:
    np.testing.assert_allclose(comp.support, ref.support, rtol=0, atol=1e-13)
    np.testing.assert_allclose(comp.quality, ref.quality, rtol=0, atol=1e-12)


def both_ways(table: dict[str, Any], n_trees: int, seed: int) -> tuple[Any, dict[str, Any], Any]:
    """Return a forest, its distances, and what both are asked with."""
    grown = (table["X"], table["y"], table.get("X_test"))
    settings = {"n_trees": n_trees, "seed": seed, "n_jobs": 1}
    rest = {name: table[name] for name in ("y", "k", "y_test") if name in table}
    rest |= {"metric": "precomputed", "n_jobs": 1}
    return grow_forest(*grown, **settings), rest, forest_distances(*grown, **settings)


@pytest.mark.slow
@given(tables(), st.sampled_from([1, 3, 40]), st.integers(0, 9))
def test_a_forest_says_what_its_distances_say(table, n_trees: int, seed: int) -> None:
    forest, rest, far = both_ways(table, n_trees, seed)
    np.testing.assert_array_equal(forest.distances(np.arange(forest.n_test)), far)
    same(label_support(forest, **rest), label_support(far, **rest))
    for kind in KINDS:
        ref = values(far, **rest, kind=kind)
        np.testing.assert_allclose(values(forest, **rest, kind=kind), ref, rtol=0, atol=1e-13)
    if "y_test" in table:
        same(judge_test_labels(forest, **rest), judge_test_labels(far, **rest))


@pytest.mark.slow
@given(tables(), st.sampled_from(["euclidean", "manhattan", "chebyshev"]))
def test_all_rows_listed_are_the_whole_ranking(table, metric) -> None:
    given_ = table | {"metric": metric, "n_jobs": 1}
    near = given_ | {"nearest": len(table["y"])}
    same(label_support(**near), label_support(**given_))
    for kind in KINDS:
        ref = values(**given_, kind=kind)
        np.testing.assert_allclose(values(**near, kind=kind), ref, rtol=0, atol=1e-13)
    if "y_test" in table:
        same(judge_test_labels(**near), judge_test_labels(**given_))


@pytest.fixture
def blobs(rng: np.random.Generator) -> tuple[FloatArray, IntArray]:
    y = rng.integers(0, 3, 400)
    X = rng.normal(size=(400, 4)) + 1.5 * y[:, None]
    X[:30] = X[30:60]
    return X, y


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_the_rest_is_tied_and_the_error_is_within_what_is_told(blobs, metric) -> None:
    X, y = blobs
    exact = label_support(X, y, metric=metric)
    errors = []
    for nearest in (10, 40, 160):
        found = overview(X, y, metric=metric, nearest=nearest)
        wrong = np.abs(found.support.support - exact.support).max()
        assert 0 < wrong <= found.bound
        errors.append(wrong)
        # Everybody keeps a part: what all points earn together is the same.
        assert found.values.sum() == pytest.approx(values(X, y, metric=metric).sum(), abs=1e-9)
    assert errors == sorted(errors, reverse=True)
    assert overview(X, y, metric=metric).bound == 0.0


def test_rows_tied_with_the_last_of_a_list_are_all_left_to_the_rest() -> None:
    X = np.array([0.0, 1.0, 2.0, 2.0, 5.0, 5.5, 6.0, 9.0])[:, None]
    y = [0, 0, 1, 0, 1, 1, 0, 1]
    test = {"X_test": [[1.0]], "y_test": [0]}
    # Of the four nearest rows 0 and 2 are equally far, and the first that is left out is not.
    found = label_support(X, y, **test, nearest=2)
    ref = label_support(X, y, **test)
    np.testing.assert_allclose(found.support[:4], ref.support[:4], atol=1e-15)
    assert len(set(found.support[4:, 0].round(12))) == 1
    assert found.support.sum() == pytest.approx(ref.support.sum())


def test_cut_leaves_are_followed_by_test_points(blobs, monkeypatch) -> None:
    X, y = blobs
    monkeypatch.setattr(growing, "MOST_IN_A_LEAF", 7)
    settings = {"n_trees": 12, "n_jobs": 1}
    forest = grow_forest(X, y, X, **settings)
    # Every row falls where its twin among the training points fell: at distance 0.
    assert (np.diag(forest.distances(np.arange(len(y)))) == 0).all()
    found = forest.lists(np.arange(len(y)))
    at_once = np.diff(found.start)
    assert at_once.max() <= 12 * 7
    monkeypatch.setattr(growing, "MOST_IN_A_LEAF", 400)
    whole = grow_forest(X, y, X, **settings)
    # Who is together in a part of a leaf was together in the leaf.
    assert (forest.distances(np.arange(50)) >= whole.distances(np.arange(50))).all()


def test_rows_all_equal_stay_together(monkeypatch) -> None:
    monkeypatch.setattr(growing, "MOST_IN_A_LEAF", 3)
    X, y = np.ones((50, 2)), np.arange(50) % 2
    forest = grow_forest(X, y, n_trees=4)
    assert (forest.distances(np.arange(50)) == 0).all() or forest.lists(np.arange(50)).start[
        -1
    ] < 51
    assert np.ptp(label_support(forest, y, metric="precomputed").quality[::2]) < 1e-12


def test_trees_on_a_part_of_the_rows(blobs, monkeypatch) -> None:
    X, y = blobs
    monkeypatch.setattr(growing, "MOST_DRAWN", 60)
    forest = grow_forest(X, y, n_trees=10, n_jobs=1)
    ref = forest_distances(X, y, n_trees=10, n_jobs=2)
    np.testing.assert_array_equal(forest.distances(np.arange(400)), ref)
    # A point is in some 14 % of the samples, where each has 60 of 400 rows.
    assert ((forest.confidence >= 0) & (forest.confidence <= 1)).all()
    same(
        label_support(forest, y, metric="precomputed"),
        label_support(ref, y, metric="precomputed"),
    )


def test_confidence_is_that_of_trees_which_did_not_see_the_label(blobs) -> None:
    X, y = blobs
    before = grow_forest(X, y, n_trees=60)
    flipped = y.copy()
    flipped[100] = (y[100] + 1) % 3
    after = grow_forest(X, flipped, n_trees=60)
    assert before.confidence[100] > 0.5 > after.confidence[100]
    others = np.delete(np.arange(400), 100)
    assert np.abs(before.confidence - after.confidence)[others].mean() < 0.02


def test_more_leaves_than_two_bytes_tell_apart(blobs, monkeypatch) -> None:
    X, y = blobs
    ref = grow_forest(X, y, X[:9], n_trees=12)
    monkeypatch.setattr("stiknn_core.labels.forest._FEW_LEAVES", 60)
    forest = grow_forest(X, y, X[:9], n_trees=12)
    assert forest.nbytes > ref.nbytes  # with four bytes for each, from some tree on
    np.testing.assert_array_equal(forest.distances(np.arange(9)), ref.distances(np.arange(9)))


def test_nearest_points_of_some(blobs) -> None:
    X, y = blobs
    forest = grow_forest(X, y, n_trees=30)
    far = forest_distances(X, y, n_trees=30)
    near, distances = forest.nearest([5, 90], 12)
    for place, test in enumerate((5, 90)):
        others = np.delete(np.arange(400), test)
        np.testing.assert_allclose(distances[place], np.sort(far[test][others])[:12])
        np.testing.assert_allclose(far[test][near[place]], distances[place])
        assert test not in near[place]


def test_some_test_rows_of_a_forest(blobs) -> None:
    X, y = blobs
    forest, rows = grow_forest(X, y, n_trees=20), np.array([300, 7, 8])
    weights = np.zeros(400)
    weights[rows] = 1.0
    shared = {"y": y, "metric": "precomputed"}
    same(
        label_support(forest, **shared, test_rows=rows),
        label_support(forest, **shared, sample_weight=weights),
    )


def test_threads_do_not_matter(blobs) -> None:
    X, y = blobs
    one, two = (overview(X, y, nearest=30, n_jobs=jobs) for jobs in (1, 2))
    np.testing.assert_array_equal(one.support.support, two.support.support)
    np.testing.assert_array_equal(one.values, two.values)
    forests = [grow_forest(X, y, n_trees=9, n_jobs=jobs) for jobs in (1, 2)]
    one, two = (overview(forest, y, metric="precomputed") for forest in forests)
    np.testing.assert_array_equal(one.leave_one_out, two.leave_one_out)


def test_what_cannot_be_is_refused_in_one_sentence(blobs) -> None:
    X, y = blobs
    forest = grow_forest(X, y, n_trees=3)
    cases: list[tuple[type[StiknnError], str, dict[str, Any]]] = [
        (ShapeError, "grown on 400 training", {"X": forest, "y": y[:9], "metric": "precomputed"}),
        (
            ParameterError,
            "grown without X_test",
            {"X": forest, "y": y, "y_test": y, "metric": "precomputed"},
        ),
        (
            ParameterError,
            "nearest is for features",
            {"X": forest, "y": y, "nearest": 5} | {"metric": "precomputed"},
        ),
        (ParameterError, "ties='index' ranks all", {"X": X, "y": y, "nearest": 5, "ties": "index"}),
        (ParameterError, "nearest must be", {"X": X, "y": y, "nearest": 0}),
    ]
    for kind, said, arguments in cases:
        with pytest.raises(kind, match=said):
            label_support(**arguments)


def test_memory_that_is_not_there_is_said_before_the_work(blobs, monkeypatch) -> None:
    X, y = blobs
    forest = grow_forest(X, y, n_trees=3)
    told: list[object] = []
    for module in ("cost", "labels.forest", "engine.points"):
        monkeypatch.setattr(f"stiknn_core.{module}.free_bytes", lambda: 9_000.0)
    with pytest.raises(ShapeError, match=r"^A forest of 200 trees on 400 points needs 4.. kB of"):
        grow_forest(X, y, progress=lambda *step: told.append(step))
    said = "label support of 400 points in 3 classes needs 19 kB .* Some 187 rows would fit"
    with pytest.raises(ShapeError, match=said):
        label_support(forest, y, metric="precomputed", progress=lambda *step: told.append(step))
    with pytest.raises(ShapeError, match=r"array of distances .* Pass the forest itself"):
        forest_distances(X, y, n_trees=1)
    assert len(told) == 0
    assert len(values(forest, y, metric="precomputed")) == 400  # needs no array of classes


def test_cells_find_nearly_all_of_the_nearest_rows(monkeypatch, rng: np.random.Generator) -> None:
    """Where rows are too many to compare all of them, those of the cells around are looked at."""
    y = rng.integers(0, 3, 3000)
    X = rng.normal(size=(3000, 12)) + 1.5 * y[:, None]
    X[:50] = X[50:100]
    exact = overview(X, y, nearest=40)
    monkeypatch.setattr("stiknn_core.engine.nearest._MANY_ROWS", 2000)
    monkeypatch.setattr("stiknn_core.engine.nearest._ROWS_OF_A_CELL", 50)
    found = overview(X, y, nearest=40)
    assert np.abs(found.support.quality - exact.support.quality).mean() < 0.005
    # Missed or not, everybody keeps a part, and copies are still equal.
    assert found.values.sum() == pytest.approx(exact.values.sum(), abs=0.01)
    same_label = np.flatnonzero(y[:50] == y[50:100])
    np.testing.assert_allclose(
        found.support.quality[same_label], found.support.quality[same_label + 50], atol=1e-3
    )
    few = overview(X[:, :3], y, nearest=40)  # a tree of few columns misses none
    monkeypatch.undo()
    np.testing.assert_array_equal(few.values, overview(X[:, :3], y, nearest=40).values)
