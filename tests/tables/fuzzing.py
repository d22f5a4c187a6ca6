"""What the fuzz tests feed to the loader."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import io
import lzma
import sqlite3
import tarfile
import tempfile
import zipfile
from collections.abc import Callable

import numpy as np
import openpyxl
import pandas as pd
import pyarrow as pa
import pyreadstat
from hypothesis import strategies as st
from PIL import Image
from pyarrow import feather, orc

from scripts.office_files import FOLDER

OFFICE = sorted(FOLDER.glob("measures.*"))

_MAGIC = [
    b"", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"PK\x03\x04", b"\x1f\x8b\x08\x00", b"PAR1",
    b"\x93NUMPY\x01\x00", b"sep=;\n", b"{", b"<html>", b"1 1:2 ", b"%PDF", b"\x80\x04",
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"ARROW1\x00\x00", b"ORC", b"SQLite format 3\x00",
    b"BZh9", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd", b"[{", b"<?xml version='1.0'?><table:table",
    b"@relation a\n@attribute b numeric\n",
]  # fmt: skip
_CELLS = [
    "", " ", "a", "b", "a ", "A", "1", "2", "-1", "+1", "1.5", "1,5", "1,234", "1.234,5", "1e5",
    "1e999", "inf", "-Infinity", "nan", "NA", "None", "?", "-", "true", "FALSE", "yes",
    "2024-01-05", "10/03/2004", "18.00.00", "=1+1", "'=1+1", "@x", "\t", "<b>x</b>", "é", "東京",
    "5 %", "3%", "€ 5", "$1,234.50", "(3)", "\u22124", "5-", "1\u202f234", "12 kg", "3 lb", "1/2",
    "<5",
    "5*", "12.5 b", "1.797e308", "\u0661\u0662", "--", "[mm]", "Total", "9007199254740993",
    "x y", "007", '"', "'", 'a"b', "#DIV/0!", "label", "id", "x1", "class", "train",
    "test", "0", "row labels",
    "[1, 2]", "[0.5 1e3]", "(0.1, -2)", "[nan, None]", "[[1, 2], [3]]", "[1,", "array([1., 2.])",
    "[1 ... 9]", "\x1f", "\u2028", "\ud7ff", "1" * 400, "word " * 30, "9" * 25, "∞",
    "m#a", "c", "d", "meta",
]  # fmt: skip

_STREAMS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress, "bzip2": bz2.compress, "xz": lzma.compress,
    "zstd": lambda data: bytes(pa.compress(data, "zstd", asbytes=True)),
}  # fmt: skip
_STATISTICS: dict[str, Callable[..., None]] = {
    "spss": pyreadstat.write_sav, "stata": pyreadstat.write_dta, "sas": pyreadstat.write_xport,
}  # fmt: skip

cells = st.one_of(st.sampled_from(_CELLS), st.text(max_size=6), st.floats().map(str))


@st.composite
def tables(draw: st.DrawFn, least: int = 0) -> list[list[str]]:
    """Draw a grid of cells, mostly rectangular."""
    width = draw(st.integers(1, 6))
    kinds = draw(
        st.lists(
            st.sampled_from(["number", "any", "few", "vector"]), min_size=width, max_size=width
        )
    )
    height = draw(st.integers(least, 14))
    grid: list[list[str]] = []
    if draw(st.booleans()):
        grid.append(draw(st.lists(cells, min_size=width, max_size=width)))
    for _ in range(height):
        row = []
        for kind in kinds:
            if kind == "number":
                row.append(str(draw(st.integers(-9, 99))))
            elif kind == "vector":
                row.append(str(draw(st.lists(st.floats(width=16), min_size=2, max_size=3))))
            elif kind == "few":
                row.append(draw(st.sampled_from(["a", "b", "", "NA"])))
            else:
                row.append(draw(cells))
        if draw(st.integers(0, 30)) == 0:
            row = row[: draw(st.integers(0, width))]
        grid.append(row)
    return grid


@st.composite
def text_files(draw: st.DrawFn) -> bytes:
    """Draw a delimited text file in some encoding, perhaps packed."""
    separator = draw(st.sampled_from([",", ";", "\t", "|", " ", ", "]))
    end = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    quote = draw(st.booleans())
    told = draw(tables())
    lines = [
        separator.join('"' + c.replace('"', '""') + '"' if quote else c for c in row)
        for row in told
    ]
    text = end.join(lines)
    encoding = draw(st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252"]))
    return pack(draw, text.encode(encoding, errors="replace"))


def pack(draw: st.DrawFn, data: bytes) -> bytes:
    """Leave the bytes alone, pack them, or damage them."""
    way = draw(st.sampled_from(["plain", "plain", *_STREAMS, "zip", "tar", "cut", "flip"]))
    if way in _STREAMS:
        return _STREAMS[way](data)
    if way == "tar":
        member = tarfile.TarInfo("table.csv")
        member.size = len(data)
        return member.tobuf() + data + bytes(-len(data) % 512 + 1024)
    if way == "zip":
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w") as archive:
            archive.writestr("table.csv", data)
        return stream.getvalue()
    if way == "cut" and data:
        return data[: draw(st.integers(0, len(data)))]
    if way == "flip" and data:
        spoiled = bytearray(data)
        for _ in range(draw(st.integers(1, 4))):
            spoiled[draw(st.integers(0, len(data) - 1))] = draw(st.integers(0, 255))
        return bytes(spoiled)
    return data


@st.composite
def other_files(draw: st.DrawFn) -> bytes:
    """Draw a workbook, Parquet, NPZ, NPY, ARFF or LIBSVM file, perhaps damaged."""
    way = draw(st.sampled_from(["xlsx", "parquet", "npz", "npy", "arff", "libsvm"]))
    grid = draw(tables(least=1))
    stream = io.BytesIO()
    if way == "xlsx":
        book = openpyxl.Workbook()
        for row in grid:
            book.active.append([openpyxl.cell.cell.ILLEGAL_CHARACTERS_RE.sub("", c) for c in row])
        book.save(stream)
    elif way == "parquet":
        width = max(map(len, grid))
        rows = [[*row, *[""] * (width - len(row))] for row in grid]
        frame = pd.DataFrame(rows, columns=[f"c{place}" for place in range(width)])
        numbers = st.one_of(st.none(), st.lists(st.one_of(st.none(), st.floats()), max_size=3))
        lists = draw(st.lists(numbers, min_size=len(rows), max_size=len(rows)))
        kind = draw(st.sampled_from([pa.list_(pa.float64()), pa.large_list(pa.float32())]))
        if draw(st.booleans()):
            frame["v"] = pd.Series(lists, dtype=pd.ArrowDtype(kind))
        frame.to_parquet(stream)
    elif way in ("npz", "npy"):
        array = np.array(draw(st.lists(st.floats(), min_size=1, max_size=12)))
        shape = draw(st.sampled_from([(-1,), (-1, 1), (1, -1), (-1, 1, 1)]))
        if way == "npy":
            np.save(stream, array.reshape(shape))
        else:
            name = draw(st.sampled_from(["X", "data", "x_train", "a-b", "emb", "text_vectors"]))
            np.savez(stream, **{name: array.reshape(shape), "y": np.arange(len(array)) % 2})
    elif way == "arff":
        names = "".join(f"@attribute c{i} {{a,b,1}}\n" for i in range(len(grid[0]) or 1))
        body = "\n".join(",".join(row) for row in grid)
        stream.write(f"@relation r\n{names}@data\n{body}\n".encode("utf-8", "replace"))
    else:
        body = "\n".join(
            f"{row[0] if row else 'a'} " + " ".join(f"{i + 1}:{c}" for i, c in enumerate(row[1:]))
            for row in grid
        )
        stream.write(body.encode("utf-8", "replace"))
    return pack(draw, stream.getvalue())


@st.composite
def saved_files(draw: st.DrawFn) -> bytes:
    """Draw a file as programs save it, spoiled in a few places; in a zip, inside one part too."""
    grid = draw(tables(least=1))
    width = max(1, *map(len, grid))
    names = [f"c{place}" for place in range(width)]
    cells = [[*row, *[None] * (width - len(row))] for row in grid]
    frame = pd.DataFrame(cells, columns=names).astype("str")
    stream = io.BytesIO()
    ways = ["office", "office", "arrow", "orc", "json", "lines", "sqlite", "page", "pictures"]
    way = draw(st.sampled_from([*ways, *_STATISTICS]))
    if way == "office":
        data = draw(st.sampled_from(OFFICE)).read_bytes()
        return pack(draw, _spoiled_part(draw, data) if data.startswith(b"PK") else data)
    if way == "arrow":
        feather.write_feather(frame, stream, compression=draw(st.sampled_from(["lz4", "zstd"])))
    elif way == "orc":
        # Its writer dies of some of these cells; what is tried here is its reader.
        orc.write_table(pa.table({"x": [1.5, None, 3], "c": ["a", "é", None]}), stream)
    elif way in _STATISTICS:
        with tempfile.NamedTemporaryFile() as made:
            _STATISTICS[way](pd.DataFrame({"x": [1.5, None, 3.0], "c": ["a", "b", ""]}), made.name)
            stream.write(made.read())
    elif way == "page":
        stream.write(f"<html>{frame.to_html()}</html>".encode("utf-8", "replace"))
    elif way == "pictures":
        with zipfile.ZipFile(stream, "w") as made_of:
            for place, kind in enumerate(("png", "jpeg", "gif", "bmp", "tiff", "webp")):
                shown = io.BytesIO()
                Image.new("RGB", (5, 4), (place * 40, 0, 0)).save(shown, kind)
                made_of.writestr(f"{'ab'[place % 2]}/{place}.{kind}", shown.getvalue())
        if draw(st.booleans()):
            return _spoiled_part(draw, stream.getvalue())
    elif way == "sqlite":
        with contextlib.closing(sqlite3.connect(":memory:")) as base:
            frame.to_sql("t", base, index=False)
            stream.write(base.serialize())
    else:
        orient = draw(st.sampled_from(["records", "columns", "index", "split", "table", "values"]))
        lines = way == "lines"
        stream.write(frame.to_json(orient="records" if lines else orient, lines=lines).encode())
    return pack(draw, stream.getvalue())


def _spoiled_part(draw: st.DrawFn, data: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(stream, "w") as new:
        chosen = draw(st.sampled_from([name for name in old.namelist() if old.read(name)]))
        for name in old.namelist():
            content = bytearray(old.read(name))
            for _ in range(draw(st.integers(1, 4)) if name == chosen else 0):
                content[draw(st.integers(0, len(content) - 1))] = draw(st.integers(0, 255))
            new.writestr(name, bytes(content))
    return stream.getvalue()


junk = st.builds(lambda start, rest: start + rest, st.sampled_from(_MAGIC), st.binary(max_size=200))
_KINDS = ["object", "str", "category", "Int64", "float32", "bool", "datetime64[ns]", "complex128"]


@st.composite
def frames(draw: st.DrawFn) -> pd.DataFrame:
    """Draw a DataFrame with columns of many kinds."""
    n = draw(st.integers(0, 9))
    names = draw(
        st.lists(st.sampled_from(["a", "b", "label", "", 3, None, ("x", "y")]), max_size=5)
    )
    columns = []
    for _ in names:
        kind = draw(st.sampled_from(_KINDS))
        numbers = pd.Series(
            draw(st.lists(st.integers(0, 5), min_size=n, max_size=n)), dtype="int64"
        )
        if kind == "object":
            odd = st.sampled_from([None, float("nan"), "a", 1, 1.0, True, [1], {}, pd.NA, b"x"])
            values = pd.Series(draw(st.lists(odd, min_size=n, max_size=n)), dtype="object")
        elif kind == "str":
            values = pd.Series(draw(st.lists(cells, min_size=n, max_size=n)), dtype="object")
        else:
            values = numbers.astype(kind)
        columns.append(values)
    frame = pd.concat(columns, axis=1) if columns else pd.DataFrame(index=range(n))
    frame.columns = pd.Index(names, dtype="object", tupleize_cols=False)
    if draw(st.booleans()) and n:
        frame.index = pd.Index(draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)))
    return frame
