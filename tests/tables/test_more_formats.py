"""Arrow, ORC, JSON, SQLite, SPSS, Stata, SAS, XML sheets and web pages, packed in any way."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import sqlite3
import struct
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyreadstat
import pytest
from pyarrow import feather, orc
from pyarrow import parquet as pq

from stiknn_core.errors import FileError
from stiknn_core.tables import ChoiceError, read_table
from stiknn_core.tables.files.drafting import Overrides, read_source

FRAME = pd.DataFrame({"x": [1.5, 2.5, 4.0], "n": [1, 2, 3], "label": ["a", "ä", "a"]})
CSV = FRAME.to_csv(index=False).encode()


def written(write: Callable[[Any], Any]) -> bytes:
    stream = io.BytesIO()
    write(stream)
    return stream.getvalue()


def stream_of(table: pa.Table, **options: Any) -> bytes:
    def write(stream: Any) -> None:
        told = pa.ipc.IpcWriteOptions(**options)
        with pa.ipc.new_stream(stream, table.schema, options=told) as file:
            file.write_table(table)

    return written(write)


def same(data: bytes, **wanted: Any) -> Any:
    table = read_table(data, **wanted)
    assert table.frame["x"].tolist() == [1.5, 2.5, 4.0]
    assert table.frame["n"].tolist() == [1, 2, 3]
    assert table.frame["label"].tolist() == ["a", "ä", "a"]
    return table


def archive(**files: bytes) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as made:
        for name, content in files.items():
            told = tarfile.TarInfo(name.replace("__", "."))
            told.size = len(content)
            made.addfile(told, io.BytesIO(content))
    return stream.getvalue()


@pytest.mark.parametrize(
    ("data", "packing"),
    [
        (bz2.compress(CSV), "bzip2"),
        (lzma.compress(CSV), "xz"),
        (pa.compress(CSV, "zstd", asbytes=True), "zstd"),
        (archive(a__csv=CSV), "tar"),
        (gzip.compress(archive(a__csv=CSV)), "tar in gzip"),
        (lzma.compress(archive(a__csv=CSV)), "tar in xz"),
    ],
)
def test_packed_in_other_ways(data: bytes, packing: str) -> None:
    table = read_table(data)
    assert table.decisions["packing"] == packing
    assert table.to_dataset().X.shape == (3, 2)


def test_a_tar_of_several_files_asks() -> None:
    data = gzip.compress(archive(a__csv=CSV, b__csv=CSV.replace(b"4.0", b"5.0")))
    with pytest.raises(ChoiceError, match="The tar holds 2 files") as caught:
        read_table(data)
    assert caught.value.choices == ("a.csv", "b.csv")
    table = read_table(data, member="b.csv")
    assert table.name == "b"
    assert table.members == ("a.csv", "b.csv")
    assert table.to_dataset().X[2, 0] == 5


@pytest.mark.parametrize("way", [bz2, lzma, gzip])
def test_what_unpacks_without_end_is_not_unpacked(
    way: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("stiknn_core.tables.files.sources.MAX_UNPACKED_BYTES", 1_000_000)
    with pytest.raises(FileError, match="unpacks to more than"):
        read_table(way.compress(bytes(5_000_000)))


@pytest.mark.parametrize(
    "data",
    [
        *(written(lambda s, c=c: feather.write_feather(FRAME, s, compression=c))
          for c in ("lz4", "zstd", "uncompressed")),
        stream_of(pa.Table.from_pandas(FRAME)),
        stream_of(pa.Table.from_pandas(FRAME), compression="zstd"),
        written(lambda s: orc.write_table(pa.Table.from_pandas(FRAME), s)),
        *(FRAME.to_json(orient=orient).encode()
          for orient in ("records", "columns", "index", "split", "table")),
        FRAME.to_json(orient="records", lines=True).encode(),
        json.dumps(FRAME.to_dict(orient="list")).encode("utf-16"),
        json.dumps([[*FRAME], *FRAME.to_numpy(dtype=object).tolist()]).encode(),
        json.dumps({"meta": {"n": 3}, "result": {"data": FRAME.to_dict("records")}}).encode(),
    ],
)  # fmt: skip
def test_columns_and_records_keep_their_kinds(data: bytes) -> None:
    table = same(data)
    assert table.frame["n"].dtype == np.int64
    assert table.label == "label"


def test_records_inside_records_and_lists() -> None:
    records = [{"id": 2**60 + at, "at": {"x": at, "y": {"z": 1}}, "v": [1, "é"], "l": "ab"[at % 2]}
               for at in range(3)]  # fmt: skip
    frame = read_table(json.dumps(records).encode()).frame
    assert list(frame.columns) == ["id", "at.x", "at.y.z", "v", "l"]
    assert frame["id"].tolist() == [str(2**60 + at) for at in range(3)]
    assert frame["v"].tolist() == ['[1, "é"]'] * 3


def test_numbers_and_texts_in_one_column_of_json() -> None:
    draft, _ = read_source(b'[{"x": 1.5}, {"x": "2,5"}, {"x": null}, {"x": true}]', Overrides())
    assert draft.frame["x"].fillna("").tolist() == ["1.5", "2,5", "", "True"]
    assert draft.natives["x"].tolist() == [True, False, False, False]


def test_several_lists_in_one_json_ask() -> None:
    text = json.dumps({"train": FRAME.to_dict("records"), "test": [{"x": 1}, {"x": 2}]}).encode()
    with pytest.raises(ChoiceError, match="several lists") as caught:
        read_table(text)
    assert (caught.value.option, caught.value.choices) == ("table", ("train", "test"))
    table = same(text, table="train")
    assert table.tables == ("train", "test")
    with pytest.raises(ChoiceError, match="no list 'x'"):
        read_table(text, table="x")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[{"x": 1},', "line 1: Expecting value"),
        ('{"x": 1}\n{"x": 2\n', "Line 2 is not JSON"),
        ('{"x": 1}\r\n\r\n{"x": 2\r\n', "Line 3 is not JSON"),
        ('{"x": 1}\r{"x": 2\r', "Line 2 is not JSON"),
        ("[1, 2, 3]", "holds no table"),
        ('[{"x": 1}, 3]', "Entry 2 of the JSON list is no record"),
        ("[" * 100_000, "nested too deeply"),
        ('{"columns": ["a", "b"], "data": [[1, 2], [3]]}', "Row 2 of the JSON"),
        ('[{"x": ' + "9" * 5000 + "}]", "could not be read"),
    ],
)
def test_broken_json_is_one_sentence(text: str, words: str) -> None:
    with pytest.raises(FileError, match=words):
        read_table(text.encode())


def test_values_of_json_are_counted_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stiknn_core.tables.files.json_files._MOST_VALUES", 10)
    with pytest.raises(FileError, match="more than 10 values"):
        read_table(json.dumps([{"x": [1] * 20}]).encode())
    monkeypatch.undo()
    sparse = json.dumps([{f"c{at}": at} for at in range(19_000)]).encode()
    with pytest.raises(FileError, match="more than 60,000,000 cells"):
        read_table(sparse)


def base(tmp_path: Path, *statements: str) -> bytes:
    path = tmp_path / "base.db"
    with sqlite3.connect(path) as made:
        for statement in ("PRAGMA journal_mode=WAL", *statements):
            made.execute(statement)
        FRAME.to_sql("things", made, index=False)
    made.close()
    return path.read_bytes()


def test_the_only_table_of_a_base_is_read(tmp_path: Path) -> None:
    view = "CREATE VIEW few AS SELECT x, label FROM things WHERE n < 3"
    data = base(tmp_path, "CREATE TABLE empty (a)", view)
    table = same(data)
    assert table.decisions["table"] == "things"
    assert table.tables == ("empty", "few", "things")
    assert read_table(data, table="few").n_rows == 2


def test_several_tables_of_a_base_ask(tmp_path: Path) -> None:
    data = base(tmp_path, 'CREATE TABLE "odd ""name" (a)', 'INSERT INTO "odd ""name" VALUES (1)')
    with pytest.raises(ChoiceError, match="2 tables") as caught:
        read_table(data)
    assert (caught.value.option, caught.value.choices) == ("table", ('odd "name', "things"))
    same(data, table="things")
    assert read_table(data, table='odd "name').columns == ("a",)
    with pytest.raises(ChoiceError, match="no table 'x'"):
        read_table(data, table="x")


@pytest.mark.parametrize(
    "select",
    [
        "WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r) SELECT i, 'a' FROM r",
        "SELECT count(*) FROM things a, things b, things c, things d, things e, things f, things g,"
        " things h, things i, things j, things k, things l, things m, things n, things o, things p,"
        " things q, things r, things s, things t, things u, things v",
        "SELECT load_extension('x')",
        "SELECT hex(zeroblob(900000000)) AS a FROM things",
    ],
)
def test_a_view_that_computes_without_end_is_stopped(
    tmp_path: Path, select: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("stiknn_core.tables.files.sqlite_files._MOST_STEPS", 20_000_000)
    data = base(tmp_path, f"CREATE VIEW bomb AS {select}")
    same(data)
    with pytest.raises(FileError, match="SQLite file could not be read"):
        read_table(data, table="bomb")


SURVEY = pd.DataFrame(
    {"scale": [1.0, 4.0, 7.0, 7.0], "sex": [1.0, 2.0, 1.0, 9.0], "class": ["u", "v", "u", "v"]}
)
WORDS: Any = {"scale": {1.0: "never", 7.0: "always"}, "sex": {1.0: "m", 2.0: "f", 9.0: "no answer"}}


def saved(tmp_path: Path, write: Any, **options: Any) -> bytes:
    write(SURVEY, str(tmp_path / "file"), **options)
    return (tmp_path / "file").read_bytes()


def test_words_of_spss_take_the_place_of_codes(tmp_path: Path) -> None:
    data = saved(tmp_path, pyreadstat.write_sav, variable_value_labels=WORDS,
                 missing_ranges={"sex": [9]})  # fmt: skip
    table = read_table(data)
    assert table.frame["scale"].tolist() == [1, 4, 7, 7]
    assert table.frame["sex"].fillna("").tolist() == ["m", "f", "m", ""]
    assert table.nominal == ("sex",)
    assert any(
        "replaced by the words that the SPSS file has for them: sex" in n for n in table.notices
    )


@pytest.mark.parametrize(
    ("write", "options", "program"),
    [
        (pyreadstat.write_sav, {"compress": True}, "SPSS"),
        (pyreadstat.write_por, {}, "SPSS"),
        (pyreadstat.write_dta, {"version": 15}, "Stata"),
        (pyreadstat.write_dta, {"version": 8}, "Stata"),
        (pyreadstat.write_xport, {}, "SAS"),
        (pyreadstat.write_xport, {"file_format_version": 5}, "SAS"),
    ],
)
def test_other_files_of_statistics_programs(
    tmp_path: Path, write: Any, options: dict[str, Any], program: str
) -> None:
    data = saved(tmp_path, write, **options)
    table = read_table(data)
    assert table.decisions["format"] == program
    assert [table.frame[name].tolist() for name in table.columns[:2]] == [
        [1, 4, 7, 7], [1, 2, 1, 9],
    ]  # fmt: skip
    with pytest.raises(FileError, match=f"The {program} file could not be read"):
        read_table(data[: max(len(data) // 3, 300 if program == "SPSS" else 90)])


def test_a_large_claim_of_an_arrow_part_is_refused() -> None:
    table = pa.table({"x": np.zeros(4000), "label": ["a"] * 4000})
    data = stream_of(table, compression="lz4")
    place = data.index(struct.pack("<q", 32_000))
    with pytest.raises(FileError, match="unpacks to 40 GB"):
        read_table(data[:place] + struct.pack("<q", 40_000_000_000) + data[place + 8 :])


def test_long_texts_of_a_dictionary_count_as_often_as_they_are_used() -> None:
    texts = pa.array(["x" * 1_000_000] * 400).dictionary_encode()
    table = pa.table({"x": texts, "label": ["a", "b"] * 200})
    with pytest.raises(FileError, match="Arrow file has more than 300 million letters"):
        read_table(stream_of(table))
    plain = pa.schema([("x", pa.string()), ("label", pa.string())])
    stream = io.BytesIO()
    pq.write_table(table.cast(plain), stream, compression="zstd")
    with pytest.raises(FileError, match="Parquet file"):
        read_table(stream.getvalue())


def test_values_in_lists_are_counted_before_they_are_laid_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("stiknn_core.tables.files.grids.MAX_CELLS", 50_000)
    lists = pa.array([[0] * 1000] * 100)
    table = pa.table({"x": lists, "label": ["a", "b"] * 50})
    stream = io.BytesIO()
    pq.write_table(table, stream)
    for data in (stream.getvalue(), stream_of(table)):
        with pytest.raises(FileError, match="more than 50,000 cells"):
            read_table(data)


PAGE = """<html><head><style>td {x: 1}</style></head><body><TABLE class="menu"><tr><td>Home</td>
</tr></TABLE><table border=1><tr><th>x<th>label</tr>
<tr><td> 1,5&nbsp;</td><td rowspan="2">a &amp; <b>b</b></td></tr><tr><td>2,5</td></tr>
<tr><td>3</td><td>c</td></tr></table>"""


def test_the_table_of_a_web_page_is_read() -> None:
    draft, _ = read_source(PAGE.encode(), Overrides())
    assert draft.decisions["format"] == "web page"
    assert draft.frame.to_numpy().tolist() == [["1,5", "a & b"], ["2,5", "a & b"], ["3", "c"]]
    with pytest.raises(ChoiceError, match="2 tables") as caught:
        read_table((PAGE + PAGE).encode())
    assert caught.value.choices == ("2", "4")
    assert read_table((PAGE + PAGE).encode(), table="4").n_rows == 3


@pytest.mark.parametrize("part", ["<td", "<table><tr>", "<td colspan=99999>", "<!--", "<td>&amp;"])
def test_a_web_page_of_broken_tags_takes_no_square_of_time(part: str) -> None:
    with pytest.raises(FileError):
        read_table(b"<html><table><tr>" + part.encode() * 200_000)


EXCEL_2003 = """<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?>
<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"
 xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="A &amp; B"><Table>
