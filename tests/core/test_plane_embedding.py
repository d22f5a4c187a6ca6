"""Planes that keep neighbours together."""

from __future__ import annotations

import sys
from types import ModuleType

import numpy as np
import pytest
from sklearn.neighbors import NearestNeighbors

from stiknn_core.errors import ParameterError
from stiknn_core.plane import project_2d
from stiknn_core.plane.embedding import MAX_EMBEDDED, umap_installed, usable_perplexity
from stiknn_core.types import FloatArray


@pytest.fixture
def groups(rng: np.random.Generator) -> FloatArray:
    """Three far groups of 20 points in five dimensions."""
    centers = 20.0 * np.eye(5)[:3]
    return np.repeat(centers, 20, axis=0) + rng.standard_normal((60, 5))


def test_tsne_keeps_neighbours_together_and_says_so(groups: FloatArray) -> None:
    plane = project_2d(groups, list("abcde"), "tsne", seed=3)
    assert (plane.method, plane.axis_titles) == ("tsne", ("t-SNE 1", "t-SNE 2"))
    assert plane.notices == ()
    assert not plane.xy.flags.writeable
    nearest = NearestNeighbors(n_neighbors=2).fit(plane.xy).kneighbors(return_distance=False)
    assert (nearest // 20 == np.arange(60)[:, None] // 20).all()


@pytest.mark.slow
def test_tsne_is_seeded_and_blind_to_a_common_factor(groups: FloatArray) -> None:
    one = project_2d(groups, list("abcde"), "tsne", seed=1)
    assert np.array_equal(project_2d(groups, list("abcde"), "tsne", seed=1).xy, one.xy)
    for factor in (2.0**600, 2.0**-600):
        scaled = project_2d(groups * factor, list("abcde"), "tsne", seed=1)
        assert np.array_equal(scaled.xy, one.xy)


@pytest.mark.parametrize(("n", "perplexity"), [(4, 1.0), (10, 3.0), (31, 10.0), (4000, 30.0)])
def test_the_perplexity_suits_the_number_of_points(n: int, perplexity: float) -> None:
    assert usable_perplexity(n) == perplexity


@pytest.mark.parametrize(
    "X",
    [
        np.zeros((6, 3)),
        np.array([[0.0, 1, 2], [3, 4, 5]]),
        np.array([[0.0, 1, 2]]),
        np.repeat(np.arange(9.0).reshape(3, 3), 9, axis=0),
    ],
)
def test_too_few_different_points_fall_back_with_a_notice(X: FloatArray) -> None:
    plane = project_2d(X, ["a", "b", "c"], "tsne")
    assert plane.method == "pca"
    assert any("at least 4 different points" in notice for notice in plane.notices)


@pytest.mark.parametrize(
    "X",
    [
        np.arange(12.0).reshape(4, 3),
        np.c_[np.arange(9.0), np.ones(9), np.ones(9)],
        np.repeat(np.arange(12.0).reshape(4, 3), 5, axis=0),
        np.c_[1e300 * np.arange(9.0), np.arange(9.0)],
    ],
)
def test_odd_features_still_have_a_finite_embedding(X: FloatArray) -> None:
    plane = project_2d(X, [f"x{i}" for i in range(X.shape[1])], "tsne")
    assert plane.method == "tsne"
    assert np.isfinite(plane.xy).all()


def test_one_feature_stays_on_its_axis() -> None:
    assert project_2d(np.arange(9.0)[:, None], ["x"], "tsne").method == "single"


def test_too_many_points_are_refused() -> None:
    with pytest.raises(ParameterError, match=r"t-SNE takes at most 4,000 points; got 4,001"):
        project_2d(np.zeros((MAX_EMBEDDED + 1, 3)), ["a", "b", "c"], "tsne")


def test_umap_is_used_where_it_is_installed(
    groups: FloatArray, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = {}

    class Maker:
        def __init__(self, **settings: object) -> None:
            asked.update(settings)

        def fit_transform(self, X: FloatArray) -> FloatArray:
            return X[:, :2]

    module = ModuleType("umap")
    module.UMAP = Maker  # type: ignore[attr-defined]
    module.__spec__ = type("Spec", (), {})()  # type: ignore[assignment]
    monkeypatch.setitem(sys.modules, "umap", module)
    assert umap_installed()
    plane = project_2d(groups[:8], list("abcde"), "umap", seed=5)
    assert (plane.method, plane.axis_titles) == ("umap", ("UMAP 1", "UMAP 2"))
    assert asked["random_state"] == 5
    assert asked["n_neighbors"] == 7
