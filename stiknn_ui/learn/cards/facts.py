"""What the puzzles ask of some points, over all their test points, from the definition."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations

from stiknn_ui.learn.game import game, interactions, rank, seats, values
from stiknn_ui.learn.lesson import Lesson


@dataclass(frozen=True)
class Facts:
    """Means over all test points, by position."""

    lesson: Lesson
    pairs: dict[tuple[int, int], Fraction]
    values: tuple[Fraction, ...]
    asked: tuple[int, ...]  # of how many test points it is among the k nearest of all points
    whole: Fraction  # v(N)
    without: tuple[Fraction, ...]  # v of all but this one


@lru_cache(maxsize=64)
def facts_of(lesson: Lesson) -> Facts:
    """Return all of it; over all subsets for each test point."""
    tests, n = range(len(lesson.tests)), lesson.n
    everyone = 2**n - 1
    matrices = [interactions(lesson, test) for test in tests]
    games = [game(lesson, test) for test in tests]
    near = [
        {seat.point for seat in seats(rank(lesson, test).groups, everyone, lesson.k)}
        for test in tests
    ]
    return Facts(
        lesson,
        {(i, j): _mean([m[i][j] for m in matrices]) for i, j in combinations(range(n), 2)},
        tuple(map(_mean, zip(*(values(m) for m in matrices), strict=True))),
        tuple(sum(i in one for one in near) for i in range(n)),
        _mean([v[everyone] for v in games]),
        tuple(_mean([v[everyone ^ 1 << i] for v in games]) for i in range(n)),
    )


def _mean(numbers: tuple[Fraction, ...] | list[Fraction]) -> Fraction:
    return sum(numbers, Fraction(0)) / len(numbers)
