"""Lessons to try the Learn page on, and the oracle's answers for them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from stiknn_ui.learn.lesson import Lesson, Point, Probe
from stiknn_ui.learn.presets import PRESETS
from tests import naive

RANDOM_CASES = 200


def random_lesson(rng: random.Random) -> Lesson:
    """Draw a lesson on a coarse grid, so that ties, copies, k >= n and one class all happen."""
    plane = rng.random() < 0.5
    grid = rng.choice((2, 4, 10))
    labels = rng.choice(("a", "ab", "abc"))

    def place() -> list[Fraction]:
        values = [Fraction(rng.randint(0, grid * 10), 10), Fraction(rng.randint(0, grid * 10), 10)]
        if rng.random() < 0.8:
            values = [Fraction(round(value)) for value in values]
        return values if plane else [values[0], Fraction(0)]

    n = rng.randint(2, 8)
    return Lesson(
        tuple(Point("ABCDEFGH"[i], rng.choice(labels), *place()) for i in range(n)),
        tuple(Probe(rng.choice("abx"), *place()) for _ in range(rng.choice((1, 1, 1, 3)))),
        k=rng.choice((1, 1, 2, 2, 3, 4, n, n + 1, 20)),
        space="plane" if plane else "line",
        ties="expected" if rng.random() < 0.8 else "index",
    )


def lessons() -> Iterator[tuple[str, Lesson]]:
    """Return every example and the random lessons, each with a name."""
    for name, preset in PRESETS.items():
        yield name, preset.scene.lesson
    rng = random.Random(20230417)
    for number in range(RANDOM_CASES):
        yield f"random {number}", random_lesson(rng)


def oracle_groups(lesson: Lesson) -> naive.IntArray:
    """Return the distance groups by the oracle, from whole numbers of tenths."""

    def row(one: Point | Probe) -> list[int]:
        return [int(one.x * 10), int(one.y * 10)]

    groups = naive.tie_groups(
        np.array([row(point) for point in lesson.points]),
        np.array([row(test) for test in lesson.tests]),
    )
    return naive.break_ties(groups) if lesson.ties == "index" else groups


def brought(lesson: Lesson, point: Point, test: int) -> Fraction:
    """Return k times what a point brings, from the words of the scores."""
    asked = lesson.tests[test]
    if lesson.score == "absolute":
        return Fraction(-abs(int(point.label) - int(asked.label)))
    if lesson.score == "squared":
        return Fraction(-((int(point.label) - int(asked.label)) ** 2))
    if point.label != asked.label:
        return Fraction(0)
    if lesson.score == "inverse":
        tenths = abs(int(point.x * 10) - int(asked.x * 10))
        return Fraction(10, 10 + tenths)
    return Fraction(1)


def oracle_game(lesson: Lesson, test: int) -> naive.FloatArray:
    """Return v(S) by the oracle."""
    u = np.array([float(brought(lesson, point, test)) / lesson.k for point in lesson.points])
    return naive.game(oracle_groups(lesson)[test], u, lesson.k)
