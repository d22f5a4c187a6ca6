"""A few labelled points, a test point or more, and k: all that the Learn page is about."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final, Literal, TypeAlias, get_args

from stiknn_core.errors import ParameterError
from stiknn_ui.learn.games import index as indices
from stiknn_ui.learn.games import score as scores

Space: TypeAlias = Literal["line", "plane"]
Ties: TypeAlias = Literal["expected", "index"]

MIN_POINTS: Final = 2
MAX_POINTS: Final = 8
MAX_TESTS: Final = 6
MAX_K: Final = 20
SPAN: Final = 10
"""Coordinates lie between 0 and this, in steps of a tenth."""
TENTHS: Final = 10

LONGEST_NAME: Final = 4
LONGEST_LABEL: Final = 12
# No sign that means something in a link or a formula, so that neither needs escaping.
_LABEL: Final = re.compile(r"[^\W_]([^\W_]|[ -](?=[^\W_]))*")


@dataclass(frozen=True)
class Probe:
    """A test point at a place of 0 to 10 in tenths; y is 0 on a line."""

    label: str  # the right answer there; no training point need have it
    x: Fraction
    y: Fraction = Fraction(0)


@dataclass(frozen=True)
class Point:
    """A training point at a place of 0 to 10 in tenths; y is 0 on a line."""

    name: str  # up to four letters or digits, unlike all others
    label: str  # its class
    x: Fraction
    y: Fraction = Fraction(0)


@dataclass(frozen=True)
class Lesson:
    """What is computed from; always within the bounds, else making it is a ParameterError."""

    points: tuple[Point, ...]  # 2 to 8
    tests: tuple[Probe, ...]  # 1 to 6
    k: int  # how many neighbours vote, 1 to 20
    space: Space = "line"
    ties: Ties = "expected"  # at equal distance: the mean over orders, or the earlier row first
    index: str = indices.PAPER  # how much a set counts by its size, written as the package does
    score: scores.Score = "plain"  # what a neighbour brings

    def __post_init__(self) -> None:
        _expect(
            MIN_POINTS <= len(self.points) <= MAX_POINTS,
            f"There must be {MIN_POINTS} to {MAX_POINTS} training points",
            len(self.points),
        )
        _expect(
            1 <= len(self.tests) <= MAX_TESTS,
            f"There must be 1 to {MAX_TESTS} test points",
            len(self.tests),
        )
        _expect(1 <= self.k <= MAX_K, f"k must be a whole number from 1 to {MAX_K}", self.k)
        _expect(self.space in ("line", "plane"), "Points lie on a line or a plane", self.space)
        _expect(self.ties in ("expected", "index"), 'Ties must be "expected" or "index"', self.ties)
        for point in self.points:
            _expect(
                point.name.isalnum() and len(point.name) <= LONGEST_NAME,
                f"A name must be 1 to {LONGEST_NAME} letters or digits",
                point.name,
            )
        for one in self.everyone:
            _expect(
                len(one.label) <= LONGEST_LABEL and _LABEL.fullmatch(one.label) is not None,
                f"A class must be 1 to {LONGEST_LABEL} letters or digits, with spaces or hyphens "
                "between them",
                one.label,
            )
            for value in (one.x, one.y):
                _expect(
                    0 <= value <= SPAN and (value * TENTHS).denominator == 1,
                    f"A place must be a number from 0 to {SPAN} with at most one decimal",
                    value,
                )
            _expect(
                self.space == "plane" or one.y == 0, "On a line the second number must be 0", one.y
            )
        names = [point.name for point in self.points]
        _expect(
            len(set(names)) == len(names),
            "Every point must have a name of its own",
            ", ".join(names),
        )
        known = get_args(scores.Score)
        _expect(self.score in known, f"The score must be one of {', '.join(known)}", self.score)
        wrong = indices.too_large(self.index, self.n) or scores.misfit(
            self.score, self.space, (one.label for one in self.everyone)
        )
        if wrong:
            raise ParameterError(wrong)

    @property
    def n(self) -> int:
        """Number of training points."""
        return len(self.points)

    @property
    def everyone(self) -> tuple[Point | Probe, ...]:
        """Training points, then test points."""
        return (*self.points, *self.tests)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the training points."""
        return tuple(point.name for point in self.points)

    @property
    def classes(self) -> tuple[str, ...]:
        """All classes there are, sorted."""
        return tuple(sorted({one.label for one in self.everyone}))


def with_points(lesson: Lesson, points: tuple[Point, ...], tests: tuple[Probe, ...]) -> Lesson:
    """Return the lesson of other points; an index that needs more of them asks for fewer."""
    index = indices.fitted_to(lesson.index, max(MIN_POINTS, len(points)))
    return replace(lesson, points=points, tests=tests, index=index)


def laid(lesson: Lesson, space: Space) -> Lesson:
    """Return the lesson on a line or a plane; from a plane, points drop straight onto the line."""
    if space == lesson.space:
        return lesson
    points = tuple(replace(point, y=Fraction(0)) for point in lesson.points)
    tests = tuple(replace(test, y=Fraction(0)) for test in lesson.tests)
    return replace(lesson, space=space, points=points, tests=tests)


def number(text: str) -> Fraction:
    """Return a coordinate written as a plain decimal, without exponent, sign or blanks."""
    if not re.fullmatch(r"\d{1,3}(\.\d{1,3})?", text, re.ASCII):
        raise ValueError(text)
    return Fraction(text)


def written(value: Fraction) -> str:
    """Return a coordinate as a plain decimal."""
    return f"{float(value):.12g}"


def _expect(right: bool, sentence: str, got: object) -> None:
    if not right:
        raise ParameterError(f"{sentence}; got {got}.")
