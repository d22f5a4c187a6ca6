"""Neighbours, the game and the pair terms for one test point, all in exact fractions.

A subset is a bit mask: point ``i`` takes part in ``mask`` when bit ``i`` is set. Everything is
taken from the definition, over all subsets: at most 256 of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import lcm
from operator import mul

from stiknn_ui.learn.games.index import PAPER, Index, index_of, pair_weight, value_weight
from stiknn_ui.learn.games.score import gain
from stiknn_ui.learn.lesson import Lesson

Matrix = tuple[tuple[Fraction, ...], ...]
_PAPER = Index(PAPER)


@dataclass(frozen=True)
class Ranking:
    """The training points as one test point sees them."""

    order: tuple[int, ...]  # positions, nearest first; of tied points the earlier row first
    groups: tuple[tuple[int, ...], ...]  # the same, tied points together unless ties="index"
    squared: tuple[Fraction, ...]  # distance of each point, by position


@dataclass(frozen=True)
class Seat:
    """One point of a subset that has a place among the k nearest."""

    point: int
    share: Fraction  # how often it has a place over all orders of tied points; 1 without ties


@dataclass(frozen=True)
class Term:
    """What one subset S adds to the interaction of i and j."""

    subset: int  # S, without i and j
    size: int
    weight: Fraction  # p_s of the index
    both: Fraction  # v(S + i + j)
    with_i: Fraction
    with_j: Fraction
    without: Fraction  # v(S)
    change: Fraction  # both - with_i - with_j + without
    product: Fraction  # weight * change
    running: Fraction  # sum of the products up to here


@lru_cache(maxsize=256)
def rank(lesson: Lesson, test: int) -> Ranking:
    """Return the training points in the order of their distance to one test point."""
    probe = lesson.tests[test]
    squared = tuple((p.x - probe.x) ** 2 + (p.y - probe.y) ** 2 for p in lesson.points)
    order = tuple(sorted(range(lesson.n), key=lambda i: (squared[i], i)))
    groups: list[tuple[int, ...]] = []
    for i in order:
        tied = groups and squared[groups[-1][0]] == squared[i] and lesson.ties == "expected"
        if tied:
            groups[-1] = (*groups[-1], i)
        else:
            groups.append((i,))
    return Ranking(order, tuple(groups), squared)


def contributions(lesson: Lesson, test: int) -> tuple[Fraction, ...]:
    """Return u of each point: what its score gives it, divided by k."""
    probe = lesson.tests[test]
    return tuple(
        gain(lesson.score, point.label, probe.label, abs(point.x - probe.x)) / lesson.k
        for point in lesson.points
    )


def seats(groups: Sequence[Sequence[int]], subset: int, k: int) -> tuple[Seat, ...]:
    """Return which points of a subset are among its k nearest, nearest first.

    Tied points that want more places than are left get one each with equal chance.
    """
    free, taken = k, []
    for group in groups:
        present = [i for i in group if subset >> i & 1]
        if not present or not free:
            continue
        places = min(free, len(present))
        taken += [Seat(i, Fraction(places, len(present))) for i in present]
        free -= places
    return tuple(taken)


@lru_cache(maxsize=64)
def game(lesson: Lesson, test: int) -> tuple[Fraction, ...]:
    """Return v(S) for the masks 0 .. 2**n - 1.

    The sum of u over the k nearest points of S; with ties its mean over all orders of tied points.
    """
    return utilities(rank(lesson, test).groups, contributions(lesson, test), lesson.k)


def utilities(
    groups: Sequence[Sequence[int]], u: Sequence[Fraction], k: int
) -> tuple[Fraction, ...]:
    """Return v(S) for all masks, of points in groups from near to far that bring u."""
    return tuple(
        sum((seat.share * u[seat.point] for seat in seats(groups, mask, k)), Fraction(0))
        for mask in range(2 ** len(u))
    )


def pair_terms(v: Sequence[Fraction], i: int, j: int, index: Index = _PAPER) -> tuple[Term, ...]:
    """Return the terms of phi_ij for all subsets without i and j, smaller subsets first."""
    n = len(v).bit_length() - 1
    bi, bj = 1 << i, 1 << j
    rest = [mask for mask in range(len(v)) if not mask & (bi | bj)]
    terms, running = [], Fraction(0)
    for mask in sorted(rest, key=lambda mask: (mask.bit_count(), members(mask))):
        size = mask.bit_count()
        weight = pair_weight(index, n, size)
        four = v[mask | bi | bj], v[mask | bi], v[mask | bj], v[mask]
        change = four[0] - four[1] - four[2] + four[3]
        running += weight * change
        terms.append(Term(mask, size, weight, *four, change, weight * change, running))
    return tuple(terms)


@lru_cache(maxsize=64)
def interactions(lesson: Lesson, test: int) -> Matrix:
    """Return phi by the definition: pairs from all subsets, with the diagonal of the index.

    For STII that is v({i}) - v(empty), else the value that belongs to the index.

    The same sums as in ``pair_terms``, in whole numbers of the smallest unit, which is faster.
    """
    v, n, index = game(lesson, test), lesson.n, index_of(lesson.index)
    unit = lcm(*(value.denominator for value in v))
    whole = [int(value * unit) for value in v]
    own = [v[1 << i] - v[0] for i in range(n)] if index.paper else values_of(v, index)
    out = [[own[i] if i == j else Fraction(0) for j in range(n)] for i in range(n)]
    weights = [pair_weight(index, n, s) / unit for s in range(n - 1)]
    for i in range(n):
        for j in range(i):
            bi, bj = 1 << i, 1 << j
            by_size = [0] * (n - 1)
            for mask in range(2**n):
                if not mask & (bi | bj):
                    change = whole[mask | bi | bj] - whole[mask | bi] - whole[mask | bj]
                    by_size[mask.bit_count()] += change + whole[mask]
            out[i][j] = out[j][i] = sum(map(mul, weights, by_size), Fraction(0))
    return tuple(map(tuple, out))


def values_of(v: Sequence[Fraction], index: Index) -> list[Fraction]:
    """Return the value of each point by the definition: what it adds to all sets of others."""
    n = len(v).bit_length() - 1
    weights = [value_weight(index, n, s) for s in range(n)]
    return [
        sum(
            (
                weights[mask.bit_count()] * (v[mask | 1 << i] - v[mask])
                for mask in range(len(v))
                if not mask >> i & 1
            ),
            Fraction(0),
        )
        for i in range(n)
    ]


def values(matrix: Matrix) -> tuple[Fraction, ...]:
    """Return the Shapley value of each point from STII: main term and half the rest of its row."""
    return tuple((row[i] + sum(row)) / 2 for i, row in enumerate(matrix))


def triangle(matrix: Matrix) -> Fraction:
    """Return the sum of all pairs, each once."""
    return sum((matrix[i][j] for i in range(len(matrix)) for j in range(i)), Fraction(0))


def trace(matrix: Matrix) -> Fraction:
    """Return the sum of the main terms."""
    return sum((row[i] for i, row in enumerate(matrix)), Fraction(0))


def members(subset: int) -> tuple[int, ...]:
    """Return the positions in a subset."""
    return tuple(i for i in range(subset.bit_length()) if subset >> i & 1)
