"""Compiled loops for sums and sums of squares of pairs; see `_kernels` for the symbols.

Bands of coefficients are (n_padded, m) float64, with n_padded even and a column per test point
(or of zeros); ``sums`` and ``squares`` are (n, n) float64 and are added to, in the upper triangle.
Loads come before choices and the inner loop starts at zero, for the reasons given at
`pairs`.
"""

from __future__ import annotations

from typing import Any

import numba

from stiknn_core._kernels import REASSOCIATE


@numba.njit(nogil=True, cache=True, fastmath=REASSOCIATE)
def add_moments(
    farther: Any, rank: Any, i0: int, i1: int, tile: int, sums: Any, squares: Any
) -> None:
    """Add the pairs of rows i0..i1 and their squares, for test points without ties.

    Columns are taken two by two from an even one on (``tile`` is even), so that no tile reaches
    into the next; now and then this fills a cell below the diagonal.
    """
    n = sums.shape[0]
    n_test = farther.shape[1]
    for jb in range(i0, n, tile):
        for i in range(i0, min(i1, n)):
            for j in range(max(jb, i - i % 2), min(jb + tile, n), 2):
                s0 = 0.0
                s1 = 0.0
                q0 = 0.0
                q1 = 0.0
                for p in range(n_test):
                    ci = farther[i, p]
                    cj = farther[j, p]
                    dj = farther[j + 1, p]
                    ri = rank[i, p]
                    rj = rank[j, p]
                    sj = rank[j + 1, p]
                    x0 = ci if ri > rj else cj
                    x1 = ci if ri > sj else dj
                    s0 += x0
                    s1 += x1
                    q0 += x0 * x0
                    q1 += x1 * x1
                sums[i, j] += s0
                squares[i, j] += q0
                if j + 1 < n:
                    sums[i, j + 1] += s1
                    squares[i, j + 1] += q1


@numba.njit(nogil=True, cache=True, fastmath=REASSOCIATE)
def add_tied_moments(
    farther: Any, same: Any, rank: Any, i0: int, i1: int, tile: int, sums: Any, squares: Any
) -> None:
    """As `add_moments`, for test points with ties: equal ranks interact by same_i + same_j."""
    n = sums.shape[0]
    n_test = farther.shape[1]
    for jb in range(i0, n, tile):
        for i in range(i0, min(i1, n)):
            for j in range(max(jb, i), min(jb + tile, n)):
                s = 0.0
                q = 0.0
                for p in range(n_test):
                    ci = farther[i, p]
                    cj = farther[j, p]
                    both = same[i, p] + same[j, p]
                    ri = rank[i, p]
                    rj = rank[j, p]
                    apart = ci if ri > rj else cj
                    x = both if ri == rj else apart
                    s += x
                    q += x * x
                sums[i, j] += s
                squares[i, j] += q


@numba.njit(nogil=True, cache=True)
def pair_total(farther: Any, same: Any, order: Any, ends: Any, n_ranked: int) -> float:
    """Return the sum of all pairs of one test point.

    farther, same (n or more,) float64; order, ends (n,) int64 as in `neighbors.Ranking`. A point
    interacts by ``farther`` with each point of a nearer group, and by ``same`` with each other one
    of its own. O(n).
    """
    total = 0.0
    start = 0
    while start < n_ranked:
        end = ends[start]
        for r in range(start, end):
            i = order[r]
            total += farther[i] * start
            if end - start > 1:
                total += same[i] * (end - start - 1)
        start = end
    return total
