"""Keys of 64 bits: no sum of them runs over, and rounding is as fine as promised.

Promised (docs/architecture.md): whatever the weights, a pair is right within 1e-13 of the largest
one, and the pairs add up to the likelihood within 1e-11.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from stiknn_core import interactions
from stiknn_core.engine.packing import largest_coefficient, packing
from stiknn_core.engine.threads import CHUNK
from stiknn_core.games import index_of
from stiknn_core.types import Index
from tests import naive


@pytest.mark.parametrize("n", [1, 2, 600, 2044, 4000, 2**17, 10**7])
@pytest.mark.parametrize("largest", [1.0, 1 / 3, 1e-9, 5e-300, 0.0])
def test_bounds(n: int, largest: float) -> None:
    chosen = packing(n, largest)
    units = round(largest / chosen.step) + 1
    half = 2 ** (chosen.bits - 1)
    assert units < half, "a coefficient would run into the ranks"
    assert CHUNK * (half + units) < 2**63, "a sum would overflow"
    last = ((n + 1) << chosen.bits) + half + units
    assert last < 2**63
    as_double = np.array([1 << chosen.bits, last], np.int64).view(np.float64)
    assert np.isfinite(as_double).all()
    assert 0 < as_double[0] < as_double[1]
    assert np.log2(chosen.step) == int(np.log2(chosen.step))
    if n <= 2044 and largest > 1e-200:
        assert chosen.step <= largest * 2.0**-50


@pytest.mark.parametrize("index", ["STII", "SII", "BII"])
@pytest.mark.parametrize("k", [1, 2, 3, 9])
def test_bound_on_coefficients(index: Index, k: int) -> None:
    """Against every way to set eight labels, for every rank."""
    n = 8
    w = index_of(index).pair_weights(n, k)
    largest = 0.0
    for u in itertools.product([0.0, 1.0], repeat=n):
        for m in range(1, n + 1):  # u[m - 1] is that of rank m
            tail = sum((w[r] - w[r + 1]) * u[r - 1] for r in range(m + 1, n + 1))
            largest = max(largest, abs(-w[m + 1] * u[m - 1] + tail))
    assert largest <= largest_coefficient(w) <= 2 * largest


@pytest.mark.parametrize("ties", [False, True])
def test_weights_of_all_sizes(ties: bool) -> None:
    """Light test points beside heavy ones, in one chunk of keys."""
    rng = np.random.default_rng(3)
    X, X_test = rng.normal(size=(9, 2)), rng.normal(size=(5, 2))
    if ties:
        X, X_test = np.round(X), np.round(X_test)
    y, y_test = (rng.integers(0, 2, size=size).tolist() for size in (9, 5))
    weights = [1.0, 1e-5, 1e-13, 1e-200, 0.0]
    result = interactions(X, y, X_test, y_test, k=2, sample_weight=weights)
    groups = naive.tie_groups(X, X_test)
    assert (max(np.bincount(row).max() for row in groups) > 1) == ties
    ref = naive.reference(groups, y, y_test, k=2, index="STII", weights=weights)
    np.testing.assert_allclose(result.matrix, ref.matrix, rtol=0, atol=1e-14)


def by_algorithm_1(order: Any, right: Any, weights: Any, k: int, wanted: Any) -> Any:
    """Pairs among ``wanted`` points by the recursion of the paper, in extended precision.

    order (t, n): training points, nearest first; right (t, n) bool: whether their label fits.
    """
    t, n = order.shape
    out = np.zeros((len(wanted), len(wanted)), dtype=np.longdouble)
    total = np.sum(weights.astype(np.longdouble))
    for p in range(t):
        u = right[p][order[p]].astype(np.longdouble) / k
        phi = np.zeros(n + 1, dtype=np.longdouble)  # by the rank of the farther point, from 1
        phi[n] = -2 * np.longdouble(max(n - k, 0)) / (np.longdouble(n) * (n - 1)) * u[n - 1]
        for j in range(n, 2, -1):
            fall = 2 * np.longdouble(max(j - k - 1, 0)) / (np.longdouble(j - 2) * (j - 1))
            phi[j - 1] = phi[j] + fall * (u[j - 1] - u[j - 2])
        rank = np.empty(n, dtype=np.int64)
        rank[order[p]] = np.arange(1, n + 1)
        own = rank[wanted]
        out += weights[p] / total * phi[np.maximum.outer(own, own)]
    np.fill_diagonal(out, 0)
    return out


WEIGHTS: dict[str, Callable[[Any, int], Any]] = {
    "equal": lambda _, t: np.ones(t),
    "one of 1e4": lambda _, t: np.r_[1e4, np.ones(t - 1)],
    "three of 1e4": lambda _, t: np.r_[np.ones(t - 3), 1e4, 1e4, 1e4],
    "one of 1e12": lambda _, t: np.r_[1e12, np.ones(t - 1)],
    "lognormal": lambda rng, t: np.exp(3 * rng.normal(size=t)),
    "of all sizes": lambda rng, t: 10.0 ** rng.choice([-300.0, -12.0, 0.0, 12.0], t),
}


@pytest.mark.parametrize("kind", WEIGHTS)
@pytest.mark.parametrize(
    ("n", "t", "k"), [(40, 7, 1), (40, 7, 30), (300, 300, 5), (2000, 128, 1), (2000, 128, 5)]
)
def test_the_promise_holds_for_any_weights(kind: str, n: int, t: int, k: int) -> None:
    rng = np.random.default_rng(n + t + k)
    distances = rng.random((t, n)).argsort(axis=1).astype(float)
    y, y_test = rng.integers(0, 2, n), rng.integers(0, 2, t)
    few = n // 20  # copies with one label: their order does not matter for pairs of others
    distances[:, :few] = distances[:, few : 2 * few]
    y[:few] = y[few : 2 * few]
    weights = WEIGHTS[kind](rng, t)
    found = interactions(distances, y, None, y_test, k=k, metric="precomputed",
                         sample_weight=weights)  # fmt: skip
    order = distances.argsort(axis=1, kind="stable")
    wanted = np.sort(rng.permutation(np.arange(2 * few, n))[:200])
    ref = by_algorithm_1(order, y_test[:, None] == y, weights, k, wanted)
    pairs = np.triu(found.matrix, 1)
    given = found.matrix[np.ix_(wanted, wanted)].copy()
    np.fill_diagonal(given, 0)
    assert np.abs(given - ref).max() <= 1e-13 * np.abs(pairs).max()
    whole = pairs.sum(dtype=np.longdouble) + np.trace(found.matrix)
    assert abs(whole - found.likelihood) <= 1e-11
