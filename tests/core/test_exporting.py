from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import openpyxl
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stiknn_core.errors import FileError, ParameterError, ShapeError
from stiknn_core.exporting import dataset_to_frame, escape_cell, matrix_to_frame, to_csv
from stiknn_core.tables import read_table
from stiknn_core.types import Dataset

LABELS = ["café", "naïve", "Łódź", "東京", "=1+1", "+cmd", "-x", "@sum", "'=q", "a, b", 'say "hi"']
TWICE = LABELS * 2  # classes that rows share


def made(labels: list[str] = TWICE, truth: bool = True) -> Dataset:
    n = len(labels)
    rng = np.random.default_rng(0)
    return Dataset(
        X=rng.normal(size=(n, 3)) * 10.0 ** rng.integers(-9, 9, size=(n, 3)),
        y=np.array(labels),
        name="made",
        feature_names=("x1", "Länge (cm)", "=risky"),
        ids=np.array([f"P{row}" for row in range(n)]),
        y_true=np.array(labels[::-1]) if truth else None,
    )


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_what_is_exported_loads_back_unchanged(separator: str) -> None:
    dataset = made()
    table = read_table(to_csv(dataset_to_frame(dataset), separator=separator))
    back = table.to_dataset("label", features=list(dataset.feature_names))
    assert table.columns == ("id", *dataset.feature_names, "label", "true_label")
    assert np.array_equal(back.X, dataset.X)
    assert back.y.tolist() == dataset.y.tolist()
    assert back.ids.tolist() == dataset.ids.tolist()
    assert back.y_true is not None
    assert back.y_true.tolist() == TWICE[::-1]


def test_a_second_round_is_byte_for_byte_the_first() -> None:
    first = to_csv(dataset_to_frame(made()))
    table = read_table(first)
    back = table.to_dataset("label", features=["x1", "Länge (cm)", "=risky"])
    assert to_csv(dataset_to_frame(back)) == first


def test_spreadsheets_see_letters_and_no_formula() -> None:
    data = to_csv(
        pd.DataFrame({"label": ["é", "=1+1", "\tx", "-1.5", "+3", "-x"], "n": [-1.5] * 6})
    )
    assert data.startswith(b"\xef\xbb\xbf")
    lines = data.decode("utf-8-sig").split("\r\n")
    assert lines[:7] == [
        "label,n",
        "é,-1.5",
        "'=1+1,-1.5",
        "'\tx,-1.5",
        "-1.5,-1.5",
        "+3,-1.5",
        "'-x,-1.5",
    ]


@pytest.mark.parametrize(
    "text", ["", "a", "'", "''", "-", "+", "-1", "-1.5e3", "+2", "1,5", "a=b", "-inf"]
)
def test_harmless_text_is_left_alone(text: str) -> None:
    assert escape_cell(text) == text


@pytest.mark.slow
@given(st.text(alphabet="'=+-@\t\r1a. ", max_size=8))
def test_escaping_is_undone_by_reading(text: str) -> None:
    told = text.strip() or "x"
    table = read_table(to_csv(pd.DataFrame({"x": [1, 2], "label": [told, "b"]})))
    assert table.frame["label"].iloc[0] == told


def test_no_column_is_ever_unnamed() -> None:
    frame = pd.DataFrame([[1, 2], [3, 4]], columns=["", "x"], index=[7, 9])
    table = read_table(to_csv(frame))
    assert table.columns == ("id", "column 2", "x")
    assert table.frame["id"].tolist() == ["7", "9"]
    assert not any("Unnamed" in name for name in pd.read_csv(io.BytesIO(to_csv(frame))).columns)
    named = frame.set_index(pd.Index(["p", "q"], name="who"))
    assert read_table(to_csv(named)).columns[0] == "who"


def test_a_matrix_reads_back_exactly_with_ids_on_both_axes() -> None:
    matrix = np.random.default_rng(1).normal(size=(4, 4)) / 3e7
    ids = ["P1", "=2", "-x", "東京"]
    table = read_table(to_csv(matrix_to_frame(matrix, ids)))
    assert table.columns == ("id", *ids)
    assert table.frame["id"].tolist() == ids
    back = table.frame[ids].to_numpy(dtype=float)
    assert np.array_equal(back, matrix)
    numbered = read_table(to_csv(matrix_to_frame(matrix, range(4))))
    assert numbered.columns == ("id", "0", "1", "2", "3")
    assert numbered.frame["id"].tolist() == ["0", "1", "2", "3"]


def test_a_matrix_needs_an_id_for_each_row() -> None:
    with pytest.raises(ShapeError, match="3 ids"):
        matrix_to_frame(np.zeros((4, 4)), [1, 2, 3])
    with pytest.raises(ShapeError, match=r"\(2, 3\)"):
        matrix_to_frame(np.zeros((2, 3)), [1, 2])


def test_features_keep_names_that_exports_also_use() -> None:
    dataset = Dataset(
        X=np.ones((2, 2)), y=np.array(["a", "b"]), name="n", feature_names=("id", "label"),
        ids=np.arange(2),
    )  # fmt: skip
    assert dataset_to_frame(dataset).columns.tolist() == ["id (2)", "id", "label", "label (2)"]


def test_missing_cells_and_odd_values() -> None:
    frame = pd.DataFrame({"a": [1.5, np.nan, np.inf], "b": [True, None, "x"], "c": [1, 2, 2**60]})
    lines = to_csv(frame).decode("utf-8-sig").split("\r\n")
    assert lines[1:4] == ["1.5,True,1", ",,2", f"inf,x,{2**60}"]


def test_the_file_is_written_where_asked(tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    assert to_csv(pd.DataFrame({"x": [1]}), path) == path.read_bytes()
    with pytest.raises(FileError, match="could not be written"):
        to_csv(pd.DataFrame({"x": [1]}), tmp_path / "no" / "out.csv")
    with pytest.raises(ParameterError, match="separator"):
        to_csv(pd.DataFrame({"x": [1]}), separator="x")


def test_the_way_through_a_workbook() -> None:
    frame = dataset_to_frame(made(["p", "q", "p"], truth=False))
    book = openpyxl.Workbook()
    book.active.append(frame.columns.tolist())
    for row in frame.itertuples(index=False):
        book.active.append(list(row))
    book.active["D1"].data_type = "s"
    stream = io.BytesIO()
    book.save(stream)
    back = read_table(stream.getvalue()).to_dataset("label")
    # Workbooks keep 16 digits of a number.
    np.testing.assert_allclose(back.X, made(["p", "q", "p"]).X, rtol=1e-15)
