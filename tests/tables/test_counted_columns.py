"""Columns of Parquet and Arrow are counted as they are laid out, not as they are packed."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from stiknn_core.errors import FileError
from stiknn_core.tables import read_table
from stiknn_core.tables.files import columnar, grids
from tests.tables.test_squares import arrow

N = 5_000
SAME = pa.DictionaryArray.from_arrays(np.zeros(N, np.int32), pa.array(["q" * 100_000]))


def written(column: pa.Array, **settings: Any) -> bytes:
    stream = io.BytesIO()
    parquet.write_table(pa.table({"x": column, "y": range(len(column))}), stream, **settings)
    return stream.getvalue()


def same(words: pa.Array) -> pa.Array:
    return pa.DictionaryArray.from_arrays(np.zeros(N, np.int32), words)


@pytest.mark.parametrize(
    "column",
    [
        pa.ListArray.from_arrays(np.arange(N + 1, dtype=np.int32), SAME),
        pa.StructArray.from_arrays([SAME], ["a"]),
        pa.MapArray.from_arrays(np.arange(N + 1, dtype=np.int32), pa.array(range(N)), SAME),
        same(pa.array(["q" * 100_000], pa.string_view())),
        same(pa.array([b"q" * 100_000], pa.binary(100_000))),
    ],
    ids=["list", "record", "map", "views", "fixed"],
)
def test_words_of_a_dictionary_count_as_often_as_they_are_used(column: pa.Array) -> None:
    with pytest.raises(FileError, match="more than 300 million letters"):
        read_table(arrow(x=column, y=pa.array(range(N))))


@pytest.mark.parametrize("depth", [1, 2])
def test_words_of_lists_in_parquet_are_counted(depth: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grids, "MAX_LETTERS", 1_000_000)
    cell: Any = "q" * 10_000
    kind: pa.DataType = pa.string()
    for _ in range(depth):
        cell, kind = [cell], pa.list_(kind)
    assert read_table(written(pa.array([cell] * 20, kind))).n_rows == 20
    with pytest.raises(FileError, match="more than 1 million letters"):
        read_table(written(pa.array([cell] * 200, kind)))


def test_bytes_of_a_fixed_length_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columnar, "MAX_UNPACKED_BYTES", 1_000_000)
    data = written(pa.array([b"q" * 10_000] * 200, pa.binary(10_000)), compression="zstd")
    with pytest.raises(FileError, match=r"unpacks to 2\.0 MB"):
        read_table(data)


def test_bytes_inside_of_records_may_be_more_than_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grids, "MAX_LETTERS", 1_000_000)
    cells = pa.array([{"bytes": b"q" * 10_000, "path": "a"}] * 200)
    for data in (written(cells), arrow(x=cells, y=pa.array(range(200)))):
        with monkeypatch.context() as less:
            assert read_columns(data) == 200
            less.setattr(columnar, "MAX_UNPACKED_BYTES", 1_000_000)
            with pytest.raises(FileError, match=r"unpacks to 2\.\d MB"):
                read_table(data)


def read_columns(data: bytes) -> int:
    kind = "parquet" if data.startswith(b"PAR1") else "arrow"
    return columnar._read(data, kind).num_rows


def test_absent_lists_of_a_fixed_length_are_counted() -> None:
    long = pa.list_(pa.int8(), 1_000_000)
    for column in (
        pa.array([None] * 70, long),
        pa.array([{"a": None}] * 70, pa.struct({"a": long})),
    ):
        with pytest.raises(FileError, match="more than 60,000,000 cells"):
            read_table(written(column))


def test_words_that_are_added_to_a_dictionary_count_again(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["q" * 1_000 + str(at) for at in range(100)]
    sink = pa.BufferOutputStream()
    schema = pa.schema({"x": pa.dictionary(pa.int32(), pa.string()), "y": pa.int64()})
    added = pa.ipc.IpcWriteOptions(emit_dictionary_deltas=True)
    with pa.ipc.new_stream(sink, schema, options=added) as writer:
        for at in range(len(words)):
            word = pa.DictionaryArray.from_arrays(pa.array([at], pa.int32()), words[: at + 1])
            writer.write_batch(pa.record_batch([word, pa.array([at])], schema=schema))
    data = bytes(sink.getvalue())
    assert read_table(data).frame["x"].tolist() == words
    monkeypatch.setattr(columnar, "MAX_UNPACKED_BYTES", 1_000_000)
    with pytest.raises(FileError, match=r"unpacks to 1\.0 MB"):
        read_table(data)


def test_maps_are_read_as_text() -> None:
    cells = pa.array([[("a", 1)], None, [("b", 2), ("c", 3)]], pa.map_(pa.string(), pa.int64()))
    for data in (written(cells), arrow(x=cells, y=pa.array(range(3)))):
        assert read_table(data).frame["x"].fillna("").tolist() == [
            '[["a", 1]]', "", '[["b", 2], ["c", 3]]'
        ]  # fmt: skip


@pytest.mark.parametrize(
    ("column", "kind"),
    [
        (pa.RunEndEncodedArray.from_arrays([2], [1.5]), "run_end_encoded"),
        (pa.UnionArray.from_sparse(pa.array([0, 0], pa.int8()), [pa.array([1, 2])]), "union"),
        (pa.DictionaryArray.from_arrays([0, 0], pa.array([[1, 2]])), "dictionary of lists"),
    ],
)
def test_columns_that_are_not_read_are_named_for_what_they_are(column: pa.Array, kind: str) -> None:
    with pytest.raises(FileError, match=f"A column has .*{kind}.* which is not read"):
        read_table(arrow(x=column, y=pa.array(range(2))))
