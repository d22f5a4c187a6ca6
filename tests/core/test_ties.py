"""Test points whose answer hangs on how ties are settled."""

from __future__ import annotations

import numpy as np
import pytest

from stiknn_core import LabelError, interactions
from stiknn_core.labels.ties import tied_test_points


def test_only_ties_between_different_labels_count() -> None:
    X = np.array([[0.0], [1.0], [-1.0], [5.0], [7.0], [3.0]])
    y = ["a", "a", "b", "b", "b", "b"]
    # Point 0 sees 1 (a) and 2 (b) at distance 1; point 1 sees 2 (b) and 5 (b) at distance 2.
    assert tied_test_points(X, y).tolist() == [0, 5]
    assert tied_test_points(X, y, [[6.0], [0.0]], ["a", "a"]).tolist() == [1]


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "chebyshev", "cosine"])
def test_it_agrees_with_the_matrix(rng: np.random.Generator, metric: str) -> None:
    X = rng.integers(1, 4, size=(40, 3)).astype(float)
    y = rng.integers(0, 2, size=40)
    alone = interactions(X, y, metric=metric)  # type: ignore[arg-type]
    tied = tied_test_points(X, y, metric=metric)  # type: ignore[arg-type]
    assert 0 < len(tied) == alone.tied_test_points
    judged = interactions(X[:30], y[:30], X[30:], y[30:], metric=metric)  # type: ignore[arg-type]
    tied = tied_test_points(X[:30], y[:30], X[30:], y[30:], metric=metric)  # type: ignore[arg-type]
    assert len(tied) == judged.tied_test_points


def test_bad_input_is_refused_as_elsewhere() -> None:
    with pytest.raises(LabelError):
        tied_test_points([[1.0], [2.0]], ["a", None])
