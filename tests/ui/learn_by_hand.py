"""The game of few points once more, straight from the definition: shares no code with the package.

A point is (class, place), and so is a test point. Everything in fractions, over all subsets and all
orders of tied points.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, permutations
from math import comb

from stiknn_ui.learn.lesson import Lesson

Spot = tuple[str, Fraction]


def spots(lesson: Lesson) -> tuple[list[Spot], list[Spot], int]:
    """Return points, test points and k of a lesson on a line."""
    assert lesson.space == "line"
    assert lesson.ties == "expected"
    both = [[(one.label, one.x) for one in ones] for ones in (lesson.points, lesson.tests)]
    return both[0], both[1], lesson.k


def worth(members: Sequence[Spot], test: Spot, k: int) -> Fraction:
    """Return v of a set for one test point: the mean over all orders that its ties allow."""
    distances = [abs(place - test[1]) for _, place in members]
    orders = [
        order
        for order in permutations(range(len(members)))
        if [distances[i] for i in order] == sorted(distances)
    ]
    right = sum(members[i][0] == test[0] for order in orders for i in order[:k])
    return Fraction(right, k * len(orders))


class ByHand:
    """v, pairs and values of points, as means over the test points."""

    def __init__(self, points: Sequence[Spot], tests: Sequence[Spot], k: int) -> None:
        self.n = len(points)
        self.v = {
            frozenset(members): sum(
                (worth([points[i] for i in members], test, k) for test in tests), Fraction(0)
            )
            / len(tests)
            for size in range(self.n + 1)
            for members in combinations(range(self.n), size)
        }
        self.whole = self.v[frozenset(range(self.n))]
        self.without = [self.v[frozenset(range(self.n)) - {i}] for i in range(self.n)]

    def pair(self, i: int, j: int) -> Fraction:
        total = Fraction(0)
        for inside, value in self.v.items():
            if not inside & {i, j}:
                change = self.v[inside | {i, j}] - self.v[inside | {i}] - self.v[inside | {j}]
                total += Fraction(2, self.n * comb(self.n - 1, len(inside))) * (change + value)
        return total

    def pairs(self) -> dict[tuple[int, int], Fraction]:
        return {(i, j): self.pair(i, j) for i, j in combinations(range(self.n), 2)}

    def value(self, i: int) -> Fraction:
        """The Shapley value, by the sum over sets and not by half of the pairs."""
        total = Fraction(0)
        for inside, value in self.v.items():
            if i not in inside:
                share = Fraction(1, self.n * comb(self.n - 1, len(inside)))
                total += share * (self.v[inside | {i}] - value)
        return total


def by_hand(lesson: Lesson) -> ByHand:
    """Return all of it for a lesson on a line."""
    return ByHand(*spots(lesson))
