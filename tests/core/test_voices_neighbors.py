"""Field reports on neighbours and distances, as inputs with what must come out.

The names B01 .. B14 are the numbers of the reports this project collected.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from stiknn_core import FeatureError, ParameterError, ShapeError, interactions
from tests import naive

close = {"rtol": 0, "atol": 1e-12}


class TestB01EqualDistances:
    X = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))
    y = ("a", "b", "a", "b")

    def test_lower_position_first(self) -> None:
        result = interactions(self.X, self.y, [[0.0, 0.0]], ["a"], k=1, ties="index")
        ref = np.array([[3, 1, -2, 0], [1, 0, -2, 0], [-2, -2, 3, 0], [0, 0, 0, 0]]) / 3
        np.testing.assert_allclose(result.matrix, ref, **close)
        assert result.ties == "index"

    def test_by_default_the_order_of_rows_does_not_count(self) -> None:
        result = interactions(self.X, self.y, [[0.0, 0.0]], ["a"], k=1)
        assert result.ties == "expected"
        again = interactions(self.X[::-1], self.y[::-1], [[0.0, 0.0]], ["a"], k=1)
        np.testing.assert_allclose(again.matrix[::-1, ::-1], result.matrix, **close)
        assert result.values[0] == pytest.approx(result.values[2], abs=1e-15)
        assert result.matrix[0, 1] == pytest.approx(result.matrix[2, 3], abs=1e-15)

    def test_the_ties_are_counted(self) -> None:
        tests = [[0.0, 0.0], [2.0, 0.1], [5.0, 5.0]]
        # the second test point has no tie; the third has two pairs of both labels
        result = interactions(self.X, self.y, tests, ["a", "a", "b"], k=1)
        assert result.tied_test_points == 2

    def test_ties_of_one_label_are_not_counted(self) -> None:
        result = interactions([[1.0], [-1.0], [5.0]], ["a", "a", "b"], [[0.0]], ["a"], k=1)
        assert result.tied_test_points == 0

    @pytest.mark.parametrize("ties", ["expected", "index"])
    def test_relabelling_changes_nothing(self, ties: Any) -> None:
        one = interactions(self.X, ["a", "b", "a", "b"], [[0.0, 0.0]], ["a"], k=1, ties=ties)
        two = interactions(self.X, ["z", "b", "z", "b"], [[0.0, 0.0]], ["z"], k=1, ties=ties)
        np.testing.assert_array_equal(one.matrix, two.matrix)


class TestB02Copies:
    def test_copies_with_one_label(self) -> None:
        for X in ([[0.0], [1.0], [1.0], [2.0]],):
            for ties in ("expected", "index"):
                result = interactions(X, ["a", "b", "b", "a"], [[0.0]], ["a"], k=1, ties=ties)
                ref = np.array([[6, 1, 1, -3], [1, 0, 1, -3], [1, 1, 0, -3], [-3, -3, -3, 6]]) / 6
                np.testing.assert_allclose(result.matrix, ref, **close)

    def test_all_rows_are_copies(self) -> None:
        result = interactions(np.ones((6, 2)), list("ababab"), k=2)
        np.testing.assert_allclose(result.values[::2], result.values[0], **close)
        assert result.tied_test_points == 6


class TestB03ContradictingCopies:
    X = ((0.0,), (1.0,), (1.0,), (2.0,))

    def test_lower_position_first(self) -> None:
        result = interactions(self.X, ["a", "a", "b", "a"], [[0.0]], ["a"], k=1, ties="index")
        ref = np.array([[6, -5, 1, -3], [-5, 6, 1, -3], [1, 1, 0, -3], [-3, -3, -3, 6]]) / 6
        np.testing.assert_allclose(result.matrix, ref, **close)
        assert result.tied_test_points == 1

    def test_expected_is_the_mean_of_both_orders(self) -> None:
        first = interactions(self.X, ["a", "a", "b", "a"], [[0.0]], ["a"], k=1, ties="index")
        other = interactions(self.X, ["a", "b", "a", "a"], [[0.0]], ["a"], k=1, ties="index")
        swap = [0, 2, 1, 3]
        mean = (first.matrix + other.matrix[np.ix_(swap, swap)]) / 2
        result = interactions(self.X, ["a", "a", "b", "a"], [[0.0]], ["a"], k=1)
        np.testing.assert_allclose(result.matrix, mean, **close)
        assert np.abs(first.matrix - mean).max() > 0.1


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int64, np.int16])
def test_b04_small_differences_of_large_numbers(dtype: Any) -> None:
    X = np.array([[10003], [10002], [10001], [10004]], dtype=dtype)
    result = interactions(X, ["a", "b", "a", "b"], np.array([[10000]], dtype=dtype), ["b"], k=1)
    ref = np.array([[0, 1, 1, -3], [1, 6, -5, -3], [1, -5, 0, -3], [-3, -3, -3, 6]]) / 6
    np.testing.assert_allclose(result.matrix, ref, **close)
    assert result.matrix.dtype == np.float64


class TestB05EpochMilliseconds:
    start = 1_700_000_000_000
    X = np.array([[8], [3], [5], [1]]) + start
    ref = np.array([[0, 0, 0, 0], [0, 1, 0, -1], [0, 0, 0, 0], [0, -1, 0, 1]])

    def test_one_column(self) -> None:
        result = interactions(self.X, ["a", "b", "a", "b"], [[self.start]], ["b"], k=1)
        np.testing.assert_allclose(result.matrix, self.ref, **close)
        assert result.tied_test_points == 0

    @pytest.mark.parametrize("metric", ["euclidean", "manhattan", "chebyshev"])
    @pytest.mark.parametrize("columns", [3, 40])
    def test_many_columns(self, metric: Any, columns: int) -> None:
        """However a faster route is chosen, the differences must survive."""
        X = np.tile(self.X.astype(float), columns)
        tests = np.full((30, columns), float(self.start))
        result = interactions(X, ["a", "b", "a", "b"], tests, ["b"] * 30, k=1, metric=metric)
        np.testing.assert_allclose(result.matrix, self.ref, **close)

    def test_leave_one_out(self) -> None:
        X = self.X.astype(float)
        shifted = interactions(X, ["a", "b", "a", "b"], k=1)
        plain = interactions(X - self.start, ["a", "b", "a", "b"], k=1)
        np.testing.assert_array_equal(shifted.matrix, plain.matrix)
        assert shifted.tied_test_points == plain.tied_test_points


class TestB06MissingFeatures:
    rows = (
        (1.0, 2.0),
        (np.nan, 3.0),
        (4.0, np.nan),
        (5.0, 1.0),
        (np.nan, np.nan),
        (np.inf, 2.0),
        (6.5, 0.5),
    )
    y = ("a", "a", "b", "b", "a", "b", "a")

    def test_blank_and_infinite_cells_are_named(self) -> None:
        frame = pd.DataFrame(self.rows, columns=["x1", "x2"])
        with pytest.raises(FeatureError) as caught:
            interactions(frame, self.y, k=1)
        text = str(caught.value)
        assert "4 missing values and 1 infinite value" in text
        assert "rows 1, 2, 4 and 5 (counted from 0)" in text
        assert "columns x1 and x2" in text
        assert text.endswith("Fill or drop them first.")

    def test_on_the_test_side(self) -> None:
        with pytest.raises(FeatureError, match=r"X_test has 1 missing value in row 1 "):
            interactions([[0.0], [1.0]], ["a", "b"], [[0.0], [np.nan]], ["a", "b"], k=1)

    @pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
    def test_one_cell(self, bad: float) -> None:
        with pytest.raises(FeatureError, match=r"1 (missing|infinite) value in row 2 .*column 0\b"):
            interactions([[0.0], [1.0], [bad]], ["a", "b", "a"], k=1)


class TestB08ZeroRowsUnderCosine:
    X = ((1.0, 0.0), (0.0, 0.0), (0.9, 0.1), (0.0, 1.0))
    y = ("a", "b", "a", "b")

    def test_in_training(self) -> None:
        with pytest.raises(
            FeatureError, match=r"cosine.*; X has 1 zero row \(row 1, counted from 0"
        ):
            interactions(self.X, self.y, [[1.0, 0.0]], ["a"], k=1, metric="cosine")

    def test_in_test(self) -> None:
        X = [[1.0, 0.0], [0.5, 0.5], [0.9, 0.1], [0.0, 1.0]]
        with pytest.raises(FeatureError, match=r"cosine.*; X_test has 1 zero row \(row 1, counted"):
            interactions(X, self.y, [[1.0, 0.0], [0.0, 0.0]], ["a", "b"], k=1, metric="cosine")

    def test_other_metrics_take_them(self) -> None:
        assert np.isfinite(interactions(self.X, self.y, k=1).matrix).all()


class TestTiesAndRounding:
    """Rounding noise neither makes nor breaks a tie."""

    def grid(self) -> tuple[Any, Any, Any, Any]:
        rng = np.random.default_rng(11)
        X, X_test = rng.integers(1, 5, size=(40, 2)), rng.integers(1, 5, size=(10, 2))
        return X, rng.choice(["a", "b"], size=40), X_test, rng.choice(["a", "b"], size=10)

    @pytest.mark.parametrize("metric", ["euclidean", "manhattan", "chebyshev"])
    @pytest.mark.parametrize(
        ("factor", "offset"), [(0.1, 0.3), (1 / 3, -7.7), (1e-9, 0.0), (1e9, 1e9), (1e-3, 12.3)]
    )
    def test_a_scaled_grid(self, metric: Any, factor: float, offset: float) -> None:
        X, y, X_test, y_test = self.grid()
        plain = interactions(X, y, X_test, y_test, k=3, metric=metric)
        assert plain.tied_test_points == 10
        scaled = interactions(
            X * factor + offset, y, X_test * factor + offset, y_test, k=3, metric=metric
        )
        np.testing.assert_allclose(scaled.matrix, plain.matrix, **close)
        assert scaled.tied_test_points == plain.tied_test_points
        loo, loo_scaled = (
            interactions(rows, y, k=3, metric=metric) for rows in (X, X * factor + offset)
        )
        np.testing.assert_allclose(loo_scaled.matrix, loo.matrix, **close)

    def test_parallel_rows_under_cosine(self) -> None:
        X, y, X_test, y_test = self.grid()
        rng = np.random.default_rng(12)
        plain = interactions(X, y, X_test, y_test, k=3, metric="cosine")
        stretched = interactions(
            X * rng.uniform(0.1, 9, size=(40, 1)), y, X_test * 0.7, y_test, k=3, metric="cosine"
        )
        assert plain.tied_test_points > 0
        np.testing.assert_allclose(stretched.matrix, plain.matrix, **close)

    def test_all_rows_parallel_under_cosine(self) -> None:
        """Every true distance is 0, so whatever is computed is rounding noise."""
        rng = np.random.default_rng(13)
        X = np.outer(rng.uniform(0.1, 9, size=12), [0.3, 0.7, 1.1])
        y = list("ab" * 6)
        result = interactions(X, y, [[0.9, 2.1, 3.3]], ["a"], k=2, metric="cosine")
        same_place = interactions(np.ones((12, 1)), y, [[1.0]], ["a"], k=2)
        np.testing.assert_allclose(result.matrix, same_place.matrix, **close)

    @pytest.mark.parametrize("metric", ["euclidean", "manhattan", "chebyshev"])
    def test_all_rows_in_one_place(self, metric: Any) -> None:
        """Here the largest distance of the row is 0 or noise as well."""
        X = np.full((12, 3), 0.1)
        y = list("ab" * 6)
        result = interactions(X, y, [[0.1, 0.1, 0.1]], ["a"], k=2, metric=metric)
        assert result.tied_test_points == 1
        np.testing.assert_allclose(result.values[::2], result.values[0], **close)

    def test_close_is_not_equal(self) -> None:
        X = [[1.0], [1.0001], [1.0002]]
        result = interactions(X, ["a", "b", "a"], [[0.0]], ["a"], k=1)
        assert result.tied_test_points == 0

    @pytest.mark.parametrize("far", [1e3, 1e6])
    def test_an_outlier_does_not_tie_the_others(self, far: float) -> None:
        """The tolerance grows with the largest distance, yet 1e-2 apart is apart."""
        X = [[1.0], [1.01], [1.02], [far]]
        result = interactions(X, ["a", "b", "a", "b"], [[0.0]], ["a"], k=1)
        assert result.tied_test_points == 0


@pytest.mark.parametrize("size", [1e-200, 1e200])
def test_extreme_scales_do_not_under_or_overflow(size: float) -> None:
    """Squares of such numbers are 0 or inf in float64; distances are not."""
    X, y = np.array([[1.0], [2.0], [4.0], [7.0]]), ["a", "b", "a", "b"]
    plain = interactions(X, y, [[0.0]], ["a"], k=1)
    scaled = interactions(X * size, y, [[0.0]], ["a"], k=1)
    np.testing.assert_allclose(scaled.matrix, plain.matrix, **close)


@pytest.mark.parametrize("metric", ["mahalanobis", "haversine", "l2", "", None, 3])
def test_b10_b11_metrics_that_are_not_offered(metric: Any) -> None:
    with pytest.raises(ParameterError, match="metric") as caught:
        interactions([[0.0], [1.0]], ["a", "b"], k=1, metric=metric)
    for known in ("euclidean", "manhattan", "chebyshev", "cosine", "precomputed", repr(metric)):
        assert known in str(caught.value)


@pytest.mark.slow
def test_b13_thousands_of_columns() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(300, 2000)), rng.integers(0, 2, size=300)
    steps: list[int] = []
    result = interactions(X, y, k=5, progress=lambda done, total: steps.append(done))
    assert steps
    ref = naive.formula_matrix(naive.nearest_first(X, None), y, y, k=5)
    np.testing.assert_allclose(result.matrix - np.diag(np.diag(result.matrix)), ref, **close)


class TestB14OwnDistances:
    D = np.array([[0.1, 0.5, 0.9, 0.3], [0.8, 0.2, 0.4, 0.6]])
    y = ("a", "b", "a", "b")
    y_test = ("a", "b")

    def call(self, D: Any, **options: Any) -> Any:
        return interactions(D, self.y, y_test=self.y_test, k=1, metric="precomputed", **options)

    def test_the_given_matrix(self) -> None:
        ref = np.array([[6, 1, -3, 1], [1, 6, -1, -3], [-3, -1, 6, -7], [1, -3, -7, 6]]) / 12
        result = self.call(self.D)
        np.testing.assert_allclose(result.matrix, ref, **close)
        assert result.n_train == 4
        assert result.n_test == 2
        assert result.metric == "precomputed"

    def test_transposed(self) -> None:
        with pytest.raises(ShapeError, match=r"here \(2, 4\); got \(4, 2\)\. It may be transposed"):
            self.call(self.D.T)

    @pytest.mark.parametrize("bad", [-0.5, np.nan, np.inf])
    def test_a_bad_cell_is_named(self, bad: float) -> None:
        D = self.D.copy()
        D[1, 2] = bad
        with pytest.raises(
            FeatureError, match=r"not negative; 1 cell is not.*row 1, column 2"
        ) as e:
            self.call(D)
        assert f"({bad:g})" in str(e.value)

    def test_leave_one_out_takes_a_square(self) -> None:
        points = np.array([0.0, 1.0, 2.5, 4.5, 7.0])
        D = np.abs(points[:, None] - points[None, :])
        y = ["a", "a", "b", "a", "b"]
        own = interactions(D, y, k=2, metric="precomputed")
        plain = interactions(points[:, None], y, k=2)
        np.testing.assert_allclose(own.matrix, plain.matrix, **close)
        assert own.evaluation == "leave-one-out"
        with pytest.raises(ShapeError):
            interactions(D[:3], y, k=2, metric="precomputed")

    def test_the_diagonal_does_not_count_in_leave_one_out(self) -> None:
        """Nobody judges itself, so what stands there is free."""
        points = np.array([0.0, 1.0, 2.5, 4.5, 7.0])
        D = np.abs(points[:, None] - points[None, :])
        y = ["a", "a", "b", "a", "b"]
        plain = interactions(D, y, k=2, metric="precomputed")
        odd = interactions(D + np.diag([9, 0, 3, 1e9, 1]), y, k=2, metric="precomputed")
        np.testing.assert_array_equal(odd.matrix, plain.matrix)


class TestMetrics:
    """Each metric against plain NumPy distances handed in as precomputed."""

    def distances(self, X: Any, X_test: Any, metric: str) -> Any:
        gaps = X_test[:, None, :] - X[None, :, :]
        if metric == "euclidean":
            return np.sqrt((gaps**2).sum(axis=2))
        if metric == "manhattan":
            return np.abs(gaps).sum(axis=2)
        if metric == "chebyshev":
            return np.abs(gaps).max(axis=2)
        norms = np.linalg.norm(X_test, axis=1)[:, None] * np.linalg.norm(X, axis=1)[None, :]
        return 1 - X_test @ X.T / norms

    @pytest.mark.parametrize("metric", ["euclidean", "manhattan", "chebyshev", "cosine"])
    @pytest.mark.parametrize("columns", [2, 33])
    def test_same_as_precomputed(self, metric: Any, columns: int) -> None:
        rng = np.random.default_rng(columns)
        X, y = rng.normal(size=(90, columns)), rng.integers(0, 3, size=90)
        X_test, y_test = rng.normal(size=(25, columns)), rng.integers(0, 3, size=25)
        comp = interactions(X, y, X_test, y_test, k=4, metric=metric)
        D = self.distances(X, X_test, metric)
        ref = interactions(D, y, y_test=y_test, k=4, metric="precomputed")
        np.testing.assert_allclose(comp.matrix, ref.matrix, **close)

    def test_they_differ(self) -> None:
        rng = np.random.default_rng(3)
        X, y = rng.normal(size=(40, 3)), rng.integers(0, 2, size=40)
        matrices = [
            interactions(X, y, k=3, metric=metric).matrix
            for metric in ("euclidean", "manhattan", "chebyshev", "cosine")
        ]
        for i, one in enumerate(matrices):
            for other in matrices[:i]:
                assert np.abs(one - other).max() > 1e-6
