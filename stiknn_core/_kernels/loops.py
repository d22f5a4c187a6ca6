"""Every compiled loop: arrays in, arrays out, nothing checked, nothing raised.

All kernels release the GIL and are run on ordinary threads by their callers. Each
writes only to its own part of an output, and always adds in the same order, so the
number of threads cannot change a single bit of a result.

Symbols, as in `stiknn_core.engine.indices`: for one test point, ``u`` is 1/k for a training
point with the right label and 0 otherwise, ``w`` and ``g`` are the weights of the
index. A *group* is a run of equally distant points at ranks a+1..a+s; q is the sum of
u over it. ``T`` and ``G`` carry the contribution of all farther groups.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

# Reordering a sum over test points is what lets LLVM use vector registers; the order is
# fixed when the kernel is compiled, so results stay reproducible. Nothing else is relaxed.
_REASSOCIATE = {"reassoc", "nsz", "contract"}

# Up to here, sorting by insertion is the fastest, whatever the order it starts from.
_LONG_RUN = 16


@numba.njit(nogil=True, cache=True)
def make_sort_keys(distances: Any, bits: int, keys: Any) -> None:
    """Write every distance as an integer that sorts like it, its low bits naming the point.

    distances (b, n) float64, not negative; keys (b, n) int64, out; 2^bits >= n. Numbers sort
    far faster than places do (and vectorised), at the price of the last bits of a distance,
    which `settle_order` looks at again.
    """
    for p in range(distances.shape[0]):
        for i in range(distances.shape[1]):
            keys[p, i] = ((np.float64(distances[p, i]).view(np.int64) >> bits) << bits) | i


@numba.njit(nogil=True, cache=True)
def settle_order(distances: Any, bits: int, keys: Any) -> None:
    """Turn sorted keys into the order of the points by distance, in place.

    Runs of keys that differ in nothing but the point are sorted by their whole distances.
    """
    n = keys.shape[1]
    mask = (np.int64(1) << bits) - 1
    for p in range(keys.shape[0]):
        start = 0
        while start < n:
            high = keys[p, start] >> bits
            keys[p, start] &= mask
            end = start + 1
            while end < n and keys[p, end] >> bits == high:
                keys[p, end] &= mask
                end += 1
            if end - start > _LONG_RUN:
                run = keys[p, start:end].copy()
                keys[p, start:end] = run[np.argsort(distances[p][run], kind="mergesort")]
            else:
                for r in range(start + 1, end):
                    i = keys[p, r]
                    s = r
                    while s > start and distances[p, keys[p, s - 1]] > distances[p, i]:
                        keys[p, s] = keys[p, s - 1]
                        s -= 1
                    keys[p, s] = i
            start = end


@numba.njit(nogil=True, cache=True)
def find_groups(
    distances: Any,
    order: Any,
    n_ranked: int,
    tolerance: float,
    floor: float,
    codes: Any,
    ends: Any,
    tied_pairs: Any,
    mixed: Any,
) -> None:
    """Mark where each group of equally distant points ends, for a block of test points.

    distances (b, n) float64; order (b, n) int64, nearest first, of which the first
    ``n_ranked`` count; ends (b, n) int64, out: for rank r (0-based) the rank one past
    the end of its group. Neighbours are tied within ``tolerance`` times the largest distance
    of the row, which counts as ``floor`` where it is smaller still. tied_pairs (b,) int64 and
    mixed (b,) bool, out: the pairs of tied points, and whether the labels of any differ.
    """
    for p in range(order.shape[0]):
        slack = tolerance * max(distances[p, order[p, n_ranked - 1]], floor)
        tied_pairs[p] = 0
        mixed[p] = False
        start = 0
        before = distances[p, order[p, 0]]
        for r in range(1, n_ranked + 1):
            if r < n_ranked:
                here = distances[p, order[p, r]]
                if here - before <= slack:
                    before = here
                    continue
                before = here
            ends[p, start] = r
            if r - start > 1:
                tied_pairs[p] += (r - start) * (r - start - 1) // 2
                for s in range(start + 1, r):
                    ends[p, s] = r
                    if codes[order[p, s]] != codes[order[p, start]]:
                        mixed[p] = True
            start = r


@numba.njit(nogil=True, cache=True)
def part_groups(order: Any, ends: Any, n_ranked: int) -> None:
    """Sort the members of each group by position, in place, and make each a group of its own."""
    for p in range(order.shape[0]):
        start = 0
        while start < n_ranked:
            end = ends[p, start]
            if end - start > 1:
                order[p, start:end] = np.sort(order[p, start:end])
                for r in range(start, end):
                    ends[p, r] = r + 1
            start = end


@numba.njit(nogil=True, cache=True)
def pair_coefficients(
    order: Any,
    ends: Any,
    n_ranked: int,
    codes: Any,
    test_codes: Any,
    weights: Any,
    first_column: int,
    unit: float,
    w: Any,
    farther: Any,
    same: Any,
    rank: Any,
) -> None:
    """Fill, for a block of test points, the coefficients from which all pairs follow.

    ``farther[i, c]``: the interaction of i with any point nearer than its group.
    ``same[i, c]``: two points of one group interact by ``same[i] + same[j]``.
    ``rank[i, c]``: first rank of the group of i, so that a comparison of two ranks tells
    which point is farther; equal means one group.
    Here c = first_column + p is the place of test point p, and all three arrays are (n, chunk),
    so that the kernel over pairs runs along contiguous memory. All values are multiplied
    by the weight of the test point. A point that is not ranked (the test point itself, in
    leave-one-out) is put last with coefficient zero, which makes it a null player.
    ``same`` is written only for groups of two and more, and may be a stub without ties.
    """
    n = order.shape[1]
    for p in range(order.shape[0]):
        c = first_column + p
        scale = weights[p]
        for r in range(n_ranked, n):
            i = order[p, r]
            farther[i, c] = 0.0
            rank[i, c] = n + 1.0
        tail = 0.0  # T
        end = n_ranked
        while end > 0:
            start = end - 1
            while start > 0 and ends[p, start - 1] == end:
                start -= 1
            s = end - start
            if s == 1:  # the usual case: the formulas below without their divisions
                i = order[p, start]
                u = unit if codes[i] == test_codes[p] else 0.0
                farther[i, c] = scale * (tail - w[end + 1] * u)
                rank[i, c] = start
                tail += u * (w[start + 1] - w[end + 1])
                end = start
                continue
            q = 0.0
            for r in range(start, end):
                if codes[order[p, r]] == test_codes[p]:
                    q += unit
            # With a = start: W is the mean of w[a+2..a+s+1], e = w[a+s+1].
            mean_w = 0.0
            for j in range(start + 2, end + 2):
                mean_w += w[j]
            mean_w /= s
            e = w[end + 1]
            share = (mean_w - e) / (s - 1)
            alpha = tail
            v = 0.0
            for r in range(2, s + 1):
                v += (r - 1) * w[start + r + 1]
            v *= 2.0 / (s * (s - 1.0))
            beta = -0.5 * v
            if s > 2:
                beta -= (v - e) / (s - 2)
                alpha += q * (v - e) / (s - 2)
            for r in range(start, end):
                i = order[p, r]
                u = unit if codes[i] == test_codes[p] else 0.0
                farther[i, c] = scale * (-mean_w * u + (q - u) * share + tail)
                same[i, c] = scale * (0.5 * alpha + beta * u)
                rank[i, c] = start
            tail += q / s * (w[start + 1] - w[end + 1])
            end = start


@numba.njit(nogil=True, cache=True)
def point_values(
    order: Any,
    ends: Any,
    n_ranked: int,
    codes: Any,
    test_codes: Any,
    weights: Any,
    k: int,
    unit: float,
    g: Any,
    values: Any,
) -> float:
    """Add the value of every point over a block of test points; return their likelihood.

    values (n,) float64 is added to; the likelihood is the weighted sum of v(N). ``k`` is at
    most the number of ranked points here; ``unit`` is one over the k that was asked for.
    """
    likelihood = 0.0
    for p in range(order.shape[0]):
        tail = 0.0  # G
        end = n_ranked
        while end > 0:
            start = end - 1
            while start > 0 and ends[p, start - 1] == end:
                start -= 1
            s = end - start
            if s == 1:  # the usual case: the formulas below without their divisions
                i = order[p, start]
                u = unit if codes[i] == test_codes[p] else 0.0
                values[i] += weights[p] * (g[end] * u + tail)
                tail += u * (g[end] - g[start])  # g[0] is used by none
                if start < k:
                    likelihood += weights[p] * u
                end = start
                continue
            q = 0.0
            for r in range(start, end):
                if codes[order[p, r]] == test_codes[p]:
                    q += unit
            mean_g = 0.0
            for m in range(start + 1, end + 1):
                mean_g += g[m]
            mean_g /= s
            share = (g[end] - mean_g) / (s - 1)
            for r in range(start, end):
                i = order[p, r]
                u = unit if codes[i] == test_codes[p] else 0.0
                values[i] += weights[p] * (mean_g * u + (q - u) * share + tail)
            if start > 0:
                tail += q / s * (g[end] - g[start])
            if start < k:
                likelihood += weights[p] * q * min(s, k - start) / s
            end = start
    return likelihood


@numba.njit(nogil=True, cache=True)
def label_support(
    order: Any, ends: Any, n_ranked: int, test_codes: Any, weights: Any, g: Any, support: Any
) -> None:
    """Add to ``support[i, c]`` what i would earn from test points of class c, were it c.

    support is (n, n_classes) float64. A test point whose class is unknown (code -1)
    supports no class.
    """
    for p in range(order.shape[0]):
        if test_codes[p] < 0:
            continue
        column = support[:, test_codes[p]]
        start = 0
        while start < n_ranked:
            end = ends[p, start]
            if end == start + 1:  # by far the most frequent, and without a division
                column[order[p, start]] += weights[p] * g[end]
                start = end
                continue
            mean_g = 0.0
            for m in range(start + 1, end + 1):
                mean_g += g[m]
            mean_g *= weights[p] / (end - start)
            for r in range(start, end):
                column[order[p, r]] += mean_g
            start = end


@numba.njit(nogil=True, cache=True, fastmath=_REASSOCIATE)
def add_pairs(farther: Any, rank: Any, i0: int, i1: int, tile: int, out: Any) -> None:
    """Add the pairs of rows i0..i1 with all columns from i0 on, for test points without ties.

    For any coefficients and ranks; where both are known in advance to fit 64 bits, as for the
    whole matrix, `_kernels_packed.add_pairs` is more than twice as fast.

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


@numba.njit(nogil=True, cache=True, fastmath=_REASSOCIATE)
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


@numba.njit(nogil=True, cache=True)
def leaf_distances(
    leaves: Any, test_leaves: Any, votes: Any, start: int, stop: int, out: Any
) -> None:
    """Fill ``out[p, i]`` with the share of the trees of p that part p from i, for some rows.

    leaves (n_trees, n) and test_leaves (n_trees, t) int32: the leaf each point falls into;
    votes (n_trees, t) bool: whether a tree may be asked for p; out (t, n) float64, of which
    the rows start..stop are written. Without any tree all are as far as can be. A row of
    ``leaves`` is one tree, so that the inner loop compares contiguous integers.
    """
    n_trees, n = leaves.shape
    apart = np.empty(n, dtype=np.int32)
    for p in range(start, stop):
        apart[:] = 0
        asked = 0
        for tree in range(n_trees):
            if votes[tree, p]:
                asked += 1
                leaf = test_leaves[tree, p]
                for i in range(n):
                    apart[i] += leaves[tree, i] != leaf
        for i in range(n):
            out[p, i] = apart[i] / asked if asked else 1.0
