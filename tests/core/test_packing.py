"""Keys of 64 bits: no sum of them runs over, and rounding is as fine as promised."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from stiknn_core import interactions
from stiknn_core.engine.indices import pair_weights
from stiknn_core.engine.packing import largest_coefficient, packing
from stiknn_core.types import Index
from tests import naive


@pytest.mark.parametrize("n", [1, 2, 600, 2045, 4000, 2**17, 10**7])
@pytest.mark.parametrize("t", [1, 256, 10_000])
@pytest.mark.parametrize("largest", [1.0, 1 / 3, 1e-9, 5e-300, 0.0])
def test_bounds(n: int, t: int, largest: float) -> None:
    chosen = packing(n, t, largest)
    units = round(largest / chosen.step) + 1
    assert units * t < 2 ** (chosen.bits - 1), "a sum would run into the ranks"
    last = ((n + 1) << chosen.bits) + units
    assert last < 2**63
    as_double = np.array([1 << chosen.bits, last], np.int64).view(np.float64)
    assert np.isfinite(as_double).all()
    assert 0 < as_double[0] < as_double[1]
    assert np.log2(chosen.step) == int(np.log2(chosen.step))
    if n <= 4000 and t <= 256 and largest > 1e-200:
        assert chosen.step <= largest * 2.0**-41


@pytest.mark.parametrize("index", ["STII", "SII", "BII"])
@pytest.mark.parametrize("k", [1, 2, 3, 9])
def test_bound_on_coefficients(index: Index, k: int) -> None:
    """Against every way to set eight labels, for every rank."""
    n = 8
    w = pair_weights(index, n, k)
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
