"""Cards 1 and 2: one place for two, and who of two decides."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from stiknn_ui.learn.cards.model import (
    Card,
    Picture,
    Round,
    by_rank,
    four,
    on_line,
    pair_of,
    place_of,
    told,
)
from stiknn_ui.learn.fractions_text import rich
from stiknn_ui.learn.game import interactions, values


def one_place() -> Card:
    """Return the card about two copies of the right class, and one place."""
    lesson = on_line([("a", Fraction(5))] * 2, [("a", Fraction(1))], 1)
    offered = [Fraction(-1), Fraction(-1, 2), Fraction(0), Fraction(1)]
    value = values(interactions(lesson, 0))[0]
    return Card(
        "Two copies, one place",
        "Points that compete for the same places among the k nearest are substitutes: blue.",
        (Picture(lesson, "Two copies of class a, and a test point of class a", (0, 1)),),
        (
            Round(
                "A set of points is worth 1 if its nearest has the class of the test point, else "
                "0; nobody is worth 0 (k = 1). The interaction of two points is what both bring "
                "beyond the sum of what each brings alone. How much is it for these copies?",
                told(offered),
                place_of(pair_of(lesson, 0, 1), offered),
                f"Both, less one, less the other, plus nobody: {four(lesson, 0, 1)}, blue. They "
                "are substitutes: they compete for the same place among the k nearest. The first "
                f"to come brings 1, the second 0: on average {rich(value)}, the value of each.",
            ),
        ),
    )


def farther() -> Card:
    """Return the card about four ways to label two points."""
    offered = [Fraction(-1), Fraction(0), Fraction(1)]
    why = {
        "aa": "one of them is enough.",
        "ab": "b would bring nothing anyway.",
        "ba": "where b is, a has no place.",
        "bb": "neither brings anything.",
    }
    lessons = {labels: by_rank(labels) for labels in why}
    rounds = [
        Round(
            f"The test point has class a and k = 1. From near to far the points are {labels}: "
            "what is their interaction?",
            told(offered),
            place_of(pair_of(lesson, 0, 1), offered),
            f"{labels}: {four(lesson, 0, 1)}; {why[labels]}",
            picture,
        )
        for picture, (labels, lesson) in enumerate(lessons.items())
    ]
    rule = Round(
        "Look at all four. Which class does the number depend on?",
        ("the nearer point's", "the farther point's", "whether both are equal"),
        _deciding({labels: pair_of(lesson, 0, 1) for labels, lesson in lessons.items()}),
        "Where the farther point is an a, the nearer one keeps it from the place, whatever its own "
        "class. Where it is a b, it would have brought nothing anyway. So a pair says nothing of "
        "the class of its nearer point, and blue does not mean that both have the right "
        "class; what points behind the two change comes next.",
        picture=-1,
    )
    return Card(
        "Who of the two decides?",
        "A pair's number depends on its farther point and on what lies behind it, not on the "
        "nearer one's class.",
        tuple(Picture(lesson, labels, (0, 1)) for labels, lesson in lessons.items()),
        (*rounds, rule),
    )


def _deciding(found: dict[str, Fraction]) -> int:
    """Return which rule the four numbers follow, as a place among the choices."""
    rules: tuple[Callable[[str], object], ...] = (
        lambda ab: ab[0],
        lambda ab: ab[1],
        lambda ab: ab[0] == ab[1],
    )
    fits = [
        len({(rule(labels), value) for labels, value in found.items()})
        == len({rule(labels) for labels in found})
        for rule in rules
    ]
    return fits.index(True)
