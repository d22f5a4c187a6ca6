"""Bands of measured targets, targets of other rows, and who says what of a target."""

from __future__ import annotations

import numpy as np
import pytest

from stiknn_core import RankedNeighbors, games, target_support
from stiknn_core.datasets import load_bundled, swap_targets
from stiknn_core.errors import ParameterError
from stiknn_core.sampling import band_names, bands_of, sample_rows


@pytest.mark.parametrize(
    "targets", [np.arange(30.0), np.ones(5), np.array([3.0]), np.repeat([1.0, 2.0, 9.0], 7)]
)
def test_a_band_holds_the_targets_between_its_edges(targets: np.ndarray) -> None:
    codes, edges = bands_of(targets)
    assert sorted(set(codes.tolist())) == list(range(len(edges) - 1))
    for target, code in zip(targets, codes, strict=True):
        assert edges[code] <= target
        assert code == len(edges) - 2 or target < edges[code + 1]
    assert len(set(band_names(edges.tolist()))) == len(edges) - 1


def test_names_of_bands_are_narrow_and_a_minus_is_no_dash() -> None:
    assert band_names([115.0, 141.0, 168.0]) == ("115–141", "141–168")
    assert band_names([-3.0, -1.0, 2.0]) == ("−3 – −1", "−1 – 2")
    assert band_names([998.0, 1251.0, 1409.0]) == ("998–1250", "1250–1410")


def test_bands_have_about_equally_many_rows() -> None:
    codes, _ = bands_of(np.random.default_rng(0).normal(size=1_000))
    assert np.bincount(codes).tolist() == [100] * 10


def test_targets_of_other_rows_are_known_as_such() -> None:
    before = load_bundled("diabetes")
    after = swap_targets(before, 0.1, 3)
    assert after.flipped.tolist() == np.flatnonzero(after.y != before.y).tolist()
    assert 35 <= len(after.flipped) <= 44
    assert set(after.y) <= set(before.y)
    assert after.y_true is not None
    assert after.y_true.tolist() == before.y.tolist()


def test_a_sample_keeps_the_spread_of_targets() -> None:
    whole = load_bundled("diabetes")
    small = sample_rows(whole, 100, 0)
    assert small.measured
    assert abs(np.median(small.y) - np.median(whole.y)) < 12


def test_what_is_suggested_is_the_median_of_what_is_said() -> None:
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(40, 2)), rng.normal(size=40)
    ranked = RankedNeighbors(X, y, k=3, score=games.measured())
    said = target_support(X, y, k=3)
    for point in (0, 7, 39):
        weights = ranked.target_weights(point)
        assert weights[point] == 0.0
        order = np.argsort(y)
        reached = np.cumsum(weights[order]) >= 0.5 * weights.sum() * (1 - 1e-12)
        assert said.suggested[point] == y[order][reached.argmax()]


def test_classes_have_no_target() -> None:
    ranked = RankedNeighbors(np.eye(4), [0, 1, 0, 1], k=1)
    with pytest.raises(ParameterError, match="measured targets"):
        ranked.target_weights(0)
