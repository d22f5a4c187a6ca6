"""Columns of vectors, however a file or a frame holds them."""

from __future__ import annotations

import io
import json
import sqlite3
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from stiknn_core.errors import FeatureError, FileError, StiknnError
from stiknn_core.tables import ChoiceError, Table, read_table
from stiknn_core.tables.apart.readers import read_apart
from stiknn_core.types import Block

N = 12
E = np.random.default_rng(0).normal(size=(N, 4)).astype(np.float32)
LABELS = list("ab" * (N // 2))
LISTS = [row.tolist() for row in E]
RECORDS = [{"emb": row, "label": label} for row, label in zip(LISTS, LABELS, strict=True)]


def arrow(kind: pa.DataType, lists: Any = LISTS) -> pa.Table:
    return pa.table({"emb": pa.array(lists, kind), "label": LABELS})


def parquet(table: pa.Table) -> bytes:
    stream = io.BytesIO()
    pq.write_table(table, stream, row_group_size=5)
    return stream.getvalue()


def stream_of(table: pa.Table) -> bytes:
    stream = io.BytesIO()
    with pa.ipc.new_stream(stream, table.schema) as writer:
        writer.write_table(table)
    return stream.getvalue()


def csv(cells: list[Any], **others: list[Any]) -> bytes:
    return pd.DataFrame({"emb": cells, **others, "label": LABELS}).to_csv(index=False).encode()


def sqlite(path: Path) -> bytes:
    with sqlite3.connect(path) as base:
        base.execute("create table t (emb text, label text)")
        rows = [(json.dumps(row), label) for row, label in zip(LISTS, LABELS, strict=True)]
        base.executemany("insert into t values (?, ?)", rows)
    base.close()
    return path.read_bytes()


def npz(**arrays: Any) -> bytes:
    stream = io.BytesIO()
    np.savez(stream, **arrays)
    return stream.getvalue()


def npy(array: Any) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()


def zipped(**files: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "."), content)
    return stream.getvalue()


NATIVE: dict[str, Callable[[], Any]] = {
    "pandas, arrays": lambda: pd.DataFrame({"emb": list(E), "label": LABELS}),
    "pandas, lists": lambda: pd.DataFrame({"emb": LISTS, "label": LABELS}),
    "pandas, arrow": lambda: pd.DataFrame(
        {"emb": pd.Series(LISTS, dtype=pd.ArrowDtype(pa.list_(pa.float32()))), "label": LABELS}
    ),
    "polars": lambda: pl.DataFrame({"emb": LISTS, "label": LABELS}),
    "polars, array": lambda: pl.DataFrame({"emb": E, "label": LABELS}),
    "arrow": lambda: arrow(pa.list_(pa.float32())),
    "records": lambda: RECORDS,
    "parquet": lambda: parquet(arrow(pa.list_(pa.float32()))),
    "parquet, large": lambda: parquet(arrow(pa.large_list(pa.float64()))),
    "parquet, fixed": lambda: parquet(arrow(pa.list_(pa.float32(), 4))),
    "stream": lambda: stream_of(arrow(pa.large_list(pa.float32()))),
    "stream, fixed": lambda: stream_of(arrow(pa.list_(pa.float64(), 4))),
}
WRITTEN: dict[str, Callable[[], Any]] = {
    "json": lambda: json.dumps(RECORDS).encode(),
    "json lines": lambda: "\n".join(map(json.dumps, RECORDS)).encode(),
    "lists": lambda: csv(LISTS),
    "arrays": lambda: csv(list(map(str, E))),
    "lines": lambda: csv([str(row).replace(" ", "\n ", 1) for row in E]),
    "calls": lambda: csv(list(map(repr, E))),
    "tuples": lambda: csv(list(map(tuple, LISTS))),
    "scalars": lambda: csv([str(list(row)) for row in E]),
    "text in a frame": lambda: pd.DataFrame({"emb": map(str, LISTS), "label": LABELS}),
}


@pytest.mark.parametrize("kind", [*NATIVE, *WRITTEN])
def test_a_column_of_lists_is_one_step_from_features(kind: str) -> None:
    table = read_table((NATIVE | WRITTEN)[kind]())
    assert table.columns == ("emb", "label")
    assert table.label == "label"
    assert table.roles["emb"].reason == "holds vectors of 4 numbers"
    assert table.vectors["emb"].written == (kind in WRITTEN)
    assert table.notices == ()
    dataset = table.to_dataset()
    np.testing.assert_allclose(dataset.X, E, rtol=1e-6)
    assert dataset.feature_names == ("emb[0]", "emb[1]", "emb[2]", "emb[3]")
    assert dataset.blocks == (Block("emb", "vector", 0, 4),)


def test_vectors_in_sqlite(tmp_path: Path) -> None:
    assert read_table(sqlite(tmp_path / "t.db")).vectors["emb"].values.tolist() == LISTS


def test_cells_stay_as_written_or_say_how_long_the_vector_is() -> None:
    assert read_table(NATIVE["parquet"]()).cells["emb"].tolist() == ["4 numbers"] * N
    assert read_table(WRITTEN["lists"]()).cells["emb"].tolist() == list(map(str, LISTS))


def test_numbers_are_as_exact_as_in_the_file() -> None:
    assert read_table(NATIVE["parquet"]()).vectors["emb"].values.dtype == np.float32
    values = read_table(NATIVE["parquet, large"]()).vectors["emb"].values
    assert values.dtype == np.float64
    whole = [[2**40 + place, 1, 2, row] for place, row in enumerate(range(N))]
    assert (
        read_table(parquet(arrow(pa.list_(pa.int64()), whole))).vectors["emb"].values.tolist()
        == whole
    )


def broken() -> list[Any]:
    lists: list[Any] = [list(row) for row in LISTS]
    lists[1], lists[5], lists[7][2] = None, lists[5][:2], float("nan")
    return lists


@pytest.mark.parametrize(
    "source",
    [
        lambda: pd.DataFrame({"emb": broken(), "label": LABELS}),
        lambda: parquet(arrow(pa.list_(pa.float64()), broken())),
        lambda: csv(["" if row is None else str(row) for row in broken()]),
        lambda: csv(["" if row is None else json.dumps(row) for row in broken()]),
    ],
    ids=["frame", "parquet", "text", "json in text"],
)
def test_broken_cells_and_gaps_are_counted_and_named(source: Callable[[], Any]) -> None:
    table = read_table(source())
    assert table.problems().missing_by_row.nonzero()[0].tolist() == [1, 5, 7]
    (cut, gap) = table.notices
    assert cut.startswith(
        "Column 'emb' holds vectors of 4 numbers; 1 cell does not and counts as missing (row 5: '["
    )
    assert gap == "1 vector in 'emb' with missing or infinite numbers counts as missing (row 7)."
    assert table.cells["emb"].isna().tolist() == [row == 1 for row in range(N)]
    assert str(E[5, 0])[:4] in table.cells["emb"][5]
    with pytest.raises(FeatureError, match=r"3 values missing \('emb': 3\), in 3 rows"):
        table.to_dataset()
    assert table.to_dataset(missing="drop_rows").n == N - 3


@pytest.mark.parametrize("write", [list, str], ids=["lists", "text"])
@pytest.mark.parametrize(
    ("lists", "why"),
    [
        ([[1.5, 2, 3][: 2 + row % 2] for row in range(N)],
         r"lists of different length \(2 numbers in 6 rows and 3 numbers in 6 rows\)"),
        ([[[1, 2], [3, row]] for row in range(N)], "lists inside of lists"),
    ],
)  # fmt: skip
def test_lists_that_are_no_vectors_are_refused_by_name(lists: Any, why: str, write: Any) -> None:
    table = read_table(pd.DataFrame({"emb": map(write, lists), "label": LABELS}))
    assert table.roles["emb"].role == "ignored"
    for options in ({}, {"encode": {"emb": "vector"}}):
        with pytest.raises(FeatureError, match=f"'emb' holds {why}"):
            table.to_dataset(**options)
    assert json.loads(table.cells["emb"][3]) == lists[3]


def test_arrays_that_were_cut_when_written_are_refused() -> None:
    table = read_table(csv([str(np.arange(2000.0) + row) for row in range(N)]))
    with pytest.raises(FeatureError, match=r"'emb' holds lists that were cut short .*in full"):
        table.to_dataset()


@pytest.mark.parametrize(
    "cells",
    [
        [f"(1,{row:03})" for row in range(N)],  # amounts of money
        ["[0, 10)", "[10, 20)", "[20, 30)"] * 4,  # ranges
        ["[18, 25]", "[26, 35]", "[36, 45]"] * 4,
        [f"[{row}]" for row in range(N)],
        ['["a", "b"]', "[1]"] * 6,
        ["[no", "(maybe)"] * 6,
        [f"[{row}, x]" for row in range(N)],
    ],
)
def test_other_things_in_brackets_are_no_vectors(cells: list[str]) -> None:
    table = read_table(csv(cells, n=list(range(N))))
    assert not table.vectors
    assert not table.facts["emb"].lists


def test_labels_as_lists_of_0_and_1_stay_labels() -> None:
    table = read_table(pd.DataFrame({"x": range(N), "label": [[0, 1], [1, 0]] * 6}))
    assert table.label == "label"
    assert table.to_dataset().y.tolist()[:2] == ["[0, 1]", "[1, 0]"]


def test_numbers_of_vectors_are_counted_before_they_are_laid_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("stiknn_core.tables.files.grids.MAX_CELLS", 40)
    for kind in ("pandas, arrays", "parquet", "json", "lists"):
        with pytest.raises(FileError, match="more than 40 cells"):
            read_table((NATIVE | WRITTEN)[kind]())


def test_a_matrix_called_embeddings_is_one_column_beside_other_arrays() -> None:
    ids = [f"i{row}" for row in range(N)]
    table = read_table(npz(embeddings=E, labels=np.array(LABELS), ids=np.array(ids),
                           text=np.array([f"text {row}é" for row in range(N)]),
                           classes=np.array(["a", "b"])))  # fmt: skip
    assert table.columns == ("labels", "ids", "text", "embeddings")
    assert (table.label, table.features) == ("labels", ("embeddings",))
    assert table.notices == ("Not used: 'classes', which 12 rows do not fit.",)
    dataset = table.to_dataset()
    assert dataset.X.tolist() == E.tolist()
    assert dataset.ids.tolist() == ids
    assert table.cells["text"][3] == "text 3é"
    assert read_table({"emb": E, "label": LABELS}).features == ("emb",)
    classic = read_table(npz(X=E, y=np.array(LABELS)))
    assert classic.columns == ("x1", "x2", "x3", "x4", "label")
    chosen = read_table(npz(embeddings=E, labels=np.array(LABELS)), X="embeddings", y="labels")
    assert chosen.features == ("x1", "x2", "x3", "x4")


ROWS = pd.DataFrame({"id": [f"k{row}" for row in range(N)], "size": range(N), "label": LABELS})


def test_a_matrix_beside_a_table_is_matched_by_order() -> None:
    table = read_table(zipped(emb__npy=npy(E), rows__csv=ROWS.to_csv(index=False).encode()))
    assert table.columns == ("id", "size", "label", "emb")
    assert table.name == "rows"
    assert table.notices == ("The vectors of 'emb.npy' were taken for the rows, in their order.",)
    dataset = table.to_dataset()
    assert dataset.X[:, 1:].tolist() == E.tolist()
    assert dataset.blocks == (Block("emb", "vector", 1, 5),)
    again = read_table(zipped(emb__npy=npy(E), rows__parquet=parquet(pa.table(dict(ROWS)))))
    assert again.vectors["emb"].values.tolist() == E.tolist()


def test_a_matrix_beside_a_table_is_matched_by_id() -> None:
    order = np.random.default_rng(1).permutation(N)[2:]  # two rows have no vector
    ids = np.array([f"k{row}" for row in order] + ["stranger"])
    matrix = np.vstack([E[order], E[:1]])
    data = zipped(all__npz=npz(vectors=matrix, names=ids, labels=np.array(["a"] * 11)),
                  rows__csv=ROWS.to_csv(index=False).encode())  # fmt: skip
    table = read_table(data)
    gone = sorted(set(range(N)) - set(order.tolist()))
    assert table.notices == (
        "Vectors and rows were matched by 'id'.",
        f"2 rows have no vector in 'all.npz' (rows {gone[0]} and {gone[1]}).",
        "1 vector belongs to no row and is not used.",
    )
    assert table.facts["vectors"].missing == 2
    kept = table.to_dataset(missing="drop_rows", features=["vectors"])
    assert kept.X.tolist() == E[np.sort(order)].tolist()


@pytest.mark.parametrize(
    ("arrays", "error", "told"),
    [
        (npy(E[:5]), FileError, "'a.npy' holds 5 vectors, but the table beside it has 12 rows"),
        (npy(E[0]), FileError, r"'a.npy' holds no matrix of numbers \(\(4,\)\)"),
        (npy(np.array([["x"] * 4] * N)), FileError, "holds no matrix"),
        (npz(p=E, q=E), ChoiceError, "'a.npy' holds 2 matrices; .*X="),
        (npz(names=np.array(LABELS)), FileError, r"no matrix of numbers \(names \(12,\)\)"),
        (b"\x93NUMPY broken", FileError, "array file is damaged"),
    ],
)
def test_arrays_that_do_not_fit_the_table_are_refused(
    arrays: bytes, error: type[StiknnError], told: str
) -> None:
    data = zipped(a__npy=arrays, rows__csv=ROWS.to_csv(index=False).encode())
    with pytest.raises(error, match=told):
        read_table(data)
    assert read_table(data, member="rows.csv").columns == ("id", "size", "label")


def test_one_of_two_matrices_can_be_chosen() -> None:
    data = zipped(a__npz=npz(p=E, q=-E), rows__csv=ROWS.to_csv(index=False).encode())
    assert read_table(data, X="q").vectors["q"].values.tolist() == (-E).tolist()
    with pytest.raises(ChoiceError, match="no matrix 'r'"):
        read_table(data, X="r")


def wide(stem: str, count: int, start: int = 0) -> pd.DataFrame:
    values = np.random.default_rng(2).normal(size=(N, count))
    names = [f"{stem}{place + start}" for place in range(count)]
    return pd.DataFrame(values, columns=names)


@pytest.mark.parametrize(
    ("stem", "start", "name"), [("e", 0, "e"), ("emb_", 0, "emb"), ("dim", 1, "dim"),
                                ("title_embedding_", 0, "title_embedding"), ("Vec.", 1, "Vec")]
)  # fmt: skip
def test_wide_columns_are_one_embedding(stem: str, start: int, name: str) -> None:
    frame = wide(stem, 16, start).assign(age=range(N), label=LABELS)
    table = read_table(frame.to_csv(index=False).encode())
    assert (
        f"{stem}{15 + start}' are read as one embedding, {name!r}, of 16 numbers."
        in table.notices[0]
    )
    assert table.roles[f"{stem}3"].reason == f"is one of the 16 numbers of the embedding {name!r}"
    dataset = table.to_dataset()
    assert dataset.blocks == (Block(name, "vector", 0, 16),)
    assert dataset.feature_names[16] == "age"
    some = table.to_dataset(features=["age", f"{stem}1", f"{stem}2"])
    assert some.blocks == (Block(name, "vector", 1, 3),)


@pytest.mark.parametrize(
    "frame",
    [
        wide("x", 20), wide("pixel", 20), wide("e", 15), wide("f", 63), wide("e", 20, start=3),
        wide("e", 20).drop(columns="e8"), wide("e", 20).round(),
    ],
)  # fmt: skip
def test_other_wide_columns_stand_for_themselves(frame: pd.DataFrame) -> None:
    table = read_table(frame.assign(label=LABELS))
    assert table.to_dataset().blocks == ()
    assert table.roles[frame.columns[0]].cause == "number"


def test_the_letter_f_needs_many_columns() -> None:
    table = read_table(wide("f", 64).assign(label=LABELS))
    assert table.to_dataset().blocks == (Block("f", "vector", 0, 64),)


def test_vectors_of_many_kinds_come_back_from_apart() -> None:
    for source in (NATIVE["parquet"](), WRITTEN["lists"](), WRITTEN["json"]()):
        here, apart = read_table(source), read_apart(source)
        assert apart.vectors["emb"].values.tolist() == here.vectors["emb"].values.tolist()
        assert apart.facts == here.facts
        assert apart.to_dataset().blocks == here.to_dataset().blocks


def test_a_label_can_be_chosen_beside_vectors() -> None:
    table: Table = read_table(csv(LISTS, kind=list("ppq" * 4)))
    for label, other in (("kind", "label"), ("label", "kind")):
        vectors, words = table.with_label(label).to_dataset().blocks
        assert vectors == Block("emb", "vector", 0, 4)
        assert (words.column, words.kind) == (other, "words")


@pytest.mark.parametrize("written", [True, False])
def test_vectors_that_are_all_gaps_are_empty_and_no_constant(written: bool) -> None:
    lists: list[Any] = [[float("nan")] * 3] * 6
    cells = [str(one) for one in lists] if written else lists
    table = read_table(pd.DataFrame({"emb": cells, "label": list("ababab")}))
    assert table.notices == (
        "6 vectors in 'emb' with missing or infinite numbers count as missing "
        "(rows 0, 1, 2, 3, 4 and 1 more).",
    )
    with pytest.raises(FeatureError, match=r"No column is a feature: 'emb' is empty"):
        table.to_dataset()
