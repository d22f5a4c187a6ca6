"""Field reports on values and the API, as inputs with what must come out.

The names A01 .. A21 are the numbers of the reports this project collected. Their exact
matrices were computed over all subsets, ties going to the lower training position.
"""

from __future__ import annotations

import tracemalloc
import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest

from stiknn_core import (
    Interactions,
    LabelError,
    ParameterError,
    ShapeError,
    StiknnWarning,
    interactions,
)

close = {"rtol": 0, "atol": 1e-12}
LINE = [[0.0], [1.0], [2.0], [3.0], [4.0]]
LABELS = ["a", "b", "a", "a", "b"]
BOTH_ENDS = [[-1.0], [5.0]]


def twelfths(*rows: list[int]) -> Any:
    return np.array(rows) / 12


A01 = twelfths(
    [3, -1, -1, -1, 0],
    [-1, 3, -2, -2, -1],
    [-1, -2, 3, -1, 0],
    [-1, -2, -1, 3, 0],
    [0, -1, 0, 0, 3],
)


class TestA01SeveralTestPoints:
    """One test point must not leak into the next."""

    def test_the_given_matrix(self) -> None:
        result = interactions(LINE, LABELS, BOTH_ENDS, ["a", "b"], k=2, ties="index")
        np.testing.assert_allclose(result.matrix, A01, **close)
        assert np.trace(result.matrix) == pytest.approx(5 / 4)
        assert np.triu(result.matrix, 1).sum() == pytest.approx(-3 / 4)
        assert result.likelihood == pytest.approx(1 / 2)

    def test_it_is_the_mean_of_the_two(self) -> None:
        left = interactions(LINE, LABELS, BOTH_ENDS[:1], ["a"], k=2)
        right = interactions(LINE, LABELS, BOTH_ENDS[1:], ["b"], k=2)
        np.testing.assert_allclose((left.matrix + right.matrix) / 2, A01, **close)
        assert np.abs(left.matrix - right.matrix).max() > 0.1

    def test_in_either_order(self) -> None:
        swapped = interactions(LINE, LABELS, BOTH_ENDS[::-1], ["b", "a"], k=2)
        np.testing.assert_allclose(swapped.matrix, A01, **close)


class TestA03FewerPointsThanNeighbours:
    """k >= n: all pairs exactly 0, the diagonal 1/k, never 1/35 from the printed recursion."""

    @pytest.mark.parametrize("k", [5, 7])
    def test_pairs_are_zero(self, k: int) -> None:
        result = interactions(LINE, LABELS, [[-1.0]], ["b"], k=k)
        np.testing.assert_array_equal(result.matrix, np.diag([0, 1 / k, 0, 0, 1 / k]))
        assert result.likelihood == pytest.approx(2 / k)

    def test_leave_one_out_has_one_point_less(self) -> None:
        at_n_minus_1 = interactions(LINE, LABELS, k=4).matrix
        assert not (at_n_minus_1 - np.diag(np.diag(at_n_minus_1))).any()
        below = interactions(LINE, LABELS, k=3).matrix
        assert (below - np.diag(np.diag(below))).any()


