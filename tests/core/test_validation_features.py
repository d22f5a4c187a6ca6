"""Bad features, indexes and distances are refused in one plain sentence."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from stiknn_core import (
    FeatureError,
    LabelError,
    ParameterError,
    ShapeError,
    StiknnError,
    StiknnWarning,
    interactions,
)
from tests.refusals import FUNCTIONS, X_TEST, Y_TEST, X, frame, refused, y


class TestShapesOfFeatures:
    def test_one_dimension(self) -> None:
        for flat in ([0, 1, 2, 3], np.arange(4), pd.Series([0, 1, 2, 3])):
            match = r"X must have two dimensions .*got shape \(4,\).*reshape\(-1, 1\)"
            refused(ShapeError, match, flat, y)

    @pytest.mark.parametrize("table", [None, 3.0, np.zeros((4, 1, 1)), {"a": 1}], ids=repr)
    def test_other_dimensions(self, table: Any) -> None:
        refused(ShapeError, r"X must have two dimensions .*got shape \(", table, y)

    def test_rows_of_different_length(self) -> None:
        refused(ShapeError, "X must be a table with rows of equal length", [[1], [1, 2]] * 2, y)

    @pytest.mark.parametrize("table", [np.empty((4, 0)), pd.DataFrame(index=range(4))])
    def test_no_column(self, table: Any) -> None:
        refused(ShapeError, "X must have at least one feature column; it has none", table, y)

    def test_no_row(self) -> None:
        refused(ShapeError, "X must have at least one row; it has none", np.empty((0, 2)), y)
        refused(ShapeError, "X_test must have at least one row", X, y, np.empty((0, 1)), ["a"])

    def test_leave_one_out_with_one_row(self) -> None:
        match = r"Leave-one-out testing needs at least 2 rows; got 1\. Add rows, or pass X_test"
        refused(ShapeError, match, [[1.0]], ["a"])

    def test_half_a_test_set(self) -> None:
        match = "X_test and y_test go together; got X_test without y_test.*Leave both out"
        refused(ParameterError, match, X, y, X_TEST)
        match = "X_test and y_test go together; got y_test without X_test"
        refused(ParameterError, match, X, y, y_test=Y_TEST)

    @pytest.mark.parametrize("kind", [sparse.csr_matrix, sparse.csc_array, sparse.coo_array])
    def test_sparse(self, kind: Any) -> None:
        refused(FeatureError, r"X must be a dense table.*toarray\(\)", kind(np.array(X)), y)
        refused(FeatureError, r"X_test must be a dense", X, y, kind(np.array(X_TEST)), Y_TEST)


class TestKindsOfFeatures:
    @pytest.mark.parametrize(
        "column",
        [
            list("wxyz"),
            pd.date_range("2020-01-01", periods=4),
            pd.to_timedelta([1, 2, 3, 4], unit="D"),
            pd.Categorical([1, 2, 1, 2]),
            pd.period_range("2020-01-01", periods=4, freq="D"),
        ],
        ids=["text", "datetime", "timedelta", "category", "period"],
    )
    def test_columns_that_are_no_numbers(self, column: Any) -> None:
        table = frame(fine=[1.0, 2.0, 3.0, 4.0], odd=column)
        match = r"Features must be numbers; X has 1 other column \(odd\)\. Encode or leave out"
        refused(FeatureError, match, table, y)

    def test_several_columns_are_named(self) -> None:
        table = frame(p=list("wxyz"), q=[1, 2, 3, 4], r=list("wxyz"))
        refused(FeatureError, r"X has 2 other columns \(p and r\)", table, y)

    @pytest.mark.parametrize(
        "table",
        [
            [["w"], ["x"], ["y"], ["z"]],
            np.array([["1"], ["2"], ["3"], ["4"]]),
            np.array([["1"], [2], [3], [4]], dtype=object),
            np.array(X) + 1j,
            np.array([["2020-01-01"]] * 4, dtype="datetime64[D]"),
            np.array([[pd.Timestamp("2020-01-01")]] * 4, dtype=object),
        ],
        ids=["text", "digits", "digits among objects", "complex", "dates", "timestamps"],
    )
    def test_arrays_that_are_no_numbers(self, table: Any) -> None:
        refused(FeatureError, r"Features must be numbers; X holds", table, y)

    @pytest.mark.parametrize(
        "table",
        [
            np.array(X, dtype=object),
            np.array(X, dtype=np.float32),
            np.array(X, dtype=np.int8),
            frame(f=pd.array([0, 1, 2, 3], dtype="Int64")),
            frame(f=pd.array([0, 1, 2, 3], dtype="Float64")),
            frame(f=pd.array([0, 1, 2, 3], dtype="uint8")),
            np.asfortranarray(np.array(X)),
            np.array(X)[::-1][::-1],
        ],
        ids=["object", "float32", "int8", "Int64", "Float64", "uint8", "fortran", "view"],
    )
    def test_any_numeric_type(self, table: Any) -> None:
        np.testing.assert_array_equal(
            interactions(table, y, k=1).matrix, interactions(X, y, k=1).matrix
        )

    @pytest.mark.parametrize(
        "table",
        [
            frame(f=[True, False, True, False], g=[False, False, True, True]),
            frame(f=pd.array([True, False, True, False], dtype="boolean"), g=[0, 0, 1, 1]),
            np.array([[True, False], [False, False], [True, True], [False, True]]),
        ],
        ids=["bool frame", "boolean frame", "bool array"],
    )
    def test_booleans_count_as_0_and_1(self, table: Any) -> None:
        ref = interactions([[1, 0], [0, 0], [1, 1], [0, 1]], y, k=1)
        np.testing.assert_array_equal(interactions(table, y, k=1).matrix, ref.matrix)

    def test_numbers_too_large_for_a_float(self) -> None:
        refused(FeatureError, "Features must be", [[10**400], [1], [2], [3]], y)


class TestGapsInFeatures:
    def test_counts_rows_and_columns(self) -> None:
        table = frame(p=[0.0, np.nan, np.nan, 3.0], q=[1.0, np.inf, 2.0, 3.0], r=[1, 2, 3, 4])
        match = (
            r"Features must be finite numbers; X has 2 missing values and 1 infinite value in "
            r"rows 1 and 2 \(counted from 0\), columns p and q\. Fill or drop them first\."
        )
        refused(FeatureError, match, table, y)

    @pytest.mark.parametrize("nothing", [None, pd.NA, pd.NaT, float("nan")], ids=str)
    def test_any_way_to_write_nothing(self, nothing: Any) -> None:
        table = np.array([[0], [1], [nothing], [3]], dtype=object)
        refused(FeatureError, r"1 missing value in row 2 .*column 0\b", table, y)

    @pytest.mark.parametrize("dtype", ["Int64", "Float64", "boolean"])
    def test_nullable_columns(self, dtype: str) -> None:
        table = frame(f=pd.array([0, None, 1, 1], dtype=dtype))
        refused(FeatureError, r"1 missing value in row 1 .*column f\b", table, y)

    def test_masked_arrays(self) -> None:
        table = np.ma.array(X, mask=[[False], [True], [False], [False]])
        refused(FeatureError, r"1 missing value in row 1 ", table, y)

    def test_in_the_test_set(self) -> None:
        match = r"X_test has 1 infinite value in row 0 .*column 0\b"
        refused(FeatureError, match, X, y, [[-np.inf], [1.0]], Y_TEST)


class TestColumnsOfTrainingAndTest:
    train = frame(p=[0.0, 1.0, 2.0, 3.0], q=[5.0, 0.5, 9.0, 2.0])
    test = frame(p=[0.4, 7.2], q=[4.0, 2.0])

    def test_matched_by_name(self) -> None:
        ref = interactions(self.train, y, self.test, Y_TEST, k=1)
        swapped = interactions(self.train, y, self.test[["q", "p"]], Y_TEST, k=1)
        np.testing.assert_array_equal(swapped.matrix, ref.matrix)
        by_position = interactions(self.train, y, self.test[["q", "p"]].to_numpy(), Y_TEST, k=1)
        assert np.abs(by_position.matrix - ref.matrix).max() > 0  # so the match does matter

    @pytest.mark.parametrize(
        ("test", "match"),
        [
            (frame(p=[1.0, 2.0]), r"it lacks q\."),
            (frame(p=[1.0, 2.0], q=[1.0, 2.0], z=[0.0, 0.0]), r"it has z besides\."),
            (frame(p=[1.0, 2.0], z=[0.0, 0.0]), r"it lacks q and has z besides\."),
            (frame(P=[1.0, 2.0], q=[0.0, 0.0]), r"it lacks p and has P besides\."),
        ],
        ids=["one less", "one more", "another", "upper case"],
    )
    def test_different_columns(self, test: Any, match: str) -> None:
        match = "X_test must have the columns of X; " + match + " Rename"
        refused(FeatureError, match, self.train, y, test, Y_TEST)

    def test_arrays_of_different_width(self) -> None:
        match = r"same features; X has 1 column and X_test has 2\b"
        refused(FeatureError, match, X, y, [[1.0, 2.0]] * 2, Y_TEST)

    def test_repeated_names(self) -> None:
        """Nothing tells repeated columns apart but their position."""
        train, test = self.train.copy(), self.test.copy()
        train.columns = test.columns = ["p", "p"]
        ref = interactions(self.train, y, self.test, Y_TEST, k=1)
        comp = interactions(train, y, test, Y_TEST, k=1)
        np.testing.assert_array_equal(comp.matrix, ref.matrix)
        with pytest.raises(FeatureError):
            interactions(train, y, test.iloc[:, [0, 1, 1]], Y_TEST, k=1)


class TestIndexes:
    def test_features_and_labels_with_another_index(self) -> None:
        table = pd.DataFrame(X, index=list("pqrs"))
        match = r"X and y must have the same index.*y\.loc\[X\.index\].*y\.to_numpy\(\)"
        for labels in (pd.Series(y), pd.Series(y, index=list("qprs")), pd.DataFrame({"l": y})):
            refused(LabelError, match, table, labels)

    def test_the_remedies_in_the_message_work(self) -> None:
        table = pd.DataFrame(X, index=list("pqrs"))
        labels = pd.Series(y[::-1], index=list("srqp"))
        ref = interactions(X, y, k=1).matrix
        comp = interactions(table, labels.loc[table.index], k=1).matrix
        np.testing.assert_array_equal(comp, ref)
        by_position = interactions(table, labels.to_numpy(), k=1).matrix
        np.testing.assert_array_equal(by_position, interactions(X, y[::-1], k=1).matrix)

    @pytest.mark.parametrize(
        "index",
        [list("pqrs"), [7, 3, 5, 9], [2**63 + 5, 2, 3, 1], [0.5, 1.5, 2.5, 3.5]],
        ids=["text", "numbers", "huge numbers", "decimals"],
    )
    def test_ids_are_what_the_rows_are_called(self, index: list[Any]) -> None:
        table = pd.DataFrame(X, index=index)
        result = interactions(table, y, k=1)
        assert [str(name) for name in result.ids] == [str(name) for name in index]

    @pytest.mark.parametrize("dtype", ["Int64", "string", "object"])
    def test_a_row_without_a_name(self, dtype: str) -> None:
        index = pd.Index(
            [None, 3, 5, 9] if dtype == "Int64" else [None, "3", "5", "9"], dtype=dtype
        )
        result = interactions(pd.DataFrame(X, index=index), y, k=1)
        assert [str(name) for name in result.ids[1:]] == ["3", "5", "9"]


class TestPrecomputed:
    D = np.array([[0.1, 0.5, 0.9, 0.3], [0.8, 0.2, 0.4, 0.6]])

    def refused(self, error: type[Exception], match: str, D: Any, **options: Any) -> None:
        refused(error, match, D, y, metric="precomputed", **options)

    def test_shapes(self) -> None:
        here = r"one row per test point and one column per training point, here \(2, 4\); got "
        self.refused(ShapeError, here + r"\(4, 2\)\. It may be transposed", self.D.T, y_test=Y_TEST)
        self.refused(ShapeError, here + r"\(2, 3\)\.", self.D[:, :3], y_test=Y_TEST)
        self.refused(ShapeError, r"here \(4, 4\); got \(2, 4\)", self.D)

    @pytest.mark.parametrize("bad", [-1e-9, np.nan, np.inf])
    def test_cells(self, bad: float) -> None:
        D = self.D.copy()
        D[0, 3] = D[1, 1] = bad
        match = r"finite and not negative; 2 cells are not, the first at row 0, column 3 \("
        self.refused(FeatureError, match, D, y_test=Y_TEST)

    def test_test_features_make_no_sense(self) -> None:
        match = r"metric='precomputed' pass the distances as X.*leave X_test out"
        self.refused(ParameterError, match, self.D, X_test=X_TEST, y_test=Y_TEST)

    def test_text(self) -> None:
        self.refused(FeatureError, "must be numbers", np.full((2, 4), "x"), y_test=Y_TEST)

    def test_sparse(self) -> None:
        """An empty cell of a sparse table would be a distance of 0."""
        self.refused(StiknnError, r"dense.*toarray\(\)", sparse.csr_array(self.D), y_test=Y_TEST)

    def test_rows_are_test_points_whatever_their_index(self) -> None:
        """As many test as training points: the two indexes have nothing to do with each other."""
        D = np.abs(np.arange(4.0)[:, None] - np.arange(4.0) - 0.25)
        ref = interactions(D, y, y_test=y, k=1, metric="precomputed").matrix
        table = pd.DataFrame(D, index=list("wxyz"), columns=list("pqrs"))
        labels = pd.Series(y, index=list("pqrs"))
        comp = interactions(table, labels, y_test=y, k=1, metric="precomputed").matrix
        np.testing.assert_array_equal(comp, ref)


class TestCosine:
    def test_zero_rows(self) -> None:
        table = [[1.0, 0.0], [0.0, 0.0], [0.5, 0.5], [0.0, 0.0]]
        match = r"cosine metric.*X has 2 zero rows \(rows 1 and 3, counted from 0\)\. Drop them"
        refused(FeatureError, match, table, y, metric="cosine")
        fine = [[1.0, 0.0], [0.0, 1.0], [0.5, 0.5], [0.2, 0.1]]
        match = r"cosine metric.*X_test has 1 zero row \(row 0, "
        tests = [[0.0, 0.0], [1.0, 1.0]]
        refused(FeatureError, match, fine, y, tests, Y_TEST, metric="cosine")


class TestWarnings:
    def test_an_absent_class_is_named_and_counted(self) -> None:
        for function in FUNCTIONS:
            with pytest.warns(StiknnWarning, match=r"'z' \(2 test points\)") as caught:
                function(X, y, [[0.0], [1.0], [2.0]], ["z", "a", "z"])
            assert caught[0].filename == __file__  # it points at the caller's line

    def test_no_warning_for_good_input(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for function in FUNCTIONS:
                function(X, y)
                function(X, y, X_TEST, Y_TEST)
