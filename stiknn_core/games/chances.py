"""Chances over ranks, by recurrences of positive terms: nothing overflows, nothing cancels.

Every index here says at random which other points are there. What its weights over ranks need is
how likely exactly r of M given points are there, or at most r. A relative error is some ten
roundings up to a million points.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from stiknn_core.types import FloatArray


class Joining(NamedTuple):
    """Points that join one after the other, in any order alike.

    Attributes
    ----------
    join : callable
        ``join(m, j)``: the chance that a point joins, when of the m before it j have.
    stay : callable
        ``stay(m, j)``: the chance that it does not, without a difference of near numbers.
    odds : callable
        ``odds(m, j)``: how many times likelier a set of j + 1 of m points is than one of j.
    """

    join: Callable[[FloatArray, FloatArray], FloatArray]
    stay: Callable[[FloatArray, FloatArray], FloatArray]
    odds: Callable[[FloatArray, FloatArray], FloatArray]


def each_with(q: float) -> Joining:
    """Let every point join with the chance q, whatever the others do."""
    return Joining(
        lambda m, j: np.full_like(m, q),
        lambda m, j: np.full_like(m, 1.0 - q),
        lambda m, j: np.full_like(m, q / (1.0 - q)),
    )


def by_beta(alpha: float, beta: float) -> Joining:
    """Do the same with a q that is drawn first, from Beta(beta, alpha)."""
    return Joining(
        lambda m, j: (beta + j) / (alpha + beta + m),
        lambda m, j: (alpha + (m - j)) / (alpha + beta + m),
        lambda m, j: (beta + j) / (alpha + (m - 1.0 - j)),
    )


def running_product(factors: FloatArray) -> FloatArray:
    """Return the products of the first 1, 2, ... factors, all positive. O(n).

    Powers of two are split off, so that only a product itself can run over or under, and
    products are formed in two levels, so that few roundings lie behind each.
    """
    if not len(factors):
        return np.empty(0)
    powers = np.rint(np.cumsum(np.log2(factors)))
    scaled = np.ldexp(factors, -np.diff(powers, prepend=0.0).astype(np.int64))
    side = math.isqrt(len(factors)) + 1
    square = np.ones(side * side)
    square[: len(factors)] = scaled
    rows = np.cumprod(square.reshape(side, side), axis=1)
    before = np.concatenate([[1.0], np.cumprod(rows[:-1, -1])])
    products = (rows * before[:, None]).ravel()[: len(factors)]
    return np.asarray(np.ldexp(products, powers.astype(np.int64)))


def sums_behind(terms: FloatArray, last: float = 0.0) -> FloatArray:
    """Return the sum of all terms from each place on, and of ``last``; one more than terms."""
    behind = np.concatenate([[last], terms[::-1]]).astype(np.longdouble)
    return np.cumsum(behind)[::-1].astype(np.float64)


def exactly(r: int, most: int, joining: Joining) -> FloatArray:
    """Return the chance that exactly r of M points join, for M = 0 .. most, (most + 1,). O(most).

    It is 0 for M < r. From M to M + 1 it grows by (M + 1) / (M + 1 - r) times the chance that
    one more stays away.
    """
    found = np.zeros(most + 1)
    if r > most:
        return found
    first = np.arange(r, dtype=np.float64)
    m = np.arange(r, most, dtype=np.float64)
    all_r = joining.join(first, first)
    growth = (m + 1.0) / (m + 1.0 - r) * joining.stay(m, np.full_like(m, r))
    found[r:] = np.concatenate([[1.0], running_product(np.concatenate([all_r, growth]))])[r:]
    return found


def sizes(m: int, most: int, joining: Joining) -> FloatArray:
    """Return the chance that s of m points join, for s = 0 .. min(m, most). O(m)."""
    i = np.arange(m, dtype=np.float64)
    nobody = joining.stay(i, np.zeros_like(i))
    j = np.arange(min(m, most), dtype=np.float64)
    growth = (m - j) / (j + 1.0) * joining.odds(np.full_like(j, m), j)
    return np.concatenate([[1.0], running_product(np.concatenate([nobody, growth]))])[m:]


def fewer(k: int, most: int, joining: Joining) -> FloatArray:
    """Return the chance that fewer than k of M points join, for M = 0 .. most. O(most + k).

    One more point takes it away where it joins as the k-th. Added up from the far end, where the
    chance is smallest.
    """
    if k > most:
        return np.ones(most + 1)
    m = np.arange(most, dtype=np.float64)
    lost = exactly(k - 1, most - 1, joining) * joining.join(m, np.full_like(m, k - 1.0))
    return np.minimum(sums_behind(lost, float(sizes(most, k - 1, joining).sum())), 1.0)


def fewer_drawn(k: int, total: int, draws: int) -> FloatArray:
    """Return the chance that fewer than k of x points are among ``draws`` drawn of ``total``.

    For x = 0 .. total, (total + 1,), without putting back. It is lost to x + 1 where the point
    x + 1 is the k-th that is drawn, whose chances add up to 1. O(total).
    """
    if draws < k:
        return np.ones(total + 1)
    place = np.arange(k, total - draws + k, dtype=np.float64)  # of the k-th that is drawn
    growth = place / (place - k + 1.0) * (total - place - draws + k) / (total - place)
    # The first place is the likeliest to be tiny: only the shape matters, the sum is 1.
    shape = _without_scale(growth)
    lost = np.zeros(total)
    lost[k - 1 : total - draws + k] = shape / shape.sum()
    return np.minimum(sums_behind(lost), 1.0)


def _without_scale(growth: FloatArray) -> FloatArray:
    """Return 1 and the running products of ``growth``, divided by the largest of them."""
    if not len(growth):
        return np.ones(1)
    logs = np.concatenate([[0.0], np.cumsum(np.log2(growth))])
    peak = int(logs.argmax())
    up, down = growth[:peak][::-1], growth[peak:]
    return np.concatenate([running_product(1.0 / up)[::-1], [1.0], running_product(down)])
