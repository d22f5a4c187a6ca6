"""Cards 6 and 7: Algorithm 1 fills columns, and test points mix them."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from stiknn_ui.learn.algorithm import Step, play
from stiknn_ui.learn.averaging import running_means
from stiknn_ui.learn.cards.model import Card, Grid, Picture, Round, by_rank, on_line, told
from stiknn_ui.learn.game import Matrix, contributions

PLAYED: Final = by_rank("baba")
_PLACES: Final = (("a", 1), ("b", 3), ("a", 5), ("b", 7), ("a", 9))
_TESTS: Final = (("a", "0"), ("b", "10"), ("b", "4.4"), ("a", "6.3"))
MEAN: Final = on_line(
    [(label, Fraction(place)) for label, place in _PLACES],
    [(label, Fraction(place)) for label, place in _TESTS],
    1,
)
_RULES: Final = {
    "start": "The paper's Algorithm 1 fills the cells beside the diagonal, from the far corner up. "
    "The first is −{2(n − k)|n(n − 1)} u, where n = 4, k = 1, and u = 1: D has the right class",
    "changed": "The next cell beside the diagonal, up and to the left, is the last one plus "
    "{2(j − k − 1)|(j − 2)(j − 1)} (u_{j} − u_{j−1}) with j = %d; the u are 0, 1, 0, 1 from near "
    "to far",
    "copy": "Each cell above in the same column is a copy: the farther point is the same",
}


def foretold() -> Card:
    """Return the card about the next cell of Algorithm 1."""
    rounds, before = [], Fraction(0)
    for step in steps():
        ((row, column),) = step.cells
        value = step.matrix[row][column]
        assert value is not None, "the step has just written it"
        offered = _offered(step, value, before)
        names = PLAYED.names[row], PLAYED.names[column]
        rule = _RULES[step.kind]
        if step.kind == "changed":
            rule %= step.loop["j"]
        rounds.append(
            Round(
                f"{rule}. What comes into the cell of {names[0]} and {names[1]}?",
                told(offered),
                offered.index(value),
                step.formula,
            )
        )
        before = value
    return Card(
        "Foretell the next cell",
        "The paper's shortcut needs no sets: a start in the corner, a step for each rank, copies.",
        (Picture(PLAYED, "baba, k = 1, from near to far: A, B, C, D"),),
        tuple(rounds),
    )


def steps() -> tuple[Step, ...]:
    """Return the steps that are asked about: the edge from the corner up, and the first copy."""
    u = contributions(PLAYED, 0)
    filled = [s for s in play(u, PLAYED.k, PLAYED.names) if s.kind not in ("sort", "done")]
    return tuple(filled[: PLAYED.n])


def foretold_grid(bets: int) -> tuple[Grid, ...]:
    """Return the matrix as far as it is filled, with the cell that is asked about."""
    played, n = steps(), PLAYED.n
    known = played[bets - 1].matrix if bets else ((None,) * n,) * n
    cells = tuple(tuple("" if cell is None else str(cell) for cell in row) for row in known)
    asked = played[bets].cells[0] if bets < len(played) else None
    return (Grid("The cells so far", PLAYED.names, cells, asked),)


def _offered(step: Step, value: Fraction, before: Fraction) -> list[Fraction]:
    """Return four different numbers, the right one among them, smallest first."""
    slips = {
        "start": [Fraction(0), -value, value / 2],
        "changed": [before, 2 * before - value, value - 1, -value],
        "copy": [before, steps_start(), Fraction(0)],
    }[step.kind]
    return sorted(list(dict.fromkeys([value, *slips]))[:4])


def steps_start() -> Fraction:
    """Return the start value of the run."""
    first = steps()[0]
    ((row, column),) = first.cells
    found = first.matrix[row][column]
    assert found is not None, "the step has just written it"
    return found


def mixed() -> Card:
    """Return the card that goes from columns to the matrix."""
    n = MEAN.n
    pairs = n * (n - 1) // 2
    offered = [2, n - 1, pairs, n * n]
    yes_no = ("yes", "no")
    return Card(
        "From columns to the matrix",
        "One test point gives columns; the mean over many, each with its own order, is the matrix.",
        (Picture(MEAN, "Five points, test points T1 to T4, k = 1"),),
        (
            Round(
                f"Only T1, at the left end, is asked. Five points make {pairs} pairs: how many "
                "numbers are enough to write them all down?",
                tuple(map(str, offered)),
                offered.index(n - 1),
                "Four: one for each point that can be the farther of two. So every column above "
                "the diagonal holds one number.",
            ),
            Round(
                "Now take the mean with T2, at the other end. Does every column still hold one "
                "number?",
                yes_no,
                0 if in_columns(running_means(MEAN)[1]) else 1,
                "T2 sorts the points the other way round: its columns are rows here, and the mean "
                "is no pattern of columns. Take in the others: each brings an order of its own, "
                "and their mean is the matrix of the other pages.",
            ),
        ),
        dial="tests",
    )


def mixed_grid(taken: int) -> tuple[Grid, ...]:
    """Return the mean matrix over the first test points, in the order of the line."""
    cells = tuple(
        tuple(str(cell) if i < j else "" for j, cell in enumerate(row))
        for i, row in enumerate(running_means(MEAN)[taken - 1])
    )
    named = "T1 alone" if taken == 1 else f"Mean over T1 to T{taken}"
    return (Grid(named, MEAN.names, cells),)


def in_columns(matrix: Matrix) -> bool:
    """Whether each column of the upper triangle holds one number."""
    return all(len({matrix[i][j] for i in range(j)}) == 1 for j in range(1, len(matrix)))
