"""Workbooks of the older and the binary kind: what they claim is counted before it is read."""

from __future__ import annotations

import io
import struct
import zipfile
from typing import Any

import pytest

from scripts.office_files import FOLDER
from stiknn_core.errors import FileError
from stiknn_core.tables import read_table
from stiknn_core.tables.files.binary_scan import scan_xls

XLS = (FOLDER / "measures.xls").read_bytes()
_TYPES = """<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/\
content-types"><Default Extension="bin" ContentType="application/vnd.ms-excel.sheet.binary.\
macroEnabled.main"/></Types>"""
_LINKS = """<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/\
2006/relationships">{}</Relationships>"""
_LINK = '<Relationship Id="rId{}" Type="http://schemas.openxmlformats.org/officeDocument/2006/\
relationships/{}" Target="{}"/>'


def record(kind: int, body: bytes = b"") -> bytes:
    head = bytes([kind]) if kind < 128 else bytes([kind & 127 | 128, kind >> 7])
    size = len(body)
    told = b""
    while True:
        size, low = size >> 7, size & 127
        told += bytes([low | (128 if size else 0)])
        if not size:
            return head + told + body


def wide(text: str) -> bytes:
    return struct.pack("<I", len(text)) + text.encode("utf-16-le")


def cell(column: int, value: Any) -> bytes:
    place = struct.pack("<II", column, 0)
    if isinstance(value, bool):
        return record(4, place + bytes([value]))
    if isinstance(value, float):
        return record(5, place + struct.pack("<d", value))
    if isinstance(value, int):
        return record(7, place + struct.pack("<I", value))
    return record(6, place + wide(value))


def row(number: int, *values: Any, hidden: bool = False) -> bytes:
    head = struct.pack("<IIHBB", number, 0, 300, 0, 0x10 if hidden else 0) + bytes(5)
    cells = b"".join(cell(at, value) for at, value in enumerate(values) if value is not None)
    return record(0, head) + cells


def xlsb(rows: bytes, after: bytes = b"", shared: tuple[str, ...] = ()) -> bytes:
    area = struct.pack("<4I", 0, 9, 0, 3)
    sheet = record(129) + record(148, area) + record(145) + rows + record(146) + after + record(130)
    told = struct.pack("<II", 0, 1) + wide("rId1") + wide("Data")
    book = record(131) + record(143) + record(156, told) + record(144) + record(132)
    texts = record(159, struct.pack("<II", len(shared), len(shared)))
    texts += b"".join(record(19, b"\0" + wide(text)) for text in shared) + record(160)
    links = _LINK.format(1, "worksheet", "worksheets/sheet1.bin")
    links += _LINK.format(2, "sharedStrings", "sharedStrings.bin")
    top = _LINK.format(1, "officeDocument", "xl/workbook.bin")
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("[Content_Types].xml", _TYPES)
        made.writestr("_rels/.rels", _LINKS.format(top))
        made.writestr("xl/workbook.bin", book)
        made.writestr("xl/_rels/workbook.bin.rels", _LINKS.format(links))
        made.writestr("xl/worksheets/sheet1.bin", sheet)
        made.writestr("xl/sharedStrings.bin", texts)
    return stream.getvalue()


TOP = row(0, "x", "ok", "label")


def test_a_binary_workbook_keeps_its_kinds() -> None:
    rows = TOP + row(1, 1.5, True, 0) + row(2, 2.5, False, None, hidden=True) + row(3, 4.0, True, 1)
    merges = record(177, struct.pack("<I", 1)) + record(176, struct.pack("<4I", 1, 2, 2, 2))
    table = read_table(xlsb(rows, merges + record(178), ("a", "b")))
    assert table.frame["x"].tolist() == [1.5, 2.5, 4]
    assert table.frame["ok"].tolist() == [True, False, True]
    assert table.frame["label"].tolist() == ["a", "a", "b"]
    told = " ".join(table.notices)
    assert "1 hidden row" in told
    assert "1 empty cell got the value" in told


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (row(4_000_000_000, 1.0, 2.0), "claims to reach down to row 4,000,000,001"),
        (row(900_000, 1.0, 2.0, *[None] * 60, 3.0), "but only 6 cells are filled"),
        (row(1_000_000, 1.0, *[None] * 900, 3.0), "more than 60,000,000 cells"),
    ],
)
def test_what_a_binary_workbook_claims_is_counted_first(rows: bytes, words: str) -> None:
    with pytest.raises(FileError, match=words):
        read_table(xlsb(TOP + rows))


def test_shared_texts_of_a_binary_workbook_count_as_often_as_they_are_used() -> None:
    rows = b"".join(row(at, float(at), None, 0) for at in range(1, 400))
    with pytest.raises(FileError, match="more than 300 million letters"):
        read_table(xlsb(TOP + rows, shared=("x" * 500_000,)))


def changed_xls(kind: int, place: int, value: int, last: bool = False) -> bytes:
    """Return the workbook with a 16-bit number of one record changed."""
    data = bytearray(XLS)
    at = (data.rfind if last else data.find)(struct.pack("<HH", kind, {0x203: 14, 0xFD: 10}[kind]))
    struct.pack_into("<H", data, at + 4 + place, value)
    return bytes(data)


def test_an_older_workbook_is_counted_first() -> None:
    scans = scan_xls(XLS)
    assert [(scan.rows, scan.columns) for scan in scans] == [(13, 8), (1, 1)]
    assert scans[0].hidden_rows == {3}
    assert scans[0].hidden_columns == {0}
    # The last row and the last column that can be written are far too much for so few cells.
    far = changed_xls(0x203, 0, 65_535, last=True)
    far = far[: far.find(struct.pack("<HH", 0x203, 14)) + 6] + struct.pack("<H", 255) + far[
        far.find(struct.pack("<HH", 0x203, 14)) + 8 :
    ]  # fmt: skip
    with pytest.raises(FileError, match=r"65,536 rows and 256 columns, but only \d+ cells"):
        read_table(far)


@pytest.mark.parametrize("end", [600, 3000, 6000])
def test_a_cut_older_workbook_is_one_sentence(end: int) -> None:
    with pytest.raises(FileError):
        read_table(XLS[:end])


@pytest.mark.parametrize(
    ("area", "words"),
    [
        ((0, 2**32 - 1, 0, 256), "more than 60,000,000 cells"),
        ((5, 3, 0, 8), "does not say where a sheet ends"),
        ((0, 13, 8, 8), "does not say where a sheet ends"),
    ],
)
def test_the_area_that_an_older_workbook_claims_is_counted(
    area: tuple[int, ...], words: str
) -> None:
    at = XLS.index(struct.pack("<HH2I", 0x200, 14, 0, 13))
    with pytest.raises(FileError, match=words):
        read_table(XLS[: at + 4] + struct.pack("<2I2H", *area) + XLS[at + 16 :])
