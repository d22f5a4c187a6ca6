"""Data sets that are a rule written down: Monks-2, tic-tac-toe endings and 2dplanes."""

from __future__ import annotations

from itertools import product

import numpy as np

from stiknn_core.types import AnyArray, Dataset, FloatArray
from stiknn_core.validation.settings import check_whole

# Bit i says whether row i of the 432 combinations, in lexicographic order, was among the 169
# training rows of the original challenge (Thrun et al. 1991).
_MONKS2_TRAINING = int(
    "853501002035a12d3935063a8e04f92bea40b0259646b1238d19e9701190ab84496a081904a270986c3af35044fb7a"
    "020ad003445748",
    16,
)
_MONKS_SIZES = (3, 3, 2, 3, 4, 2)
_LINES = (
    (0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6),
)  # fmt: skip

PLANES_ROWS = 40_768
"""Rows of the published 2dplanes set."""


def monks2() -> Dataset:
    """Return Monks-2: the 169 training rows followed by all 432 combinations.

    The label is 1 exactly if two of the six attributes have their first value.

    Returns
    -------
    Dataset
        601 rows of 6 whole numbers; 395 rows of class 0 and 206 of class 1. Each training row
        occurs twice, as in the published file.
    """
    every = np.array(list(product(*(range(1, size + 1) for size in _MONKS_SIZES))))
    training = np.array([bool(_MONKS2_TRAINING >> row & 1) for row in range(len(every))])
    X = np.vstack([every[training], every])
    y = ((X == 1).sum(axis=1) == 2).astype(np.int64)
    return Dataset(
        X=X.astype(np.float64),
        y=y,
        name="Monks-2",
        feature_names=tuple(f"attr{place}" for place in range(1, 7)),
        ids=np.arange(len(X)),
        params={"dataset": "monks2"},
        notices=("The 169 training rows occur a second time among all 432 combinations.",),
    )


def _won(board: tuple[str, ...], player: str) -> bool:
    return any(all(board[place] == player for place in line) for line in _LINES)


def _endings() -> list[tuple[str, ...]]:
    """Return every board on which a game begun by x can end."""
    boards: set[tuple[str, ...]] = set()
    seen: set[tuple[str, ...]] = set()
    # Boards still to play, from the empty one; the number of moves tells whose turn it is.
    waiting: list[tuple[str, ...]] = [("b",) * 9]
    while waiting:
        board = waiting.pop()
        if board in seen:
            continue
        seen.add(board)
        if _won(board, "x") or _won(board, "o") or "b" not in board:
            boards.add(board)
            continue
        player = "x" if board.count("b") % 2 else "o"
        for place, cell in enumerate(board):
            if cell == "b":
                waiting.append((*board[:place], player, *board[place + 1 :]))
    return sorted(boards)


def tic_tac_toe() -> Dataset:
    """Return all 958 final boards of tic-tac-toe; positive means that x has won.

    Returns
    -------
    Dataset
        27 features 0/1, three for each of the nine squares (blank, o, x); 626 positive and 332
        negative boards, in lexicographic order.
    """
    boards = _endings()
    words = np.array(boards)
    X = np.hstack([(words[:, [square]] == np.array(["b", "o", "x"])) for square in range(9)])
    squares = [f"{row} {column}" for row in ("top", "middle", "bottom")
               for column in ("left", "middle", "right")]  # fmt: skip
    names = tuple(f"{square}={mark}" for square in squares for mark in ("b", "o", "x"))
    y: AnyArray = np.array(["positive" if _won(board, "x") else "negative" for board in boards])
    return Dataset(
        X=X.astype(np.float64),
        y=y,
        name="Tic-tac-toe",
        feature_names=names,
        ids=np.array(["".join(board) for board in boards]),
        params={"dataset": "tic_tac_toe"},
    )


def planes_2d(n: int = PLANES_ROWS, seed: int = 0) -> Dataset:
    """Return 2dplanes: two planes, chosen by x1, with noise, cut at their mean.

    ``y = 3 + 3 x2 + 2 x3 + x4 + e`` where x1 = 1, ``y = -3 + 3 x5 + 2 x6 + x7 + e`` where
    x1 = -1, with e ~ N(0, 1); positive where y lies below its mean (Breiman et al. 1984; x8 to
    x10 say nothing).

    Parameters
    ----------
    n : int
        Rows, at least 2; the published set has 40,768.
    seed : int
        Seed of the draw; at least 0.

    Returns
    -------
    Dataset
        n rows of x1 in {-1, 1} and x2..x10 in {-1, 0, 1}; labels "P" and "N".

    Raises
    ------
    ParameterError
        If ``n`` or ``seed`` is impossible.
    """
    n, seed = check_whole("n", n, least=2), check_whole("seed", seed, least=0)
    rng = np.random.default_rng(seed)
    first = rng.choice([-1.0, 1.0], size=(n, 1))
    X: FloatArray = np.hstack([first, rng.integers(-1, 2, size=(n, 9)).astype(np.float64)])
    weights = np.array([3.0, 2.0, 1.0])
    heights = np.where(
        X[:, 0] == 1, 3 + X[:, 1:4] @ weights, -3 + X[:, 4:7] @ weights
    ) + rng.standard_normal(n)
    return Dataset(
        X=X,
        y=np.where(heights < heights.mean(), "P", "N"),
        name="2dplanes",
        feature_names=tuple(f"x{place}" for place in range(1, 11)),
        ids=np.arange(n),
        params={"dataset": "planes_2d", "n": n, "seed": seed},
    )
