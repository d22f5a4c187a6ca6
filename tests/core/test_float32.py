"""The matrix in float32: half the memory, nearly the same numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stiknn_core import Interactions, ParameterError, interactions

N, T = 120, 700  # three chunks of test points: what is rounded in between adds up


def table(ties: str, rows: int, seed: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 2))
    if ties == "few":
        X[::4] = np.round(X[::4])
    elif ties == "many":
        X = np.round(X)
    return X, rng.integers(0, 3, size=rows)


def pairs_of(result: Interactions) -> Any:
    pairs = result.matrix.astype(np.float64)
    np.fill_diagonal(pairs, 0.0)
    return pairs


@pytest.mark.parametrize("ties", ["none", "few", "many"])
@pytest.mark.parametrize("leave_one_out", [False, True])
def test_error_is_as_documented(ties: str, leave_one_out: bool) -> None:
    data = table(ties, T if leave_one_out else N, seed=1)
    data = data if leave_one_out else (*data, *table(ties, T, seed=2))
    exact, rounded = interactions(*data), interactions(*data, dtype="float32")
    assert (exact.tied_test_points > T // 2) == (ties != "none")
    assert (exact.matrix.dtype, rounded.matrix.dtype) == (np.float64, np.float32)
    assert 2 * rounded.matrix.nbytes == exact.matrix.nbytes
    error = np.abs(pairs_of(rounded) - pairs_of(exact))
    largest = np.abs(pairs_of(exact)).max()
    assert 0 < error.max() < 3e-7 * largest
    assert np.sqrt((error**2).mean()) < 6e-8 * largest
    diagonal = np.diag(exact.matrix)
    np.testing.assert_allclose(np.diag(rounded.matrix), diagonal, rtol=1e-7, atol=0)
    assert np.array_equal(rounded.matrix, rounded.matrix.T)
    assert np.array_equal(rounded.values, exact.values)
    assert rounded.values.dtype == np.float64
    assert rounded.likelihood == exact.likelihood


def test_threads_change_no_bit() -> None:
    data = (*table("few", N, seed=1), *table("few", T, seed=2))
    one, two = (interactions(*data, dtype="float32", n_jobs=jobs) for jobs in (1, 2))
    assert np.array_equal(one.matrix, two.matrix)


def test_it_stays_float32(tmp_path: Path) -> None:
    train = table("none", N, seed=1)
    first, second = (
        interactions(*train, *table("none", 9, seed=seed), dtype="float32") for seed in (2, 3)
    )
    first.save(tmp_path / "r.npz")
    back = Interactions.load(tmp_path / "r.npz")
    assert back.matrix.dtype == np.float32
    assert np.array_equal(back.matrix, first.matrix)
    assert (first.to_dataframe().dtypes == np.float32).all()
    joint = back.merged_with(second)
    assert joint.matrix.dtype == np.float32
    mean = (first.matrix.astype(np.float64) + second.matrix) / 2
    np.testing.assert_allclose(joint.matrix, mean, rtol=0, atol=2e-7 * np.abs(mean).max())


def test_merged_with_float64_it_becomes_float64() -> None:
    train = table("none", N, seed=1)
    rounded = interactions(*train, *table("none", 9, seed=2), dtype="float32")
    exact = interactions(*train, *table("none", 9, seed=3))
    mean = (rounded.matrix.astype(np.float64) + exact.matrix) / 2
    for joint in (rounded.merged_with(exact), exact.merged_with(rounded)):
        assert joint.matrix.dtype == np.float64
        np.testing.assert_allclose(joint.matrix, mean, rtol=0, atol=1e-15)


@pytest.mark.parametrize("dtype", ["float16", None, np.float32])
def test_other_types_are_refused(dtype: Any) -> None:
    with pytest.raises(ParameterError, match=r"dtype must be one of 'float64', 'float32'; got "):
        interactions([[0.0], [1.0]], [0, 1], dtype=dtype)
