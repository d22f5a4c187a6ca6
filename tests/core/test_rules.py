from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from stiknn_core.datasets.rules import monks2, planes_2d, tic_tac_toe
from stiknn_core.errors import ParameterError


def test_monks2_has_the_published_counts_and_rule() -> None:
    made = monks2()
    assert made.X.shape == (601, 6)
    assert Counter(made.y.tolist()) == {0: 395, 1: 206}
    for row, label in zip(made.X.tolist(), made.y.tolist(), strict=True):
        assert label == (row.count(1.0) == 2)


def test_monks2_holds_its_training_rows_twice() -> None:
    made = monks2()
    training = {tuple(row) for row in made.X[:169].tolist()}
    every = [tuple(row) for row in made.X[169:].tolist()]
    assert len(training) == 169
    assert len(set(every)) == len(every) == 432
    assert training < set(every)
    assert [set(column) for column in made.X.T.tolist()] == [
        set(range(1, size + 1)) for size in (3, 3, 2, 3, 4, 2)
    ]


def test_tic_tac_toe_has_every_final_board_once() -> None:
    made = tic_tac_toe()
    assert made.X.shape == (958, 27)
    assert Counter(made.y.tolist()) == {"positive": 626, "negative": 332}
    assert len(set(made.ids.tolist())) == 958
    assert np.all(made.X.reshape(958, 9, 3).sum(axis=2) == 1)


def test_tic_tac_toe_boards_end_a_fair_game() -> None:
    for board in tic_tac_toe().ids.tolist():
        assert board.count("x") - board.count("o") in (0, 1)
        lines = [board[i : i + 3] for i in (0, 3, 6)] + [board[i::3] for i in range(3)]
        lines += [board[0::4], board[2:7:2]]
        won = {line[0] for line in lines if line in ("xxx", "ooo")}
        assert len(won) <= 1
        assert won or "b" not in board


def test_names_of_tic_tac_toe_tell_square_and_mark() -> None:
    made = tic_tac_toe()
    row = made.ids.tolist().index("bbbbooxxx")
    marks = [name for name, on in zip(made.feature_names, made.X[row], strict=True) if on]
    assert marks[:2] == ["top left=b", "top middle=b"]
    assert marks[-1] == "bottom right=x"
    assert made.y[row] == "positive"


def test_planes_follow_their_rule() -> None:
    made = planes_2d(20_000, seed=3)
    assert made.X.shape == (20_000, 10)
    assert set(made.X[:, 0]) == {-1.0, 1.0}
    assert all(set(column) == {-1.0, 0.0, 1.0} for column in made.X[:, 1:].T)
    right = made.X[:, 0] == 1
    heights = np.where(
        right,
        3 + 3 * made.X[:, 1] + 2 * made.X[:, 2] + made.X[:, 3],
        -3 + 3 * made.X[:, 4] + 2 * made.X[:, 5] + made.X[:, 6],
    )
    # The noise has a standard deviation of 1, so far from the cut nearly all labels are sure.
    assert np.mean(made.y[heights > 3] == "N") > 0.99
    assert np.mean(made.y[heights < -3] == "P") > 0.99
    assert 0.48 < np.mean(made.y == "P") < 0.52


def test_planes_are_seeded() -> None:
    assert np.array_equal(planes_2d(50, 1).X, planes_2d(50, 1).X)
    assert not np.array_equal(planes_2d(50, 1).X, planes_2d(50, 2).X)


@pytest.mark.parametrize(("n", "seed"), [(1, 0), (2.5, 0), (True, 0), (10, -1)])
def test_impossible_planes_are_named(n: int, seed: int) -> None:
    with pytest.raises(ParameterError, match="must be an integer of at least"):
        planes_2d(n, seed)
