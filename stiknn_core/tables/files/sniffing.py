"""What a file is, judged by its content; its name is not asked."""

from __future__ import annotations

import re
from typing import Literal

Kind = Literal[
    "empty", "gzip", "zip", "workbook", "parquet", "npz", "npy", "arff", "libsvm", "text",
    "locked workbook", "old workbook", "open document", "web page", "json", "pickle",
    "document", "binary",
]  # fmt: skip

REFUSED: dict[str, str] = {
    "locked workbook": (
        "The workbook is protected by a password; remove the password in the spreadsheet "
        "program, save, and load it again."
    ),
    "old workbook": (
        "This is a workbook of the old kind (.xls); save it as .xlsx or CSV and load that."
    ),
    "open document": (
        "This is an OpenDocument file (.ods); save the sheet as .xlsx or CSV and load that."
    ),
    "web page": (
        "This is a web page, not a table; open it in a spreadsheet program and save it as .xlsx "
        "or CSV."
    ),
    "json": "This is JSON, not a table; save it as CSV (one row per item) and load that.",
    "pickle": (
        "This is a Python pickle, which is never loaded because it can run code; save the table "
        "as CSV or Parquet."
    ),
    "document": "This is a document or picture, not a table; expected CSV, Excel, Parquet or NPZ.",
    "binary": (
        "The file is neither text nor a known table format; expected CSV, Excel (.xlsx), "
        "Parquet, ARFF, NPZ or NPY."
    ),
}

_SAMPLE = 65_536
_DOCUMENTS = (b"%PDF", b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"{\\rtf", b"Rar!", b"7z\xbc\xaf")
_TEXT_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
_LIBSVM_LINE = re.compile(rb"^\s*[^\s,:;]+(\s+\d+:[^\s:,;]+)+\s*(#.*)?$")


def sniff_kind(content: bytes) -> Kind:
    """Tell a readable kind, a container ("gzip", "zip"), or a key of ``REFUSED``.

    Only the beginning of a file (and, for containers, the member names) is looked at.
    """
    if not content or not content.strip(b"\x00 \t\r\n\x0b\x0c\xef\xbb\xbf\xff\xfe"):
        return "empty"
    if content.startswith(b"\x1f\x8b"):
        return "gzip"
    if content.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _kind_of_zip(content)
    if content.startswith(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"):
        locked = "EncryptedPackage".encode("utf-16-le") in content
        return "locked workbook" if locked else "old workbook"
    if content.startswith((b"PAR1", b"PARE")):
        return "parquet"
    if content.startswith(b"\x93NUMPY"):
        return "npy"
    if content.startswith(_DOCUMENTS):
        return "document"
    if content.startswith(b"\x80") and content[1:2] in (b"\x02", b"\x03", b"\x04", b"\x05"):
        return "pickle"
    return _kind_of_text(content)


def _kind_of_zip(content: bytes) -> Kind:
    # The end of a zip lists its members, so a search for their names needs no unpacking.
    if b"[Content_Types].xml" in content and b"xl/" in content:
        return "workbook"
    if b"mimetypeapplication/vnd.oasis.opendocument" in content[:200]:
        return "open document"
    if b"word/document.xml" in content or b"ppt/presentation.xml" in content:
        return "document"
    tail = content[-_SAMPLE:]
    if b".npy" in tail and not any(end in tail for end in (b".csv", b".txt", b".tsv")):
        return "npz"
    return "zip"


def _kind_of_text(content: bytes) -> Kind:
    sample = content[:_SAMPLE]
    if sample.startswith(_TEXT_MARKS):
        return _kind_of_letters(sample[3:])
    zeros = sample.count(b"\x00")
    if zeros and not _looks_like_utf16(sample):
        return "binary"
    control = sum(sample.count(bytes([code])) for code in range(1, 32) if code not in _BLANKS)
    if control > 0.01 * len(sample):
        return "binary"
    return _kind_of_letters(sample)


_BLANKS = (9, 10, 11, 12, 13, 26)


def _looks_like_utf16(sample: bytes) -> bool:
    even, odd = sample[0::2].count(b"\x00"), sample[1::2].count(b"\x00")
    half = max(len(sample) // 2, 1)
    return max(even, odd) > 0.3 * half and min(even, odd) < 0.05 * half


def _kind_of_letters(sample: bytes) -> Kind:
    start = sample.replace(b"\x00", b"").lstrip()
    lowered = start[:2048].lower()
    if lowered.startswith((b"<!doctype", b"<html", b"<table", b"<?xml")):
        return "web page"
    if start[:1] in (b"{", b"[") and re.match(rb"^[{\[]\s*([{\[\"\d-]|\]|\})", start):
        return "json"
    lines = [line.strip() for line in re.split(rb"\r\n|\r|\n", start) if line.strip()]
    told = [line for line in lines if not line.startswith(b"%")]
    if told and re.match(rb"(?i)@(relation|attribute)\b", told[0]):
        return "arff"
    whole = lines[:20] if len(sample) < _SAMPLE or len(lines) > 20 else lines[:-1]
    if whole and sum(bool(_LIBSVM_LINE.match(line)) for line in whole) > 0.5 * len(whole):
        return "libsvm"
    return "text"
