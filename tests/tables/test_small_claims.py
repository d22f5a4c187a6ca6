"""Small files of SQLite, SPSS, workbooks, tars and pictures that claim much, or break a reader."""

from __future__ import annotations

import contextlib
import io
import sqlite3
import tarfile
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pyreadstat
import pytest
from PIL import Image

from stiknn_core.errors import FileError
from stiknn_core.tables import read_table
from stiknn_core.tables.files import decoded, drafting, grids
from tests.tables.drawn import saved, two_classes, zipped
from tests.tables.test_excel import PLAIN, book
from tests.tables.test_sheets import changed


def base(*commands: str) -> bytes:
    with contextlib.closing(sqlite3.connect(":memory:")) as made:
        made.execute("CREATE TABLE t (x, y)")
        made.execute("INSERT INTO t VALUES (1, 'a'), (2, 'b')")
        for command in commands:
            made.execute(command)
        made.commit()
        return made.serialize()


LONG = "zeroblob(30000000)"


@pytest.mark.parametrize(
    ("table", "command"),
    [
        ("v", f"CREATE VIEW v AS SELECT instr(hex({LONG}), hex({LONG}) || y) AS z, y FROM t"),
        ("c", f"CREATE TABLE c (x, y, z GENERATED ALWAYS AS (instr({LONG}, x)))"),
    ],
)
def test_what_a_database_computes_is_no_long_text(table: str, command: str) -> None:
    more = ["INSERT INTO c (x, y) VALUES (1, 2), (3, 4)"] if table == "c" else []
    with pytest.raises(FileError, match="too big"):
        read_table(base(command, *more), table=table)


def test_long_cells_of_plain_tables_are_read() -> None:
    data = base("UPDATE t SET y = printf('%.*c', 3000000, 'x') || y")
    assert [len(cell) for cell in read_table(data).frame["y"]] == [3_000_001] * 2


def test_letters_of_a_database_are_counted_row_by_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grids, "MAX_LETTERS", 1_000_000)
    many = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 1000000)"
    added = f"ALTER TABLE t ADD COLUMN z DEFAULT '{'z' * 1_000}'"
    with pytest.raises(FileError, match="more than 1 million letters"):
        read_table(base(f"INSERT INTO t {many} SELECT n, 'c' FROM r", added))


def test_rows_of_long_text_that_are_repeated_are_counted() -> None:
    cell = '<table:table-cell office:value-type="string"><text:p>{}</text:p></table:table-cell>'
    row = "<table:table-row {}>" + cell * 2 + "</table:table-row>"
    name = "urn:oasis:names:tc:opendocument:xmlns:"
    data = (
        f'<?xml version="1.0"?><office:document xmlns:office="{name}office:1.0" '
        f'xmlns:table="{name}table:1.0" xmlns:text="{name}text:1.0" '
        'office:mimetype="application/vnd.oasis.opendocument.spreadsheet"><office:body>'
        '<office:spreadsheet><table:table table:name="S">'
        + row.format("", "x", "y")
        + row.format('table:number-rows-repeated="900000"', "x" * 1_000, "a")
        + "</table:table></office:spreadsheet></office:body></office:document>"
    )
    with pytest.raises(FileError, match="more than 300 million letters"):
        read_table(data.encode())


def test_rows_that_a_file_of_spss_does_not_count_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "t.zsav"
    rows = pd.DataFrame({"x": ["q" * 1_000] * 500, "y": np.arange(500.0)})
    pyreadstat.write_sav(rows, str(path), compress=True)
    data = path.read_bytes()
    data = data[:80] + b"\xff\xff\xff\xff" + data[84:]
    assert read_table(data).n_rows == 500
    monkeypatch.setattr(grids, "MAX_LETTERS", 100_000)
    monkeypatch.setattr("stiknn_core.tables.files.statistics_files.MAX_LETTERS", 100_000)
    with pytest.raises(FileError, match="letters in its cells"):
        read_table(data)


def test_a_list_of_texts_that_claims_to_be_long_is_refused() -> None:
    made = book(PLAIN)
    texts = (
        '<x:sst xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main" '
        'uniqueCount="4294967295"><x:si><x:t>a</x:t></x:si></x:sst>'
    )
    with pytest.raises(FileError, match="more than 8,000,000 different texts"):
        read_table(_with_part(made, "xl/sharedStrings.xml", texts.encode()))


def test_a_part_of_an_encoding_that_is_none_is_one_sentence() -> None:
    made = changed(book(PLAIN), "xl/workbook.xml", "^", '<?xml version="1.0" encoding="none"?>')
    with pytest.raises(FileError, match="unknown encoding"):
        read_table(made)


def _with_part(data: bytes, name: str, content: bytes) -> bytes:
    stream = io.BytesIO(data)
    with zipfile.ZipFile(stream, "a") as archive:
        archive.writestr(name, content)
    return stream.getvalue()


def test_a_tar_with_a_size_beyond_all_numbers_is_damaged() -> None:
    member = tarfile.TarInfo("a.csv")
    member.pax_headers = {"size": "9" * 20}
    with pytest.raises(FileError, match="tar archive is damaged"):
        read_table(member.tobuf(format=tarfile.PAX_FORMAT) + bytes(1024))


def test_a_jpeg_of_very_many_passes_is_no_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    content = saved(Image.new("L", (200, 100)), "JPEG", progressive=True)
    last = content.rindex(b"\xff\xda")
    many = content[:last] + content[last:-2] * 100 + content[-2:]
    monkeypatch.setattr(decoded, "_MOST_PASSES", 20 * 200 * 100)
    for data, told in ((content, False), (many, True)):
        table = read_table(zipped({"bars/0.jpeg": data, **two_classes(2, "in/")}))
        assert any("too many passes" in notice for notice in table.notices) is told


def test_no_memory_is_said_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(drafting, "take_pair", full)
    with pytest.raises(FileError, match="not enough memory for the table"):
        read_table(b"x,y\n1,2\n")
