"""Compiled loops for one rectangular tile of the matrix; see `_kernels` for the symbols.

A tile needs two bands of coefficients, one for its rows and one for its columns, and nothing
else of the matrix. That is what lets tiles be computed anywhere, in any order.

All bands are (n_padded, m) float64, contiguous, with n_padded even and a column per test point
or of zeros; ``out`` is (a_padded, b_padded) float64 and is added to. On the ``diagonal``, where
both bands are the same, only cells on and above the diagonal are filled (and now and then the
one below). Pairs are kept in registers two by two, loads come before choices, and the inner
loop starts at zero, for the reasons given at `pairs.add_pairs`.
"""

from __future__ import annotations

from typing import Any

import numba

from stiknn_core._kernels import REASSOCIATE

# Rows and columns that are walked through together: their coefficients fit the second-level
# cache for a few hundred test points.
_ROWS = 64
_COLUMNS = 32


@numba.njit(nogil=True, cache=True, fastmath=REASSOCIATE)
def add_tile(
    farther_a: Any, rank_a: Any, farther_b: Any, rank_b: Any, diagonal: bool, out: Any
) -> None:
    """Add the pairs of a tile over test points without ties."""
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
                        s00 += ci if ri > rj else cj
                        s01 += ci if ri > sj else dj
                        s10 += di if si > rj else cj
                        s11 += di if si > sj else dj
                    out[i, j] += s00
                    out[i, j + 1] += s01
                    out[i + 1, j] += s10
                    out[i + 1, j + 1] += s11


@numba.njit(nogil=True, cache=True, fastmath=REASSOCIATE)
def add_tied_tile(
    farther_a: Any,
    same_a: Any,
    rank_a: Any,
    farther_b: Any,
    same_b: Any,
    rank_b: Any,
    diagonal: bool,
    out: Any,
) -> None:
    """As `add_tile`, for test points with ties: equal ranks interact by same_a + same_b."""
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
                        ei = same_a[i, p]
                        fi = same_a[i + 1, p]
                        ej = same_b[j, p]
                        fj = same_b[j + 1, p]
                        ri = rank_a[i, p]
                        si = rank_a[i + 1, p]
                        rj = rank_b[j, p]
                        sj = rank_b[j + 1, p]
                        both00 = ei + ej
                        both01 = ei + fj
                        both10 = fi + ej
                        both11 = fi + fj
                        apart00 = ci if ri > rj else cj
                        apart01 = ci if ri > sj else dj
                        apart10 = di if si > rj else cj
                        apart11 = di if si > sj else dj
                        s00 += both00 if ri == rj else apart00
                        s01 += both01 if ri == sj else apart01
                        s10 += both10 if si == rj else apart10
                        s11 += both11 if si == sj else apart11
                    out[i, j] += s00
                    out[i, j + 1] += s01
                    out[i + 1, j] += s10
                    out[i + 1, j + 1] += s11
