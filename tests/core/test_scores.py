"""Scores read from the matrix: written out plainly, and pointing the way they say."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from stiknn_core import interactions, label_support, make_dataset
from stiknn_core.scores import SCORES, ScoreName, in_out, rarity, row_likeness


def test_in_out_written_out_plainly(rng: np.random.Generator) -> None:
    n, codes = 9, np.array([0, 1, 2, 0, 1, 2, 0, 0, 1])
    matrix = rng.normal(size=(n, n))
    matrix += matrix.T
    ref = []
    for i in range(n):
        own = [matrix[i, j] for j in range(n) if j != i and codes[j] == codes[i]]
        other = [matrix[i, j] for j in range(n) if codes[j] != codes[i]]
        ref.append(np.mean(other) - np.mean(own))
    np.testing.assert_allclose(in_out(matrix, codes, 3), ref, rtol=0, atol=1e-12)


def test_in_out_of_a_point_alone_in_its_class_is_its_mean_with_the_others() -> None:
    matrix = np.arange(9.0).reshape(3, 3)
    matrix = matrix + matrix.T
    comp = in_out(matrix, np.array([0, 0, 1]), 2)
    assert comp[2] == pytest.approx((matrix[2, 0] + matrix[2, 1]) / 2)


@pytest.mark.parametrize("score", [in_out, row_likeness])
def test_one_class_gives_nothing_to_compare(score) -> None:
    assert score(np.full((4, 4), 0.3), np.zeros(4, dtype=int), 1).tolist() == [0.0] * 4


def test_row_likeness_written_out_plainly(rng: np.random.Generator) -> None:
    n, n_classes = 40, 15
    codes = np.append(rng.integers(0, 13, n - 1), 13)  # a class of one, and a class of none
    matrix = rng.normal(size=(n, n))
    matrix += matrix.T
    rows = matrix.copy()
    for i in range(n):
        rows[i, i] = (matrix[i].sum() - matrix[i, i]) / (n - 1)
    ref = []
    for i in range(n):
        likeness = {}
        for code in range(n_classes):
            others = [j for j in range(n) if codes[j] == code and j != i]
            if others:
                unit = [(rows[j] - rows[j].mean()) / np.std(rows[j]) for j in others]
                likeness[code] = np.corrcoef(rows[i], np.mean(unit, axis=0))[0, 1]
        own = likeness.pop(codes[i], None)
        ref.append(0.0 if own is None else own - max(likeness.values()))
    np.testing.assert_allclose(row_likeness(matrix, codes, n_classes), ref, rtol=0, atol=1e-10)


def test_rarity_is_the_share_of_the_label() -> None:
    assert rarity(np.array([0, 2, 2, 0, 2])).tolist() == [0.4, 0.6, 0.6, 0.4, 0.6]


@pytest.mark.parametrize("index", ["STII", "SII", "BII"])
def test_low_is_suspicious_for_every_score_that_looks_at_features(index) -> None:
    data = make_dataset("moons", n=200, noise=0.15, seed=4, flip=0.1)
    result = interactions(data.X, data.y, index=index)
    wrong = np.isin(np.arange(data.n), data.flipped)
    scores = {
        "quality": label_support(data.X, data.y).quality,
        "value": result.values,
        "in_out": in_out(result.matrix, data.y, 2),
        "row": row_likeness(result.matrix, data.y, 2),
    }
    if index == "BII":
        del scores["in_out"]  # its pairs are too near-sighted; the docstring says so
    for name, score in scores.items():
        assert roc_auc_score(wrong, -score) > 0.9, name


def test_every_score_is_explained_with_its_direction() -> None:
    assert tuple(SCORES) == get_args(ScoreName)
    assert next(iter(SCORES)) == "quality"
    for info in SCORES.values():
        assert info.title
        assert "Low = suspicious" in info.meaning
        assert info.meaning.endswith(".")
