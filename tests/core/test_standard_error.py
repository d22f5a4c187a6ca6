"""Standard errors over test points, against one matrix per test point from the definition."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from stiknn_core import interactions
from stiknn_core.comparing.standard_error import StandardErrors, split_halves, standard_errors
from stiknn_core.errors import ParameterError, ShapeError
from tests import naive

N, T = 7, 5


def table(seed: int, n: int) -> tuple[Any, list[str]]:
    """Rows on a small grid, so that many are equally far."""
    rng = np.random.default_rng(seed)
    return rng.integers(0, 3, size=(n, 2)), rng.choice(["a", "b"], size=n).tolist()


def one_by_one(alone: bool, index: str, ties: str, k: int = 2) -> tuple[Any, ...]:
    """Return the input, and the matrix of each test point over all subsets."""
    X, y = table(1, N)
    X_test, y_test = (None, None) if alone else table(2, T)
    groups = naive.tie_groups(X, X_test)
    assert any(len(set(row.tolist())) < len(row) for row in groups)  # there are ties
    judges = y if y_test is None else y_test
    matrices = [
        naive.reference(groups[p : p + 1], y, [judges[p]], k=k, index=index, ties=ties).matrix
        for p in range(len(judges))
    ]
    return (X, y, X_test, y_test), np.array(matrices)


def off_diagonal(stack: Any) -> Any:
    n = stack.shape[-1]
    return stack[..., ~np.eye(n, dtype=bool)]


@pytest.mark.parametrize("index", ["STII", "SII", "BII"])
@pytest.mark.parametrize("ties", ["expected", "index"])
@pytest.mark.parametrize("alone", [True, False])
def test_errors_are_those_of_the_matrices_of_single_test_points(
    index: Any, ties: Any, alone: bool
) -> None:
    inputs, matrices = one_by_one(alone, index, ties)
    found = standard_errors(*inputs, k=2, index=index, ties=ties)
    t = len(matrices)
    expected = matrices.std(axis=0, ddof=1) / np.sqrt(t)
    assert found.n_test == t
    np.testing.assert_allclose(off_diagonal(found.errors), off_diagonal(expected), atol=1e-9)
    np.testing.assert_allclose(
        off_diagonal(found.mean), off_diagonal(matrices.mean(axis=0)), atol=1e-12
    )
    assert np.isnan(np.diag(found.errors)).all()
    assert not found.errors.flags.writeable


@pytest.mark.parametrize("alone", [True, False])
def test_reliability_is_that_of_an_analysis_of_variance(alone: bool) -> None:
    inputs, matrices = one_by_one(alone, "STII", "expected")
    found = standard_errors(*inputs, k=2)
    x = matrices[:, *np.triu_indices(N, 1)]  # test points by pairs
    t, pairs = x.shape
    fitted = x.mean(axis=1, keepdims=True) + x.mean(axis=0, keepdims=True) - x.mean()
    between = t * x.mean(axis=0).var(ddof=1)
    residual = ((x - fitted) ** 2).sum() / ((t - 1) * (pairs - 1))
    assert found.spread == pytest.approx(x.mean(axis=0).std())
    assert found.noise**2 * pairs / (pairs - 1) == pytest.approx(residual / t)
    assert found.reliability == pytest.approx(max(0.0, 1 - residual / between), abs=1e-12)


def test_many_points_in_several_chunks_on_several_threads(rng: np.random.Generator) -> None:
    X, y = rng.normal(size=(67, 3)), rng.integers(0, 2, size=67)
    X_test, y_test = rng.normal(size=(300, 3)), rng.integers(0, 2, size=300)
    found = standard_errors(X, y, X_test, y_test, k=4, n_jobs=3)
    again = standard_errors(X, y, X_test, y_test, k=4, n_jobs=1)
    assert np.array_equal(found.errors, again.errors, equal_nan=True)
    single = np.array(
        [interactions(X, y, X_test[[p]], y_test[[p]], k=4, n_jobs=1).matrix for p in range(300)]
    )
    np.testing.assert_allclose(
        off_diagonal(found.errors), off_diagonal(single.std(axis=0, ddof=1) / np.sqrt(300))
    )


def test_more_test_points_are_asked_for_until_the_correlation_is_reached() -> None:
    found = StandardErrors(np.eye(2), np.eye(2), n_test=40, spread=2.0, noise=1.0)
    assert found.reliability == pytest.approx(0.75)
    for wanted in (0.5, 0.75, 0.95):
        assert found.expected_correlation(found.needed(wanted)) == pytest.approx(wanted)
    assert found.needed(0.75) == pytest.approx(40)
    drowned = StandardErrors(np.eye(2), np.eye(2), n_test=40, spread=1.0, noise=1.0)
    assert drowned.reliability == 0
    assert drowned.needed() == float("inf")
    alike = StandardErrors(np.eye(2), np.eye(2), n_test=40, spread=0.0, noise=0.0)
    assert np.isnan(alike.reliability)
    assert np.isnan(alike.needed())
    with pytest.raises(ParameterError, match="above 0 and below 1; got 1"):
        found.needed(1.0)


def test_the_expected_correlation_is_what_two_test_sets_show(rng: np.random.Generator) -> None:
    """The formula against matrices on test sets that have nothing in common."""
    X = rng.normal(size=(40, 2))
    y = (X[:, 0] > 0).astype(int)
    tests = rng.normal(size=(3000, 2))
    labels = (tests[:, 0] + 0.5 * rng.normal(size=3000) > 0).astype(int)
    told = standard_errors(X, y, tests[:600], labels[:600]).expected_correlation(200)
    upper = np.triu_indices(40, 1)
    pairs = [
        interactions(X, y, tests[a : a + 200], labels[a : a + 200]).matrix[upper]
        for a in range(0, 3000, 200)
    ]
    between = np.corrcoef(pairs)[np.triu_indices(len(pairs), 1)]
    assert 0.5 < told < 0.99  # so that a wrong formula would show
    assert np.mean(between) == pytest.approx(told, abs=0.03)


@pytest.mark.parametrize("ties", ["expected", "index"])
def test_halves_are_matrices_on_separate_test_points(ties: Any) -> None:
    X, y = table(3, 12)
    X_test, y_test = table(4, 33)
    found = split_halves(X, y, X_test, y_test, k=3, ties=ties, repeats=4, seed=7)
    assert found.sizes.tolist() == [8, 16]
    assert found.n_points == 12
    draws = np.random.default_rng(7)
    upper = np.triu_indices(12, 1)
    for column in range(4):
        drawn = draws.permutation(33)
        for row, size in enumerate((8, 16)):
            halves = [
                interactions(
                    X, y, X_test[rows], [y_test[int(p)] for p in rows], k=3, ties=ties
                ).matrix[upper]
                for rows in (drawn[:size], drawn[size : 2 * size])
            ]
            assert found.correlations[row, column] == pytest.approx(np.corrcoef(halves)[0, 1])


def test_halves_of_many_points_look_at_a_sample_of_pairs() -> None:
    X, y = table(5, 30)
    X_test, y_test = table(8, 20)
    found = split_halves(X, y, X_test, y_test, k=3, repeats=1, max_points=10, seed=2)
    assert found.n_points == 10
    draws = np.random.default_rng(2)
    points = np.sort(draws.permutation(30)[:10])
    drawn = draws.permutation(20)
    halves = [
        interactions(X, y, X_test[rows], [y_test[int(p)] for p in rows], k=3).matrix[
            np.ix_(points, points)
        ][np.triu_indices(10, 1)]
        for rows in (drawn[:10], drawn[10:])
    ]
    assert found.correlations[-1, 0] == pytest.approx(np.corrcoef(halves)[0, 1])


def test_progress_is_told_and_can_stop_it() -> None:
    X, y = table(6, 20)
    for work in (standard_errors, split_halves):
        told: list[tuple[int, int]] = []
        work(X, y, progress=lambda done, total, told=told: told.append((done, total)))
        assert told[0][0] == 0
        assert told[-1][0] == told[-1][1]
        assert [done for done, _ in told] == sorted(done for done, _ in told)

        def stop(done: int, total: int) -> None:
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            work(X, y, progress=stop)


def test_one_test_point_has_no_spread() -> None:
    X, y = table(1, 5)
    with pytest.raises(ShapeError, match="at least 2 test points; got 1"):
        standard_errors(X, y, X[:1], y[:1])
    with pytest.raises(ShapeError, match="got only 1"):
        split_halves(X, y, X[:1], y[:1])