<Column ss:Index="2" ss:Hidden="1"/>
<Row><Cell><Data ss:Type="String">x</Data></Cell><Cell><Data ss:Type="String">n</Data></Cell>
 <Cell><Data ss:Type="String">label</Data></Cell></Row>
<Row ss:Hidden="1"><Cell><Data ss:Type="Number">1.5</Data></Cell>
 <Cell><Data ss:Type="Number">1</Data></Cell>
 <Cell ss:MergeDown="1"><Data ss:Type="String">a</Data></Cell></Row>
<Row ss:Index="3"><Cell ss:Index="2" ss:Formula="=1+1"><Data ss:Type="Number">2</Data></Cell></Row>
<Row><Cell><Data ss:Type="Number">4</Data></Cell><Cell><Data ss:Type="Error">#N/A</Data></Cell>
 <Cell><Data ss:Type="DateTime">2024-01-05T00:00:00.000</Data></Cell></Row>
</Table></Worksheet></Workbook>"""


def test_the_xml_of_excel_2003() -> None:
    draft, _ = read_source(EXCEL_2003.encode(), Overrides())
    assert draft.decisions["sheet"] == "A & B"
    assert draft.frame["x"].fillna(-1).tolist() == [1.5, -1, 4]
    assert draft.frame["n"].fillna(-1).tolist() == [1, 2, -1]
    assert draft.frame["label"].tolist() == ["a", "a", "2024-01-05"]
    told = " ".join(draft.notices)
    for words in ("1 empty cell got the value", "1 hidden row and 1 hidden column",
                  "results of 1 formula", "errors count as missing: 1 cell"):  # fmt: skip
        assert words in told


OFFICE = """<?xml version="1.0"?><office:document office:mimetype=
"application/vnd.oasis.opendocument.spreadsheet"><office:body><office:spreadsheet>
<table:table table:name="S">{}</table:table></office:spreadsheet></office:body></office:document>"""


def flat(rows: str) -> bytes:
    return OFFICE.replace("office:mimetype=\n", "office:mimetype=").format(rows).encode()


NAMES = "<table:table-row><table:table-cell><text:p>x</text:p></table:table-cell><table:table-cell "
NAMES += "><text:p>label</text:p></table:table-cell></table:table-row>"


def test_repeated_cells_and_rows_are_counted_before_they_are_made() -> None:
    cell = '<table:table-cell office:value-type="float" office:value="1"{}/>'
    row = "<table:table-row{}>{}</table:table-row>"
    many = ' table:number-rows-repeated="1048000"'
    wide = cell.format(' table:number-columns-repeated="16000"')
    with pytest.raises(FileError, match="more than 60,000,000 cells"):
        read_table(flat(NAMES + row.format(many, wide)))
    with pytest.raises(FileError, match="down to row 1,000,000,000"):
        read_table(flat(NAMES + row.format(' table:number-rows-repeated="999999999"', wide)))
    end = row.format(many, '<table:table-cell table:number-columns-repeated="16384"/>')
    lone = cell.format("") + "<table:table-cell><text:p>a</text:p></table:table-cell>"
    table = read_table(flat(NAMES + row.format(' table:number-rows-repeated="5"', lone) + end))
    assert table.n_rows == 5


def test_xml_with_a_document_type_of_its_own_is_refused() -> None:
    laughs = b'<!DOCTYPE x [<!ENTITY a "' + b"lol" * 1000 + b'">]><office:document'
    with pytest.raises(FileError, match="its own XML document type"):
        read_table(flat(NAMES).replace(b"<office:document", laughs, 1))
