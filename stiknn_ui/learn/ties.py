"""The interactions of one test point in closed form, ties included, without any subset.

Algorithm 1 unrolled, and its mean over all orders of tied points. See
``stiknn_core.games.indices`` for the same in floating point.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

from stiknn_ui.learn.game import Matrix, contributions, rank
from stiknn_ui.learn.lesson import Lesson


def weight(j: int, k: int) -> Fraction:
    """Return w_j = 2(j-k-1) / ((j-1)(j-2)), which is 0 up to j = k + 1."""
    return Fraction(2 * (j - k - 1), (j - 1) * (j - 2)) if j > k + 1 else Fraction(0)


def mean_over_orders(groups: Sequence[Sequence[int]], u: Sequence[Fraction], k: int) -> Matrix:
    """Return the matrix by position, with u, also by position, on its diagonal; O(n^2)."""
    n = len(u)
    out = [[u[i] if i == j else Fraction(0) for j in range(n)] for i in range(n)]
    nearer, a = [i for group in groups for i in group], n
    later = Fraction(0)  # T: what the groups farther out bring
    for group in reversed(groups):
        s = len(group)
        a -= s
        del nearer[a:]
        end = weight(a + s + 1, k)
        q = sum((u[i] for i in group), Fraction(0))
        mean = sum((weight(a + r + 1, k) for r in range(1, s + 1)), Fraction(0)) / s
        for j in group:
            C = -mean * u[j] + later
            if s > 1:
                C += (q - u[j]) / (s - 1) * (mean - end)
            for i in nearer:
                out[i][j] = out[j][i] = C
        if s > 1:
            V = sum((2 * (r - 1) * weight(a + r + 1, k) for r in range(2, s + 1)), Fraction(0))
            V /= s * (s - 1)
            rest = (V - end) / (s - 2) if s > 2 else Fraction(0)
            half, slope = (q * rest + later) / 2, -V / 2 - rest
            for i in group:
                for j in group:
                    if i != j:
                        out[i][j] = 2 * half + slope * (u[i] + u[j])
        later += q / s * (weight(a + 1, k) - end)
    return tuple(map(tuple, out))


@lru_cache(maxsize=256)
def single(lesson: Lesson, test: int) -> Matrix:
    """Return the matrix of one test point, by position."""
    return mean_over_orders(rank(lesson, test).groups, contributions(lesson, test), lesson.k)
