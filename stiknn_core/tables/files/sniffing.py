"""What a file is, told by its content; its name is not asked."""

from __future__ import annotations

import io
import re
import zipfile
from typing import Final

from stiknn_core.tables.files.refused import name_of, name_of_office, name_of_zip

READ: Final = frozenset({
    "workbook", "binary workbook", "old workbook", "OpenDocument", "flat OpenDocument",
    "SpreadsheetML", "web page", "parquet", "arrow", "arrow stream", "orc", "sqlite", "spss",
    "spss portable", "stata", "sas", "sas transport", "npz", "npy", "arff", "libsvm", "json",
    "text", "pictures", "saved set",
})  # fmt: skip
"""Kinds that are read; any other is a container or refused by name. The last two are archives."""

_SAMPLE = 65_536
_TEXT_MARK = re.compile(rb"\xef\xbb\xbf|\xff\xfe|\xfe\xff")
_LIBSVM_LINE = re.compile(rb"^\s*[^\s,:;]+(\s+(?:\d+|qid):[^\s:,;]+)+\s*(#.*)?$")
_MARKS: tuple[tuple[int, bytes, str], ...] = (
    (0, b"\x1f\x8b", "gzip"),
    (0, b"BZh", "bzip2"),
    (0, b"\xfd7zXZ\x00", "xz"),
    (0, b"\x28\xb5\x2f\xfd", "zstd"),
    (257, b"ustar", "tar"),
    (0, b"PAR1", "parquet"),
    (0, b"PARE", "parquet"),
    (0, b"ARROW1\x00\x00", "arrow"),
    (0, b"\xff\xff\xff\xff", "arrow stream"),
    (0, b"ORC", "orc"),
    (0, b"SQLite format 3\x00", "sqlite"),
    (0, b"$FL2@(#)", "spss"),
    (0, b"$FL3@(#)", "spss"),
    (0, b"<stata_dta>", "stata"),
    (0, bytes(12) + b"\xc2\xea\x81\x60\xb3\x14\x11\xcf\xbd\x92", "sas"),
    (0, b"HEADER RECORD*******LIBRARY HEADER RECORD", "sas transport"),
    (0, b"HEADER RECORD*******LIBV8   HEADER RECORD", "sas transport"),
    (0, b"\x93NUMPY", "npy"),
)
# A tag with another right behind it: a column name in angle brackets has a separator there.
_ELEMENT = re.compile(rb"<[a-z][\w:.-]*(\s[^>]*)?>\s*<|<[a-z][\w:.-]*\sxmlns", re.DOTALL)
# Where a remark ends is settled once: all ways to part a row of remarks are two to their number.
_SVG = re.compile(rb"(?>(?><!--.*?-->)|<\?xml[^>]*>|\s)*+<svg", re.DOTALL)
_OLD_STATA = re.compile(rb"[\x69\x6c\x6e\x6f\x71-\x73][\x01\x02]\x01\x00", re.DOTALL)


def sniff_kind(content: bytes) -> str:
    """Tell a kind of ``READ``, a container ("gzip", "tar", ...), or what is not read.

    Only the beginning of a file (and, for containers, the member names) is looked at.
    """
    if not content or not content.strip(b"\x00 \t\r\n\x0b\x0c\xef\xbb\xbf\xff\xfe"):
        return "empty"
    for place, mark, kind in _MARKS:
        if content.startswith(mark, place):
            return kind
    if content.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _kind_of_zip(content)
    if content.startswith(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"):
        return _kind_of_office(content)
    if b"ASCII SPSS PORT FILE" in content[:512]:
        return "spss portable"
    if _OLD_STATA.match(content):
        return "stata"
    return name_of(content) or _kind_of_text(content)


def _kind_of_zip(content: bytes) -> str:
    # The end of a zip lists its members, so a search for their names needs no unpacking.
    tail = content[-(4 * _SAMPLE) :]
    if b"[Content_Types].xml" in content and b"xl/" in content:
        return "binary workbook" if b"xl/workbook.bin" in content else "workbook"
    if b"mimetypeapplication/vnd.oasis.opendocument" in content[:200]:
        return "OpenDocument" if b"opendocument.spreadsheet" in content[:200] else "text document"
    if name := name_of_zip(tail):
        return name
    return "npz" if b".npy" in tail and _holds_arrays_only(content) else "zip"


def _holds_arrays_only(content: bytes) -> bool:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return all(name.endswith(".npy") for name in archive.namelist())
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        return True  # damaged; said by what reads arrays


def _kind_of_office(content: bytes) -> str:
    if "EncryptedPackage".encode("utf-16-le") in content:
        return "locked workbook"
    streams = (b"W\0o\0r\0k\0b\0o\0o\0k\0", b"B\0o\0o\0k\0\0\0")
    return "old workbook" if any(name in content for name in streams) else name_of_office(content)


def _kind_of_text(content: bytes) -> str:
    sample = content[:_SAMPLE]
    if mark := _TEXT_MARK.match(sample):
        return _kind_of_letters(sample[mark.end() :])
    zeros = sample.count(b"\x00")
    if zeros and not _looks_like_utf16(sample):
        return "binary"
    control = sum(sample.count(bytes([code])) for code in range(1, 32) if code not in _BLANKS)
    if control > 0.01 * len(sample):
        return "binary"
    return _kind_of_letters(sample)


# Hive parts cells by the first of them.
_BLANKS = (1, 9, 10, 11, 12, 13, 26)


def _looks_like_utf16(sample: bytes) -> bool:
    even, odd = sample[0::2].count(b"\x00"), sample[1::2].count(b"\x00")
    half = max(len(sample) // 2, 1)
    return max(even, odd) > 0.3 * half and min(even, odd) < 0.05 * half


def _kind_of_letters(sample: bytes) -> str:
    start = sample.replace(b"\x00", b"").lstrip()
    if start[:1] == b"<":
        return _kind_of_markup(start[:8192].lower())
    if start[:1] in (b"{", b"[") and re.match(
        rb"^[{\[]\s*([{\[\"\d-]|\]|\}|null|true|false)", start
    ):
        return "json"
    lines = [line.strip() for line in re.split(rb"\r\n|\r|\n", start) if line.strip()]
    told = [line for line in lines if not line.startswith(b"%")]
    if told and re.match(rb"(?i)@(relation|attribute)\b", told[0]):
        return "arff"
    whole = lines[:20] if len(sample) < _SAMPLE or len(lines) > 20 else lines[:-1]
    if whole and sum(bool(_LIBSVM_LINE.match(line)) for line in whole) > 0.5 * len(whole):
        return "libsvm"
    return "text"


def _kind_of_markup(lowered: bytes) -> str:
    if b"urn:schemas-microsoft-com:office:spreadsheet" in lowered and b"<workbook" in lowered:
        return "SpreadsheetML"
    if b"<office:document" in lowered:
        return "flat OpenDocument" if b"opendocument.spreadsheet" in lowered else "text document"
    if _SVG.match(lowered):
        return "picture"
    if any(tag in lowered for tag in (b"<html", b"<!doctype html", b"<table", b"<body", b"<meta ")):
        return "web page"
    if lowered.startswith((b"<?xml", b"<!doctype")) or _ELEMENT.match(lowered):
        return "XML"
    return "text"
