"""Small files that claim much: each is read in a child of its own, with its memory limited."""

from __future__ import annotations

import gzip
import io
import multiprocessing
import resource
import struct
import time
import zipfile
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from stiknn_core.errors import StiknnError
from stiknn_core.tables import read_table
from tests.patience import PATIENCE
from tests.tables.test_excel import PLAIN, book
from tests.tables.test_sheets import SHEET, changed

LIMIT = 1_500_000_000
RESERVED = 500_000_000  # for threads, which use little of it
"""Memory a bomb may take above its own size."""


def npy(shape: str, kind: str = "<f8", data: bytes = bytes(800)) -> bytes:
    head = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}".encode()
    head += b" " * (63 - (10 + len(head)) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head + data


def zipped(**files: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in files.items():
            made.writestr(name.replace("__", "."), content)
    return stream.getvalue()


def lying_zip() -> bytes:
    data = bytearray(zipped(a__csv=b"1,2,a\n" * 1_000_000))
    at = data.rfind(b"PK\x01\x02")
    data[at + 24 : at + 28] = struct.pack("<I", 1000)
    return bytes(data)


def nested(depth: int) -> bytes:
    data = b"x,y\n1,2\n"
    for _ in range(depth):
        data = zipped(a__zip=data)
    return data


def columns(**named: Any) -> bytes:
    stream = io.BytesIO()
    parquet.write_table(pa.table(named), stream, compression="zstd", store_schema=False)
    return stream.getvalue()


def arff(features: int, rows: int) -> bytes:
    names = "".join(f"@attribute a{at} numeric\n" for at in range(features))
    return f"@relation r\n{names}@data\n{'{0 1}' + chr(10)}".encode() + b"{0 1}\n" * rows


def lists(values: int) -> bytes:
    cells = pa.array(np.zeros(values, np.int8))
    starts = np.linspace(0, values, 101).astype(np.int32)
    return columns(x=pa.ListArray.from_arrays(starts, cells), y=["a", "b"] * 50)


def long_words(rows: int, size: int) -> bytes:
    return columns(x=pa.array(["x" * size] * rows).dictionary_encode(), y=["a", "b"] * (rows // 2))


def sheet(old: str, new: str) -> bytes:
    return changed(book(PLAIN), SHEET, old, new)


def claiming(width: int, height: int) -> bytes:
    """Return two classes of pictures that are nothing but a header."""
    head = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = b"IDAT" + zlib.compress(bytes(1_000_000))
    parts = [struct.pack(">I", len(one) - 4) + one + struct.pack(">I", zlib.crc32(one))
             for one in (head, body, b"IEND")]  # fmt: skip
    picture = b"\x89PNG\r\n\x1a\n" + b"".join(parts)
    return zipped(**{f"{name}/1__png": picture for name in "ab"})


def many_files(count: int) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as made:
        for place in range(count):
            made.writestr(zipfile.ZipInfo(f"{place % 2}/{place}.png"), b"")
    return stream.getvalue()


def wide_tiff() -> bytes:
    """Return pictures of two classes that unpack to more than is read of any."""
    tags = [(256, 4, 100_000), (257, 4, 100_000), (258, 3, 8), (259, 3, 1), (262, 3, 1),
            (273, 4, 8), (277, 3, 1), (278, 4, 100_000), (279, 4, 4_000_000_000)]  # fmt: skip
    told = struct.pack("<H", len(tags)) + b"".join(
        struct.pack("<HHII", tag, kind, 1, value) for tag, kind, value in tags
    )
    return zipped(**{f"{name}/1__tif": b"II*\0\x08\0\0\0" + told + bytes(4) for name in "ab"})


SMALL: dict[str, Callable[[], bytes]] = {
    "npy of terabytes": lambda: npy("(1000000000, 1000)"),
    "npy of less than nothing": lambda: npy("(-1, 3)"),
    "npy of no rows": lambda: npy("(0, 100000000000)", data=b""),
    "npy of long texts": lambda: npy("(5, 2)", "<U100000000"),
    "npy of nothing": lambda: npy("(2, 1000000000)", "|V0"),
    "npy of empty texts": lambda: npy("(2000000000, 2)", "<U0"),
    "npz of terabytes": lambda: zipped(X__npy=npy("(100000000, 100)"), y__npy=npy("(100000000,)")),
    "zip in zip": lambda: nested(12),
    "gzip in gzip": lambda: gzip.compress(gzip.compress(gzip.compress(bytes(50_000_000)))),
    "zip with a false size": lying_zip,
    "gzip of 600 MB": lambda: gzip.compress(b"1,2,a\n" * 100_000_000, 1),
    "zstd of 600 MB": lambda: pa.compress(bytes(600_000_000), "zstd", asbytes=True),
    "sheet with a far row": lambda: sheet('r="(A?)4"', r'r="\g<1>999999999"'),
    "sheet with a wide claim": lambda: sheet('r="A4"', 'r="AAAAAAA4"'),
    "sparse ARFF": lambda: arff(15_000, 60_000),
    "LIBSVM of a huge index": lambda: b"1 2147483646:1\n" * 50,
    "LIBSVM of an index beyond all": lambda: b"1 1099511627776:1\n" * 50,
    "long lists": lambda: lists(70_000_000),
    "long words": lambda: long_words(300, 2_000_000),
    "JSON of brackets": lambda: b"[" * 5_000_000,
    "JSON of many values": lambda: b"[" + b"1," * 15_000_000 + b"1]",
    "PNG of 60,000 x 60,000": lambda: claiming(60_000, 60_000),
    "PNG of 12,000 x 12,000": lambda: claiming(12_000, 12_000),
    "PNG of no end": lambda: claiming(2**31 - 1, 2**31 - 1),
    "TIFF of 100,000 x 100,000": wide_tiff,
    "zip of 200,000 files": lambda: many_files(200_000),
    "page of cells": lambda: b"<table><tr>" + b"<td colspan=9999>x" * 20_000,
}  # fmt: skip


def read_in_child(make: Callable[[], bytes]) -> tuple[str, float, float]:
    """Return outcome, seconds of computing and memory above the size of the file."""
    context = multiprocessing.get_context("fork")
    data = make()
    results = context.Queue()
    child = context.Process(target=_read, args=(data, results))
    child.start()
    try:
        return tuple(results.get(timeout=PATIENCE))  # type: ignore[return-value]
    finally:
        child.kill()
        child.join()


def _read(data: bytes, results: Any) -> None:
    with open("/proc/self/statm", encoding="ascii") as told:
        used = int(told.read().split()[0]) * resource.getpagesize()
    most = used + LIMIT + RESERVED
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.process_time()
    try:
        read_table(data)
        outcome = "read"
    except StiknnError as error:
        outcome = f"refused: {error}"
    grown = 1024.0 * (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
    results.put((outcome, time.process_time() - start, grown))
