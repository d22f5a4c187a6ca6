"""Compiled loop for squared distances by differences, many at a time.

Differences keep all digits, whatever the offset of the data, where |x|² - 2xy + |y|² loses
them. They cost one subtraction more, which the processor does beside the multiplication:
at 784 features this is as fast as the matrix product of a BLAS, needs no threads but ours,
and leaves nothing to be checked afterwards.
"""

from __future__ import annotations

from typing import Any

import numba

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
