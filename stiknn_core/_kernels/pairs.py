"""Compiled loops over pairs, whose coefficients stand in bands; see `_kernels` for the symbols."""

from __future__ import annotations

from typing import Any

import numba

from stiknn_core._kernels import REASSOCIATE


@numba.njit(nogil=True, cache=True, fastmath=REASSOCIATE)
def add_pairs(farther: Any, rank: Any, i0: int, i1: int, tile: int, out: Any) -> None:
    """Add the pairs of rows i0..i1 with all columns from i0 on, for test points without ties.

    For any coefficients and ranks; where both are known in advance to fit 64 bits, as for the
    whole matrix, `packed.add_pairs` is more than twice as fast.

    ``farther`` and ``rank`` are (n_padded, m) float64 with n_padded even and a column per
    test point (or of zeros); i0 is even. Two by two pairs are kept in registers. Both
    candidates are loaded before the choice, since a conditional load would stop
    vectorisation, and the inner loop starts at zero, since a start that might be
    negative would too.
    """
    n = out.shape[0]
    n_test = farther.shape[1]
    for jb in range(i0, n, tile):
        for i in range(i0, i1, 2):
            for j in range(max(jb, i), min(jb + tile, n), 2):
                s00 = 0.0
                s01 = 0.0
                s10 = 0.0
                s11 = 0.0
                for p in range(n_test):
                    ci = farther[i, p]
                    cj = farther[j, p]
                    di = farther[i + 1, p]
                    dj = farther[j + 1, p]
                    ri = rank[i, p]
                    rj = rank[j, p]
                    si = rank[i + 1, p]
                    sj = rank[j + 1, p]
                    s00 += ci if ri > rj else cj
                    s01 += ci if ri > sj else dj
                    s10 += di if si > rj else cj
                    s11 += di if si > sj else dj
                out[i, j] += s00
                if j + 1 < n:
                    out[i, j + 1] += s01
                if i + 1 < n:
                    out[i + 1, j] += s10
                    if j + 1 < n:
                        out[i + 1, j + 1] += s11


@numba.njit(nogil=True, cache=True, fastmath=REASSOCIATE)
def add_tied_pairs(
    farther: Any, same: Any, rank: Any, i0: int, i1: int, tile: int, out: Any
) -> None:
    """As `add_pairs`, for test points with ties: equal ranks interact by same_i + same_j."""
    n = out.shape[0]
    n_test = farther.shape[1]
    for jb in range(i0, n, tile):
        for i in range(i0, min(i1, n)):
            for j in range(max(jb, i), min(jb + tile, n)):
                total = 0.0
                for p in range(n_test):
                    ci = farther[i, p]
                    cj = farther[j, p]
                    both = same[i, p] + same[j, p]
                    ri = rank[i, p]
                    rj = rank[j, p]
                    apart = ci if ri > rj else cj
                    total += both if ri == rj else apart
                out[i, j] += total


@numba.njit(nogil=True, cache=True)
def mirror(matrix: Any, i0: int, i1: int) -> None:
    """Copy the upper triangle of rows i0..i1 onto the lower one, in tiles."""
    n = matrix.shape[0]
    for jb in range(i0, n, 64):
        for j in range(jb, min(jb + 64, n)):
            for i in range(i0, min(i1, j)):
                matrix[j, i] = matrix[i, j]
