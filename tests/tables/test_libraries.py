"""Tables of other libraries, dicts, records and Bunches as sources of ``read_table``."""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse
from sklearn.datasets import load_breast_cancer, load_iris, make_classification
from sklearn.utils import Bunch

from stiknn_core import FeatureError, FileError, StiknnError, Table, read_table

COLUMNS: dict[str, Any] = {
    "size": [1.5, 2.25, None, 4.0],
    "count": [1, None, 2**53 + 1, 4],
    "kind": ["p", "q", "q", "p"],
    "label": ["yes", "no", "no", "yes"],
}
MAKERS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "polars": pl.DataFrame,
    "arrow": pa.table,
    "record batch": pa.RecordBatch.from_pydict,
    "columns": dict,
    "series": lambda columns: {name: pd.Series(cells) for name, cells in columns.items()},
    "records": lambda columns: pl.DataFrame(columns).to_dicts(),
    "two records": lambda columns: pl.DataFrame(columns).to_dicts(),
}


@pytest.mark.parametrize("kind", MAKERS)
def test_tables_of_every_library(kind: str) -> None:
    columns = {name: cells for name, cells in COLUMNS.items() if name != "count"}
    if kind == "two records":
        columns = {name: cells[:2] for name, cells in columns.items()}
    table = read_table(MAKERS[kind](columns))
    assert table.columns == tuple(columns)
    assert table.label == "label"
    assert table.frame["size"].dtype == np.float64
    np.testing.assert_array_equal(table.frame["size"], np.array(columns["size"], dtype=float))
    assert table.frame["kind"].tolist() == columns["kind"]


@pytest.mark.parametrize("kind", ["polars", "arrow", "columns", "records"])
def test_whole_numbers_with_gaps_lose_no_digit(kind: str) -> None:
    table = read_table(MAKERS[kind](COLUMNS))
    plain = read_table(pd.DataFrame({**COLUMNS, "count": pd.array(COLUMNS["count"])}))
    assert table.frame["count"].tolist()[2] == plain.frame["count"].tolist()[2]
    assert "9007199254740993" in str(table.frame["count"].tolist()[2])


def test_columns_called_x_and_y_are_columns() -> None:
    table = read_table({"x": [1.0, 2, 3, 4], "y": [4.0, 3, 1, 2], "label": list("abab")})
    assert table.columns == ("x", "y", "label")
    assert read_table({"x": [1.0, 2, 3, 4], "y": list("abab")}).label == "label"  # arrays, as ever


def test_a_lazy_table_is_named() -> None:
    with pytest.raises(FeatureError, match="got a lazy one, LazyFrame"):
        read_table(pl.DataFrame(COLUMNS).lazy())


@pytest.mark.parametrize("as_frame", [False, True])
def test_a_bunch_keeps_its_names(as_frame: bool) -> None:
    table = read_table(load_iris(as_frame=as_frame))
    assert table.columns == (*load_iris().feature_names, "target")
    assert table.label == "target"
    data = table.to_dataset()
    assert sorted(set(data.y.tolist())) == ["setosa", "versicolor", "virginica"]
    assert data.feature_names == tuple(load_iris().feature_names)
    assert read_table(load_breast_cancer()).to_dataset().y[0] == "malignant"


def test_a_bunch_as_openml_gives_it() -> None:
    frame = pd.DataFrame({"a": [1.0, 2, 3, 4], "b": [4.0, 3, 1, 2]})
    given = Bunch(
        data=frame,
        target=pd.Series(pd.Categorical(["u", "v", "u", "v"]), name="class"),
        feature_names=["a", "b"],
        target_names=["class"],
    )
    table = read_table(given)
    assert table.label == "class"
    assert table.to_dataset().y.tolist() == ["u", "v", "u", "v"]
    bare = Bunch(data=frame.to_numpy(), target=np.array([3, 5, 3, 5]))
    assert read_table(bare).to_dataset().y.tolist() == [3, 5, 3, 5]


