"""The paper's definition as exact fractions, and its Algorithm 1 word for word.

All of it is for one test point: training points are numbered 1..n from the nearest, and
``right[m - 1]`` says whether point m has the label of the test point.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Literal

Right = Sequence[bool]
Pair = tuple[int, int]


def worth(right: Right, subset: Iterable[int], k: int) -> Fraction:
    """Return v(S): the share of right labels among the k nearest points of S, over k."""
    nearest = sorted(subset)[:k]
    return Fraction(sum(right[point - 1] for point in nearest), k)


def terms(right: Right, i: int, j: int, k: int) -> dict[tuple[int, ...], Fraction]:
    """Return v(Sij) - v(Si) - v(Sj) + v(S) of every S without i and j."""
    others = [point for point in range(1, len(right) + 1) if point not in (i, j)]
    return {
        S: worth(right, (*S, i, j), k)
        - worth(right, (*S, i), k)
        - worth(right, (*S, j), k)
        + worth(right, S, k)
        for size in range(len(others) + 1)
        for S in combinations(others, size)
    }


def pair_index(
    right: Right, i: int, j: int, k: int, index: Literal["STII", "SII"] = "STII"
) -> Fraction:
    """Return the interaction of two points from the definition, over all 2^(n-2) subsets.

    For SII the weight of a subset of size s is s! (n - s - 2)! / (n - 1)!.
    """
    n = len(right)
    total = Fraction(0)
    for S, term in terms(right, i, j, k).items():
        s = len(S)
        if index == "STII":
            total += Fraction(2, n * comb(n - 1, s)) * term
        else:
            total += Fraction(1, (n - 1) * comb(n - 2, s)) * term
    return total


def printed_algorithm(right: Right, k: int) -> tuple[dict[Pair, Fraction], list[Pair]]:
    """Run the function of Algorithm 1 as it is printed, for one test point.

    Returns the interaction of each pair (i, j) with 1 <= i < j <= n, and the pairs it writes to
    that have an index outside 1..n.
    """
    n = len(right)
    u = {m: Fraction(int(right[m - 1]), k) for m in range(1, n + 1)}
    phi = {(n - 1, n): -Fraction(2 * (n - k), n * (n - 1)) * u[n]}
    for j in range(n, 0, -1):
        phi[j - 2, j - 1] = phi[j - 1, j]
        if j > k + 1:
            phi[j - 2, j - 1] += Fraction(2 * (j - k - 1), (j - 2) * (j - 1)) * (u[j] - u[j - 1])
    outside = [pair for pair in phi if min(pair) < 1]
    for j in range(3, n + 1):
        for i in range(j - 2, 0, -1):
            phi[i, j] = phi[i + 1, j]
    return {pair: value for pair, value in phi.items() if min(pair) >= 1}, outside
