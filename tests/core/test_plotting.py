"""Figures for notebooks: what is drawn, where zero lies, and that text stays text."""

import numpy as np
import pytest

from stiknn_core import ParameterError, ShapeError, interactions
from stiknn_core.ordering import value_order
from stiknn_core.plotting import class_scatter, color_limit, interaction_heatmap


@pytest.fixture
def result(rng):
    labels = np.where(rng.random(40) < 0.5, "<b>a</b>", "b")
    return interactions(rng.normal(size=(40, 2)), labels, k=3)


def test_heatmap_shows_the_ordered_matrix_with_zero_in_the_middle(result):
    codes = (result.labels == "b").astype(int)
    order = value_order(codes, result.values)
    trace = interaction_heatmap(result, order).data[0]
    expected = result.matrix[np.ix_(order.positions, order.positions)].copy()
    np.fill_diagonal(expected, np.nan)
    np.testing.assert_array_equal(expected, np.asarray(trace.z))
    assert -trace.zmin == trace.zmax == color_limit(result.matrix)
    assert trace.colorscale[2] == (0.5, "#f2f2f2")


def test_color_limit_ignores_the_diagonal():
    matrix = np.array([[9.0, -0.2, 0.1], [-0.2, 9.0, 0.1], [0.1, 0.1, 9.0]])
    assert color_limit(matrix, 1.0) == 0.2
    assert color_limit(np.eye(3)) == 1.0


def test_large_matrix_is_averaged_without_its_diagonal(rng):
    n = 1030
    labels = np.repeat([0, 1], n // 2)
    result = interactions(rng.normal(size=(n, 2)), labels, rng.normal(size=(5, 2)), [0, 1, 0, 1, 0])
    figure = interaction_heatmap(result)
    z = np.asarray(figure.data[0].z)
    assert z.shape == (344, 344)
    assert "3 × 3" in figure.layout.title.text
    np.testing.assert_allclose(z[0, 1], result.matrix[:3, 3:6].mean())
    corner = result.matrix[:3, :3]
    np.testing.assert_allclose(z[0, 0], (corner.sum() - np.trace(corner)) / 6)


def test_scatter_names_every_class_once_and_keeps_text_as_text(result):
    figure = class_scatter(np.zeros((40, 2)), result, title="<i>x</i>")
    assert [trace.name for trace in figure.data] == ["&lt;b&gt;a&lt;/b&gt;", "b"]
    assert sorted(np.concatenate([trace.customdata for trace in figure.data])) == list(range(40))
    assert figure.layout.title.text == "&lt;i&gt;x&lt;/i&gt;"


def test_wrong_sizes_and_quantiles_are_refused(result):
    with pytest.raises(ShapeError, match=r"xy must have shape \(40, 2\); got \(3, 2\)\."):
        class_scatter(np.zeros((3, 2)), result)
    with pytest.raises(ShapeError, match="order must be of 40 points; got 2"):
        interaction_heatmap(result, value_order([0, 1], [0.0, 1.0]))
    with pytest.raises(ParameterError, match="quantile must be above 0"):
        interaction_heatmap(result, quantile=0)
