"""Time grows with the size of a file, whatever stands in it, and never with the square of that.

Each of these is small, and took minutes or more where a search or a list was gone through anew
for each of its parts.
"""

from __future__ import annotations

import bz2
import contextlib
import gzip
import lzma
import sqlite3
import tarfile
import time
from collections.abc import Callable

import pyarrow as pa
import pytest

from stiknn_core.errors import FileError, StiknnError
from stiknn_core.tables import read_table
from stiknn_core.tables.files import archives, sheets, sources, sqlite_files, web_page
from stiknn_core.tables.files.headers import distinct_names
from tests.patience import NO_STEP
from tests.tables.test_excel import PLAIN, book
from tests.tables.test_sheets import SHEET, changed

MANY = 20_000


def before_rows(text: str) -> bytes:
    return changed(book(PLAIN), SHEET, "<sheetData>", f"{text}<sheetData>")


def behind_rows(text: str) -> bytes:
    return changed(book(PLAIN), SHEET, "</sheetData>", f"</sheetData>{text}")


def arrow(**columns: pa.Array) -> bytes:
    table = pa.table(columns)
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue())


def arff(row: str, kind: str = "{a}") -> bytes:
    return f"@relation r\n@attribute a {kind}\n@attribute b real\n@data\n{row}\n".encode()


def page(columns: str, rows: str) -> bytes:
    cells = "".join(f'<Cell><Data ss:Type="String">{at}</Data></Cell>' for at in "xy")
    return (
        '<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" '
        'xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="S"><Table>'
        f"{columns}<Row>{cells}</Row>{rows}<Row>{cells}</Row></Table></Worksheet></Workbook>"
    ).encode()


SPAN = 'ss:Span="999999" ss:Hidden="1"/>'
SMALL: dict[str, Callable[[], bytes]] = {
    "marks of errors in no tag": lambda: before_rows("<a " + 't="e" ' * MANY + "/>"),
    "cells that begin and never end": lambda: behind_rows("<f/>" + "<c " * MANY),
    "merged cells that never end": lambda: behind_rows("<mergeCell x" * MANY),
    "columns hidden again": lambda: before_rows('<col min="1" max="20000" hidden="1"/>' * MANY),
    "empty sheets": lambda: book(*[[]] * 100),
    "columns of a million hidden": lambda: page(f'<Column ss:Index="1" {SPAN}' * 500, ""),
    "rows of a million hidden": lambda: page("", f"<Row {SPAN}" * 500),
    "remarks before a tag": lambda: b"<!---->" * 1_000 + b"<x>",
    "a list that never closes": lambda: arff("1", "{a\n" + "b,\n" * MANY),
    "marks that never close": lambda: arff("\\'" * MANY + ",1"),
    "marks of values that never close": lambda: arff("a,1", "{" + "\\'" * MANY + "}"),
    "blanks before a remark": lambda: arff("a" + " " * MANY + "b %"),
}  # fmt: skip


@pytest.mark.parametrize("name", SMALL)
def test_a_small_file_takes_little_time(name: str) -> None:
    data = SMALL[name]()
    begin = time.process_time()
    with contextlib.suppress(StiknnError):
        read_table(data)
    assert time.process_time() - begin < NO_STEP


def test_cells_merged_again_are_counted_where_rows_are_empty(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sheets, "_MOST_LOOKS", 1_000)
    rows = "".join(f'<row r="{at}"/>' for at in range(5, 300))
    far = '<row r="300"><c r="A300"><v>1</v></c></row>'
    merges = '<mergeCell ref="A1:A300"/>' * 20
    data = behind_rows(f"<mergeCells>{merges}</mergeCells>")
    data = changed(data, SHEET, "</sheetData>", f"{rows}{far}</sheetData>")
    with pytest.raises(FileError, match="Merged cells cover more than"):
        read_table(data)


@pytest.mark.parametrize("rows", ["<tr>", "<tr><td>"])
def test_cells_that_others_cover_count(rows: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_page, "_MOST_CELLS", 50_000)
    data = "<table><tr><td colspan=999 rowspan=65535>x<tr><td>y" + rows * 60
    with pytest.raises(FileError, match="The web page has more than 50,000 cells"):
        read_table(data.encode())


def test_tables_of_a_page_are_counted_first() -> None:
    with pytest.raises(FileError, match="20,001 tables"):
        read_table(b"<table>" * 20_001)


