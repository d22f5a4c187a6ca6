"""Card 3: the two reasons for which a pair is orange."""

from __future__ import annotations

from typing import Final

from stiknn_ui.learn.cards.model import (
    SIGNS,
    Card,
    Picture,
    Round,
    by_rank,
    four,
    pair_of,
    sign_of,
    told,
)
from stiknn_ui.learn.game import game
from stiknn_ui.learn.lesson import Lesson

SHIELD: Final = "one shields the test point from the other"
SAME_HARM: Final = "both do the same harm, done only once"
BOTH_RIGHT: Final = "both are right"
_WHY: Final = (SHIELD, SAME_HARM, BOTH_RIGHT)


def two_kinds() -> Card:
    """Return the card about aba and bba, both +1/3."""
    aba, bba = by_rank("aba"), by_rank("bba")
    return Card(
        "A third point",
        "Orange has two reasons: one point shields test points from what the other would do, or "
        "both do the same harm, which is done only once.",
        (Picture(aba, "aba", (0, 1)), Picture(bba, "bba", (0, 1))),
        (
            Round(
                "Now a third point lies behind the two. Their interaction is the mean over who is "
                "there when they come, and k is still 1: what is it for the two nearest of aba?",
                SIGNS,
                sign_of(pair_of(aba, 0, 1)),
                f"{_by_sets(aba)}, orange. Complements: each is worth more beside the other.",
            ),
            Round(
                "Why is the pair in aba orange?",
                _WHY,
                _kind("aba"),
                "Beside the last a, b alone would do harm; with the nearest a there it cannot.",
            ),
            Round(
                "In bba, both of the two nearest points are wrong. What is their interaction?",
                SIGNS,
                sign_of(pair_of(bba, 0, 1)),
                f"{_by_sets(bba)}, as orange as in aba.",
                1,
            ),
            Round(
                "Why is the pair in bba orange?",
                _WHY,
                _kind("bba"),
                "Either b drives the last a from its place; the second does no more harm. So the "
                "pair adds back what would be counted twice: orange does not mean that a point is "
                "good.",
                1,
            ),
        ),
    )


def _by_sets(lesson: Lesson) -> str:
    """Say how the pair of the two nearest is a mean over the third being there or not."""
    without, beside = four(lesson, 0, 1), four(lesson, 0, 1, 4)
    (mean,) = told([pair_of(lesson, 0, 1)])
    return (
        f"Where C is not there yet, in two orders of three: {without}; where it is, in one of "
        f"three: {beside}. The mean is {mean}"
    )


def _kind(labels: str) -> int:
    """Return why two points are orange beside the third: by what each does to it alone."""
    v = game(by_rank(labels), 0)
    third = 4
    near, far = (v[third | bit] - v[third] for bit in (1, 2))
    if near < 0 and far < 0:
        return _WHY.index(SAME_HARM)
    assert far < 0, "the farther one harms alone, and not beside the nearer one"
    return _WHY.index(SHIELD)