class TestA04ClassOnlyAmongTestPoints:
    def test_it_counts_and_contributes_zeros(self) -> None:
        with pytest.warns(StiknnWarning, match=r"z.*\b1\b"):
            result = interactions(LINE, LABELS, [[-1.0], [-1.0]], ["z", "a"], k=2)
        ref = twelfths(
            [3, -1, -1, -1, 0],
            [-1, 0, -1, -1, 0],
            [-1, -1, 3, -1, 0],
            [-1, -1, -1, 3, 0],
            [0, 0, 0, 0, 0],
        )
        np.testing.assert_allclose(result.matrix, ref, **close)
        assert result.absent_classes == ("z",)
        assert result.n_test == 2
        assert result.likelihood == pytest.approx(1 / 4)

    def test_no_absent_class_no_warning(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            result = interactions(LINE, LABELS, BOTH_ENDS, ["a", "b"], k=2)
        assert result.absent_classes == ()

    def test_the_warning_counts_the_test_points(self) -> None:
        tests = [[-1.0], [0.5], [1.5], [2.5]]
        with pytest.warns(StiknnWarning) as caught:
            result = interactions(LINE, LABELS, tests, ["z", "a", "z", "q"], k=2)
        text = " ".join(str(warning.message) for warning in caught)
        assert "z" in text
        assert "q" in text
        assert "2" in text or "3" in text
        assert sorted(result.absent_classes) == ["q", "z"]


def test_a05_one_class_only() -> None:
    result = interactions(LINE, ["a"] * 5, [[-1.0]], ["a"], k=2)
    ref = np.full((5, 5), -3 / 20)
    np.fill_diagonal(ref, 1 / 2)
    np.testing.assert_allclose(result.matrix, ref, **close)
    assert result.classes == ("a",)


SPELLINGS: dict[str, tuple[Any, Any, tuple[Any, Any]]] = {
    "int": ([0, 1, 0, 0, 1], [0, 1], (0, 1)),
    "str": (["no", "yes", "no", "no", "yes"], ["no", "yes"], ("no", "yes")),
    "bool": ([False, True, False, False, True], [False, True], (False, True)),
    "float": ([0.0, 1.0, 0.0, 0.0, 1.0], [0.0, 1.0], (0.0, 1.0)),
    "negative": ([-1, 1, -1, -1, 1], [-1, 1], (-1, 1)),
}
CONTAINERS: dict[str, Any] = {
    "list": list,
    "array": np.array,
    "object array": lambda y: np.array(y, dtype=object),
    "series": pd.Series,
    "category": lambda y: pd.Series(y, dtype="category"),
    "categorical": pd.Categorical,
    "index": pd.Index,
}


class TestA06SpellingsOfTheSameLabels:
    @pytest.mark.parametrize("container", CONTAINERS)
    @pytest.mark.parametrize("spelling", SPELLINGS)
    def test_same_matrix_and_names_come_back(self, spelling: str, container: str) -> None:
        y, y_test, names = SPELLINGS[spelling]
        wrap = CONTAINERS[container]
        result = interactions(LINE, wrap(y), BOTH_ENDS, wrap(y_test), k=2)
        np.testing.assert_allclose(result.matrix, A01, **close)
        assert result.classes == names
        assert [type(name) for name in result.classes] == [type(name) for name in names]
        assert list(result.labels) == y

    @pytest.mark.parametrize("dtype", ["Int64", "string", "boolean", "Float64", "int8"])
    def test_nullable_and_small_types(self, dtype: str) -> None:
        values: dict[str, list[Any]] = {
            "string": ["no", "yes", "no", "no", "yes"],
            "boolean": [False, True, False, False, True],
        }
        y = values.get(dtype, [0, 1, 0, 0, 1])
        result = interactions(
            LINE, pd.Series(y, dtype=dtype), BOTH_ENDS, pd.Series(y[:2], dtype=dtype), k=2
        )
        np.testing.assert_allclose(result.matrix, A01, **close)
        assert list(result.labels) == y

    def test_unused_categories_are_not_classes(self) -> None:
        y = pd.Categorical(LABELS, categories=["c", "b", "a"])
        assert set(interactions(LINE, y, BOTH_ENDS, ["a", "b"], k=2).classes) == {"a", "b"}


class TestA07MixedLabels:
    def test_numbers_in_training_text_in_test(self) -> None:
        with pytest.raises(LabelError, match=r"y holds numbers.*y_test holds text \(such as '0'\)"):
            interactions(LINE, [0, 1, 0, 0, 1], BOTH_ENDS, ["0", "1"], k=2)

    def test_numbers_and_text_in_one_list(self) -> None:
        with pytest.raises(LabelError, match=r"y mixes 3 × numbers, 2 × text\. Convert"):
            interactions(LINE, [0, "1", 0, "0", 1], k=2)


class TestA08MeasuredTarget:
    def test_decimals_are_refused(self) -> None:
        X = [[float(i)] for i in range(8)]
        y = [0.37, 1.82, 2.05, 2.9, 3.33, 4.1, 5.75, 6.02]
        with pytest.raises(
            LabelError, match=r"for classes.*8 different values in 8 rows.*0\.37.*Bin"
        ):
            interactions(X, y, [[2.5]], [2.2], k=3)

    def test_whole_floats_are_classes(self) -> None:
        X = [[float(i)] for i in range(8)]
        y = [0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0]
        assert interactions(X, y, k=3).classes == (0.0, 1.0)


@pytest.mark.parametrize("nothing", [float("nan"), None, pd.NA, pd.NaT], ids=str)
class TestA09MissingLabels:
    """How many are missing, and where; never a class called nan."""

    def test_in_training(self, nothing: Any) -> None:
        y = ["a", "b", nothing, "a", "b"]
        with pytest.raises(
            LabelError, match=r"y has none in 1 of 5 rows \(row 2, counted from 0\)"
        ):
            interactions(LINE, y, BOTH_ENDS, ["a", "b"], k=2)

    def test_in_test(self, nothing: Any) -> None:
        with pytest.raises(LabelError, match=r"y_test has none in 1 of 2 rows \(row 1, counted"):
            interactions(LINE, LABELS, BOTH_ENDS, ["a", nothing], k=2)

    def test_several_in_a_series(self, nothing: Any) -> None:
        y = pd.Series(["a", nothing, "b", nothing, "b"], dtype=object)
        with pytest.raises(
            LabelError, match=r"in 2 of 5 rows \(rows 1 and 3, counted from 0\)\. Fill"
        ):
            interactions(LINE, y, k=2)


class TestA10FramesWithAnIndex:
    ref = np.array(
        [
            [1 / 2, -1 / 6, -1 / 6, -1 / 6, 0],
            [-1 / 6, 0, -1 / 6, -1 / 6, 0],
            [-1 / 6, -1 / 6, 1 / 2, -1 / 6, 0],
            [-1 / 6, -1 / 6, -1 / 6, 1 / 2, 0],
            [0, 0, 0, 0, 0],
        ]
    )

    @pytest.mark.parametrize("index", [[10, 20, 30, 40, 50], [0, 2, 3, 7, 9], list("vwxyz")])
    def test_any_index(self, index: list[Any]) -> None:
        X = pd.DataFrame(LINE, columns=["f"], index=index)
        y = pd.Series(LABELS, index=index)
        result = interactions(X, y, pd.DataFrame([[-1.0]], columns=["f"]), ["a"], k=2)
        np.testing.assert_allclose(result.matrix, self.ref, **close)
        assert list(result.ids) == index

    def test_another_order_of_the_index_is_refused(self) -> None:
        X = pd.DataFrame(LINE, columns=["f"], index=[10, 20, 30, 40, 50])
        y = pd.Series(["b", "a", "a", "b", "a"], index=[50, 40, 30, 20, 10])
        with pytest.raises(LabelError, match="index"):
            interactions(X, y, pd.DataFrame([[-1.0]], columns=["f"]), ["a"], k=2)

    def test_labels_without_an_index_go_by_position(self) -> None:
        X = pd.DataFrame(LINE, columns=["f"], index=[10, 20, 30, 40, 50])
        result = interactions(X, LABELS, [[-1.0]], ["a"], k=2)
        np.testing.assert_allclose(result.matrix, self.ref, **close)

    def test_the_same_for_test_frames(self) -> None:
        X_test = pd.DataFrame([[-1.0], [5.0]], index=["p", "q"])
        with pytest.raises(LabelError, match="index"):
            interactions(LINE, LABELS, X_test, pd.Series(["b", "a"], index=["q", "p"]), k=2)


class TestA11AddingUpPartialResults:
    def test_merged_equals_one_run(self) -> None:
        one = interactions(LINE, LABELS, [[-1.0]], ["a"], k=2)
        two = interactions(LINE, LABELS, [[5.0], [5.0]], ["b", "b"], k=2)
        merged = one.merged_with(two)
        whole = interactions(LINE, LABELS, [[-1.0], [5.0], [5.0]], ["a", "b", "b"], k=2)
        weighted = interactions(LINE, LABELS, BOTH_ENDS, ["a", "b"], k=2, sample_weight=[1, 2])
        for ref in (whole, weighted):
            np.testing.assert_allclose(merged.matrix, ref.matrix, **close)
            np.testing.assert_allclose(merged.values, ref.values, **close)
            assert merged.likelihood == pytest.approx(ref.likelihood)
        assert merged.n_test == 3

    def test_different_training_sets_refuse(self) -> None:
        one = interactions(LINE, LABELS, [[-1.0]], ["a"], k=2)
        other_rows = interactions(LINE[:4], LABELS[:4], [[-1.0]], ["a"], k=2)
        other_labels = interactions(LINE, [*LABELS[:4], "a"], [[-1.0]], ["a"], k=2)
        for other in (other_rows, other_labels):
            with pytest.raises(ParameterError, match="only on one training set"):
                one.merged_with(other)

    def test_other_settings_refuse(self) -> None:
        one = interactions(LINE, LABELS, [[-1.0]], ["a"], k=2)
        with pytest.raises(ParameterError, match=r"\bk\b"):
            one.merged_with(interactions(LINE, LABELS, [[5.0]], ["b"], k=3))
        with pytest.raises(ParameterError, match="index"):
            one.merged_with(interactions(LINE, LABELS, [[5.0]], ["b"], k=2, index="SII"))


def test_a12_no_stack_of_matrices() -> None:
    """n=1500, t=200: the result is 18 MB, a stack over test points would be 3.6 GB."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(1500, 2)), rng.integers(0, 2, size=1500)
    X_test, y_test = rng.normal(size=(200, 2)), rng.integers(0, 2, size=200)
    interactions(X[:50], y[:50], X_test[:3], y_test[:3])  # compiles first
    tracemalloc.start()
    try:
        result = interactions(X, y, X_test, y_test, k=5)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert result.matrix.nbytes == 18_000_000
    assert result.matrix.nbytes <= peak < 5 * result.matrix.nbytes


@pytest.mark.parametrize("n_jobs", [2, -1])
def test_a14_workers_change_nothing(n_jobs: int) -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 2)), rng.integers(0, 3, size=60)
    X_test, y_test = rng.normal(size=(20, 2)), rng.integers(0, 3, size=20)
    one = interactions(X, y, X_test, y_test, k=4, n_jobs=1)
    many = interactions(X, y, X_test, y_test, k=4, n_jobs=n_jobs)
    np.testing.assert_array_equal(many.matrix, one.matrix)
    np.testing.assert_array_equal(many.matrix, many.matrix.T)


class TestA17TheWorkedExample:
    def test_the_given_matrix(self) -> None:
        result = interactions(LINE[:4], [0, 1, 0, 1], [[-1.0]], [1], k=2)
        ref = np.zeros((4, 4))
        ref[3, :] = ref[:, 3] = -1 / 6
        ref[1, 1] = ref[3, 3] = 1 / 2
        np.testing.assert_allclose(result.matrix, ref, **close)
        assert result.likelihood == pytest.approx(1 / 2)

    def test_one_sixth_never_occurs(self) -> None:
        """Over all 16 labelings a pair is 0 or -1/6, never the printed +1/6."""
        seen = set()
        for labels in range(16):
            y = [(labels >> bit) & 1 for bit in range(4)]
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", StiknnWarning)  # class 1 absent once
                matrix = interactions(LINE[:4], y, [[-1.0]], [1], k=2).matrix
            seen |= set(np.round(matrix[np.triu_indices(4, 1)] * 6).astype(int).tolist())
            assert np.abs(matrix * 6 - np.round(matrix * 6)).max() < 1e-12
        assert seen == {0, -1}


class TestA18TinyInputs:
    def test_two_points(self) -> None:
        result = interactions([[0.0], [1.0]], ["b", "a"], [[0.0]], ["a"], k=1)
        np.testing.assert_allclose(result.matrix, [[0, -1], [-1, 1]], **close)

    @pytest.mark.parametrize("index", ["STII", "SII", "BII"])
    @pytest.mark.parametrize("k", [1, 3])
    def test_one_point(self, index: str, k: int) -> None:
        result = interactions([[0.0]], ["a"], [[3.0]], ["a"], k=k, index=index)
        np.testing.assert_allclose(result.matrix, [[1 / k]], **close)
        np.testing.assert_allclose(result.values, [1 / k], **close)

    def test_no_training_point(self) -> None:
        with pytest.raises(ShapeError, match=r"y must hold at least one label; it is empty\."):
            interactions(np.empty((0, 1)), [], [[0.0]], ["a"], k=1)

    def test_no_test_point(self) -> None:
        with pytest.raises(ShapeError, match=r"X_test must have at least one row; it has none\."):
            interactions([[0.0], [1.0]], ["b", "a"], np.empty((0, 1)), [], k=1)

    def test_one_point_cannot_judge_itself(self) -> None:
        needs = r"Leave-one-out testing needs at least 2 rows; got 1\. Add"
        with pytest.raises(ShapeError, match=needs):
            interactions([[0.0]], ["a"], k=1)


def test_a19_raw_signed_numbers() -> None:
    result = interactions(LINE, LABELS, [[-1.0]], ["a"], k=1)
    ref = np.array(
        [
            [2, 1, -1, -1, 0],
            [1, 0, -1, -1, 0],
            [-1, -1, 2, -1, 0],
            [-1, -1, -1, 2, 0],
            [0, 0, 0, 0, 0],
        ]
    )
    np.testing.assert_allclose(result.matrix, ref / 2, **close)


def test_a20_the_metric_does_not_depend_on_the_columns() -> None:
    X = np.array([[1, 0, 0], [2, 0, 0], [0, 3, 0], [0, 0.5, 0], [4, 4, 0]])
    test = np.array([[1.4, 0.2, 0]])
    y = ["a", "a", "b", "b", "a"]
    three = interactions(X, y, test, ["a"], k=2)
    four = interactions(
        np.column_stack([X, np.zeros(5)]), y, np.column_stack([test, [0.0]]), ["a"], k=2
    )
    np.testing.assert_array_equal(three.matrix, four.matrix)
    assert three.metric == four.metric == "euclidean"


class TestA21NoTestSet:
    def test_no_point_judges_itself(self) -> None:
        """Two far groups; a point alone in its class gets no credit from itself."""
        result = interactions([[0.0], [1.0], [9.0]], ["a", "a", "b"], k=1)
        assert result.evaluation == "leave-one-out"
        assert result.n_test == 3
        assert result.matrix[2, 2] == 0
        assert isinstance(result, Interactions)

    def test_training_rows_as_test_rows_are_announced(self) -> None:
        X = [[0.0], [1.0], [9.0]]
        with pytest.warns(StiknnWarning, match=r"(?i)3.*training"):
            result = interactions(X, ["a", "a", "b"], X, ["a", "a", "b"], k=1)
        assert result.evaluation == "test set"
        assert result.matrix[2, 2] == pytest.approx(1 / 3)
