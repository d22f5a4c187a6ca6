"""Oracle for all games: every set, every index, every score, in fractions where these are.

Nothing here imports the package. A game of n players is the list of its values for the masks
0 .. 2**n - 1; player i is there when bit i is set.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb, factorial
from typing import Any

LEFT_OUT = -1

#: Weight of a set of s other points, of which there are so many.
SetWeight = Callable[[int, int], Fraction]


def beta_function(a: int, b: int) -> Fraction:
    """B(a, b) of whole numbers."""
    return Fraction(factorial(a - 1) * factorial(b - 1), factorial(a + b - 1))


def weighted_banzhaf(q: Fraction) -> SetWeight:
    return lambda others, s: q**s * (1 - q) ** (others - s)


def beta(alpha: int, beta: int) -> SetWeight:
    return lambda others, s: (
        beta_function(s + beta, others - s + alpha) / beta_function(alpha, beta)
    )


def calibrated(least: int) -> SetWeight:
    def weight(others: int, s: int) -> Fraction:
        if s < least:
            return Fraction(0)
        return Fraction(1, (others + 1 - least) * comb(others, s))

    return weight


def taylor(others: int, s: int) -> Fraction:
    """Shapley-Taylor, of pairs alone."""
    n = others + 2
    return Fraction(2, n * comb(n - 1, s))


def all_but_two(others: int, s: int) -> Fraction:
    return Fraction(int(s == others))


#: For each name of the package: the weight of sets for pairs, and that for single points.
INDICES: dict[str, tuple[SetWeight, SetWeight]] = {
    "STII": (taylor, calibrated(0)),
    "SII": (calibrated(0), calibrated(0)),
    "BII": (weighted_banzhaf(Fraction(1, 2)),) * 2,
    "weighted_banzhaf(0.25)": (weighted_banzhaf(Fraction(1, 4)),) * 2,
    "weighted_banzhaf(0.875)": (weighted_banzhaf(Fraction(7, 8)),) * 2,
    "beta(4, 1)": (beta(4, 1),) * 2,
    "beta(1, 16)": (beta(1, 16),) * 2,
    "beta(2, 3)": (beta(2, 3),) * 2,
    "calibrated(1)": (calibrated(1),) * 2,
    "calibrated(3)": (calibrated(3),) * 2,
    "leave_two_out()": (all_but_two,) * 2,
}


def game(
    groups: Sequence[int], a: Sequence[Fraction], k: int, by_size: bool, empty: Fraction
) -> list[Fraction]:
    """The utility of every set: the mean over all orders within each group of tied points.

    ``a`` is what each point brings; the sum over the k nearest is divided by k, or by_size by
    how many these are. Of a group with room for r of s points each has a place in r / s of orders.
    """
    n = len(a)
    worth = []
    for mask in range(2**n):
        there = [i for i in range(n) if mask >> i & 1]
        free, total = k, Fraction(0)
        for group in sorted({groups[i] for i in there}):
            tied = [i for i in there if groups[i] == group]
            seated = min(free, len(tied))
            total += Fraction(seated, len(tied)) * sum((a[i] for i in tied), Fraction(0))
            free -= seated
        if not by_size:
            worth.append(total / k)
        else:
            worth.append(total / min(k, len(there)) if there else empty)
    return worth


def pair_index(v: Sequence[Fraction], weight: SetWeight) -> dict[tuple[int, int], Fraction]:
    """The index of all pairs i < j."""
    n = len(v).bit_length() - 1
    found = {}
    for i, j in combinations(range(n), 2):
        bi, bj = 1 << i, 1 << j
        found[i, j] = sum(
            (
                weight(n - 2, mask.bit_count())
                * (v[mask | bi | bj] - v[mask | bi] - v[mask | bj] + v[mask])
                for mask in range(2**n)
                if not mask & (bi | bj)
            ),
            Fraction(0),
        )
    return found


def value_index(v: Sequence[Fraction], weight: SetWeight) -> list[Fraction]:
    """The value of every point."""
    n = len(v).bit_length() - 1
    return [
        sum(
            (
                weight(n - 1, mask.bit_count()) * (v[mask | 1 << i] - v[mask])
                for mask in range(2**n)
                if not mask >> i & 1
            ),
            Fraction(0),
        )
        for i in range(n)
    ]


class Played:
    """Means over test points of what an index says of a game.

    Attributes
    ----------
    matrix, values, likelihood
        As of `stiknn_core.Interactions`, in fractions.
    """

    def __init__(
        self,
        groups: Sequence[Sequence[int]],
        gains: Sequence[Sequence[Fraction]],
        weights: Sequence[Fraction],
        k: int,
        index: str,
        by_size: bool = False,
        empty: Fraction = Fraction(0),
    ) -> None:
        n = len(groups[0])
        pair, single = INDICES[index]
        self.matrix = [[Fraction(0)] * n for _ in range(n)]
        self.values = [Fraction(0)] * n
        self.likelihood = Fraction(0)
        total = sum(weights, Fraction(0))
        for row, a, weight in zip(groups, gains, weights, strict=True):
            share = weight / total
            players = [i for i in range(n) if row[i] != LEFT_OUT]
            own = [a[i] for i in players]
            v = game([row[i] for i in players], own, k, by_size, empty)
            self.likelihood += share * v[-1]
            values = value_index(v, single)
            for place, i in enumerate(players):
                self.values[i] += share * values[place]
                alone = v[1 << place] - v[0] if index == "STII" else values[place]
                self.matrix[i][i] += share * alone
            for (p, q), found in pair_index(v, pair).items():
                i, j = players[p], players[q]
                self.matrix[i][j] += share * found
                self.matrix[j][i] += share * found


# What a training point brings, from the definitions.


def kernel_weight(kind: str, bandwidth: float, distance: float) -> Fraction:
    x = distance / bandwidth
    if kind == "inverse":
        return Fraction(1 / (1 + x))
    if kind == "rbf":
        return Fraction(math.exp(-x * x / 2))
    return Fraction((1 - min(x, 1.0) ** 3) ** 3)


def loss(kind: str, delta: Fraction, off: Fraction) -> Fraction:
    off = abs(off)
    if kind == "absolute":
        return off
    if kind == "squared":
        return off * off
    return off * off / 2 if off <= delta else delta * (off - delta / 2)


def as_floats(table: Sequence[Sequence[Any]]) -> list[list[float]]:
    return [[float(cell) for cell in row] for row in table]
