"""Tables and columns of every library: matched by name, or refused by name; names are kept."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.datasets import load_iris, load_wine
from zarr.storage import MemoryStore

from stiknn_core import (
    FeatureError,
    LabelError,
    RankedNeighbors,
    ShapeError,
    StiknnError,
    block_interactions,
    forest_distances,
    interaction_rows,
    interactions,
    label_support,
    pair_parts,
    rank_suspects,
    relabel_effect,
    value_parts,
    values,
)
from stiknn_core.comparing.standard_error import standard_errors
from stiknn_core.comparing.sweep import sweep_k
from stiknn_core.distributed import block_sum_array, interaction_array, interactions_to_zarr
from stiknn_core.labels.support import judge_test_labels
from stiknn_core.labels.ties import tied_test_points
from stiknn_core.plane import project_2d
from stiknn_core.preparation import scale_features

rng = np.random.default_rng(0)
A, B = rng.random(24), rng.random(24) * 3
Y = rng.integers(0, 2, 24).tolist()
LABELS = ["no" if one else "yes" for one in Y]
At, Bt = rng.random(5), rng.random(5) * 3
Yt = ["yes", "no", "no", "yes", "yes"]

Maker = Callable[[dict[str, Any]], Any]


def records(columns: dict[str, Any]) -> Any:
    names = list(columns)
    return [dict(zip(names, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def record_array(columns: dict[str, Any]) -> Any:
    return np.rec.fromarrays(list(columns.values()), names=",".join(columns))


MAKERS: dict[str, Maker] = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "arrow": pa.table,
    "record batch": pa.RecordBatch.from_pydict,
    "columns": dict,
    "records": records,
    "record array": record_array,
    "objects": lambda columns: pd.DataFrame(columns, dtype=object),
}
COLUMNS: dict[str, Callable[[list[Any]], Any]] = {
    "list": list,
    "pandas": pd.Series,
    "polars": pl.Series,
    "polars frame": lambda y: pl.DataFrame({"class": y}),
    "arrow": pa.array,
    "chunks": lambda y: pa.chunked_array([y[:2], y[2:]]),
    "arrow table": lambda y: pa.table({"class": y}),
    "one column": lambda y: {"class": y},
    "bytes": lambda y: np.array(y, dtype="S"),
    "record array": lambda y: np.array([(one.encode(),) for one in y], dtype=[("class", "S5")]),
    "pandas bytes": lambda y: pd.Series([one.encode() for one in y]),
    "NULs": lambda y: [one + "\0" for one in y],
}
PLAIN = interactions(np.c_[A, B], LABELS, np.c_[At, Bt], Yt, k=3)


@pytest.mark.parametrize("test", MAKERS)
@pytest.mark.parametrize("train", MAKERS)
def test_columns_are_matched_by_name_whatever_the_libraries(train: str, test: str) -> None:
    X, Xt = MAKERS[train]({"a": A, "b": B}), MAKERS[test]({"b": Bt, "a": At})
    found = interactions(X, LABELS, Xt, Yt, k=3)
    np.testing.assert_array_equal(found.matrix, PLAIN.matrix)
    match = r"X_test must have the columns of X; it lacks b and has c besides\."
    with pytest.raises(FeatureError, match=match):
        interactions(X, LABELS, MAKERS[test]({"c": Bt, "a": At}), Yt)


@pytest.mark.parametrize("kind", COLUMNS)
def test_labels_of_every_kind(kind: str) -> None:
    found = interactions(np.c_[A, B], COLUMNS[kind](LABELS), np.c_[At, Bt], COLUMNS[kind](Yt), k=3)
    np.testing.assert_array_equal(found.matrix, PLAIN.matrix)
    assert found.classes == PLAIN.classes == ("no", "yes")
    assert found.labels.tolist() == LABELS


FRAME = pl.DataFrame({"a": A, "b": B})
TEST = pa.table({"b": Bt, "a": At})
CALLS: list[Callable[[Any, Any, Any, Any], Any]] = [
    lambda X, y, Xt, yt: values(X, y, Xt, yt),
    lambda X, y, Xt, yt: label_support(X, y, Xt, yt).quality,
    lambda X, y, Xt, yt: judge_test_labels(X, y, Xt, yt).quality,
    lambda X, y, Xt, yt: rank_suspects(X, y, Xt, yt, space="features")["quality"],
    lambda X, y, Xt, yt: rank_suspects(X, y, Xt, yt, n_trees=4)["quality"],
    lambda X, y, Xt, yt: RankedNeighbors(X, y, Xt, yt).pairs([0, 1]),
    lambda X, y, Xt, yt: block_interactions(X, y, Xt, yt, blocks=y).sums,
    lambda X, y, Xt, yt: interaction_rows(X, y, Xt, yt, rows=[3]),
    lambda X, y, Xt, yt: value_parts(X, y, Xt, yt, point=3),
    lambda X, y, Xt, yt: pair_parts(X, y, Xt, yt, first=3, second=2),
    lambda X, y, Xt, yt: forest_distances(X, y, Xt, n_trees=4),
    lambda X, y, Xt, yt: standard_errors(X, y, Xt, yt).errors,
    lambda X, y, Xt, yt: sweep_k(X, y, Xt, yt, ks=(1, 2)).spread,
    lambda X, y, Xt, yt: tied_test_points(X, y, Xt, yt),
    lambda X, y, Xt, yt: project_2d(X, ["a", "b"]).xy,
    lambda X, y, Xt, yt: scale_features(X)[0],
    lambda X, y, Xt, yt: relabel_effect(
        X, y, ["yes"] * 24, X_test=Xt, y_test=yt, n_random=2
    ).after.likelihood,
]  # fmt: skip


@pytest.mark.parametrize("call", CALLS, ids=map(str, range(len(CALLS))))
def test_every_function_takes_them(call: Callable[..., Any]) -> None:
    given = call(FRAME, pl.Series(LABELS), TEST, pa.array(Yt))
    plain = call(np.c_[A, B], LABELS, np.c_[At, Bt], Yt)
    np.testing.assert_array_equal(given, plain)


@pytest.mark.filterwarnings("ignore::DeprecationWarning:distributed")
def test_runs_on_a_cluster_take_them() -> None:
    given = interaction_array(FRAME, pl.Series(LABELS), TEST, pa.array(Yt), k=3)
    np.testing.assert_allclose(given.compute(scheduler="synchronous"), PLAIN.matrix, atol=1e-15)
    lazy = block_sum_array(FRAME, LABELS, TEST, Yt, k=3, blocks=LABELS)
    plain = block_interactions(np.c_[A, B], LABELS, np.c_[At, Bt], Yt, k=3, blocks=LABELS).sums
    np.testing.assert_allclose(lazy.compute(scheduler="synchronous"), plain, atol=1e-15)
    store = interactions_to_zarr(MemoryStore(), FRAME, pl.Series(LABELS), TEST, Yt, k=3, n_jobs=1)
    np.testing.assert_allclose(store.rows(range(24)), PLAIN.matrix, atol=1e-15)
    assert store.xy_titles == ("a", "b")


def test_sparse_columns_are_not_spread_beyond_memory() -> None:
    small = pd.DataFrame({"a": pd.arrays.SparseArray([0.0, 1.0, 0.0]), "b": [1.0, 2.0, 4.0]})
    assert interactions(small, [0, 1, 0], k=1).n_train == 3

    class Huge(pd.DataFrame):
        def to_numpy(self, *args: Any, **options: Any) -> Any:
            raise MemoryError

    with pytest.raises(ShapeError, match=r"X of shape \(3, 2\) needs 0\.0 GB as a dense table"):
        interactions(Huge(small), [0, 1, 0], k=1)


def test_an_index_of_pandas_still_counts() -> None:
    X = pd.DataFrame({"a": A, "b": B}, index=[f"row {i}" for i in range(24)])
    assert interactions(X, pl.Series(LABELS)).ids.tolist() == X.index.tolist()
    by_bytes = X.set_axis([one.encode() for one in X.index])
    assert interactions(by_bytes, LABELS).ids.tolist() == X.index.tolist()
    with pytest.raises(LabelError, match="same index"):
        interactions(X, pd.Series(LABELS))


def test_names_are_matched_as_written() -> None:
    X = pd.DataFrame(np.c_[A, B])  # columns 0 and 1
    found = interactions(X, LABELS, pl.DataFrame({"1": Bt, "0": At}), Yt, k=3)
    np.testing.assert_array_equal(found.matrix, PLAIN.matrix)
    by_bytes = pd.DataFrame({b"b": Bt, b"a": At})
    found = interactions(FRAME, LABELS, by_bytes, Yt, k=3)
    np.testing.assert_array_equal(found.matrix, PLAIN.matrix)


def test_columns_of_one_name_are_counted() -> None:
    X = pd.DataFrame(np.c_[A, A, B], columns=["a", "a", "b"])
    turned = pd.DataFrame(np.c_[Bt, At, At], columns=["b", "a", "a"])
    plain = interactions(X.to_numpy(), LABELS, np.c_[At, At, Bt], Yt)
    np.testing.assert_array_equal(interactions(X, LABELS, turned, Yt).matrix, plain.matrix)
    with pytest.raises(FeatureError, match="it lacks a and has b besides"):
        interactions(X, LABELS, turned.set_axis(["b", "a", "b"], axis=1), Yt)


def test_a_lazy_table_is_named() -> None:
    match = r"X must be a table that is in memory; got a lazy one, LazyFrame\. Collect it"
    with pytest.raises(FeatureError, match=match):
        interactions(FRAME.lazy(), LABELS)


def test_what_is_missing_is_missing_in_all_of_them() -> None:
    holes = [1.0, None, *range(22)]
    for make in (pl.DataFrame, pa.table, records, dict):
        columns = {"a": A.tolist(), "b": [None if h is None else float(h) for h in holes]}
        with pytest.raises(FeatureError, match="X has 1 missing value in row 1"):
            interactions(make(columns), LABELS)
    with pytest.raises(LabelError, match="y has none in 1 of 24 rows"):
        interactions(FRAME, pl.Series([None, *LABELS[1:]]))
    with pytest.raises(ShapeError, match="columns of one length; got 24 in a and 2 in b"):
        interactions({"a": A, "b": [1, 2]}, LABELS)
    with pytest.raises(FeatureError, match=r"1 other column \(b\)"):
        interactions(pl.DataFrame({"a": A, "b": LABELS}), LABELS)


def test_whole_labels_keep_every_digit() -> None:
    big = [2**53, 2**53 + 1, 2**63 - 1, 2**53 + 1]
    for y in (pl.Series(big), pa.array(big), {"y": big}):
        assert interactions([[0.0], [1], [2], [3]], y).labels.tolist() == big


def test_numbers_as_objects_are_numbers() -> None:
    frame = pd.DataFrame({"a": [Decimal("0.5"), 1, True, 2.5], "b": [1.0, 2.0, 3.0, 4.0]})
    found = interactions(frame, ["x", "y", "x", "y"])
    plain = interactions([[0.5, 1.0], [1, 2], [1, 3], [2.5, 4]], ["x", "y", "x", "y"])
    np.testing.assert_array_equal(found.matrix, plain.matrix)
    decimals = pa.table({"a": [Decimal("0.5"), 1, 1, Decimal("2.5")], "b": [1.0, 2.0, 3.0, 4.0]})
    np.testing.assert_array_equal(interactions(decimals, list("xyxy")).matrix, plain.matrix)
    with pytest.raises(FeatureError, match="missing value in row 0"):
        interactions(pd.DataFrame({"a": [None, 1.0]}, dtype=object), ["x", "y"])
    with pytest.raises(FeatureError, match=r"below 1\.8e308"):
        interactions(pd.DataFrame({"a": [10**400, 1.0]}), ["x", "y"])


@pytest.mark.parametrize("as_frame", [False, True])
def test_a_bunch_brings_its_names(as_frame: bool) -> None:
    iris = load_iris(as_frame=as_frame)
    whole = load_iris()
    plain = interactions(whole.data, whole.target)
    for y in (None, iris):
        found = interactions(iris, y)
        np.testing.assert_array_equal(found.matrix, plain.matrix)
        assert found.classes == ("setosa", "versicolor", "virginica")
        assert found.labels[0] == "setosa"
    turned = pd.DataFrame(whole.data, columns=whole.feature_names).iloc[:, ::-1].iloc[:7]
    tested = interactions(iris, iris, turned, found.labels[:7])
    beside = interactions(whole.data, whole.target, whole.data[:7], whole.target[:7])
    np.testing.assert_array_equal(tested.matrix, beside.matrix)
    assert rank_suspects(iris, None, n_trees=4)["given"].isin(iris.target_names).all()
    with pytest.raises(FeatureError, match="lacks sepal length"):
        interactions(iris, iris, load_wine(), load_wine())


def test_a_bunch_that_lacks_something() -> None:
    iris = load_iris()
    del iris["target"]
    with pytest.raises(LabelError, match="a Bunch without a target"):
        interactions(iris, None)
    del iris["data"]
    with pytest.raises(FeatureError, match="a Bunch without data"):
        interactions(iris, [0, 1])


class TestLabels:
    def test_nuls_at_the_end_are_no_part_of_a_label(self) -> None:
        X = [[1.0], [2], [3], [4]]
        for y in (["a", "a\0", "b", "a\0b"], pd.Series(["a", "a\0", "b", "a\0b"]),
                  np.array(["a", "a\0", "b", "a\0b"])):  # fmt: skip
            found = interactions(X, y, [[1.0]], ["a\0\0"], k=1)
            assert found.classes == ("a", "a\0b", "b")
            assert found.labels.tolist() == ["a", "a", "b", "a\0b"]
            assert found.absent_classes == ()

    def test_bytes_that_are_no_text_stay_different(self) -> None:
        assert len(interactions([[1.0], [2]], [b"\xff", b"\xfe"], k=1).classes) == 2

    @pytest.mark.parametrize("wrap", [pd.Categorical, list, pd.Series, np.asarray])
    def test_intervals_are_classes_in_order(self, wrap: Any) -> None:
        values = [0.5, 12.0, 2.0, 150.0, 7.0, 30.0]
        binned = pd.cut(values, [0, 2, 10, 100, np.inf])
        found = interactions(np.c_[values], wrap(binned))
        names = ("(0.0, 2.0]", "(2.0, 10.0]", "(10.0, 100.0]", "(100.0, inf]")
        assert found.classes == names
        assert found.labels.tolist() == [str(one) for one in binned]

    def test_a_value_outside_of_all_bins_is_missing(self) -> None:
        with pytest.raises(LabelError, match="none in 1 of 3 rows"):
            interactions([[1.0], [2], [3]], pd.cut([1, 2, 30], [0, 1, 2]))

    def test_an_enum_keeps_its_order(self) -> None:
        y = pl.Series(["low", "high", "low"], dtype=pl.Enum(["low", "mid", "high"]))
        assert interactions([[1.0], [2], [3]], y).classes == ("low", "high")


class TestOneDimension:
    @pytest.mark.parametrize(
        ("X", "row", "hint"),
        [
            ([[0.0, 1, 2], [1, 2, 3]], [1.0, 2, 3], r"reshape\(1, -1\) for a single row"),
            ([[0.0], [1]], [1.0, 2, 3], r"Use X_test\.reshape\(-1, 1\) for a single feature\.$"),
            ([[0.0, 1, 2], [1, 2, 3]], [1.0, 2], r"X has 3 columns: give as many"),
        ],
    )  # fmt: skip
    def test_the_hint_fits_the_training_rows(self, X: Any, row: Any, hint: str) -> None:
        for given in (row, np.array(row), pd.Series(row), pl.Series(row), pa.array(row)):
            with pytest.raises(ShapeError, match=hint):
                interactions(X, [0, 1], given, [0])

    def test_of_training_rows_both_are_said(self) -> None:
        match = r"X\.reshape\(-1, 1\) for a single feature, or X\.reshape\(1, -1\) for a single row"
        with pytest.raises(ShapeError, match=match):
            interactions([1.0, 2.0], [0, 1])


@pytest.mark.parametrize(
    "thing",
    [object(), {1, 2}, {"a": object()}, [{}], [{"a": [1]}], {"a": [[1], [1, 2]]}, iter([1])]
)  # fmt: skip
def test_whatever_else_comes_is_refused_in_a_sentence(thing: Any) -> None:
    with pytest.raises(StiknnError):
        interactions(thing, ["a"])
    with pytest.raises(StiknnError):
        interactions([[1.0], [2.0]], thing)
