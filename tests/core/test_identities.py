"""What must hold at any size, tried on 500 points with ties, copies and three classes."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from stiknn_core import interactions, label_support, values
from stiknn_core.engine import neighbors
from stiknn_core.engine import threads as _threads
from tests import naive

N, T, K = 500, 60, 5
close = {"rtol": 0, "atol": 1e-12}
each_index = pytest.mark.parametrize("index", ["STII", "SII", "BII"])
each_ties = pytest.mark.parametrize("ties", ["expected", "index"])


@dataclass(frozen=True)
class Data:
    """Arguments of a call, and copies known to be in the training rows."""

    X: Any
    y: Any
    X_test: Any
    y_test: Any
    weights: Any
    copies: tuple[tuple[int, int], ...] = ((0, 100), (1, 200), (1, 300))

    def __call__(self, function: Any, **options: Any) -> Any:
        options = {"k": K, "sample_weight": self.weights, **options}
        return function(self.X, self.y, self.X_test, self.y_test, **options)


def make(leave_one_out: bool, grid: bool = True) -> Data:
    rng = np.random.default_rng(20)
    X = rng.normal(size=(N + T, 3))
    if grid:
        X[::2] = np.round(X[::2])  # every other row on a grid: many equal distances
    y = np.array(["ant", "bee", "cat"])[(X[:, 0] > 0).astype(int) + (X[:, 1] > 0.5)]
    for first, copy in Data.copies:
        X[copy], y[copy] = X[first], y[first]
    weights = rng.uniform(0.5, 2.0, size=T)
    if leave_one_out:
        return Data(X[:N], y[:N], None, None, None)
    return Data(X[:N], y[:N], X[N:], y[N:], weights)


@pytest.fixture(scope="module", params=["test set", "leave-one-out"])
def data(request: pytest.FixtureRequest) -> Data:
    return make(request.param == "leave-one-out")


def off_diagonal(matrix: naive.FloatArray) -> naive.FloatArray:
    return matrix - np.diag(np.diag(matrix))


@pytest.mark.slow
def test_the_data_has_ties_and_copies(data: Data) -> None:
    result = data(interactions)
    assert 10 < result.tied_test_points <= result.n_test
    assert result.evaluation == ("leave-one-out" if data.X_test is None else "test set")
    for first, copy in data.copies:
        np.testing.assert_array_equal(data.X[first], data.X[copy])


@each_ties
def test_efficiency(data: Data, ties: str) -> None:
    """The diagonal and one triangle of the STII matrix share out v(N)."""
    result = data(interactions, ties=ties)
    triangle = np.triu(result.matrix).sum()
    assert triangle == pytest.approx(result.likelihood, abs=1e-10)
    assert 0.3 < result.likelihood <= 1.0
    assert result.values.sum() == pytest.approx(result.likelihood, abs=1e-10)


@each_ties
@each_index
def test_values_three_ways(data: Data, index: str, ties: str) -> None:
    result = data(interactions, index=index, ties=ties)
    kind = "banzhaf" if index == "BII" else "shapley"
    np.testing.assert_allclose(result.values, data(values, kind=kind, ties=ties), **close)
    if index == "STII":
        halves = np.diag(result.matrix) + off_diagonal(result.matrix).sum(axis=1) / 2
        np.testing.assert_allclose(result.values, halves, **close)
    else:
        np.testing.assert_allclose(result.values, np.diag(result.matrix), **close)


@each_ties
@each_index
def test_exact_symmetry(data: Data, index: str, ties: str) -> None:
    matrix = data(interactions, index=index, ties=ties).matrix
    assert np.array_equal(matrix, matrix.T)
    assert np.isfinite(matrix).all()
    assert np.abs(off_diagonal(matrix)).max() > 0


@each_ties
def test_threads_change_no_bit(data: Data, ties: str) -> None:
    one, two, all_of_them = (
        (
            data(interactions, ties=ties, n_jobs=jobs),
            data(values, ties=ties, n_jobs=jobs),
            data(label_support, ties=ties, n_jobs=jobs),
        )
        for jobs in (1, 2, -1)
    )
    for other in (two, all_of_them):
        assert np.array_equal(one[0].matrix, other[0].matrix)
        assert np.array_equal(one[0].values, other[0].values)
        assert one[0].likelihood == other[0].likelihood
        assert np.array_equal(one[1], other[1])
        assert np.array_equal(one[2].support, other[2].support)


@pytest.mark.slow
@each_ties
@pytest.mark.parametrize(("chunk", "block"), [(1, 16), (7, 3), (10**6, 10**6)])
def test_the_chunk_size_changes_nothing(
    data: Data, ties: str, chunk: int, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, support = data(interactions, ties=ties), data(label_support, ties=ties).support
    assert before.n_test < 10**6
    monkeypatch.setattr(_threads, "CHUNK", chunk)
    monkeypatch.setattr(neighbors, "BLOCK", block)
    after = data(interactions, ties=ties)
    np.testing.assert_allclose(after.matrix, before.matrix, **close)
    np.testing.assert_allclose(after.values, before.values, **close)
    assert after.likelihood == pytest.approx(before.likelihood, abs=1e-12)
    assert after.tied_test_points == before.tied_test_points
    np.testing.assert_allclose(data(label_support, ties=ties).support, support, **close)
    steps: list[int] = []
    data(interactions, progress=lambda done, total: steps.append(done))
    assert len(steps) == 1 + -(-before.n_test // chunk)  # so the knob is the right one


@each_index
def test_shuffling_the_training_rows(data: Data, index: str) -> None:
    order = np.random.default_rng(1).permutation(N)
    weights = data.weights
    shuffled = Data(data.X[order], data.y[order], data.X_test, data.y_test, weights)
    result, again = data(interactions, index=index), shuffled(interactions, index=index)
    np.testing.assert_allclose(again.matrix, result.matrix[np.ix_(order, order)], **close)
    np.testing.assert_allclose(again.values, result.values[order], **close)
    np.testing.assert_allclose(
        shuffled(label_support).support, data(label_support).support[order], **close
    )
    assert again.tied_test_points == result.tied_test_points


def test_shuffling_matters_when_position_breaks_ties(data: Data) -> None:
    """Otherwise the test above would show nothing."""
    order = np.random.default_rng(1).permutation(N)
    shuffled = Data(data.X[order], data.y[order], data.X_test, data.y_test, data.weights)
    result, again = data(interactions, ties="index"), shuffled(interactions, ties="index")
    assert np.abs(again.matrix - result.matrix[np.ix_(order, order)]).max() > 1e-6


def test_shuffling_the_test_rows() -> None:
    data = make(leave_one_out=False)
    order = np.random.default_rng(2).permutation(T)
    shuffled = Data(data.X, data.y, data.X_test[order], data.y_test[order], data.weights[order])
    np.testing.assert_allclose(shuffled(interactions).matrix, data(interactions).matrix, **close)


@each_ties
def test_renaming_the_labels(data: Data, ties: str) -> None:
    """New names in another alphabetical order: only the names change."""
    names = {"ant": 30, "bee": 10, "cat": 20}
    y = np.array([names[label] for label in data.y])
    y_test = None if data.y_test is None else np.array([names[label] for label in data.y_test])
    renamed = Data(data.X, y, data.X_test, y_test, data.weights)
    result, again = data(interactions, ties=ties), renamed(interactions, ties=ties)
    np.testing.assert_allclose(again.matrix, result.matrix, **close)
    assert again.classes == (10, 20, 30)
    assert again.labels.tolist() == y.tolist()


@each_index
def test_copies_have_equal_rows(data: Data, index: str) -> None:
    result = data(interactions, index=index)
    for first, copy in data.copies:
        others = np.setdiff1d(np.arange(N), [first, copy])
        np.testing.assert_allclose(
            result.matrix[first, others], result.matrix[copy, others], **close
        )
        assert result.values[first] == pytest.approx(result.values[copy], abs=1e-12)
        assert result.matrix[first, first] == pytest.approx(result.matrix[copy, copy], abs=1e-12)


def test_a_test_point_without_weight_is_not_there() -> None:
    data = make(leave_one_out=False)
    weights = data.weights.copy()
    weights[::3] = 0.0
    kept = weights > 0
    fewer = Data(data.X, data.y, data.X_test[kept], data.y_test[kept], weights[kept])
    result = data(interactions, sample_weight=weights)
    np.testing.assert_allclose(result.matrix, fewer(interactions).matrix, **close)
    assert result.likelihood == pytest.approx(fewer(interactions).likelihood, abs=1e-12)


def test_only_the_ratio_of_weights_counts() -> None:
    data = make(leave_one_out=False)
    np.testing.assert_allclose(
        data(interactions, sample_weight=data.weights * 1000.0).matrix,
        data(interactions).matrix,
        **close,
    )


@pytest.mark.slow
@pytest.mark.parametrize("k", [1, 2, 50, N - 1, N, N + 1, 10**6])
@each_index
def test_against_the_plain_formula(index: str, k: int) -> None:
    """All ranks at 500 points, where no two distances are equal."""
    data = make(leave_one_out=False, grid=False)
    if k not in (50, N):
        data = Data(data.X, data.y, data.X_test[:7], data.y_test[:7], data.weights[:7])
    X = data.X + np.linspace(0, 1e-3, N)[:, None]  # no copies either
    orders = naive.nearest_first(X, data.X_test)
    result = interactions(
        X, data.y, data.X_test, data.y_test, k=k, index=index, sample_weight=data.weights
    )
    assert result.tied_test_points == 0
    ref = naive.formula_matrix(orders, data.y, data.y_test, k=k, index=index, weights=data.weights)
    np.testing.assert_allclose(off_diagonal(result.matrix), ref, **close)
    kind = "banzhaf" if index == "BII" else "shapley"
    ref_values = naive.formula_values(
        orders, data.y, data.y_test, k=k, kind=kind, weights=data.weights
    )
    np.testing.assert_allclose(result.values, ref_values, **close)
    if k >= N:
        assert not off_diagonal(result.matrix).any()


# Progress and cancelling.


def functions() -> list[Any]:
    return [interactions, values, label_support]


@pytest.mark.parametrize("function", functions(), ids=lambda f: f.__name__)
def test_progress_goes_up_to_the_total(data: Data, function: Any) -> None:
    seen: list[tuple[int, int]] = []
    with_progress = data(function, progress=lambda done, total: seen.append((done, total)))
    assert seen
    done, totals = [step[0] for step in seen], {step[1] for step in seen}
    assert len(totals) == 1
    assert done[-1] == totals.pop()
    assert all(a < b for a, b in pairwise(done))
    assert done[0] >= 0
    without = data(function)
    for name in ("matrix", "support"):
        if hasattr(without, name):
            assert np.array_equal(getattr(with_progress, name), getattr(without, name))


class StopError(Exception):
    """Not an error of the package: what a caller raises to cancel."""


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("function", functions(), ids=lambda f: f.__name__)
def test_an_exception_in_progress_stops_the_work(data: Data, function: Any, jobs: int) -> None:
    before = data(function)

    def stop(done: int, total: int) -> None:
        raise StopError

    with pytest.raises(StopError):
        data(function, progress=stop, n_jobs=jobs)
    after = data(function)  # nothing half made stays behind
    for name in ("matrix", "support"):
        if hasattr(before, name):
            assert np.array_equal(getattr(before, name), getattr(after, name))


def test_two_threads_at_once(data: Data) -> None:
    """As two browser sessions do."""
    other = make(leave_one_out=data.X_test is not None)
    alone = [data(interactions).matrix, other(interactions).matrix]
    with ThreadPoolExecutor(2) as pool:
        jobs = [pool.submit(problem, interactions, n_jobs=2) for problem in (data, other) * 3]
        for position, job in enumerate(jobs):
            assert np.array_equal(job.result().matrix, alone[position % 2])


def test_the_input_is_left_alone(data: Data) -> None:
    arrays = [a for a in (data.X, data.y, data.X_test, data.y_test, data.weights) if a is not None]
    before = [array.copy() for array in arrays]
    result = data(interactions)
    for array, copy in zip(arrays, before, strict=True):
        assert np.array_equal(array, copy)
        assert not np.shares_memory(array, result.matrix)
        assert array.flags.writeable
