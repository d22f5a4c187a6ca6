"""The definitions in fractions: every subset or every joining order, nothing rounded.

Nothing here imports the package or ``tests.naive``. Training points are counted from 0, and a
game is a function from a frozenset of them to its utility.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise, permutations
from math import comb

Game = Callable[[frozenset[int]], Fraction]


def utility(places: Sequence[int], labels: str, k: int, right: str = "a", at: int = 0) -> Game:
    """The share of the k nearest that are right, seen from one test point, of points on a line.

    Points at one distance come in every order; the utility is the mean over these orders.
    """
    far = [abs(place - at) for place in places]

    @cache
    def v(points: frozenset[int]) -> Fraction:
        orders = [
            order
            for order in permutations(sorted(points))
            if all(far[a] <= far[b] for a, b in pairwise(order))
        ]
        hits = sum(labels[i] == right for order in orders for i in order[:k])
        return Fraction(hits, k * len(orders))

    return v


def ranked(labels: str, k: int) -> Game:
    """The same for points that are written from near to far, without ties."""

    @cache
    def v(points: frozenset[int]) -> Fraction:
        return Fraction(sum(labels[i] == "a" for i in sorted(points)[:k]), k)

    return v


def subsets(points: Sequence[int]) -> Iterator[frozenset[int]]:
    """Every subset."""
    for size in range(len(points) + 1):
        yield from map(frozenset, combinations(points, size))


def change(v: Game, S: frozenset[int], i: int, j: int) -> Fraction:
    """How the arrival of both differs from the sum of their arrivals."""
    return v(S | {i, j}) - v(S | {i}) - v(S | {j}) + v(S)


def interaction(v: Game, n: int, i: int, j: int) -> Fraction:
    """The Shapley-Taylor interaction: the sum over the subsets of the other points."""
    others = [p for p in range(n) if p not in (i, j)]
    return sum(
        (Fraction(2, n * comb(n - 1, len(S))) * change(v, S, i, j) for S in subsets(others)),
        Fraction(0),
    )


def interaction_by_orders(v: Game, n: int, i: int, j: int) -> Fraction:
    """The mean over all joining orders of the change at those who came before both."""
    orders = list(permutations(range(n)))
    found = Fraction(0)
    for order in orders:
        first = min(order.index(i), order.index(j))
        found += change(v, frozenset(order[:first]), i, j)
    return found / len(orders)


def shapley(v: Game, n: int, i: int) -> Fraction:
    """The Shapley value: the mean over all joining orders of what the point adds."""
    orders = list(permutations(range(n)))
    found = Fraction(0)
    for order in orders:
        before = frozenset(order[: order.index(i)])
        found += v(before | {i}) - v(before)
    return found / len(orders)


def pairs(v: Game, n: int) -> dict[tuple[int, int], Fraction]:
    """All interactions i < j."""
    return {(i, j): interaction(v, n, i, j) for i, j in combinations(range(n), 2)}