@pytest.mark.parametrize("nested", [False, True])
def test_texts_that_stand_in_one_place_are_counted_before_they_are_checked(nested: bool) -> None:
    n = 50_000
    _, views, *texts = pa.array(["q" * 100_000], pa.string_view()).buffers()
    same = pa.py_buffer(views.to_pybytes()[:16] * n)
    many = pa.Array.from_buffers(pa.string_view(), n, [None, same, *texts])
    column = pa.StructArray.from_arrays([many], ["a"]) if nested else many
    with pytest.raises(FileError, match="more than 300 million letters"):
        read_table(arrow(x=column, y=pa.array(range(n))))


def test_texts_as_views_are_read_and_lists_as_views_are_not() -> None:
    y = pa.array(["a", "b", "a long text that stands elsewhere"], pa.string_view())
    table = read_table(arrow(x=pa.array([1.5, 2.5, 4.0]), y=y))
    assert table.frame["y"].tolist() == y.to_pylist()
    lists = pa.array([[1, 2]] * 3, pa.list_view(pa.int64()))
    with pytest.raises(FileError, match="lists as views"):
        read_table(arrow(x=lists, y=y))


def test_names_of_columns_that_are_taken_are_passed_over_once() -> None:
    n = 20_000
    begin = time.process_time()
    names, _ = distinct_names(["x"] * n + [f"x ({at})" for at in range(2, n + 2)])
    assert time.process_time() - begin < NO_STEP
    assert len(set(names)) == 2 * n
    assert names[1] == f"x ({n + 2})"


def test_an_archive_of_folders_is_counted_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MOST_FILES", 10)
    folder = tarfile.TarInfo("d")
    folder.type = tarfile.DIRTYPE
    with pytest.raises(FileError, match="lists more than 10 files"):
        read_table(folder.tobuf() * 11)


@pytest.mark.parametrize(
    "packed",
    [gzip.compress, bz2.compress, lzma.compress],
    ids=["gzip", "bzip2", "xz"],
)
def test_packed_files_behind_each_other_are_counted_first(
    packed: Callable[[bytes], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "_MOST_STREAMS", 5)
    parts = packed(b"x,label\n1,a\n2,b\n") + packed(b"") * 4
    assert read_table(parts).n_rows == 2
    with pytest.raises(FileError, match="more than 5 packed files behind each other"):
        read_table(parts + packed(b""))


def test_a_path_that_no_system_takes_is_refused() -> None:
    data = tarfile.TarInfo("a" * 5_000 + ".csv").tobuf(format=tarfile.GNU_FORMAT)
    with pytest.raises(FileError, match="names a file with 5,004 letters"):
        read_table(data)


@pytest.mark.parametrize(
    ("view", "words"),
    [
        ("SELECT count(*) AS n FROM t a, t b, t c, t d, t e", "computes for too long"),
        ("SELECT hex(zeroblob(399999 + a.a)) LIKE 'x' FROM t a, t b, t c", "computes for too long"),
        ("WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n FROM r",
         "calling itself"),
    ],
)  # fmt: skip
def test_a_view_may_compute_for_some_seconds(
    view: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_files, "_MOST_SECONDS", 0.1)
    with contextlib.closing(sqlite3.connect(":memory:")) as base:
        base.execute("CREATE TABLE t (a)")
        base.executemany("INSERT INTO t VALUES (?)", [(at,) for at in range(200)])
        base.execute(f"CREATE VIEW v AS {view}")
        base.commit()
        data = base.serialize()
    with pytest.raises(FileError, match=words):
        read_table(data, table="v")


def test_cells_that_do_not_say_where_they_are_are_counted_row_by_row() -> None:
    rows = "".join(f"<row><c><v>{at}</v></c><c><v>{at % 7}</v></c></row>" for at in range(11_000))
    data = changed(book([["x"]]), SHEET, "<row.*</row>", rows)
    table = read_table(data)
    assert (table.n_rows, len(table.columns)) == (11_000, 2)
    assert table.frame.iloc[10_999].tolist() == [10_999, 10_999 % 7]


def test_a_span_of_rows_moves_the_rows_below() -> None:
    more = '<Row><Cell><Data ss:Type="String">a</Data></Cell></Row>'
    table = read_table(page("", '<Row ss:Span="3"/>' + more))
    assert any("4 empty rows" in notice for notice in table.notices)
