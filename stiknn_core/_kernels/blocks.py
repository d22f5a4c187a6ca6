"""Compiled loops for sums over blocks of pairs and for single rows; see `_kernels`.

Both take the coefficients of one test point, as `coefficients.pair_coefficients` fills them.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np


@numba.njit(nogil=True, cache=True)
def add_block_pairs(
    order: Any, ends: Any, n_ranked: int, blocks: Any, farther: Any, same: Any, out: Any
) -> None:
    """Add the pairs of one test point to half-sums ``out``, whose sum with its mirror is wanted.

    order, ends, blocks, farther, same (n,); out (B, B) float64. From near to far: a point
    meets all nearer ones at once, since its interaction with each of them is the same number;
    they only have to be counted by block. Tied points meet each other by sums over their
    group. A point that is not ranked, or whose block is negative, has no pair.
    """
    n_blocks = out.shape[0]
    nearer = np.zeros(n_blocks)
    tied = np.zeros(n_blocks)
    tied_sum = np.zeros(n_blocks)
    touched = np.empty(n_blocks, np.int64)
    start = 0
    while start < n_ranked:
        end = ends[start]
        for r in range(start, end):
            i = order[r]
            a = blocks[i]
            if a < 0:
                continue
            c = farther[i]
            for b in range(n_blocks):
                out[a, b] += c * nearer[b]
        n_touched = 0
        for r in range(start, end):
            i = order[r]
            a = blocks[i]
            if a < 0:
                continue
            if tied[a] == 0.0:
                touched[n_touched] = a
                n_touched += 1
            tied[a] += 1.0
            if end - start > 1:
                tied_sum[a] += same[i]
        for place in range(n_touched):
            a = touched[place]
            if end - start > 1:
                for other in range(n_touched):
                    b = touched[other]
                    out[a, b] += tied[b] * tied_sum[a]
                out[a, a] -= tied_sum[a]  # no point meets itself
        for place in range(n_touched):
            a = touched[place]
            nearer[a] += tied[a]
            tied[a] = 0.0
            tied_sum[a] = 0.0
        start = end


@numba.njit(nogil=True, cache=True)
def add_row(
    order: Any, ends: Any, n_ranked: int, point: int, farther: Any, same: Any, rank: Any, out: Any
) -> None:
    """Add the interactions of one point with all others to ``out``, for one test point.

    order, ends, farther, same, rank, out (n,). Nothing where the point is not ranked.
    """
    first = int(rank[point])
    if first >= n_ranked:
        return
    last = ends[first]
    own = farther[point]
    for r in range(first):
        out[order[r]] += own
    for r in range(first, last):
        j = order[r]
        if j != point:
            out[j] += same[point] + same[j]
    for r in range(last, n_ranked):
        j = order[r]
        out[j] += farther[j]
