"""Compiled loops over packed pairs: rank and coefficient of a point in one 64-bit number.

What a pair needs to know of a point, for one test point, is its rank and its coefficient
(see `coefficients.pair_coefficients`). Packed into one integer,

    key = (rank << bits) + half + rint(coefficient / step)        with half = 2^(bits-1)

and a coefficient of less than half in steps, the larger of two keys is that of the farther point,
and carries its coefficient in the low ``bits``. A positive double is ordered as its bits are, so
"the larger of the two" is one vector instruction on doubles, also where there is none on 64-bit
integers. What is added up is the low bits, of at most 256 test points at a time. Three operations
per pair, on half the memory. Integer sums have no order, so no rounding depends on how the work
was cut.

``bits`` and ``step`` come from `stiknn_core.engine.packing`, where the bounds are kept.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np


@numba.njit(nogil=True, cache=True)
def put_columns(rows: Any, columns: Any, out: Any) -> None:
    """Write row p of ``rows`` (b, n) into column ``columns[p]`` of ``out`` (n or more, m)."""
    b, n = rows.shape
    for i in range(n):
        for p in range(b):
            out[i, columns[p]] = rows[p, i]


@numba.njit(nogil=True, cache=True)
def _add_sum(out: Any, i: int, j: int, total: Any, zero: Any, step: float) -> None:
    """Add a sum of low bits, which is ``zero`` for coefficients of 0, unless it is padding."""
    if i < out.shape[0] and j < out.shape[0]:
        out[i, j] += (total - zero) * step


@numba.njit(nogil=True, cache=True)
def add_pairs(keys: Any, i0: int, i1: int, tile: int, bits: int, step: float, out: Any) -> None:
    """Add the pairs of rows i0..i1 with all columns from i0 on, for test points without ties.

    ``keys`` is (n_padded, m): int64 keys seen as float64, n_padded and i0 multiples of 4, a
    column per test point (or of coefficients of 0), at most 256. out (n, n) float64 or float32, of
    which the upper triangle counts. Four by two pairs are kept in registers, which is what 16 of
    them hold.
    """
    n = out.shape[0]
    n_test = keys.shape[1]
    low = (np.int64(1) << bits) - 1
    zero = n_test * (np.int64(1) << (bits - 1))
    for jb in range(i0, n, tile):
        for i in range(i0, i1, 4):
            for j in range(max(jb, i), min(jb + tile, n), 2):
                s00 = s01 = s10 = s11 = s20 = s21 = s30 = s31 = np.int64(0)
                for p in range(n_test):
                    a = keys[i, p]
                    b = keys[i + 1, p]
                    c = keys[i + 2, p]
                    d = keys[i + 3, p]
                    x = keys[j, p]
                    y = keys[j + 1, p]
                    s00 += np.float64(max(a, x)).view(np.int64) & low
                    s01 += np.float64(max(a, y)).view(np.int64) & low
                    s10 += np.float64(max(b, x)).view(np.int64) & low
                    s11 += np.float64(max(b, y)).view(np.int64) & low
                    s20 += np.float64(max(c, x)).view(np.int64) & low
                    s21 += np.float64(max(c, y)).view(np.int64) & low
                    s30 += np.float64(max(d, x)).view(np.int64) & low
                    s31 += np.float64(max(d, y)).view(np.int64) & low
                _add_sum(out, i, j, s00, zero, step)
                _add_sum(out, i, j + 1, s01, zero, step)
                _add_sum(out, i + 1, j, s10, zero, step)
                _add_sum(out, i + 1, j + 1, s11, zero, step)
                _add_sum(out, i + 2, j, s20, zero, step)
                _add_sum(out, i + 2, j + 1, s21, zero, step)
                _add_sum(out, i + 3, j, s30, zero, step)
                _add_sum(out, i + 3, j + 1, s31, zero, step)


@numba.njit(nogil=True, cache=True)
def sort_members(points: Any, begins: Any, places: Any) -> None:
    """List the places of each point in ``points`` (m,), those of point i from ``begins[i]`` on.

    begins (n + 1,) and places (m,) int64, out.
    """
    begins[:] = 0
    for place in range(points.shape[0]):
        begins[points[place] + 1] += 1
    for i in range(1, begins.shape[0]):
        begins[i] += begins[i - 1]
    filled = begins[:-1].copy()
    for place in range(points.shape[0]):
        i = points[place]
        places[filled[i]] = place
        filled[i] += 1


@numba.njit(nogil=True, cache=True)
def correct_tied_pairs(
    members: Any, begins: Any, places: Any, i0: int, i1: int, step: float, out: Any
) -> None:
    """Put right in rows i0..i1 what `add_pairs` gets wrong because ranks are equal.

    For a pair of one group it has added the larger coefficient. Worth it where groups are small;
    else see `pairs.add_tile`. members as from `coefficients.pack_block`, begins and places as from
    `sort_members`. What is missing is added up in whole steps before it goes to ``out``.
    """
    missing = np.zeros(out.shape[0], np.int64)
    for i in range(i0, i1):
        if begins[i] == begins[i + 1]:
            continue
        for turn in range(begins[i], begins[i + 1]):
            own = places[turn]
            for other in range(own + 1, members[3, own]):
                added = max(members[1, own], members[1, other])
                missing[members[0, other]] += members[2, own] + members[2, other] - added
        for j in range(i + 1, out.shape[0]):
            if missing[j] != 0:
                out[i, j] += missing[j] * step
                missing[j] = 0
