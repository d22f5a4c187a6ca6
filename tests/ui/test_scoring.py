"""Which score a computation has, from data and settings."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from stiknn_core import games, interactions
from stiknn_core.types import Dataset, Votes
from stiknn_ui.asked.spec import ComputeSpec, DataSpec, ScoreName
from stiknn_ui.results.analysis import analyse
from stiknn_ui.results.inputs import prepare
from stiknn_ui.results.scoring import resolved, usual_bandwidth, usual_delta
from stiknn_ui.results.sources import build

DATA = DataSpec(n=40, noise=0.2, flip=0.1)


def crowd(dataset: Dataset) -> Dataset:
    rng = np.random.default_rng(0)
    said = rng.integers(-1, 2, (dataset.n, 3))
    said[0] = -1
    return replace(dataset, votes=Votes(("a", "b", "c"), ("0", "1"), said))


def test_the_usual_score_is_that_of_the_labels() -> None:
    plain = build(DATA)
    measured = replace(plain, y=plain.X[:, 0], measured=True)
    assert [resolved(one, "usual") for one in (plain, crowd(plain), measured)] == [
        "plain", "shares", "absolute"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("asked", "got"),
    [("absolute", "plain"), ("shares", "plain"), ("rbf", "rbf"), ("plain", "plain")],
)
def test_a_score_that_does_not_fit_classes_is_the_plain_one(
    asked: ScoreName, got: ScoreName
) -> None:
    assert resolved(build(DATA), asked) == got


@pytest.mark.parametrize("asked", ["rbf", "plain", "shares", "usual"])
def test_a_score_that_does_not_fit_targets_is_the_absolute_loss(asked: ScoreName) -> None:
    dataset = build(DATA)
    assert resolved(replace(dataset, y=dataset.X[:, 0], measured=True), asked) == "absolute"


def test_pairs_are_those_of_the_score_and_index() -> None:
    dataset = build(DATA)
    compute = ComputeSpec(k=3, index="beta(4, 1)", score="rbf", width=0.5)
    found = analyse(dataset, DATA, compute).interactions.matrix
    alone = interactions(
        dataset.X, dataset.y, k=3, index=games.beta(4, 1), score=games.kernel("rbf", 0.5)
    ).matrix
    assert np.array_equal(found, alone)
    assert not np.allclose(found, interactions(dataset.X, dataset.y, k=3).matrix)


def test_shares_are_those_of_the_test_points() -> None:
    dataset = crowd(build(DATA))
    given = prepare(dataset, ComputeSpec(evaluation="hold-out", share=0.5))
    assert dataset.votes is not None
    counts = dataset.votes.counts[given.parts.test_rows].astype(float)
    empty = ~counts.any(axis=1)
    labels = dataset.y[given.parts.test_rows]
    counts[empty] = labels[empty, None] == np.array([0, 1])
    assert given.score == games.votes(counts)


def test_a_bandwidth_is_a_distance_that_rows_have() -> None:
    X = np.arange(9.0)[:, None]
    apart = np.abs(X - X.T)[np.triu_indices(9, 1)]
    found = usual_bandwidth(X, ComputeSpec())
    assert found == pytest.approx(np.quantile(apart, 0.25), rel=1e-2)
    assert usual_bandwidth(np.zeros((3, 1)), ComputeSpec()) == 1.0


def test_a_loss_is_straight_beyond_the_usual_spread() -> None:
    assert usual_delta(np.array([0.0, 1.0, 5.0, 6.0, 100.0])) == 4.0
    assert usual_delta(np.zeros(3)) == 1.0
