"""Compiled loops for distances: squared ones, many at a time, and those out of the usual range.

Differences keep all digits, whatever the offset of the data, where |x|² - 2xy + |y|² loses
them. They cost one subtraction more, which the processor does beside the multiplication:
at 784 features this is as fast as the matrix product of a BLAS, needs no threads but ours,
and leaves nothing to be checked afterwards, but squares that left the range of doubles.
"""

from __future__ import annotations

import math
from typing import Any

import numba
import numpy as np

from stiknn_core._kernels import REASSOCIATE


@numba.njit(nogil=True, cache=True, fastmath=REASSOCIATE)
def squared_distances(test: Any, train: Any, out: Any) -> None:
    """Fill ``out[p, i]`` with the sum over features of (test[p] - train[i])².

    test (b, d), train (n, d), out (b, n) float64. Four by three pairs are kept in registers.
    Past an edge the last row is taken again, so that every pair is summed in the same way:
    equal rows are equally far, to the last bit.
    """
    b = test.shape[0]
    n, d = train.shape
    for i in range(0, n, 3):
        j = min(i + 1, n - 1)
        k = min(i + 2, n - 1)
        for p in range(0, b, 4):
            q = min(p + 1, b - 1)
            r = min(p + 2, b - 1)
            s = min(p + 3, b - 1)
            pi = pj = pk = qi = qj = qk = ri = rj = rk = si = sj = sk = 0.0
            for f in range(d):
                x = train[i, f]
                y = train[j, f]
                z = train[k, f]
                a = test[p, f]
                pi += (a - x) * (a - x)
                pj += (a - y) * (a - y)
                pk += (a - z) * (a - z)
                a = test[q, f]
                qi += (a - x) * (a - x)
                qj += (a - y) * (a - y)
                qk += (a - z) * (a - z)
                a = test[r, f]
                ri += (a - x) * (a - x)
                rj += (a - y) * (a - y)
                rk += (a - z) * (a - z)
                a = test[s, f]
                si += (a - x) * (a - x)
                sj += (a - y) * (a - y)
                sk += (a - z) * (a - z)
            out[p, i] = pi
            out[p, j] = pj
            out[p, k] = pk
            out[q, i] = qi
            out[q, j] = qj
            out[q, k] = qk
            out[r, i] = ri
            out[r, j] = rj
            out[r, k] = rk
            out[s, i] = si
            out[s, j] = sj
            out[s, k] = sk


#: Between these a distance has kept its digits, squared or not, and however many were added.
_LEAST, _MOST = 1e-140, 1e150

#: Exponents that a row of distances is kept between, if its own range allows.
_LOWEST, _HIGHEST = -960, 1000


@numba.njit(nogil=True, cache=True, fastmath=REASSOCIATE)
def _careful_distance(test: Any, train: Any, power: int) -> Any:
    """Return a distance as number and exponent, and so without overflow or underflow."""
    half = 1.0
    largest = 0.0
    for f in range(len(test)):
        largest = max(largest, abs(test[f] - train[f]))
    if largest == 0.0:
        return 0.0, 0
    if largest == np.inf:
        half, largest = 0.5, 0.0
        for f in range(len(test)):
            largest = max(largest, abs(half * test[f] - half * train[f]))
    exponent = max(math.frexp(largest)[1], -1000)
    scale = math.ldexp(1.0, -exponent)
    total = 0.0
    if power == 0:
        total = largest * scale
    elif power == 1:
        for f in range(len(test)):
            total += abs(half * test[f] - half * train[f]) * scale
    else:
        for f in range(len(test)):
            apart = (half * test[f] - half * train[f]) * scale
            total += apart * apart
        total = math.sqrt(total)
    return total, exponent + (half < 1.0)


@numba.njit(nogil=True, cache=True)
def settle_distances(test: Any, train: Any, power: int, out: Any) -> None:
    """Compute again what overflowed or lost digits in ``out`` (b, n), pair by pair.

    test (b, d), train (n, d) float64; ``power`` is 2 for Euclidean distances, 1 for sums and 0 for
    the largest of the differences. The distances of one test point share an exponent, which is
    changed only where one of them would leave the range of doubles.
    """
    exponents = np.zeros(out.shape[1], np.int64)
    for p in range(out.shape[0]):
        highest, lowest = -10_000, 10_000
        for i in range(out.shape[1]):
            exponents[i] = 0
            if not _LEAST < out[p, i] < _MOST:
                out[p, i], exponents[i] = _careful_distance(test[p], train[i], power)
                if out[p, i] > 0.0:
                    highest = max(highest, exponents[i])
                    lowest = min(lowest, exponents[i])
        shift = max(highest - _HIGHEST, min(lowest - _LOWEST, 0))
        for i in range(out.shape[1]):
            if exponents[i] != 0 or shift != 0:
                out[p, i] = math.ldexp(out[p, i], int(exponents[i] - shift))
