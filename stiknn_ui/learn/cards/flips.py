"""Card 4: whose labels a pair does not know."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from stiknn_ui.learn.cards.model import Card, Grid, Picture, Round, by_rank
from stiknn_ui.learn.game import interactions
from stiknn_ui.learn.lesson import Lesson

_LABELS: Final = "ababa"
_K: Final = 2


def nearest_flipped() -> Card:
    """Return the card about the labels of the two nearest, and that of the third."""
    before = by_rank(_LABELS, _K)
    near, third = flipped(before, {0, 1}), flipped(before, {2})
    pairs = before.n * (before.n - 1) // 2
    touching = [pairs - (before.n - m) * (before.n - m - 1) // 2 for m in (1, 2)]
    first = [0, 1, touching[1], pairs]
    second = [0, 3, touching[0], pairs]
    return Card(
        "Flip a label",
        "For one test point, the labels of its k nearest points enter no pair: flip them, and the "
        "matrix stays.",
        (
            Picture(before, "k = 2, as it is"),
            Picture(near, "The two nearest flipped", shown=(1, 1)),
            Picture(third, "The third flipped", shown=(2, 2)),
        ),
        (
            Round(
                "k = 2: a set is worth the share of its two nearest that have the right class. "
                f"Five points make {pairs} pairs. Flip the labels of the two nearest: how many "
                "numbers change?",
                tuple(map(str, first)),
                first.index(len(changed(before, near))),
                "None. A label counts only where its point may find no place, or gets one that "
                "another leaves; the k nearest always have theirs.",
                1,
            ),
            Round(
                "Flip the third nearest alone instead. How many pairs change?",
                tuple(map(str, second)),
                second.index(len(changed(before, third))),
                "Three: A and C, B and C, whose farther point it is; and A and B, behind whom it "
                "is next. Pairs whose farther point lies beyond it hold nothing of it.",
                2,
            ),
        ),
    )


def grids(bets: int) -> tuple[Grid, ...]:
    """Return the matrix, and what the last bet was about."""
    before = by_rank(_LABELS, _K)
    found = [Grid("As it is", before.names, texts(before))]
    if bets:
        title, which = (("The two nearest flipped", {0, 1}), ("The third flipped", {2}))[bets - 1]
        after = flipped(before, which)
        cells = tuple(changed(before, after))
        found.append(Grid(title, after.names, texts(after), changed=cells))
    return tuple(found)


def flipped(lesson: Lesson, which: set[int]) -> Lesson:
    """Return the lesson with labels a and b exchanged for some points."""
    return replace(
        lesson,
        points=tuple(
            replace(point, label="ab"[point.label == "a"]) if i in which else point
            for i, point in enumerate(lesson.points)
        ),
    )


def changed(before: Lesson, after: Lesson) -> list[tuple[int, int]]:
    """Return the pairs, nearer point first, whose interaction differs."""
    one, other = interactions(before, 0), interactions(after, 0)
    n = before.n
    return [(i, j) for i in range(n) for j in range(i + 1, n) if one[i][j] != other[i][j]]


def texts(lesson: Lesson) -> tuple[tuple[str, ...], ...]:
    """Return the upper triangle of the matrix as texts."""
    return tuple(
        tuple(str(cell) if i < j else "" for j, cell in enumerate(row))
        for i, row in enumerate(interactions(lesson, 0))
    )
