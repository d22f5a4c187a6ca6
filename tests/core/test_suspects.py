"""The ranked table of suspects that notebooks get."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import stiknn_core
from stiknn_core import (
    LabelError,
    ParameterError,
    forest_distances,
    interactions,
    label_support,
    make_dataset,
    rank_suspects,
    values,
)
from stiknn_core.scores import SCORES, in_out, row_likeness

ALWAYS = [name for name in SCORES if name != "confusion"]
COLUMNS = ["rank", "id", "position", "given", "suggested", *ALWAYS, "leave_one_out"]


@pytest.fixture(scope="module")
def data() -> stiknn_core.Dataset:
    return make_dataset("circles", n=120, noise=0.08, seed=2, flip=0.1)


@pytest.fixture(scope="module")
def frame(data) -> tuple[pd.DataFrame, pd.Series]:
    index = [f"row {i}" for i in range(data.n)]
    names = np.array(["outer", "inner"])
    return (
        pd.DataFrame(data.X, columns=["a", "b"], index=index),
        pd.Series(names[data.y], index=index),
    )


@pytest.mark.parametrize("space", ["features", "forest"])
def test_every_row_speaks_of_its_own_point(frame, space) -> None:
    X, y = frame
    table = rank_suspects(X, y, k=3, space=space, n_trees=40, seed=1)
    assert list(table.columns) == COLUMNS
    assert table["rank"].tolist() == list(range(1, len(X) + 1))
    assert table["quality"].is_monotonic_increasing
    assert sorted(table["position"]) == list(range(len(X)))
    where, metric = X, "euclidean"
    if space == "forest":
        where, metric = forest_distances(X, y, n_trees=40, seed=1), "precomputed"
        y = y.to_numpy()
    result = interactions(where, y, k=3, metric=metric)
    support = label_support(where, y, k=3, metric=metric)
    codes = np.array([result.classes.index(name) for name in result.labels])
    at = table["position"].to_numpy()
    assert table["id"].tolist() == X.index[at].tolist()
    assert table["given"].tolist() == np.asarray(y)[at].tolist()
    assert table["suggested"].tolist() == support.suggested[at].tolist()
    for name, score in {
        "quality": support.quality,
        "value": result.values,
        "in_out": in_out(result.matrix, codes, 2),
        "row": row_likeness(result.matrix, codes, 2),
        "leave_one_out": values(where, y, k=3, metric=metric, kind="leave_one_out"),
    }.items():
        np.testing.assert_allclose(table[name], score[at], rtol=0, atol=1e-13)


@pytest.mark.parametrize("score", SCORES)
def test_ranks_by_the_score_that_is_asked_for(data, score) -> None:
    table = rank_suspects(data.X, data.y, score=score, space="features")
    assert table[score].is_monotonic_increasing
    settled = table.sort_values([score, *(s for s in ("quality", "value") if s != score)])
    np.testing.assert_array_equal(table["position"], settled["position"])


@pytest.mark.slow
@pytest.mark.parametrize("space", ["features", "forest"])
def test_finds_flipped_labels_and_suggests_the_true_one(data, space) -> None:
    first = rank_suspects(data.X, data.y, space=space).head(len(data.flipped))
    found = np.isin(first["position"], data.flipped)
    assert found.mean() >= 0.75
    at = first["position"].to_numpy()[found]
    np.testing.assert_array_equal(first["suggested"].to_numpy()[found], data.y_true[at])


@pytest.mark.slow
def test_the_forest_is_the_default(data) -> None:
    X, y = data.X[:40], data.y[:40]
    pd.testing.assert_frame_equal(
        rank_suspects(X, y), rank_suspects(X, y, space="forest", score="quality")
    )


def test_a_test_set_judges_in_the_forest_too(data) -> None:
    X, y = data.X[:80], data.y[:80]
    X_test, y_test = data.X[80:], data.y[80:]
    table = rank_suspects(X, y, X_test, y_test, space="forest", n_trees=30, seed=5)
    ref = label_support(
        forest_distances(X, y, X_test, n_trees=30, seed=5), y, y_test=y_test, metric="precomputed"
    )
    comp = table.sort_values("position")["quality"]
    np.testing.assert_allclose(comp, ref.quality, rtol=0, atol=1e-13)


def test_weights_and_precomputed_distances_reach_the_engine(data) -> None:
    X, y = data.X[:30], data.y[:30]
    weights = np.arange(30.0)
    away = np.abs(X[:, None] - X[None]).sum(axis=2)
    shared = {"space": "features", "sample_weight": weights}
    comp = rank_suspects(away, y, metric="precomputed", **shared)
    ref = rank_suspects(X, y, metric="manhattan", **shared)
    np.testing.assert_allclose(comp["quality"], ref["quality"], rtol=0, atol=1e-12)
    plain = rank_suspects(X, y, metric="manhattan", space="features")
    assert (comp["quality"] != plain["quality"]).any()


@pytest.mark.parametrize("space", ["features", "forest"])
def test_above_the_cap_only_the_scores_of_the_matrix_are_missing(data, space, monkeypatch) -> None:
    whole = rank_suspects(data.X, data.y, space=space, n_trees=20)
    monkeypatch.setattr("stiknn_core.labels.suspects.MOST_PAIRED", data.n - 1)
    monkeypatch.setattr("stiknn_core.labels.suspects.interactions", None)  # not even tried
    table = rank_suspects(data.X, data.y, space=space, n_trees=20)
    pd.testing.assert_frame_equal(table, whole.drop(columns=["in_out", "row"]))
    with pytest.raises(
        ParameterError, match=r"up to 119 training points; got 120\. Choose 'quality'"
    ):
        rank_suspects(data.X, data.y, space=space, score="row")


def test_refuses_what_it_cannot_use(data) -> None:
    with pytest.raises(ParameterError, match="space must be one of 'features', 'forest'"):
        rank_suspects(data.X, data.y, space="trees")
    with pytest.raises(ParameterError, match="score must be one of 'quality', 'confusion'"):
        rank_suspects(data.X, data.y, score="best")
    with pytest.raises(ParameterError, match="Leave metric out, or choose space='features'"):
        rank_suspects(data.X, data.y, space="forest", metric="cosine")
    with pytest.raises(LabelError, match="Every row needs a label"):
        rank_suspects(data.X[:2], ["a", None], space="forest")
