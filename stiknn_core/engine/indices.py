"""The rank weights that tell one interaction index from another.

For one test point the training points are ranked by distance, nearest first. Every
index in this package then depends on the data only through two sequences of numbers
over ranks, which are computed here once per call:

``w``
    Pair weights. The interaction of two points whose farther one has rank m is
    ``-w[m+1] u[m] + sum over l > m of (w[l] - w[l+1]) u[l]``, where ``u[l]`` is 1/k if
    the point of rank l has the label of the test point, else 0. This is the recursion
    of the paper (Algorithm 1) summed up, and unlike the recursion it also holds for
    k > n.
``g``
    Value weights. The value of the point of rank m is
    ``g[m] u[m] + sum over l > m of (g[l] - g[l-1]) u[l]``
    (Jia et al. 2019, Theorem 1, for the Shapley value).

Both are plain NumPy; the kernels only read them.
"""

from __future__ import annotations

from typing import assert_never, get_args

import numpy as np

from stiknn_core.types import FloatArray, Index, ValueKind

INDICES: tuple[Index, ...] = ("STII", "SII", "BII")

#: Which value of a single point belongs to which pair index.
VALUE_OF_INDEX: dict[Index, ValueKind] = {"STII": "shapley", "SII": "shapley", "BII": "banzhaf"}

VALUE_KINDS: tuple[ValueKind, ...] = get_args(ValueKind)


def pair_weights(index: Index, n: int, k: int) -> FloatArray:
    """Return w, (n + 2,), indexed by rank, for pairs among ``n`` ranked points. O(n).

    ``w[j]`` is zero for j <= k+1, because a coalition that small is never full and a further point
    changes nothing about the others. In the terms of the definition, it is the probability that
    exactly k-1 of the j-3 points before the farther one of a pair join, summed over coalition
    sizes with the weights of the index.
    """
    w = np.zeros(n + 2, dtype=np.float64)
    j = np.arange(max(k + 2, 3), n + 2, dtype=np.float64)
    if j.size == 0:
        return w
    if index == "STII":
        w[n + 2 - j.size :] = 2.0 * (j - k - 1.0) / ((j - 1.0) * (j - 2.0))
    elif index == "SII":
        w[n + 2 - j.size :] = 1.0 / (j - 2.0)
    elif index == "BII":
        # C(j-3, k-1) / 2^(j-3), written as a probability so that nothing overflows.
        from scipy.stats import binom  # nearly half of the time to import the package

        w[n + 2 - j.size :] = binom.pmf(k - 1, j - 3.0, 0.5)
    else:
        assert_never(index)  # a forgotten branch must not pass for another index
    return w


def value_weights(kind: ValueKind, n: int, k: int) -> FloatArray:
    """Return g, (n + 1,), indexed by rank, for the values of single points.

    ``g[m]`` is the chance that the point of rank m, joining last, finds fewer than k nearer ones:
    for the leave-one-out value all others are there, so that it is 1 up to rank k, and then 0.
    ``g[0]`` is 1 and never used as a rank.
    """
    m = np.arange(n + 1, dtype=np.float64)
    if kind == "leave_one_out":
        return np.asarray(m <= k, dtype=np.float64)
    if kind == "shapley":
        m = np.maximum(m, 1.0)
        return np.asarray(np.minimum(k, m) / m)
    if kind != "banzhaf":
        assert_never(kind)
    from scipy.stats import binom

    return np.asarray(binom.cdf(k - 1, np.maximum(m - 1.0, 0.0), 0.5), dtype=np.float64)
