"""The interactions of one test point in closed form, ties included, without any subset.

The theorem of ``docs/games.md`` (for STII Algorithm 1 unrolled), and its mean over all orders of
tied points. See ``stiknn_core.games.indices`` for the same in floating point.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

from stiknn_ui.learn.game import Matrix, contributions, rank
from stiknn_ui.learn.games.index import index_of, pair_weights, value_weights
from stiknn_ui.learn.lesson import Lesson


def mean_over_orders(
    groups: Sequence[Sequence[int]],
    u: Sequence[Fraction],
    w: Sequence[Fraction],
    diagonal: Sequence[Fraction],
) -> Matrix:
    """Return the matrix by position, from u by position and w by rank; O(n^2)."""
    n = len(u)
    out = [[diagonal[i] if i == j else Fraction(0) for j in range(n)] for i in range(n)]
    nearer, a = [i for group in groups for i in group], n
    later = Fraction(0)  # T: what the groups farther out bring
    for group in reversed(groups):
        s = len(group)
        a -= s
        del nearer[a:]
        end = w[a + s + 1]
        q = sum((u[i] for i in group), Fraction(0))
        mean = sum((w[a + r + 1] for r in range(1, s + 1)), Fraction(0)) / s
        for j in group:
            C = -mean * u[j] + later
            if s > 1:
                C += (q - u[j]) / (s - 1) * (mean - end)
            for i in nearer:
                out[i][j] = out[j][i] = C
        if s > 1:
            V = sum((2 * (r - 1) * w[a + r + 1] for r in range(2, s + 1)), Fraction(0))
            V /= s * (s - 1)
            rest = (V - end) / (s - 2) if s > 2 else Fraction(0)
            half, slope = (q * rest + later) / 2, -V / 2 - rest
            for i in group:
                for j in group:
                    if i != j:
                        out[i][j] = 2 * half + slope * (u[i] + u[j])
        later += q / s * (w[a + 1] - end)
    return tuple(map(tuple, out))


def mean_values(
    groups: Sequence[Sequence[int]], u: Sequence[Fraction], g: Sequence[Fraction]
) -> list[Fraction]:
    """Return the values by position: g_m u_m and the sum of (g_l - g_(l-1)) u_l behind m, O(n)."""
    out, after = [Fraction(0)] * len(u), len(u)
    later = Fraction(0)  # what the groups farther out bring
    for group in reversed(groups):
        s = len(group)
        before = after - s
        q = sum((u[i] for i in group), Fraction(0))
        mean = sum(g[before + 1 : after + 1], Fraction(0)) / s
        for i in group:
            others = (q - u[i]) / (s - 1) * (g[after] - mean) if s > 1 else Fraction(0)
            out[i] = mean * u[i] + others + later
        later += q / s * (g[after] - g[before])
        after = before
    return out


@lru_cache(maxsize=256)
def single(lesson: Lesson, test: int) -> Matrix:
    """Return the matrix of one test point, by position."""
    groups, u = rank(lesson, test).groups, contributions(lesson, test)
    index, n, k = index_of(lesson.index), lesson.n, lesson.k
    diagonal = u if index.paper else mean_values(groups, u, value_weights(index, n, k))
    return mean_over_orders(groups, u, pair_weights(index, n, k), diagonal)
