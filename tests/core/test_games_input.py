"""What bad games get: one sentence with the name, what came and what is allowed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from stiknn_core import StiknnError, games, interactions, label_support, values
from stiknn_core.ranked import RankedNeighbors

X, y = np.arange(6.0)[:, None], ["a", "b", "a", "b", "a", "b"]
THIRDS = np.full((6, 2), 0.5)

MADE: list[tuple[Any, str]] = [
    (lambda: games.weighted_banzhaf(0.0), r"q must be a number in \(0, 1\); got 0.0"),
    (lambda: games.weighted_banzhaf("half"), "q must be .* got 'half'"),
    (lambda: games.beta(4, -1), r"beta must be a number in \(0, 10000\]; got -1"),
    (lambda: games.beta(float("nan"), 1), "alpha must be .* got nan"),
    (lambda: games.calibrated(2.5), "at_least must be a whole number of at least 0; got 2.5"),
    (lambda: games.calibrated(True), "at_least must be .* got True"),
    (lambda: games.kernel("rbf", 0), "bandwidth must be a number above 0; got 0"),
    (lambda: games.kernel("rbf"), "bandwidth must be .* got none"),
    (lambda: games.kernel("gauss", 1.0), "weights must be one of 'inverse'.* got 'gauss'"),
    (lambda: games.kernel([[1.0, -0.5]]), "weights must be .*; got -0.5 in row 0, column 1"),
    (lambda: games.kernel([[1.0]], 2.0), "bandwidth belongs to .*; got 2.0"),
    (lambda: games.kernel([1.0, 2.0]), r"one row per test point; got shape \(2,\)"),
    (lambda: games.soft([[0.5, 0.4]]), "must add up to 1; row 0 adds up to 0.9"),
    (lambda: games.soft([["x", "y"]]), "probabilities must hold numbers"),
    (lambda: games.soft_training([[np.inf, 0.0]]), "got inf in row 0, column 0"),
    (lambda: games.votes([[1, 0], [0, 0]]), "row 1 has none"),
    (lambda: games.labels([[1, 0]], [[1]]), "same columns; got 2 and 1"),
    (lambda: games.labels([[1.0, np.nan]]), "label in every cell"),
    (lambda: games.costs({"a": -1.0}), "The cost of 'a' must be a number of at least 0; got -1.0"),
    (lambda: games.costs(2.0), "costs must name the cost of classes"),
    (lambda: games.measured("cubic"), "loss must be one of .*; got 'cubic'"),
    (lambda: games.measured("huber"), "delta must be a number above 0"),
    (lambda: games.measured("squared", 1.0), "delta belongs to 'huber' alone; got 1.0"),
    (lambda: games.normalised("best"), "score must be 'plain'.* got 'best'"),
    (lambda: games.normalised(empty=np.inf), "empty must be a number; got inf"),
    (lambda: games.index_of("STI"), "index must be one of 'STII'.* got 'STI'"),
    (lambda: games.index_of("beta(1)"), r"got 'beta\(1\)'"),
    (lambda: games.index_of("beta(x, 1)"), r"got 'beta\(x, 1\)'"),
    (lambda: games.index_of("weighted_banzhaf(2)"), r"q must be a number in \(0, 1\); got 2.0"),
]  # fmt: skip


@pytest.mark.parametrize(("make", "says"), MADE)
def test_what_cannot_be_made(make: Any, says: str) -> None:
    with pytest.raises(StiknnError, match=says):
        make()


BOUND: list[tuple[games.Score, str]] = [
    (games.soft(THIRDS[:5]), r"have shape \(6, 2\): .*'a', 'b'; got shape \(5, 2\)"),
    (games.soft_training(np.full((6, 4), 0.25)), r"shape \(6, 2\)"),
    (games.kernel(np.ones((6, 5))), r"weights must have shape \(6, 6\)"),
    (games.labels(np.ones((4, 2))), r"train must have shape \(6, 2\)"),
    (games.labels(np.ones((6, 2)), np.ones((6, 2))), "leave out the second"),
    (games.costs({"d": 1.0}), "costs names 'd'"),
    (games.measured(), "y holds str values such as 'a'"),
]  # fmt: skip


@pytest.mark.parametrize(("score", "says"), BOUND)
def test_what_does_not_fit_the_data(score: games.Score, says: str) -> None:
    with pytest.raises(StiknnError, match=says):
        interactions(X, y, score=score)


@pytest.mark.parametrize(("targets", "says"), [
    ([1.0, 2.0, np.inf, 0.0, 0.0, 0.0], r"y has inf in 1 of 6 rows \(row 2"),
    ([1.0, None, 2.0, 0.0, 0.0, 0.0], "y has nan in 1 of 6 rows"),
    ([True] * 6, "must be numbers; y holds bool"),
    ([], "at least one target"),
])  # fmt: skip
def test_targets_have_to_be_finite_numbers(targets: Any, says: str) -> None:
    with pytest.raises(StiknnError, match=says):
        values(X, targets, score=games.measured())


def test_what_a_game_does_not_have() -> None:
    loss = games.measured()
    with pytest.raises(StiknnError, match=r"score=measured\('absolute'\) does not say that"):
        label_support(X, np.arange(6.0), score=loss)
    with pytest.raises(StiknnError, match=r"does not say that"):
        RankedNeighbors(X, np.arange(6.0), score=loss).overview()
    with pytest.raises(StiknnError, match=r"A part of the matrix cannot be had"):
        RankedNeighbors(X, y, score=games.normalised())
    with pytest.raises(StiknnError, match="nearest takes far points for tied"):
        values(X, y, score=games.kernel("rbf", 1.0), nearest=2)
    with pytest.raises(StiknnError, match=r"there are 3 here; got at_least=4. Choose at most 3"):
        interactions(X[:5], y[:5], [[1.0]], ["a"], index=games.calibrated(4))
    with pytest.raises(StiknnError, match=r"leave_one_out', or an index of stiknn_core.games"):
        values(X, y, kind="median")  # type: ignore[arg-type]
