"""Compiled loops along the ranks of one test point: coefficients of pairs, values, support."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np


@numba.njit(nogil=True, cache=True)
def _shared(w: Any, start: int, end: int, q: float, tail: float) -> Any:
    """Return what the members of a group of two and more have in common.

    The group has the ranks start + 1 to end; ``q`` and ``tail`` are its q and T. A member then has
    ``farther = -mean_w u + (q - u) share + T`` and ``same = alpha + beta u``.
    """
    s = end - start
    e = w[end + 1]
    # With a = start: W is the mean of w[a+2..a+s+1], e = w[a+s+1].
    mean_w = 0.0
    v = 0.0
    for r in range(1, s + 1):
        mean_w += w[start + r + 1]
        v += (r - 1) * w[start + r + 1]
    mean_w /= s
    v *= 2.0 / (s * (s - 1.0))
    alpha = tail
    beta = -0.5 * v
    if s > 2:
        beta -= (v - e) / (s - 2)
        alpha += q * (v - e) / (s - 2)
    return mean_w, (mean_w - e) / (s - 1), 0.5 * alpha, beta


@numba.njit(nogil=True, cache=True)
def pair_coefficients(
    order: Any,
    ends: Any,
    n_ranked: int,
    gains: Any,
    weights: Any,
    first_column: int,
    unit: float,
    w: Any,
    farther: Any,
    same: Any,
    rank: Any,
) -> None:
    """Fill, for a block of test points, the coefficients from which all pairs follow.

    gains (b, n) float64: what each training point brings, in places of ``unit``.

    ``farther[i, c]``: the interaction of i with any point nearer than its group.
    ``same[i, c]``: two points of one group interact by ``same[i] + same[j]``.
    ``rank[i, c]``: first rank of the group of i, so that a comparison of two ranks tells
    which point is farther; equal means one group.
    Here c = first_column + p is the place of test point p, and all three arrays are (n, chunk),
    so that the kernel over pairs runs along contiguous memory. All values are multiplied
    by the weight of the test point. A point that is not ranked (the test point itself, in
    leave-one-out testing) is put last with coefficient zero, which makes it a null player.
    ``same`` is written only for groups of two and more, and may be a stub without ties.
    """
    n = order.shape[1]
    for p in range(order.shape[0]):
        c = first_column + p
        scale = weights[p]
        for r in range(n_ranked, n):
            i = order[p, r]
            farther[i, c] = 0.0
            rank[i, c] = n
        tail = 0.0  # T
        end = n_ranked
        while end > 0:
            start = end - 1
            while start > 0 and ends[p, start - 1] == end:
                start -= 1
            s = end - start
            if s == 1:  # the usual case: the formulas below without their divisions
                i = order[p, start]
                u = unit * gains[p, i]
                farther[i, c] = scale * (tail - w[end + 1] * u)
                rank[i, c] = start
                tail += u * (w[start + 1] - w[end + 1])
                end = start
                continue
            q = 0.0
            for r in range(start, end):
                q += unit * gains[p, order[p, r]]
            mean_w, share, alpha, beta = _shared(w, start, end, q, tail)
            for r in range(start, end):
                i = order[p, r]
                u = unit * gains[p, i]
                farther[i, c] = scale * (-mean_w * u + (q - u) * share + tail)
                same[i, c] = scale * (alpha + beta * u)
                rank[i, c] = start
            tail += q / s * (w[start + 1] - w[end + 1])
            end = start


@numba.njit(nogil=True, cache=True)
def pack_block(
    order: Any,
    ends: Any,
    n_ranked: int,
    gains: Any,
    weights: Any,
    unit: float,
    w: Any,
    bits: int,
    step: float,
    keys: Any,
    members: Any,
) -> int:
    """Fill the keys of all points, for some test points, and list those that are tied.

    order, ends, keys (b, n) int64; the members of a group are sorted by position in ``order``,
    in place. Ranks count from 1, and are those of the first of a group. A point that is not
    ranked (the test point itself, in leave-one-out testing) is put last with coefficient zero,
    which makes it a null player. The formulas are those of `pair_coefficients`; what a key is,
    and where ``bits`` and ``step`` come from, is told in `packed`.

    members (4, room) int64, out: for each tied point of a test point in turn, the point, its
    coefficient in units of ``step``, its ``same`` (two of one group interact by the sum of
    theirs), and the place after the last of its group. Returned is how many these are.
    """
    n = order.shape[1]
    place = 0
    half = np.int64(1) << (bits - 1)
    for p in range(order.shape[0]):
        scale = weights[p] / step
        for r in range(n_ranked, n):
            keys[p, order[p, r]] = (np.int64(n + 1) << bits) + half
        tail = 0.0  # T
        end = n_ranked
        while end > 0:
            start = end - 1
            while start > 0 and ends[p, start - 1] == end:
                start -= 1
            rank = (np.int64(start + 1) << bits) + half
            e = w[end + 1]
            if end - start == 1:
                i = order[p, start]
                u = unit * gains[p, i]
                keys[p, i] = rank + np.int64(np.rint(scale * (tail - e * u)))
                tail += u * (w[start + 1] - e)
                end = start
                continue
            s = end - start
            q = 0.0
            in_turn = True
            for r in range(start, end):
                q += unit * gains[p, order[p, r]]
                if r > start and order[p, r] < order[p, r - 1]:
                    in_turn = False
            if not in_turn:
                order[p, start:end] = np.sort(order[p, start:end])
            mean_w, share, alpha, beta = _shared(w, start, end, q, tail)
            for r in range(start, end):
                i = order[p, r]
                u = unit * gains[p, i]
                farther = np.int64(np.rint(scale * (-mean_w * u + (q - u) * share + tail)))
                keys[p, i] = rank + farther
                members[0, place] = i
                members[1, place] = farther
                members[2, place] = np.int64(np.rint(scale * (alpha + beta * u)))
                members[3, place] = place + end - r
                place += 1
            tail += q / s * (w[start + 1] - e)
            end = start
    return place


@numba.njit(nogil=True, cache=True)
def point_values(
    order: Any,
    ends: Any,
    n_ranked: int,
    gains: Any,
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
                u = unit * gains[p, i]
                values[i] += weights[p] * (g[end] * u + tail)
                tail += u * (g[end] - g[start])  # g[0] is used by none
                if start < k:
                    likelihood += weights[p] * u
                end = start
                continue
            q = 0.0
            for r in range(start, end):
                q += unit * gains[p, order[p, r]]
            mean_g = g[start + 1 : end + 1].sum() / s
            share = (g[end] - mean_g) / (s - 1)
            for r in range(start, end):
                i = order[p, r]
                u = unit * gains[p, i]
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
            mean_g = g[start + 1 : end + 1].sum() * (weights[p] / (end - start))
            for r in range(start, end):
                column[order[p, r]] += mean_g
            start = end
