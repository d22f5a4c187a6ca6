"""What a card of the lesson is made of. Texts are in the markup of ``fractions_text``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from stiknn_ui.learn.fractions_text import MINUS, rich
from stiknn_ui.learn.game import game, interactions
from stiknn_ui.learn.lesson import Lesson, Point, Probe

BLUE: Final = "blue, negative"
ZERO: Final = "none, 0"
ORANGE: Final = "orange, positive"
SIGNS: Final = (BLUE, ZERO, ORANGE)


@dataclass(frozen=True)
class Picture:
    """Points on a line, and the pair that a bet is about."""

    lesson: Lesson
    title: str
    pair: tuple[int, int] | None = None
    shown: tuple[int, int] = (0, 99)  # drawn from so many bets on, up to so many


@dataclass(frozen=True)
class Round:
    """One question with its choices, and what is said once a bet is made."""

    question: str
    choices: tuple[str, ...]  # two to four
    right: int
    told: str
    picture: int = 0  # that it is about, or -1; the pair's number is shown there afterwards


@dataclass(frozen=True)
class Grid:
    """A matrix of texts under a card; an empty one is a cell not known yet."""

    title: str
    names: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    asked: tuple[int, int] | None = None  # the cell that the question is about
    changed: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class Card:
    """One idea: a few rounds about a few pictures."""

    title: str
    idea: str  # in one sentence, for the summary
    pictures: tuple[Picture, ...]
    rounds: tuple[Round, ...]
    dial: str = ""  # what else can be turned when all bets are made: "orders" or "tests"


def by_rank(labels: str, k: int = 1) -> Lesson:
    """Return a test point of class a and points of these classes, from near to far."""
    places = [Fraction(2 + 2 * i) for i in range(len(labels))]
    return on_line(list(zip(labels, places, strict=True)), [("a", Fraction(0))], k)


def on_line(
    points: Sequence[tuple[str, Fraction]], tests: Sequence[tuple[str, Fraction]], k: int
) -> Lesson:
    """Return a lesson on a line, its points named A, B, ..."""
    named = zip("ABCDEFGH", points, strict=False)
    return Lesson(
        tuple(Point(name, label, place) for name, (label, place) in named),
        tuple(Probe(label, place) for label, place in tests),
        k,
    )


def four(lesson: Lesson, i: int, j: int, beside: int = 0) -> str:
    """Return "1 − 1 − 0 + 0 = 0": what the pair does beyond the sum of both, beside a set."""
    v = game(lesson, 0)
    bi, bj = 1 << i, 1 << j
    parts = tuple(v[beside | more] for more in (bi | bj, bi, bj, 0))
    both, one, other, nobody = map(rich, parts)
    total = rich(parts[0] - parts[1] - parts[2] + parts[3])
    return f"{both} {MINUS} {one} {MINUS} {other} + {nobody} = {total}"


def pair_of(lesson: Lesson, i: int, j: int) -> Fraction:
    """Return the interaction of a pair for the first test point, by the definition."""
    return interactions(lesson, 0)[i][j]


def place_of(right: Fraction, offered: Sequence[Fraction]) -> int:
    """Return where the right number stands among those offered; it must be one of them."""
    return list(offered).index(right)


def told(values: Sequence[Fraction]) -> tuple[str, ...]:
    """Return numbers as choices, a plus before those above 0."""
    return tuple(("+" if value > 0 else "") + rich(value) for value in values)


def sign_of(value: Fraction) -> int:
    """Return where the sign of a number stands among ``SIGNS``."""
    return (value > 0) - (value < 0) + 1