def test_pairs_of_other_libraries() -> None:
    X, y = make_classification(n_samples=20, n_features=4, random_state=0)
    names = list("abcd")
    plain = read_table((pd.DataFrame(X, columns=names), y)).to_dataset()
    frames = (pl.DataFrame(X, schema=names), pa.table(dict(zip(names, X.T, strict=True))))
    for frame in frames:
        for labels in (pl.Series("group", y), pa.array(y), pl.DataFrame({"group": y}), y):
            table = read_table((frame, labels))
            assert table.columns[:4] == ("a", "b", "c", "d")
            np.testing.assert_array_equal(table.to_dataset().X, plain.X)
            np.testing.assert_array_equal(table.to_dataset().y, plain.y)
    assert read_table((frames[0], pl.Series("group", y))).label == "group"
    with pytest.raises(FileError, match="X has 20 rows but y has 3"):
        read_table((frames[0], y[:3]))


def byte_tables() -> list[Any]:
    rows = [(b"a", 1.0, b"one"), (b"b", 2.0, b"two"), (b"a", 3.0, b"three"), (b"b", 5.0, b"four")]
    array = np.array(rows, dtype=[("label", "S5"), ("x", "f8"), ("id", "S5")])
    frame = pd.DataFrame(rows, columns=["label", "x", "id"])
    return [
        array,
        array.view(np.recarray),
        frame,
        frame.rename(columns=str.encode),
        pa.table(frame),
    ]


@pytest.mark.parametrize("place", range(5))
def test_bytes_are_text(place: int) -> None:
    table = read_table(byte_tables()[place])
    assert table.columns == ("label", "x", "id")
    data = table.to_dataset(label="label", features=["x"], ids="id")
    assert data.y.tolist() == ["a", "b", "a", "b"]
    assert data.ids.tolist() == ["one", "two", "three", "four"]


def test_nuls_at_the_end_are_no_part_of_a_cell() -> None:
    table = read_table(pd.DataFrame({"x": [1.0, 2, 3, 4], "label": ["a", "a\0", "b", "b\0\0"]}))
    assert table.frame["label"].tolist() == ["a", "a", "b", "b"]
    assert read_table(([[1.0], [2], [3]], ["a", "a\0", "b"])).frame["label"].nunique() == 2


def test_intervals_are_labels_in_order() -> None:
    x = [0.5, 12.0, 2.0, 150.0, 7.0, 30.0]
    binned = pd.cut(x, [0, 2, 10, 100, 200])
    data = read_table(pd.DataFrame({"x": x, "label": binned})).to_dataset(label="label")
    assert data.y.tolist() == [str(one) for one in binned]
    assert read_table((np.c_[x], binned)).to_dataset().y.tolist() == data.y.tolist()


@pytest.mark.parametrize(
    "matrix",
    [sparse.csr_matrix((1, 50_000_000)), sparse.coo_array((10_000_000, 19_000)),
     sparse.csc_array((2**40, 3))],
    ids=["wide", "large", "long"],
)  # fmt: skip
def test_a_sparse_matrix_is_counted_before_it_is_spread(matrix: Any) -> None:
    for source in (matrix, {"X": matrix, "y": [0, 1]}, (matrix, [0, 1])):
        with pytest.raises(FileError, match=r"at most 20,000 are read|more than 60,000,000 cells"):
            read_table(source)


def named_by_numbers() -> Table:
    frame = pd.DataFrame(
        {0: [1.0, 2, 3, 4], 1: [2.0, 1, 2, 5], 2: list("abab"), 3: list("pqrs"),
         4: ["low", "high", "low", "mid"], 5: list("uvuv"), 6: list("abaa")}
    )  # fmt: skip
    return read_table(frame)


