"""Compiled loops over pairs, whose coefficients stand in bands; see `_kernels` for the symbols.

A tile of the matrix needs two bands, one for its rows and one for its columns, and nothing else
of the matrix. That is what lets tiles be computed anywhere, in any order.

All bands are (n_padded, m) float64, contiguous, with n_padded even and a column per test point
or of zeros. Pairs are kept in registers two by two. Both candidates are loaded before the choice,
since a conditional load would stop vectorisation, and the inner loop starts at zero, since a start
that might be negative would too.

For any coefficients and ranks; where both are known in advance to fit 64 bits, as for the whole
matrix, `packed.add_pairs` is more than twice as fast.
"""

from __future__ import annotations

from typing import Any

import numba

from stiknn_core._kernels import REASSOCIATE

# Rows and columns that are walked through together: their coefficients fit the second-level
# cache for a few hundred test points.
_ROWS = 64
_COLUMNS = 32


@numba.njit(nogil=True, cache=True)
def _add_four(out: Any, i: int, j: int, s00: Any, s01: Any, s10: Any, s11: Any) -> None:
    """Add to two by two cells, unless they are padding."""
    n_a, n_b = out.shape
    out[i, j] += s00
    if j + 1 < n_b:
        out[i, j + 1] += s01
    if i + 1 < n_a:
        out[i + 1, j] += s10
        if j + 1 < n_b:
            out[i + 1, j + 1] += s11


@numba.njit(nogil=True, cache=True, fastmath=REASSOCIATE)
def add_tile(
    farther_a: Any,
    same_a: Any,
    rank_a: Any,
    farther_b: Any,
    same_b: Any,
    rank_b: Any,
    diagonal: bool,
    out: Any,
) -> None:
    """Add the pairs of a tile over some test points.

    out (a, b) float64 is added to; the bands have at least as many rows. On the ``diagonal``,
    where the band of the columns begins with that of the rows, only cells on and above it are
    filled (and now and then the one below). Equal ranks interact by same_a + same_b. Both are
    None over test points without ties, for which Numba compiles a shorter loop of its own.
    """
    n_a, n_b = out.shape
    n_test = farther_a.shape[1]
    for ib in range(0, n_a, _ROWS):
        for jb in range(ib if diagonal else 0, n_b, _COLUMNS):
            for i in range(ib, min(ib + _ROWS, n_a), 2):
                for j in range(max(jb, i) if diagonal else jb, min(jb + _COLUMNS, n_b), 2):
                    s00 = 0.0
                    s01 = 0.0
                    s10 = 0.0
                    s11 = 0.0
                    for p in range(n_test):
                        ci = farther_a[i, p]
                        di = farther_a[i + 1, p]
                        cj = farther_b[j, p]
                        dj = farther_b[j + 1, p]
                        ri = rank_a[i, p]
                        si = rank_a[i + 1, p]
                        rj = rank_b[j, p]
                        sj = rank_b[j + 1, p]
                        x00 = ci if ri > rj else cj
                        x01 = ci if ri > sj else dj
                        x10 = di if si > rj else cj
                        x11 = di if si > sj else dj
                        if same_a is not None:
                            ei = same_a[i, p]
                            fi = same_a[i + 1, p]
                            ej = same_b[j, p]
                            fj = same_b[j + 1, p]
                            both00 = ei + ej
                            both01 = ei + fj
                            both10 = fi + ej
                            both11 = fi + fj
                            x00 = both00 if ri == rj else x00
                            x01 = both01 if ri == sj else x01
                            x10 = both10 if si == rj else x10
                            x11 = both11 if si == sj else x11
                        s00 += x00
                        s01 += x01
                        s10 += x10
                        s11 += x11
                    _add_four(out, i, j, s00, s01, s10, s11)


@numba.njit(nogil=True, cache=True)
def mirror(matrix: Any, i0: int, i1: int) -> None:
    """Copy the upper triangle of rows i0..i1 onto the lower one, in tiles."""
    n = matrix.shape[0]
    for jb in range(i0, n, 64):
        for j in range(jb, min(jb + 64, n)):
            for i in range(i0, min(i1, j)):
                matrix[j, i] = matrix[i, j]
