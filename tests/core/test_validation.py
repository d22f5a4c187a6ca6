"""Bad input is refused in one plain sentence: what was expected, what came, what to do."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pandas as pd
import pytest

from stiknn_core import (
    LabelError,
    ParameterError,
    ShapeError,
    StiknnError,
    StiknnWarning,
    errors,
    interactions,
    values,
)
from stiknn_core.validation.labels import sort_classes
from tests.refusals import X_TEST, Y_TEST, X, refused, y


class TestTheErrorTree:
    def test_all_are_value_errors(self) -> None:
        kinds = [
            kind
            for kind in vars(errors).values()
            if isinstance(kind, type) and issubclass(kind, Exception)
            if not issubclass(kind, Warning)
        ]
        assert len(kinds) >= 7
        assert all(issubclass(kind, StiknnError) for kind in kinds)
        assert issubclass(StiknnError, ValueError)
        assert issubclass(StiknnWarning, UserWarning)


class TestSettings:
    @pytest.mark.parametrize(
        "k",
        [0, -1, 2.5, 2.0, True, False, float("nan"), "2", None, [2], np.int64(0), np.float64(2.5)],
        ids=repr,
    )
    def test_k(self, k: Any) -> None:
        with pytest.raises(ParameterError) as caught:
            interactions(X, y, k=k)
        text = str(caught.value)
        assert text.startswith("k must be an integer of at least 1; got ")
        value = k.item() if isinstance(k, np.generic) else k
        assert str(value) in text
        refused(ParameterError, "k must be", X, y, k=k)

    @pytest.mark.slow
    @pytest.mark.parametrize("k", [np.int64(2), np.int8(2), np.uint16(2), 2], ids=repr)
    def test_k_may_be_any_whole_number_type(self, k: Any) -> None:
        result = interactions(X, y, k=k)
        assert result.k == 2
        assert type(result.k) is int

    @pytest.mark.parametrize("k", [4, 100, 2**31, 2**63, 10**30])
    def test_k_may_exceed_the_number_of_points(self, k: int) -> None:
        """Pairs are then 0, however large k is."""
        result = interactions(X, y, X_TEST, Y_TEST, k=k)
        assert not (result.matrix - np.diag(np.diag(result.matrix))).any()
        np.testing.assert_allclose(result.values, 1 / (2 * k), rtol=1e-12)
        assert result.k == k

    @pytest.mark.parametrize("value", ["stii", "", None, 1, ["STII"], "all"], ids=repr)
    def test_index(self, value: Any) -> None:
        with pytest.raises(ParameterError) as caught:
            interactions(X, y, k=1, index=value)
        known = "'STII', 'SII', 'BII', or an index of stiknn_core.games such as games.beta(4, 1)"
        assert str(caught.value) == f"index must be one of {known}; got {value!r}."

    @pytest.mark.parametrize("value", ["random", "Expected", None, 0, ["index"]], ids=repr)
    def test_ties(self, value: Any) -> None:
        refused(ParameterError, "ties must be one of 'expected', 'index'; got ", X, y, ties=value)

    @pytest.mark.parametrize(
        "value", ["minkowski", None, 2, np.sum], ids=["unknown", "None", "number", "function"]
    )
    def test_metric(self, value: Any) -> None:
        refused(ParameterError, "metric must be one of 'euclidean', .*; got ", X, y, metric=value)

    @pytest.mark.parametrize("value", ["Shapley", None, ["shapley"]], ids=repr)
    def test_kind(self, value: Any) -> None:
        with pytest.raises(ParameterError) as caught:
            values(X, y, kind=value)
        kinds = "'shapley', 'banzhaf', 'leave_one_out'"
        known = f"{kinds}, or an index of stiknn_core.games"
        assert str(caught.value) == f"kind must be one of {known}; got {value!r}."

    @pytest.mark.parametrize("value", [0, -2, True, 1.5, "2", np.arange(3)], ids=repr)
    def test_n_jobs(self, value: Any) -> None:
        match = r"n_jobs must be None, -1 or an integer of at least 1; got "
        refused(ParameterError, match, X, y, n_jobs=value)

    @pytest.mark.parametrize("value", [None, -1, 1, 3, np.int64(2)], ids=repr)
    def test_n_jobs_that_are_fine(self, value: Any) -> None:
        assert interactions(X, y, n_jobs=value).n_train == 4


class TestSampleWeight:
    @pytest.mark.parametrize(
        ("weights", "error", "match"),
        [
            ([1.0], ShapeError, r"one weight per test point, 2 here; got shape \(1,\)"),
            ([1, 2, 3, 4], ShapeError, r"2 here; got shape \(4,\)"),
            ([[1, 2]], ShapeError, r"got shape \(1, 2\)"),
            (3.0, ShapeError, r"got shape \(\)"),
            ([1, -0.5], ParameterError, r"not negative; got -0\.5 at position 1"),
            ([float("nan"), 1], ParameterError, r"finite.*got nan at position 0"),
            ([1, float("inf")], ParameterError, r"finite.*got inf at position 1"),
            ([0, 0], ParameterError, r"all weights are 0"),
            (["a", "b"], ParameterError, r"must hold numbers"),
        ],
    )
    def test_refused(self, weights: Any, error: type[Exception], match: str) -> None:
        refused(error, "sample_weight.*" + match, X, y, X_TEST, Y_TEST, sample_weight=weights)

    def test_leave_one_out_needs_one_per_training_point(self) -> None:
        refused(ShapeError, "4 here", X, y, sample_weight=[1, 2])
        assert interactions(X, y, sample_weight=[1, 2, 0, 1]).n_test == 4

    @pytest.mark.parametrize("wrap", [list, tuple, np.array, pd.Series])
    def test_containers(self, wrap: Any) -> None:
        comp = interactions(X, y, X_TEST, Y_TEST, k=1, sample_weight=wrap([1, 3])).matrix
        ref = interactions(X, y, X_TEST, Y_TEST, k=1, sample_weight=[0.25, 0.75]).matrix
        np.testing.assert_allclose(comp, ref, rtol=0, atol=1e-15)

    @pytest.mark.parametrize("scale", [1e308, 1e-308])
    def test_huge_and_tiny_weights(self, scale: float) -> None:
        """Only ratios count, so a sum beyond float64 is no reason to fail."""
        comp = interactions(X, y, X_TEST, Y_TEST, k=1, sample_weight=[scale, scale])
        ref = interactions(X, y, X_TEST, Y_TEST, k=1)
        np.testing.assert_allclose(comp.matrix, ref.matrix, rtol=0, atol=1e-15)


class TestMissingLabels:
    @pytest.mark.parametrize(
        "labels",
        [
            ["a", None, "b", None],
            ["a", float("nan"), "b", np.nan],
            ["a", pd.NA, "b", pd.NaT],
            np.array(["a", None, "b", None], dtype=object),
            pd.Series(["a", None, "b", None]),
            pd.Series(["a", None, "b", None], dtype="string"),
            pd.Categorical(["a", None, "b", None]),
            pd.Series([1, None, 2, None], dtype="Int64"),
            pd.Series([True, None, False, None], dtype="boolean"),
            [1.0, np.nan, 2.0, np.nan],
            np.ma.array([1, 2, 1, 2], mask=[False, True, False, True]),
        ],
        ids=[
            "None",
            "nan",
            "NA and NaT",
            "array",
            "series",
            "string series",
            "category",
            "Int64",
            "boolean",
            "floats",
            "masked",
        ],
    )
    def test_counted_and_located(self, labels: Any) -> None:
        match = r"Every row needs a label; y has none in 2 of 4 rows \(rows 1 and 3, counted"
        refused(LabelError, match + r" from 0\)\. Fill them in or drop", X, labels)

    def test_in_the_test_set(self) -> None:
        match = r"y_test has none in 1 of 2 rows \(row 0, counted from 0\)"
        refused(LabelError, match, X, y, X_TEST, [None, "b"])

    def test_many_are_cut_short(self) -> None:
        with pytest.raises(LabelError, match=r"150 of 200 rows.*rows 50, 51, .*and 145 more") as e:
            interactions(np.zeros((200, 1)), ["a"] * 50 + [None] * 150)
        assert len(str(e.value)) < 250

    def test_a_class_may_be_called_nan(self) -> None:
        assert set(interactions(X, ["nan", "None", "nan", "None"]).classes) == {"nan", "None"}


class TestKindsOfLabels:
    @pytest.mark.parametrize(
        ("labels", "match"),
        [
            ([1, "1", 1, "1"], r"2 × numbers, 2 × text"),
            ([True, "True", False, "b"], r"booleans.*text"),
            ([0, True, 0, True], r"numbers.*booleans"),
            (np.array([1, "1", 1.0, "b"], dtype=object), r"2 × numbers, 2 × text"),
            (pd.Series([1, "1", 1, "b"]), r"numbers.*text"),
        ],
        ids=str,
    )
    def test_mixed(self, labels: Any, match: str) -> None:
        match = r"Labels must all be of one kind; y mixes .*" + match + r".*Convert them"
        refused(LabelError, match, X, labels)

    @pytest.mark.parametrize(
        ("train", "test"),
        [([0, 1, 0, 1], ["0", "1"]), (y, [0, 1]), ([0, 1, 0, 1], [True, False])],
        ids=str,
    )
    def test_different_in_training_and_test(self, train: Any, test: Any) -> None:
        match = r"of one kind; y holds .* and y_test holds .*Convert one"
        refused(LabelError, match, X, train, X_TEST, test)

    def test_ints_and_whole_floats_are_one_kind(self) -> None:
        result = interactions(X, [0, 1, 0, 1], X_TEST, [0.0, 1.0], k=1)
        ref = interactions(X, [0, 1, 0, 1], X_TEST, [0, 1], k=1)
        np.testing.assert_array_equal(result.matrix, ref.matrix)
        assert result.absent_classes == ()

    @pytest.mark.parametrize(
        "labels",
        [
            [0.37, 1.82, 2.05, 2.9],
            np.array([0.5, 1.0, 0.5, 1.0], dtype=np.float32),
            pd.Series([0.5, 1.0, 0.5, 1.0], dtype="Float64"),
            [0.0, 1.0, float("inf"), 1.0],
        ],
        ids=str,
    )
    def test_continuous(self, labels: Any) -> None:
        match = r"This method is for classes; y holds measured numbers.*Bin them"
        refused(LabelError, match, X, labels)

    def test_continuous_test_labels(self) -> None:
        refused(LabelError, "y_test holds measured", X, [0, 1, 0, 1], X_TEST, [0.3, 1.0])

    @pytest.mark.parametrize(
        "labels",
        [
            [1j, 2j, 1j, 2j],
            pd.Series(pd.to_datetime(["2020-01-01", "2021-01-01"] * 2)),
            np.array(["2020-01-01", "2021-01-01"] * 2, dtype="datetime64[D]"),
            np.array(["2020-01-01", "2021-01-01"] * 2, dtype="datetime64[ns]"),
            np.array([1, 2] * 2, dtype="timedelta64[ns]"),
            np.array([b"a", b"b"] * 2).astype("V1"),
        ],
        ids=["complex", "Timestamp", "datetime64[D]", "datetime64[ns]", "timedelta64", "void"],
    )
    def test_other_kinds(self, labels: Any) -> None:
        """Never a class whose name is not what was given, such as nanoseconds for a date."""
        refused(LabelError, r"Labels must be text, numbers or booleans; y holds", X, labels)

    def test_the_order_of_classes_is_for_people(self) -> None:
        labels = ["10", "9", "2", "10"]
        assert interactions(X, labels).classes == ("2", "9", "10")
        ordered = pd.Categorical(
            ["low", "high", "low", "high"], categories=["low", "mid", "high"], ordered=True
        )
        assert interactions(X, ordered).classes == ("low", "high")

    @pytest.mark.parametrize(
        "names", [["1", "01", "1.0", "2"], ["nan", "1", "2", "-1"], ["1_0", "10", "9", "10.0"]]
    )
    def test_the_order_of_classes_does_not_depend_on_where_they_come_from(
        self, names: list[str]
    ) -> None:
        """A set of text comes in another order in every process, so none may shine through."""
        orders = {tuple(sort_classes(list(order))) for order in permutations(names)}
        assert len(orders) == 1


class TestShapesOfLabels:
    @pytest.mark.parametrize(
        "labels",
        [
            np.eye(4)[:, :2],
            [["a", "b"]] * 4,
            [("a", 1), ("b", 2)] * 2,
            pd.DataFrame({"l": y, "m": y}),
            pd.DataFrame(index=range(4)),
            np.zeros((4, 1, 1)),
            [[1], [2, 3], [1], [1]],
            [1, [2, 3], 1, 1],
        ],
        ids=["one-hot", "lists", "tuples", "two columns", "no column", "3-D", "ragged", "nested"],
    )
    def test_several_columns(self, labels: Any) -> None:
        refused(LabelError, r"y must hold one label per row; .*Choose the column", X, labels)

    @pytest.mark.parametrize(
        "labels",
        [pd.DataFrame({"label": y}), np.array(y)[:, None]],
        ids=["frame", "array"],
    )
    def test_one_column_is_accepted(self, labels: Any) -> None:
        result = interactions(X, labels, k=1)
        np.testing.assert_array_equal(result.matrix, interactions(X, y, k=1).matrix)
        assert list(result.labels) == y

    @pytest.mark.parametrize(
        "labels", [None, "abab", 3, {"a", "b"}], ids=["None", "text", "number", "set"]
    )
    def test_no_sequence(self, labels: Any) -> None:
        refused(ShapeError, "y must be a sequence with one label per row; got ", X, labels)

    def test_another_length(self) -> None:
        match = r"one label per row; X has 4 rows and y has 3 labels"
        refused(ShapeError, match, X, y[:3])
        match = r"one label per row; X_test has 2 rows and y_test has 1 label\b"
        refused(ShapeError, match, X, y, X_TEST, ["a"])

    def test_empty(self) -> None:
        refused(ShapeError, "y must hold at least one label; it is empty", X, [])
        refused(ShapeError, "y_test must hold at least one label", X, y, X_TEST, [])