def test_whole_numbers_are_names_too() -> None:
    table = named_by_numbers()
    data = table.to_dataset(label=2)
    assert data.y.tolist() == list("abab")
    data = table.to_dataset(
        label=2, features=[0, np.int64(1), 4, 5], ids=3, ordered={4: ["low", "mid", "high"]},
        one_hot=[5], true_label=6,
    )  # fmt: skip
    same = table.to_dataset(
        label="2", features=["0", "1", "4", "5"], ids="3", ordered={"4": ["low", "mid", "high"]},
        one_hot=["5"], true_label="6",
    )  # fmt: skip
    np.testing.assert_array_equal(data.X, same.X)
    assert data.feature_names == same.feature_names
    assert data.ids.tolist() == list("pqrs")
    assert data.y_true is not None
    assert data.y_true.tolist() == list("abaa")
    assert table.with_label(2).label == "2"
    assert table.problems(features=[0, 1], label=2, one_hot=[5]).missing == {}
    marked = read_table(table.frame.assign(**{"7": ["train", "test", "train", "test"]}))
    train, test = marked.to_split(column=7, label=2, features=[0])
    assert (train.n, test.n) == (2, 2)


def test_a_number_that_is_no_name_is_refused() -> None:
    with pytest.raises(StiknnError, match="no label column '9'; it has 0, 1"):
        named_by_numbers().to_dataset(label=9)


MIXED: list[Any] = [8.537, "0,1", 3.355, 2, "7,5", 1234.567] * 2


@pytest.mark.parametrize(
    "source",
    [
        pd.DataFrame({"x": MIXED, "label": ["a", "b"] * 6}, dtype=object),
        pl.DataFrame({"x": pl.Series(MIXED, dtype=pl.Object), "label": ["a", "b"] * 6}),
        {"x": MIXED, "label": ["a", "b"] * 6},
        [{"x": value, "label": "ab"[row % 2]} for row, value in enumerate(MIXED)],
        (pd.DataFrame({"x": MIXED}), ["a", "b"] * 6),
        np.array(list(zip(MIXED, ["a", "b"] * 6, strict=True)), dtype=object),
    ],
    ids=["pandas", "polars", "columns", "records", "pair", "array"],
)
def test_numbers_among_text_stay_the_numbers_they_are(source: Any) -> None:
    table = read_table(source)
    (name, label) = table.columns
    made = table.to_dataset(label=label, features=[name])
    assert made.X[:6, 0].tolist() == [8.537, 0.1, 3.355, 2.0, 7.5, 1234.567]
    assert any("mixed" in notice for notice in table.notices)


@pytest.mark.parametrize(
    ("column", "kind"),
    [
        (pd.Series([1.234, 5.678, None] * 4, dtype=object), np.float64),
        (pd.Series([np.float32(1.5), 2.5] * 6, dtype=object), np.float64),
        (pd.Series([Decimal("1.234"), Decimal("5.678")] * 6, dtype=object), np.float64),
        (pd.Series([1, 2, 3] * 4, dtype=object), np.int64),
        (pd.Series([1.234, 5.678, 9.25] * 4, dtype="category"), np.float64),
        (pd.Series(pd.to_timedelta(range(12), unit="h")), np.float64),
    ],
    ids=["floats", "scalars", "decimals", "whole", "categories", "durations"],
)
def test_native_numbers_are_never_text(column: Any, kind: Any) -> None:
    """A comma in another column must not turn 1.234 into 1,234."""
    frame = pd.DataFrame({"x": column, "y": ["0,5", "1,5"] * 6, "label": ["a", "b"] * 6})
    table = read_table(frame)
    assert table.frame["x"].dtype == kind
    wanted = column.dt.total_seconds() if column.dtype.kind == "m" else column
    known = pd.to_numeric(wanted.astype(object), errors="coerce").astype(float)
    assert np.array_equal(table.frame["x"].astype(float), known, equal_nan=True)


def test_zero_bytes_at_the_end_of_a_label_are_none_of_it() -> None:
    rows = [{"x": row + 0.5, "label": ["a\0", "b"][row % 2]} for row in range(6)]
    for source in (rows, json.dumps(rows).encode(), pl.DataFrame(rows), pa.Table.from_pylist(rows)):
        table = read_table(source)
        assert table.frame["label"].tolist() == ["a", "b"] * 3
        assert table.to_dataset().y.tolist() == ["a", "b"] * 3
