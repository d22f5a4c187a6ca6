"""Oracles: everything written again, slowly and plainly, from the definitions.

Nothing here imports the package. Three levels, each checked against the one before:

1. ``expected_game_by_orders`` lists every order of the tied points.
2. ``game`` averages over those orders in closed form; ``reference`` takes the indices
   over all subsets of that game. Meant for n up to about 12.
3. ``formula_matrix`` and ``formula_values`` are the O(t n^2) formulas for data without
   ties, in plain NumPy, for a few hundred points.

A subset is a bit mask: point ``i`` is in subset ``s`` when bit ``i`` of ``s`` is set.
A game is the array of its values for the masks ``0 .. 2**n - 1``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, permutations
from math import comb, exp, factorial, lgamma, log
from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]

LEFT_OUT = -1


# Who is near: exact, so that a tie is a tie and never a matter of rounding.


def _distance_key(train: Sequence[Any], test: Sequence[Any], metric: str) -> Fraction:
    """A number that grows with the distance, exactly, for rows of integers."""
    a = [Fraction(value) for value in train]
    b = [Fraction(value) for value in test]
    gaps = [abs(x - y) for x, y in zip(a, b, strict=True)]
    if metric == "euclidean":
        return sum((gap * gap for gap in gaps), Fraction(0))
    if metric == "manhattan":
        return sum(gaps, Fraction(0))
    if metric == "chebyshev":
        return max(gaps)
    if metric == "cosine":  # for a fixed test row: sign(dot) * dot^2 / |a|^2 orders the cosines
        dot = sum((x * y for x, y in zip(a, b, strict=True)), Fraction(0))
        square = dot * dot / sum((x * x for x in a), Fraction(0))
        return -square if dot > 0 else square
    raise AssertionError(metric)


def _dense_ranks(keys: Sequence[Any]) -> list[int]:
    order = sorted(set(keys))
    return [order.index(key) for key in keys]


def tie_groups(X: Any, X_test: Any = None, metric: str = "euclidean") -> IntArray:
    """Number of the distance group of each training point, for each test point.

    0 is the nearest group; equal numbers are ties. Without ``X_test`` every training row
    is a test point and is ``LEFT_OUT`` of its own row. With ``metric="precomputed"``, ``X``
    is the table of distances; a square one whose rows leave themselves out needs
    ``leave_self_out``.
    """
    if metric == "precomputed":
        return np.array([_dense_ranks(list(row)) for row in np.asarray(X).tolist()])
    train = np.asarray(X).tolist()
    tests = train if X_test is None else np.asarray(X_test).tolist()
    rows = [_dense_ranks([_distance_key(a, b, metric) for a in train]) for b in tests]
    groups = np.array(rows, dtype=np.int64).reshape(len(tests), len(train))
    return leave_self_out(groups) if X_test is None else groups


def leave_self_out(groups: IntArray) -> IntArray:
    """The same groups with each point taken out of its own row."""
    groups = groups.copy()
    np.fill_diagonal(groups, LEFT_OUT)
    return groups


def break_ties(groups: IntArray) -> IntArray:
    """Groups of one: among tied points the lower position is nearer."""
    broken = np.full_like(groups, LEFT_OUT)
    for p, row in enumerate(groups):
        taking_part = [i for i in range(len(row)) if row[i] != LEFT_OUT]
        taking_part.sort(key=lambda i: (row[i], i))
        broken[p, taking_part] = range(len(taking_part))
    return broken


# The game.


def all_subsets(n: int) -> BoolArray:
    """(2**n, n) table: is point i in subset s?"""
    return np.asarray((np.arange(2**n)[:, None] >> np.arange(n)) % 2 == 1)


def game(groups: IntArray, u: FloatArray, k: int) -> FloatArray:
    """Expected utility of each subset for one test point.

    The points of a subset, in a random order within each group, come nearest first, and
    the first k bring their ``u``. So a group fills the places the nearer ones left, and
    each of its members gets one of them with equal chance.
    """
    members = all_subsets(len(u))
    worth = np.zeros(len(members))
    free = np.full(len(members), k)
    for group in sorted(set(groups[groups != LEFT_OUT].tolist())):
        present = members & (groups == group)
        count = present.sum(axis=1)
        seated = np.minimum(free, count)
        worth += seated / np.maximum(count, 1) * (present @ u)
        free = free - seated
    return worth


def expected_game_by_orders(groups: IntArray, u: FloatArray, k: int) -> FloatArray:
    """``game`` again, by listing every order of the points that respects the groups."""
    taking_part = [i for i in range(len(u)) if groups[i] != LEFT_OUT]
    orders = [
        order
        for order in permutations(taking_part)
        if all(groups[a] <= groups[b] for a, b in pairwise(order))
    ]
    worth = np.zeros(2 ** len(u))
    for s, members in enumerate(all_subsets(len(u))):
        for order in orders:
            nearest = [i for i in order if members[i]][:k]
            worth[s] += sum(u[i] for i in nearest) / len(orders)
    return worth


def mean_game(
    groups: IntArray, y: Sequence[Any], y_test: Sequence[Any], k: int, weights: Any = None
) -> FloatArray:
    """The (weighted) mean over the test points; u is 1/k for the right label, else 0."""
    weights = np.ones(len(groups)) if weights is None else np.asarray(weights, dtype=float)
    total = np.zeros(2 ** groups.shape[1])
    for row, label, weight in zip(groups, y_test, weights, strict=True):
        u = np.array([1.0 / k if own == label else 0.0 for own in y])
        total += weight * game(row, u, k)
    return np.asarray(total / weights.sum())


# The indices, over all subsets.


def _sizes_and_masks(n: int) -> tuple[IntArray, IntArray]:
    return all_subsets(n).sum(axis=1), np.arange(2**n)


def shapley_values(v: FloatArray) -> FloatArray:
    """Sum over S without i of s! (n-s-1)! / n! times what i adds to S."""
    return _first_order(v, lambda n, s: factorial(s) * factorial(n - s - 1) / factorial(n))


def banzhaf_values(v: FloatArray) -> FloatArray:
    """Mean over all S without i of what i adds to S."""
    return _first_order(v, lambda n, s: 0.5 ** (n - 1))


def leave_one_out_values(v: FloatArray) -> FloatArray:
    """What the set of all points loses without i."""
    everyone = len(v) - 1
    return np.array([v[everyone] - v[everyone ^ (1 << i)] for i in range(len(v).bit_length() - 1)])


def _first_order(v: FloatArray, weight: Any) -> FloatArray:
    n = len(v).bit_length() - 1
    size, masks = _sizes_and_masks(n)
    weights = np.array([weight(n, s) for s in range(n)])
    out = np.zeros(n)
    for i in range(n):
        without = masks[(masks >> i) % 2 == 0]
        out[i] = weights[size[without]] @ (v[without | (1 << i)] - v[without])
    return out


def _pair_weight(index: str, n: int, s: int) -> float:
    if index == "STII":
        return 2 / n / comb(n - 1, s)
    if index == "SII":
        return factorial(s) * factorial(n - s - 2) / factorial(n - 1)
    if index == "BII":
        return 0.5 ** (n - 2)
    raise AssertionError(index)


def interaction_matrix(v: FloatArray, index: str) -> FloatArray:
    """Pair index off the diagonal, first-order index on it.

    The first order is v({i}) - v(empty) for STII (its top order is 2), the Shapley value
    for SII and the Banzhaf value for BII.
    """
    n = len(v).bit_length() - 1
    size, masks = _sizes_and_masks(n)
    weights = np.array([_pair_weight(index, n, s) for s in range(n - 1)])
    out = np.zeros((n, n))
    for i in range(n):
        for j in range(i):
            bi, bj = 1 << i, 1 << j
            S = masks[(masks & (bi | bj)) == 0]
            derivative = v[S | bi | bj] - v[S | bi] - v[S | bj] + v[S]
            out[i, j] = out[j, i] = weights[size[S]] @ derivative
    if index == "STII":
        diagonal = np.array([v[1 << i] - v[0] for i in range(n)])
    else:
        diagonal = shapley_values(v) if index == "SII" else banzhaf_values(v)
    out[np.diag_indices(n)] = diagonal
    return out


@dataclass(frozen=True)
class Reference:
    """What the definition says."""

    matrix: FloatArray
    shapley: FloatArray
    banzhaf: FloatArray
    leave_one_out: FloatArray
    likelihood: float
    tied_test_points: int


def reference(
    groups: IntArray,
    y: Sequence[Any],
    y_test: Sequence[Any] | None,
    *,
    k: int,
    index: str = "STII",
    ties: str = "expected",
    weights: Any = None,
) -> Reference:
    """All results for the groups of ``tie_groups``; ``y_test=None`` means leave-one-out."""
    y_test = y if y_test is None else y_test
    tied = sum(
        any(
            len({y[int(i)] for i in np.flatnonzero(row == group)}) > 1
            for group in set(row[row != LEFT_OUT].tolist())
        )
        for row in groups
    )
    if ties == "index":
        groups = break_ties(groups)
    v = mean_game(groups, y, y_test, k, weights)
    return Reference(
        matrix=interaction_matrix(v, index),
        shapley=shapley_values(v),
        banzhaf=banzhaf_values(v),
        leave_one_out=leave_one_out_values(v),
        likelihood=float(v[-1]),
        tied_test_points=tied,
    )


# Label support.


def label_support(
    groups: IntArray,
    y: Sequence[Any],
    y_test: Sequence[Any] | None,
    classes: Sequence[Any],
    *,
    k: int,
    ties: str = "expected",
    weights: Any = None,
) -> FloatArray:
    """(n, n_classes): Shapley value of i where i alone is worth 1, on the tests of class c.

    That is what its own label would earn, in units of one place among the k nearest.
    """
    y_test = y if y_test is None else y_test
    if ties == "index":
        groups = break_ties(groups)
    weights = np.ones(len(groups)) if weights is None else np.asarray(weights, dtype=float)
    n = groups.shape[1]
    out = np.zeros((n, len(classes)))
    for row, label, weight in zip(groups, y_test, weights, strict=True):
        if label not in classes:
            continue
        for i in range(n):
            alone = np.zeros(n)
            alone[i] = 1.0
            share = shapley_values(game(row, alone, k))[i]
            out[i, list(classes).index(label)] += weight * share
    return np.asarray(out / weights.sum())


def label_shares(support: FloatArray, frequency: FloatArray) -> FloatArray:
    """Share of each class in the rows of ``support`` after division by sqrt(frequency).

    A class without frequency has no support either, and a row without any support has
    nothing to share: both give NaN-free zeros.
    """
    scaled = np.zeros_like(support)
    for c, count in enumerate(frequency):
        if count > 0:
            scaled[:, c] = support[:, c] / np.sqrt(count)
    totals = scaled.sum(axis=1, keepdims=True)
    return np.asarray(np.divide(scaled, totals, out=np.zeros_like(scaled), where=totals > 0))


# Mid-size formulas, for data without ties.


def nearest_first(X: FloatArray, X_test: FloatArray | None) -> list[IntArray]:
    """Training positions nearest first for each test point (Euclidean), self left out."""
    orders = []
    for p, row in enumerate(X if X_test is None else X_test):
        order = np.argsort(np.sqrt(((X - row) ** 2).sum(axis=1)), kind="stable")
        orders.append(order[order != p] if X_test is None else order)
    return orders


def pair_weights(index: str, n: int, k: int) -> FloatArray:
    """w_j at position j for j = 0 .. n+1; zero up to k+1."""
    w = np.zeros(n + 2)
    for j in range(max(3, k + 2), n + 2):
        if index == "STII":
            w[j] = 2 * (j - k - 1) / ((j - 1) * (j - 2))
        elif index == "SII":
            w[j] = 1 / (j - 2)
        elif index == "BII":
            w[j] = exp(lgamma(j - 2) - lgamma(k) - lgamma(j - 1 - k) - (j - 3) * log(2))
        else:
            raise ValueError(index)
    return w


def value_weights(kind: str, n: int, k: int) -> FloatArray:
    """g_m for m = 0 .. n (g_0 unused): chance that the point at rank m is seated.

    For Banzhaf, fewer than k of the m-1 nearer points join, each with chance 1/2.
    """
    g = np.zeros(n + 1)
    chances = np.zeros(n + 1)  # of b nearer points joining, b = 0 .. n
    chances[0] = 1.0
    for m in range(1, n + 1):
        g[m] = min(k, m) / m if kind == "shapley" else chances[:k].sum()
        chances[1:] = (chances[1:] + chances[:-1]) / 2
        chances[0] /= 2
    return g


def formula_matrix(
    orders: Sequence[IntArray],
    y: Sequence[Any],
    y_test: Sequence[Any],
    *,
    k: int,
    index: str = "STII",
    weights: Any = None,
) -> FloatArray:
    """Mean over test points of c[max rank of the pair]; the diagonal is left at 0.

    c_m = -w_{m+1} u_m + sum over l > m of (w_l - w_{l+1}) u_l, m = 1 the nearest.
    """
    weights = np.ones(len(orders)) if weights is None else np.asarray(weights, dtype=float)
    own = np.asarray(y)
    total = np.zeros((len(own), len(own)))
    m = len(orders[0])  # the same for all: n, or n - 1 in leave-one-out
    w = pair_weights(index, m, k)
    for order, label, weight in zip(orders, y_test, weights, strict=True):
        u = np.where(own[order] == label, 1.0 / k, 0.0)
        later = (w[1:-1] - w[2:]) * u  # (w_l - w_{l+1}) u_l for l = 1 .. m
        c = np.array([-w[r + 1] * u[r - 1] + later[r:].sum() for r in range(1, m + 1)])
        farther = np.maximum(np.arange(m)[:, None], np.arange(m)[None, :])
        total[np.ix_(order, order)] += weight * c[farther]
    np.fill_diagonal(total, 0.0)
    return np.asarray(total / weights.sum())


def formula_values(
    orders: Sequence[IntArray],
    y: Sequence[Any],
    y_test: Sequence[Any],
    *,
    k: int,
    kind: str = "shapley",
    weights: Any = None,
) -> FloatArray:
    """Mean over test points of s_m = g_m u_m + sum over l > m of (g_l - g_{l-1}) u_l."""
    weights = np.ones(len(orders)) if weights is None else np.asarray(weights, dtype=float)
    own = np.asarray(y)
    total = np.zeros(len(own))
    m = len(orders[0])
    g = value_weights(kind, m, k)
    for order, label, weight in zip(orders, y_test, weights, strict=True):
        u = np.where(own[order] == label, 1.0 / k, 0.0)
        steps = np.diff(g) * u  # (g_l - g_{l-1}) u_l for l = 1 .. m
        total[order] += weight * np.array(
            [g[r] * u[r - 1] + steps[r:].sum() for r in range(1, m + 1)]
        )
    return np.asarray(total / weights.sum())
