"""The second opinion: what it joins, what it finds, and what it makes of odd tables."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import average_precision_score

from stiknn_core import ParameterError, ShapeError, grow_forest, label_support, rank_suspects
from stiknn_core.labels.combined import combine, shares_of
from stiknn_core.labels.expected import expected_errors
from stiknn_core.labels.models import model_confidence
from stiknn_core.labels.opinions import LINEAR, NEIGHBOURS, TREES, SecondOpinion, second_opinion

TREES_ENOUGH = 40


def confused(seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Three classes that overlap; a fifth of the first is given the label of the second."""
    rng = np.random.default_rng(seed)
    truth = np.repeat([0, 1, 2], 60)
    X = rng.normal(size=(180, 4)) + 1.6 * np.eye(3, 4)[truth]
    y = truth.copy()
    y[:12] = 1
    return X, y, truth != y


def opinion_of(X, y, *, space: str = "forest", **settings) -> SecondOpinion:
    if space == "features":
        return second_opinion(X, y, label_support(X, y), **settings)
    forest = grow_forest(X, y, n_trees=TREES_ENOUGH)
    return second_opinion(X, y, label_support(forest, y, metric="precomputed"), forest, **settings)


@pytest.mark.parametrize("space", ["forest", "features"])
def test_it_is_made_of_its_parts(space) -> None:
    X, y, _ = confused()
    found = opinion_of(X, y, space=space, seed=3)
    forest = grow_forest(X, y, n_trees=TREES_ENOUGH)
    where = (forest, "precomputed") if space == "forest" else (X, "euclidean")
    shares = shares_of(label_support(where[0], y, metric=where[1]).support, y)
    parts = [shares.given, model_confidence(X, y, seed=3)]
    names = [NEIGHBOURS, LINEAR]
    if space == "forest":
        parts.insert(1, forest.confidence)
        names.insert(1, TREES)
    assert list(found.opinions) == names
    for name, part in zip(names, parts, strict=True):
        np.testing.assert_array_equal(found.opinions[name], part)
    np.testing.assert_array_equal(found.score, combine(parts, y, shares.other))
    ref = expected_errors(found.score, shares)
    assert found.expected.n_wrong == ref.n_wrong
    np.testing.assert_array_equal(found.expected.precision, ref.precision)


@pytest.mark.slow
def test_one_class_mistaken_for_one_other_is_found_better_than_by_quality() -> None:
    gain = []
    for seed in range(3):
        X, y, wrong = confused(seed)
        forest = grow_forest(X, y, n_trees=TREES_ENOUGH)
        support = label_support(forest, y, metric="precomputed")
        scores = second_opinion(X, y, support, forest).score, support.quality
        joint, quality = (average_precision_score(wrong, -score) for score in scores)
        gain.append(joint - quality)
    assert min(gain) > 0
    assert np.mean(gain) > 0.05


def test_names_of_classes_and_units_of_columns_are_of_no_account() -> None:
    X, y, _ = confused()
    ref = opinion_of(X, y, space="features")
    support = label_support(X, np.array(["ant", "bee", "cat"])[y])
    comp = second_opinion(1e6 * X - 5, np.array(["ant", "bee", "cat"])[y], support)
    np.testing.assert_allclose(comp.score, ref.score, atol=1e-4)


def test_rows_in_another_order_get_nearly_the_same() -> None:
    """Folds are drawn by place, so that the linear model differs a little."""
    X, y, _ = confused()
    mixed = np.random.default_rng(1).permutation(len(y))
    ref, comp = opinion_of(X, y, space="features"), opinion_of(X[mixed], y[mixed], space="features")
    np.testing.assert_allclose(
        comp.opinions[NEIGHBOURS], ref.opinions[NEIGHBOURS][mixed], atol=1e-12
    )
    assert np.corrcoef(comp.score, ref.score[mixed])[0, 1] > 0.95


def test_progress_reaches_its_total_and_a_stop_is_heard() -> None:
    X, y, _ = confused()
    told: list[tuple[int, int]] = []
    opinion_of(X, y, progress=lambda *at: told.append(at))
    assert told[0][0] == 0
    assert told[-1][0] == told[-1][1] > 0
    assert [done for done, _ in told] == sorted(done for done, _ in told)

    def stop(done: int, total: int) -> None:
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        opinion_of(X, y, progress=stop)


