from __future__ import annotations

import gzip
import io
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from stiknn_core.errors import FileError
from stiknn_core.tables import ChoiceError, limits, read_table
from stiknn_core.tables.files import sources

CSV = b"x1,x2,label\n1,2,a\n3,4,b\n5,6,a\n"


def packed(content: bytes) -> bytes:
    """Gzip without the time, which would change the name of a test from process to process."""
    return gzip.compress(content, mtime=0)


def zipped(**members: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(
                zipfile.ZipInfo(name.replace("__", ".")), content, zipfile.ZIP_DEFLATED
            )
    return stream.getvalue()


@pytest.mark.parametrize(
    ("data", "packing"),
    [
        (packed(CSV), "gzip"),
        (zipped(a__csv=CSV), "zip"),
        (packed(CSV[:20]) + packed(CSV[20:]), "gzip"),
        (zipped(a__csv__gz=packed(CSV)), "gzip in zip"),
    ],
    ids=["gzip", "zip", "two gzip members", "gzip in zip"],
)
def test_packed_files_load(data: bytes, packing: str) -> None:
    table = read_table(data)
    assert table.frame.shape == (3, 3)
    assert table.decisions["packing"] == packing


def test_a_zip_of_several_files_asks_which() -> None:
    data = zipped(a__csv=CSV, b__csv=b"x,label\n1,p\n2,q")
    with pytest.raises(ChoiceError, match=r"2 files; choose one of a\.csv and b\.csv") as caught:
        read_table(data)
    assert caught.value.option == "member"
    assert caught.value.choices == ("a.csv", "b.csv")
    assert read_table(data, member="b.csv").columns == ("x", "label")
    with pytest.raises(ChoiceError, match=r"no file 'c\.csv'"):
        read_table(data, member="c.csv")


def test_the_content_decides_not_the_name(tmp_path: Path) -> None:
    frame = pd.DataFrame({"x": [1.5, 2.5], "label": ["a", "b"]})
    frame.to_excel(tmp_path / "book.csv.xlsx", index=False)
    book = (tmp_path / "book.csv.xlsx").rename(tmp_path / "book.csv")
    text = tmp_path / "text.xlsx"
    text.write_text("x\tlabel\n1.5\ta\n2.5\tb")
    assert read_table(book).decisions["format"] == "Excel"
    assert read_table(text).decisions["separator"] == "\t"
    assert read_table(book).to_dataset().X.tolist() == read_table(text).to_dataset().X.tolist()
    assert read_table(text).name == "text"


@pytest.mark.parametrize("kind", ["path", "str", "bytes", "file", "text", "upload"])
def test_any_kind_of_source(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "my.data.csv"
    path.write_bytes(CSV)
    upload = io.BytesIO(CSV)
    upload.name = "my.data.csv"
    upload.read()  # as a second look at an upload does
    with path.open("rb") as file:
        source: Any = {
            "path": path, "str": str(path), "bytes": CSV, "file": file,
            "text": io.StringIO(CSV.decode()), "upload": upload,
        }[kind]  # fmt: skip
        table = read_table(source)
    assert table.frame.shape == (3, 3)
    assert table.name == ("table" if kind in ("bytes", "text") else "my")


OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "is empty"),
        (OLE + "EncryptedPackage".encode("utf-16-le"), "protected by a password"),
        (OLE, "an Office document"),
        (OLE + "WordDocument".encode("utf-16-le"), "a text document"),
        (b"%PDF-1.4 ...", "a PDF document"),
        (b"\x89PNG\r\n\x1a\n", "a picture"),
        (b"RIFF1234WEBPVP8 ", "a picture"),
        (b"<?xml version='1.0'?><svg></svg>", "a picture"),
        (b"<!DOCTYPE html><html><table><tr><td>1</td></tr></table>", "web page without a table"),
        (b"<?xml version='1.0'?><catalog><a>1</a></catalog>", "XML of a kind"),
        (b'{"x": 1}', "JSON holds no table"),
        (b"7z\xbc\xaf\x27\x1c\x00\x04", "a 7z archive"),
        (b"Rar!\x1a\x07\x01\x00", "a RAR archive"),
        (b"BZh9 broken", "bzip2 file is damaged"),
        (b"\xfd7zXZ\x00 broken", "xz file"),
        (b"\x28\xb5\x2f\xfd broken", "zstd file"),
        (packed(b"RDX3\nX\n\x00"), "an R data file.*write.csv"),
        (packed(b"X\n\x00\x00\x00\x03"), "an R data file"),
        (b"\x89HDF\r\n\x1a\n" + bytes(90), "an HDF5 file"),
        (b"MATLAB 5.0 MAT-file, Platform" + bytes(90), "a MATLAB file"),
        (b"\x00\x01\x00\x00Standard ACE DB\x00" + bytes(90), "an Access database"),
        (b"\x00\x00\x27\x0a" + bytes(96), "a GIS shapefile"),
        (b"\x03\x7c\x01\x05" + bytes(28) + b"NAME\0\0\0\0\0\0\0C" + bytes(60), "a dBase table"),
        (b"Obj\x01\x04\x16avro.schema", "an Avro file"),
        (bytes(8) + b"DUCK" + bytes(90), "a DuckDB database"),
        (b"FEA1" + bytes(90), "a Feather file of the old kind"),
        (b"MZ\x90\x00", "a program"),
        (zipped(**{"Index/Document.iwa": b"x"}), "an Apple Numbers document"),
        (zipped(**{"archive/data.pkl": b"x"}), "a Python pickle"),
        (b"\x80\x04\x95\x00\x00", "pickle"),
        (bytes(range(256)) * 20, "neither text nor a known table"),
        (np.random.default_rng(0).bytes(5000), "neither text nor a known table"),
        (b"\x1f\x8b\x08\x00junk", "gzip file"),
        (packed(CSV)[:-12], "ends too early"),
        (b"PK\x03\x04 broken", "damaged"),
        (zipped(word__x=b"", **{"word/document.xml": b"x"}), "a text document"),
        (zipped(), "holds no file"),
        (zipped(**{"../../a.csv": CSV, "/b.csv": CSV}), r"lead out of the zip \('../../a.csv' and"),
        (b"PAR1 broken PAR1", "Parquet file could not be read"),
        (b"\x93NUMPY\x01\x00", "array file is damaged"),
    ],
)
def test_what_is_no_table_gets_one_sentence(data: bytes, words: str) -> None:
    with pytest.raises(FileError, match=words) as caught:
        read_table(data)
    assert str(caught.value).endswith(".")


