"""Five puzzles and their checkers: what holds now, and what is missing, exactly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from stiknn_ui.learn.cards.facts import Facts, facts_of
from stiknn_ui.learn.cards.model import on_line
from stiknn_ui.learn.fractions_text import plain
from stiknn_ui.learn.lesson import Lesson

HALF: Final = Fraction(1, 2)
KINDS_WANTED: Final = 3
ZERO_KINDS: Final = {
    "k": "k is n or more, so everyone has a place",
    "n": "no training point has the class of any test point",
    "r": "every right point is among the k nearest, for every test point",
    "m": "some test points have nobody right, the others only the k nearest",
}
"""Why a matrix is zero, by letter. There is no other way: see `zero_kind`."""


@dataclass(frozen=True)
class Report:
    """What a checker says of some points."""

    solved: bool
    said: str  # what holds now, and what is missing
    kind: str = ""  # letter of ZERO_KINDS


@dataclass(frozen=True)
class Puzzle:
    """A task, points to begin with, two hints and points that solve it."""

    letter: str
    title: str
    task: str
    start: Lesson
    hints: tuple[str, str]
    solutions: tuple[Lesson, ...]
    check: Callable[[Lesson], Report]


def _line(points: str, tests: str, k: int = 1) -> Lesson:
    """Return a lesson written as "a 2, b 4" and "a 0"."""
    two = [
        [(label, Fraction(place)) for label, place in (spot.split() for spot in text.split(","))]
        for text in (points, tests)
    ]
    return on_line(two[0], two[1], k)


def _names(facts: Facts, which: list[int]) -> str:
    return ", ".join(facts.lesson.names[i] for i in which)


def orange_cell(lesson: Lesson) -> Report:
    """Check for a pair above 0."""
    facts = facts_of(lesson)
    (i, j), best = max(facts.pairs.items(), key=lambda pair: pair[1])
    pair = f"{lesson.names[i]} and {lesson.names[j]}"
    if best > 0:
        return Report(True, f"{pair} are orange: {plain(best)}.")
    return Report(False, f"No pair is above 0; the highest is {pair} with {plain(best)}.")


def never_asked(lesson: Lesson) -> Report:
    """Check for a value below 0 of a point that no test point has among its k nearest."""
    facts = facts_of(lesson)
    outside = [i for i in range(lesson.n) if not facts.asked[i]]
    negative = [i for i in range(lesson.n) if facts.values[i] < 0]
    both = [i for i in outside if i in negative]
    if both:
        told = "; ".join(f"{lesson.names[i]} has {plain(facts.values[i])}" for i in both)
        return Report(True, f"{told}, and is never among the k nearest.")
    if not outside:
        return Report(False, "Every point is among the k nearest of some test point.")
    told = "; ".join(f"{lesson.names[i]} has {plain(facts.values[i])}" for i in outside)
    return Report(False, f"Never among the k nearest: {told}. None of these is below 0.")


def zero_matrix(lesson: Lesson) -> Report:
    """Check that all pairs are 0, and say why."""
    facts = facts_of(lesson)
    left = [pair for pair, value in facts.pairs.items() if value != 0]
    if left:
        several = "pair is" if len(left) == 1 else "pairs are"
        return Report(False, f"{len(left)} of {len(facts.pairs)} {several} not 0.")
    kind = zero_kind(facts)
    return Report(True, f"All pairs are 0: {ZERO_KINDS[kind]}.", kind)


def zero_kind(facts: Facts) -> str:
    """Return why all pairs are 0, as a letter.

    The pairs of a test point, each once, add up to v(N) less all that the points bring alone,
    which is 0 exactly where everyone who is right has a place, and below 0 else. So they cannot
    cancel over test points: each of them has everyone, nobody or only its k nearest right.
    """
    lesson = facts.lesson
    if lesson.k >= lesson.n:
        return "k"
    labels = {point.label for point in lesson.points}
    nobody = [test.label not in labels for test in lesson.tests]
    return "n" if all(nobody) else "m" if any(nobody) else "r"


def copies_at_half(lesson: Lesson) -> Report:
    """Check for two points equal in place and label whose pair is 1/2."""
    facts = facts_of(lesson)
    points = lesson.points
    copies = {
        (i, j): value
        for (i, j), value in facts.pairs.items()
        if (points[i].x, points[i].y, points[i].label)
        == (points[j].x, points[j].y, points[j].label)
    }
    if not copies:
        return Report(False, "No two points have one place and one class.")
    (i, j), best = max(copies.items(), key=lambda pair: pair[1] == HALF or pair[1] - 2)
    told = f"The copies {lesson.names[i]} and {lesson.names[j]} have {plain(best)}"
    return Report(best == HALF, f"{told}." if best == HALF else f"{told}, not 1/2.")


def harmful_to_remove(lesson: Lesson) -> Report:
    """Check for a value below 0 of a point without which v(N) is lower."""
    facts = facts_of(lesson)
    negative = [i for i in range(lesson.n) if facts.values[i] < 0]
    missed = [i for i in negative if facts.without[i] < facts.whole]
    whole = plain(facts.whole)
    if missed:
        i = missed[0]
        return Report(
            True,
            f"{lesson.names[i]} has the value {plain(facts.values[i])}, and without it v(N) falls "
            f"from {whole} to {plain(facts.without[i])}.",
        )
    if not negative:
        return Report(False, f"No value is below 0. v(N) is {whole}.")
    helpful = [i for i in range(lesson.n) if facts.without[i] < facts.whole]
    told = f"Below 0: {_names(facts, negative)}. Without one of them v(N) = {whole} does not fall"
    if helpful:
        told += f"; it falls without {_names(facts, helpful)}, whose value is not below 0"
    return Report(False, f"{told}.")


_ABA: Final = _line("a 2, b 4, a 6", "a 0")
_AAB: Final = _line("a 2, a 4, b 6", "a 0")

PUZZLES: Final = (
    Puzzle(
        "a",
        "An orange cell",
        "Make a pair of these points orange: an interaction above 0.",
        _AAB,
        (
            "Orange needs harm: a wrong point in front of a right one.",
            "Put b between the two a's. Then the nearest a shields the test point from it.",
        ),
        (_ABA, _line("b 2, b 4, a 6", "a 0")),
        orange_cell,
    ),
    Puzzle(
        "b",
        "Negative, and never asked",
        "Give a point a value below 0 although it is among the k nearest of no test point.",
        _AAB,
        (
            "A value is a mean over all sets of the others, also those without the nearest.",
            "Where the nearest is gone, b must stand in front of a right point.",
        ),
        (_ABA,),
        never_asked,
    ),
    Puzzle(
        "c",
        "Nothing, in three ways",
        "Make all pairs 0, in three different ways. Each way is ticked when you find it.",
        _line("a 2, b 4, a 6, b 8", "a 0"),
        (
            "Pairs speak of competition for k places. Who does not compete? Try the number k.",
            "The classes of the k nearest enter no pair, and a wrong point brings nothing.",
        ),
        (
            _line("a 2, b 4, a 6, b 8", "a 0", 4),
            _line("a 2, b 4, b 6, b 8", "a 0"),
            _line("b 2, b 4, b 6, b 8", "a 0"),
            _line("a 2, b 4, b 6, b 8", "a 0, c 1"),
        ),
        zero_matrix,
    ),
    Puzzle(
        "d",
        "Orange copies",
        "Copies usually compete. Find two, of one place and one class, whose pair is +1/2.",
        _line("a 1, a 1, b 5, b 6", "a 0"),
        (
            "Two copies are orange where they do the same harm.",
            "They must be wrong, and in front of two right points.",
        ),
        (_line("b 1, b 1, a 5, a 6", "a 0"),),
        copies_at_half,
    ),
    Puzzle(
        "e",
        "Negative, and missed",
        "Find a point with a value below 0 without which v(N) falls. Values are means over all "
        "sets; v(N) is about one.",
        _line("a 3.5, b 6.5, b 9.3, a 6.2, b 5.7, b 5.3", "a 4.8, b 2.5, b 1.6, b 0.4"),
        (
            "The point must be the nearest of one test point, right there, with a wrong one behind "
            "it: then it is missed. All else may be harm.",
            "Let it be right for T1, at 4.8, and stand between the b's and the three other test "
            "points. In small sets it is in their way.",
        ),
        (_line("a 3.5, b 6.5, b 9.3, a 4.7, b 5.7, b 5.3", "a 4.8, b 2.5, b 1.6, b 0.4"),),
        harmful_to_remove,
    ),
)
