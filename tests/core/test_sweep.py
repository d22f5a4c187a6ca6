"""Many k at once, against a call for each."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from stiknn_core import interactions
from stiknn_core.comparing.sweep import sweep_k
from stiknn_core.errors import ParameterError

KS = (1, 2, 3, 5, 9)


def table(rng: np.random.Generator, n: int, grid: bool) -> tuple[Any, Any]:
    X = rng.normal(size=(n, 2))
    return (np.round(X) if grid else X), rng.integers(0, 3, size=n)


@pytest.mark.parametrize("index", ["STII", "SII", "BII"])
@pytest.mark.parametrize("grid", [True, False])
@pytest.mark.parametrize("alone", [True, False])
def test_a_sweep_is_what_separate_calls_give(
    rng: np.random.Generator, index: Any, grid: bool, alone: bool
) -> None:
    data = table(rng, 40, grid)
    tests = (None, None) if alone else table(rng, 25, grid)
    found = sweep_k(*data, *tests, ks=KS[::-1], index=index)
    results = [interactions(*data, *tests, k=k, index=index) for k in KS]
    pairs = np.array([one.matrix[np.triu_indices(40, 1)] for one in results])
    assert found.ks.tolist() == list(KS)
    assert found.n_pairs == 780
    np.testing.assert_allclose(found.correlation, np.corrcoef(pairs), atol=1e-10)
    np.testing.assert_allclose(
        found.value_correlation, np.corrcoef([one.values for one in results]), atol=1e-10
    )
    np.testing.assert_allclose(found.spread, pairs.std(axis=1), rtol=1e-10)
    np.testing.assert_allclose(found.mean, pairs.mean(axis=1), rtol=1e-10)


@pytest.mark.parametrize("grid", [True, False])
def test_bands_of_rows_change_nothing_but_digits(rng: np.random.Generator, grid: bool) -> None:
    data = table(rng, 150, grid)
    whole = sweep_k(*data, ks=KS)
    told: list[int] = []
    # The pairs of 64 rows and five k take 4 * 5 * 64 * 117 bytes and more: three bands.
    parts = sweep_k(*data, ks=KS, max_bytes=1, progress=lambda done, total: told.append(total))
    assert set(told) == {3 * len(KS)}
    assert not np.array_equal(parts.correlation, whole.correlation)  # it did go another way
    np.testing.assert_allclose(parts.correlation, whole.correlation, atol=1e-6)
    np.testing.assert_allclose(parts.spread, whole.spread, rtol=1e-6)


def test_where_all_pairs_are_zero_there_is_nothing_to_correlate(rng: np.random.Generator) -> None:
    data = table(rng, 8, False)
    found = sweep_k(*data, ks=(3, 8))
    assert not interactions(*data, k=8).matrix[np.triu_indices(8, 1)].any()
    assert found.spread[1] == 0
    assert np.isnan(found.correlation[0, 1])
    assert found.correlation[0, 0] == 1.0


def test_an_exception_of_progress_stops_it(rng: np.random.Generator) -> None:
    def stop(done: int, total: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sweep_k(*table(rng, 20, False), ks=KS, progress=stop)


@pytest.mark.parametrize("ks", [(), (3, 3), (0,), (2.5,)])
def test_impossible_ks_are_refused(rng: np.random.Generator, ks: Any) -> None:
    with pytest.raises(ParameterError, match=r"different numbers|integer of at least 1"):
        sweep_k(*table(rng, 20, False), ks=ks)