def test_a_locked_zip_says_so() -> None:
    data = bytearray(zipped(a__csv=CSV))
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + offset] |= 1
    with pytest.raises(FileError, match="protected by a password"):
        read_table(bytes(data))


@pytest.mark.parametrize("way", ["gzip", "zip", "workbook"])
def test_a_bomb_is_not_unpacked(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "MAX_UNPACKED_BYTES", 100_000)
    zeros = b"0" * 1_000_000
    parts = {"[Content_Types].xml": b"<a/>", "xl/workbook.xml": zeros}
    data = {"gzip": gzip.compress(zeros), "zip": zipped(a__csv=zeros), "workbook": zipped(**parts)}
    assert len(data[way]) < 5_000
    with pytest.raises(FileError, match="zip bomb"):
        read_table(data[way])


def test_an_archive_of_many_files_is_told_by_their_number(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sources, "_MOST_MEMBERS", 2)
    with pytest.raises(FileError, match="The archive holds 3 files; at most 2 are looked through"):
        read_table(zipped(a__csv=CSV, b__csv=CSV, c__csv=CSV))


def test_packing_without_end_is_refused() -> None:
    data = CSV
    for _ in range(4):
        data = gzip.compress(data)
    with pytest.raises(FileError, match="more than 3 times"):
        read_table(data)


def test_a_300_mb_file_gets_a_sentence_without_being_read() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "big.csv"
        with path.open("wb") as file:
            file.truncate(300 * 1024 * 1024)  # sparse: takes no room
        with pytest.raises(FileError, match=r"at most 210 MB can be loaded, this one has 315 MB"):
            read_table(path)


def test_an_open_file_is_read_no_further_than_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "MAX_FILE_BYTES", 10)
    stream = io.BytesIO(CSV)
    with pytest.raises(FileError, match="too large"):
        read_table(stream)
    assert stream.tell() == 11
    with pytest.raises(FileError, match="too large"):
        read_table(CSV)


@pytest.mark.parametrize("source", [None, 3, 2.5, [1, 2], "no/such/file.csv", "a\x00b", object()])
def test_no_source_at_all(source: Any) -> None:
    with pytest.raises(FileError):
        read_table(source)


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="is a folder"):
        read_table(tmp_path)


def test_limits_are_in_order() -> None:
    assert limits.MAX_FILE_BYTES == 200 * 1024**2
    assert limits.MAX_UNPACKED_BYTES > limits.MAX_FILE_BYTES


def test_thousands_of_small_parts_take_no_square_of_time() -> None:
    data = gzip.compress(b"x,label\n") + gzip.compress(b"1,a\n2,b\n") * 20_000
    assert read_table(data).n_rows == 40_000


def test_parts_of_spark_are_put_below_each_other() -> None:
    marks = {"out/_SUCCESS": b"", "out/.part-00000.csv.crc": b"crc\0"}
    first = {"out/part-00000-ab.csv": b"x,label\n1.5,a\n2.5,b\n"}
    assert read_table(zipped(**(marks | first))).n_rows == 2
    second = {"out/part-00001-ab.csv": b"x,label\n3.5,a\n4.5,b\n"}
    made = read_table(zipped(**(marks | second | first)))
    assert made.frame["x"].tolist() == ["1.5", "2.5", "3.5", "4.5"]
    assert made.notices[0] == "2 parts of the archive were put below each other."
    one = read_table(zipped(**(marks | first | second)), member="out/part-00001-ab.csv")
    assert one.frame["x"].tolist() == ["3.5", "4.5"]
    lines = {"part-00000": b'{"x": 1, "label": "a"}\n', "part-00001": b'{"x": 1, "label": "a"}\n'}
    assert read_table(zipped(**lines)).n_rows == 2
    with pytest.raises(ChoiceError, match="holds 2 files"):
        read_table(zipped(**{"train.csv": b"x,label\n1,a\n", "test.csv": b"x,label\n2,b\n"}))
