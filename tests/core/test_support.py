"""Label support: what supports each label of a point, and the quality read from it."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from fractions import Fraction
from itertools import pairwise, permutations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from stiknn_core import LabelError, LabelSupport, ParameterError, StiknnWarning, label_support
from stiknn_core.engine.coefficients import support_sum
from stiknn_core.engine.neighbors import NeighborRanker
from stiknn_core.labels.support import judge_test_labels
from stiknn_core.tables import read_table
from stiknn_core.validation import check_problem
from tests import naive

SAMPLES = Path(__file__).parents[2] / "sample_data"
close = {"rtol": 0, "atol": 1e-12}
X = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]]
y = ["a", "b", "a", "a", "b", "b"]


def test_by_hand() -> None:
    """k=2, one test point of class b at the left end: the share of rank m is min(2, m) / m."""
    comp = label_support(X, y, [[-1.0]], ["b"], k=2)
    assert comp.classes == ("a", "b")
    ranks = np.arange(1, 7)
    np.testing.assert_allclose(comp.support[:, 1], np.minimum(2, ranks) / ranks, **close)
    assert not comp.support[:, 0].any()


def test_leave_one_out_by_hand() -> None:
    """Three points, k=1: each judges the two others, and nobody judges itself."""
    comp = label_support([[0.0], [1.0], [10.0]], ["a", "a", "b"], k=1)
    # ranks seen from point 0: (1, 2); from point 1: (0, 2); from point 2: (1, 0)
    np.testing.assert_allclose(
        comp.support, np.array([[1.0, 0.5], [1.0, 1.0], [0.5 + 0.5, 0.0]]) / 3, **close
    )


def test_ties_share() -> None:
    """Two points at the same distance each get the mean of the two places."""
    comp = label_support([[1.0], [-1.0]], ["a", "b"], [[0.0]], ["a"], k=1)
    np.testing.assert_allclose(comp.support[:, 0], [0.75, 0.75], **close)
    by_index = label_support([[1.0], [-1.0]], ["a", "b"], [[0.0]], ["a"], k=1, ties="index")
    np.testing.assert_allclose(by_index.support[:, 0], [1.0, 0.5], **close)


def test_shapes_and_names() -> None:
    comp = label_support(X, y, k=2)
    assert isinstance(comp, LabelSupport)
    assert comp.support.shape == (6, 2)
    assert comp.quality.shape == (6,)
    assert comp.suggested.shape == (6,)
    assert comp.ids.tolist() == [0, 1, 2, 3, 4, 5]
    assert set(comp.suggested) <= {"a", "b"}


def test_ids_and_labels_of_a_frame() -> None:
    frame = pd.DataFrame({"f": [0.0, 1.0, 2.0, 9.0]}, index=["p", "q", "r", "s"])
    labels = pd.Series([3, 3, 3, 8], index=frame.index)
    comp = label_support(frame, labels, k=1)
    assert list(comp.ids) == ["p", "q", "r", "s"]
    assert comp.classes == (3, 8)
    assert all(type(name) is int for name in comp.classes)


def test_frozen_and_read_only() -> None:
    comp = label_support(X, y, k=2)
    with pytest.raises(FrozenInstanceError):
        comp.quality = np.zeros(6)  # type: ignore[misc]
    for array in (comp.support, comp.quality, comp.suggested, comp.ids):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = array[1]


@pytest.mark.parametrize("k", [1, 3, 10])
def test_quality_is_the_share_after_the_square_root(k: int) -> None:
    rng = np.random.default_rng(6)
    points = rng.normal(size=(60, 2))
    labels = np.where(points[:, 0] > 0.8, "rare", np.where(points[:, 1] > 0, "up", "down"))
    comp = label_support(points, labels, k=k)
    names, counts = np.unique(labels, return_counts=True)
    assert comp.classes == tuple(names)
    assert counts.max() > 2 * counts.min()
    shares = naive.label_shares(comp.support, counts)
    given = np.searchsorted(names, labels)
    np.testing.assert_allclose(comp.quality, shares[np.arange(60), given], **close)
    best = shares.max(axis=1)
    for i in range(60):
        column = names.tolist().index(comp.suggested[i])
        assert shares[i, column] == pytest.approx(best[i], abs=1e-12)


def test_quality_stays_in_0_to_1_and_finds_the_flipped() -> None:
    rng = np.random.default_rng(7)
    points = np.concatenate([rng.normal(-3, 0.5, (30, 2)), rng.normal(3, 0.5, (30, 2))])
    labels = np.repeat(["left", "right"], 30)
    labels[[4, 50]] = ["right", "left"]
    comp = label_support(points, labels, k=3)
    assert comp.quality.min() >= 0
    assert comp.quality.max() <= 1
    assert set(np.argsort(comp.quality)[:2]) == {4, 50}
    assert comp.suggested[4] == "left"
    assert comp.suggested[50] == "right"
    np.testing.assert_array_equal(np.delete(comp.suggested, [4, 50]), np.delete(labels, [4, 50]))


def test_a_draw_keeps_the_given_label() -> None:
    """Two test points mirror each other, so both classes are equally supported."""
    comp = label_support([[0.0], [0.0]], ["a", "b"], [[-1.0], [1.0]], ["a", "b"], k=1)
    np.testing.assert_allclose(comp.support, np.full((2, 2), 0.375), **close)
    assert comp.suggested.tolist() == ["a", "b"]
    np.testing.assert_allclose(comp.quality, [0.5, 0.5], **close)


def test_one_class() -> None:
    comp = label_support([[0.0], [1.0], [2.0]], ["a", "a", "a"], k=1)
    np.testing.assert_allclose(comp.quality, 1.0, **close)
    assert comp.suggested.tolist() == ["a", "a", "a"]


def test_no_support_at_all_is_no_nan() -> None:
    """All test points belong to a class that is absent from training."""
    with pytest.warns(StiknnWarning, match="z"):
        comp = label_support([[0.0], [1.0]], ["a", "b"], [[0.5]], ["z"], k=1)
    assert not comp.support.any()
    assert np.isfinite(comp.quality).all()
    assert ((comp.quality >= 0) & (comp.quality <= 1)).all()
    assert comp.suggested.tolist() == ["a", "b"]


def test_a_class_without_test_points_is_no_nan() -> None:
    comp = label_support(X, y, [[0.0], [2.0]], ["a", "a"], k=2)
    assert not comp.support[:, 1].any()
    assert np.isfinite(comp.quality).all()


def test_weights() -> None:
    heavy = label_support(X, y, [[0.0], [5.0]], ["a", "b"], k=2, sample_weight=[3, 1])
    repeated = label_support(X, y, [[0.0], [0.0], [0.0], [5.0]], ["a", "a", "a", "b"], k=2)
    np.testing.assert_allclose(heavy.support, repeated.support, **close)


def test_checks_its_input_as_interactions_does() -> None:
    with pytest.raises(ParameterError, match=r"k must be an integer of at least 1; got 2\.5\."):
        label_support(X, y, k=2.5)  # type: ignore[arg-type]
    with pytest.raises(LabelError, match="y has none in 1 of 6 rows"):
        label_support(X, ["a", None, "a", "b", "b", "a"])


def backing(X, y, X_test, k, tied):
    """Support of each test point for each class, one order of tied points at a time."""
    n, classes = len(X), sorted(set(y))
    out = np.zeros((len(X_test), len(classes)))
    for p, place in enumerate(X_test):
        far = np.abs(np.ravel(X) - place)
        orders = [
            order
            for order in permutations(range(n))
            if all(far[a] <= far[b] for a, b in pairwise(order))
        ]
        for order in orders if tied == "expected" else orders[:1]:
            for rank, point in enumerate(order, start=1):
                share = min(k, rank) / rank / n / (len(orders) if tied == "expected" else 1)
                out[p, classes.index(y[point])] += share
    return out


@pytest.mark.parametrize("ties", ["expected", "index"])
@pytest.mark.parametrize("k", [1, 2, 5])
def test_test_labels_are_backed_by_the_training_points_as_each_sees_them(ties, k):
    X, y = [[0.0], [1.0], [-1.0], [3.0], [1.0]], ["a", "b", "a", "b", "a"]
    X_test, y_test = [[0.0], [2.0], [5.0]], ["b", "b", "a"]
    comp = judge_test_labels(X, y, X_test, y_test, k=k, ties=ties)
    ref = backing(X, y, np.ravel(X_test), k, ties)
    np.testing.assert_allclose(comp.support, ref, atol=1e-12)
    balanced = ref / np.sqrt([3 / 5, 2 / 5])
    share = balanced[range(3), [1, 1, 0]] / balanced.sum(axis=1)
    np.testing.assert_allclose(comp.quality, share, atol=1e-12)
    best = balanced.argmax(axis=1)
    assert comp.suggested.tolist() == [("a", "b")[place] for place in best]


def test_a_test_label_that_no_training_point_has_is_suspicious():
    with pytest.warns(StiknnWarning, match="without any training point"):
        comp = judge_test_labels([[0.0], [1.0]], ["a", "b"], [[0.1]], ["c"], k=1)
    assert comp.quality.tolist() == [0.0]
    assert comp.suggested.tolist() == ["a"]


def test_judging_test_labels_needs_them():
    with pytest.raises(ParameterError, match="needs y_test"):
        judge_test_labels([[0.0], [1.0]], ["a", "b"])


def test_many_classes_take_no_more_room_in_between(rng: np.random.Generator) -> None:
    """A block of 16 test points fills at most 16 of 200 columns, and only those are made."""
    n, t = 300, 90
    X, X_test = rng.normal(size=(n, 2)), rng.normal(size=(t, 2))
    y, y_test = rng.permutation(n) % 200, rng.integers(0, 230, t)
    with pytest.warns(StiknnWarning, match="Classes without any training point"):
        problem = check_problem(X, y, X_test, y_test, k=3, metric="euclidean", ties="expected")
    one = support_sum(problem)
    assert one.shape == (n, 200)
    assert one.size_of_part == n * 16
    ranking = NeighborRanker(problem).rank(16, 32)
    assert one.part(ranking).shape[1] == len(set(y_test[16:32][y_test[16:32] < 200].tolist()))
    with pytest.warns(StiknnWarning):
        found = label_support(X, y, X_test, y_test, k=3)
    ref = np.zeros((n, 200))
    order = np.argsort(((X_test[:, None] - X) ** 2).sum(axis=2), axis=1)
    for p in range(t):
        if y_test[p] < 200:
            rank = np.argsort(order[p]) + 1
            ref[:, y_test[p]] += np.minimum(3, rank) / rank / t
    np.testing.assert_allclose(found.support, ref, rtol=0, atol=1e-14)


def test_test_labels_of_many_classes(rng: np.random.Generator) -> None:
    X, X_test = rng.normal(size=(60, 2)), rng.normal(size=(70, 2))
    y, y_test = rng.permutation(60) % 30, rng.permutation(70) % 30
    found = judge_test_labels(X, y, X_test, y_test, k=3)
    order = np.argsort(((X_test[:, None] - X) ** 2).sum(axis=2), axis=1)
    ref = np.zeros((70, 30))
    for p in range(70):
        for place, i in enumerate(order[p], 1):
            ref[p, y[i]] += min(3, place) / place / 60
    np.testing.assert_allclose(found.support, ref, rtol=0, atol=1e-14)


def test_the_class_of_most_support_need_not_be_the_suggested_one() -> None:
    """In a sample of 180 against 30; added up in fractions from the distances alone."""
    data = read_table(SAMPLES / "moons_unbalanced.csv").to_dataset()
    X, y, k, n = data.X, data.y.astype(str), 5, data.n
    classes, sizes = np.unique(y, return_counts=True)
    far = ((X[:, None] - X[None]) ** 2).sum(axis=2)
    undivided = [dict.fromkeys(classes, Fraction(0)) for _ in range(n)]
    for test in range(n):
        others = np.delete(np.argsort(far[test], kind="stable"), 0)
        for rank, i in enumerate(others.tolist(), 1):
            undivided[i][y[test]] += Fraction(min(k, rank), rank)
    support = np.array([[float(one[name]) for name in classes] for one in undivided])
    divided = support / np.sqrt(sizes)
    shares = divided / divided.sum(axis=1, keepdims=True)
    found = label_support(X, data.y, k=k)
    np.testing.assert_allclose(found.shares, shares, atol=1e-3)  # a few distances are tied
    assert (support.argmax(axis=1) != shares.argmax(axis=1)).sum() == 16
    assert found.suggested.tolist() == classes[shares.argmax(axis=1)].tolist()
    raw = support[72] / support[72].sum()
    assert dict(zip(classes, raw.round(3), strict=True)) == {"lower": 0.438, "upper": 0.562}
    assert dict(zip(classes, shares[72].round(3), strict=True)) == {"lower": 0.656, "upper": 0.344}
    assert y[72] == "upper"
    assert found.suggested[72] == "lower"