@pytest.mark.parametrize("space", ["forest", "features"])
def test_one_class_alone_is_right_everywhere(space) -> None:
    X = np.random.default_rng(0).normal(size=(20, 2))
    np.testing.assert_allclose(opinion_of(X, np.zeros(20, dtype=int), space=space).score, 1.0)


@pytest.mark.parametrize("space", ["forest", "features"])
def test_odd_tables_are_ranked(space) -> None:
    X, y, _ = confused()
    alone = np.where(np.arange(len(y)) == 7, 9, y)
    for features, labels in (
        (X, alone),
        (np.ones_like(X), y),
        (np.column_stack([X[:, 0], np.full(len(X), 1e300)]), y),
        (X[:, :1], y),
        (X[:2], y[[0, -1]]),
    ):
        table = rank_suspects(features, labels, score="confusion", space=space, n_trees=10)
        assert table["confusion"].is_monotonic_increasing
        assert table["confusion"].between(0, 1).all()
        assert len(table) == len(labels)


@pytest.mark.slow
def test_thousands_of_classes_are_ranked() -> None:
    rng = np.random.default_rng(0)
    y = np.concatenate([np.arange(2_000), rng.integers(0, 2_000, 400)])
    X = y[:, None] / 2_000 + rng.normal(0, 1e-5, (len(y), 1))
    support = label_support(X, y, nearest=20)
    found = second_opinion(X, y, support)
    assert ((found.score >= 0) & (found.score <= 1)).all()
    assert np.ptp(found.score) > 0


def test_the_column_is_there_when_it_ranks_and_only_then() -> None:
    X, y, _ = confused()
    table = rank_suspects(X, y, score="confusion", n_trees=TREES_ENOUGH)
    usual = rank_suspects(X, y, n_trees=TREES_ENOUGH)
    assert "confusion" not in usual
    forest = grow_forest(X, y, n_trees=TREES_ENOUGH)
    ref = second_opinion(X, y, label_support(forest, y, metric="precomputed"), forest).score
    np.testing.assert_array_equal(table.sort_values("position")["confusion"], ref)
    by_place = (one.sort_values("position", ignore_index=True) for one in (table, usual))
    without, other = (one.drop(columns=["rank", "confusion"], errors="ignore") for one in by_place)
    pd.testing.assert_frame_equal(without, other)


@pytest.mark.parametrize("space", ["forest", "features"])
def test_a_test_set_supports_in_its_place(space) -> None:
    X, y, _ = confused()
    train, test = np.arange(0, 180, 2), np.arange(1, 180, 2)
    table = rank_suspects(
        X[train], y[train], X[test], y[test], score="confusion", space=space, n_trees=20
    )
    assert sorted(table["position"]) == list(range(90))
    assert table["confusion"].is_monotonic_increasing


def test_what_does_not_fit_is_said() -> None:
    X, y, _ = confused()
    support = label_support(X, y)
    with pytest.raises(ShapeError, match="support must be of the same rows as X, 90 here; got 180"):
        second_opinion(X[:90], y[:90], support)
    forest = grow_forest(X[:90], y[:90], n_trees=2)
    with pytest.raises(ShapeError, match="forest must be of the same rows as X, 180 here; got 90"):
        second_opinion(X, y, support, forest)
    with pytest.raises(ShapeError, match="class that the support does not know"):
        second_opinion(X, np.where(y == 2, 5, y), support)
    far = np.abs(X[:, None] - X[None]).sum(axis=2)
    with pytest.raises(ParameterError, match="needs features, for its linear model; got distances"):
        rank_suspects(far, y, space="features", metric="precomputed", score="confusion")


def test_wrong_labels_among_the_first_are_never_more_than_these() -> None:
    X, y, _ = confused()
    expected = opinion_of(X, y).expected
    assert expected.among(0) == (0.0, 0.0, 0.0)
    for m in (1, 10, len(y)):
        found, least, most = expected.among(m)
        assert found == pytest.approx(expected.precision[m - 1] * m)
        assert least == pytest.approx(found * expected.low / expected.n_wrong)
        assert most == pytest.approx(min(m, found * expected.high / expected.n_wrong))
    assert expected.among(len(y))[0] == pytest.approx(expected.n_wrong)
