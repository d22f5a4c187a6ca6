"""What has to be known of binary workbooks (.xls, .xlsb) before they are read.

Both are lists of records with their length in front. Their reader lays every sheet out as a full
rectangle and copies a shared text into every cell that refers to it, so both are counted first.
(MS-XLS, MS-XLSB and MS-CFB describe the records and the container of the older files.)
"""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from stiknn_core.errors import FileError
from stiknn_core.tables.files.grids import check_cells, check_letters
from stiknn_core.tables.files.scans import Scan, check_area
from stiknn_core.tables.files.xml_events import parse_small

_ERRORS = {0: "#NULL!", 7: "#DIV/0!", 15: "#VALUE!", 23: "#REF!", 29: "#NAME?", 36: "#NUM!",
           42: "#N/A", 43: "#GETTING_DATA"}  # fmt: skip
_END = 0xFFFFFFFE
_MOST_OTHERS = 4_000_000
"""Most records that are no cells; each takes a few bytes, and a step of a loop."""
_XLS_CELLS = frozenset((0x203, 0x27E, 0xFD, 0x204, 0x205, 0x06, 0xBD, 0xD6, 0x02, 0x03, 0x04, 0x05))
_XLS_ROW = 0x208
_XLSB_KNOWN = frozenset((*range(12), 19))
"""Kinds of records of rows, of cells and of shared texts."""
_MOST_SHEETS = 4096


def scan_xlsb(data: bytes) -> list[Scan]:
    """Count what is in the sheets of an .xlsb file, in their order."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = {name.lower(): name for name in archive.namelist()}
        if len(parts) < len(archive.namelist()):
            raise FileError("The workbook holds a part twice; save it again and load that.")
        links = {
            link.get("Id"): link.get("Target", "")
            for link in parse_small(archive.read(parts["xl/_rels/workbook.bin.rels"]))
        }
        shared = parts.get("xl/sharedstrings.bin")
        lengths = [
            2 * struct.unpack_from("<I", body, 1)[0]
            for kind, body in (_xlsb_records(archive.read(shared)) if shared else ())
            if kind == 19
        ]
        scans = []
        for kind, body in _xlsb_records(archive.read(parts["xl/workbook.bin"])):
            if kind == 156:
                (size,) = struct.unpack_from("<I", body, 8)
                target = links[body[12 : 12 + 2 * size].decode("utf-16-le")] or ""
                path = target.removeprefix("/").removeprefix("xl/")
                sheet = archive.read(parts[f"xl/{path}".lower()])
                scans.append(_scan_xlsb_sheet(sheet, np.array(lengths, dtype=np.int64)))
    return scans


def _xlsb_records(data: bytes) -> Iterator[tuple[int, bytes]]:
    place, end, others = 0, len(data), 0
    while place < end:
        kind = data[place]
        place += 1
        if kind & 0x80:
            kind = (kind & 0x7F) | (data[place] & 0x7F) << 7
            place += 1
        size = shift = 0
        for _ in range(4):
            byte = data[place]
            place += 1
            size |= (byte & 0x7F) << shift
            shift += 7
            if not byte & 0x80:
                break
        if kind not in _XLSB_KNOWN:
            others += 1
            _check_others(others)
        yield kind, data[place : place + size]
        place += size


def _scan_xlsb_sheet(data: bytes, lengths: NDArray[np.int64]) -> Scan:
    scan, row, used = Scan(), 0, []
    for kind, body in _xlsb_records(data):
        if kind == 0:
            (row,) = struct.unpack_from("<I", body)
            if body[11] & 0x10:
                scan.hidden_rows.add(row)
        elif 2 <= kind <= 11:
            (column,) = struct.unpack_from("<I", body)
            scan.rows, scan.columns = max(scan.rows, row + 1), max(scan.columns, column + 1)
            scan.cells += 1
            scan.formulas += kind >= 8
            if kind == 7:
                used.append(struct.unpack_from("<I", body, 8)[0])
            elif kind in (3, 11):
                scan.errors[_ERRORS.get(body[8], "#N/A")] += 1
        elif kind == 176:
            top, bottom, left, right = struct.unpack_from("<4I", body)
            scan.merges.setdefault(top, []).append((top, left, bottom, right))
        elif kind == 60 and body[16] & 1:
            scan.hide_columns(*struct.unpack_from("<2I", body))
    _check(scan, used, lengths)
    return scan


def scan_xls(data: bytes) -> list[Scan]:
    """Count what is in the sheets of an .xls file, in their order."""
    book = _stream(data)
    begins: list[int] = []
    scans: dict[int, Scan] = {}
    lengths: list[int] = []
    parts: list[bytes] = []
    used: dict[int, list[int]] = {}
    at = place = kind = 0
    others = 0
    while place + 4 <= len(book):
        before = kind
        kind, size = struct.unpack_from("<HH", book, place)
        body = book[place + 4 : place + 4 + size]
        if kind not in _XLS_CELLS and kind != _XLS_ROW:
            others += 1
            _check_others(others)
        if kind in (0x809, 0x409, 0x209, 0x009):
            at = place
            if len(scans) == _MOST_SHEETS:
                raise FileError(
                    f"The workbook holds more than {_MOST_SHEETS:,} sheets; save the one with the "
                    "table as .xlsx or CSV."
                )
            scans[at], used[at] = Scan(), []
        elif kind == 0x85 and size >= 6:
            begins.append(struct.unpack_from("<I", body)[0])
        elif kind == 0xFC:
            parts = [body]
        elif kind == 0x3C and parts and before in (0xFC, 0x3C):
            parts.append(body)
            kind = 0x3C
        elif at in scans:
            _count_xls(scans[at], kind, body, used[at])
        if parts and kind not in (0xFC, 0x3C):
            lengths, parts = _shared_lengths(parts), []
        place += 4 + size
    found = [scans[begin] for begin in begins if begin in scans]
    if len(found) != len(begins):
        raise FileError("The workbook does not say where its sheets are; save it again as .xlsx.")
    for begin in begins:
        _check(scans[begin], used[begin], np.array(lengths, dtype=np.int64))
    # All sheets are laid out at once.
    check_cells(sum(scan.rows * scan.columns for scan in found), "The workbook")
    return found


def _check_others(count: int) -> None:
    if count > _MOST_OTHERS:
        raise FileError(
            f"The workbook holds more than {_MOST_OTHERS // 1_000_000} million records that are no "
            "cells; save it again in a spreadsheet program."
        )


def _count_xls(scan: Scan, kind: int, body: bytes, used: list[int]) -> None:
    if kind in _XLS_CELLS:
        row, column = struct.unpack_from("<HH", body)
        last = struct.unpack_from("<H", body, len(body) - 2)[0] if kind == 0xBD else column
        scan.rows, scan.columns = max(scan.rows, row + 1), max(scan.columns, last + 1, column + 1)
        scan.cells += max(last - column, 0) + 1
        scan.formulas += kind == 0x06
        if kind == 0xFD:
            used.append(struct.unpack_from("<I", body, 6)[0])
        elif kind == 0x205 and body[7]:
            scan.errors[_ERRORS.get(body[6], "#N/A")] += 1
        elif kind == 0x06 and body[6] == 2 and body[12:14] == b"\xff\xff":
            scan.errors[_ERRORS.get(body[8], "#N/A")] += 1
    elif kind == _XLS_ROW:
        if body[12] & 0x20:
            scan.hidden_rows.add(struct.unpack_from("<H", body)[0])
    elif kind == 0x200 and len(body) in (10, 14):
        shape = "<4H" if len(body) == 10 else "<2I2H"
        first, end, left, right = struct.unpack_from(shape, body)
        # Room is made for all of it; where it ends before it begins, for more than there is.
        if end and right and not (first < end and left < right):
            raise FileError("The workbook does not say where a sheet ends; save it again as .xlsx.")
        check_cells(end * right and (end - first) * (right - left), "The sheet")
    elif kind == 0x7D and body[8] & 1:
        scan.hide_columns(*struct.unpack_from("<HH", body))
    elif kind == 0xE5:
        for place in range(2, len(body) - 7, 8):
            top, bottom, left, right = struct.unpack_from("<4H", body, place)
            scan.merges.setdefault(top, []).append((top, left, bottom, right))


def _shared_lengths(parts: list[bytes]) -> list[int]:
    """Return the bytes of each shared text; one that goes on in the next part says so again."""
    lengths: list[int] = []
    part, place = 0, 8
    while part < len(parts):
        if place + 3 > len(parts[part]):
            part, place = part + 1, 0
            continue
        letters, flags = struct.unpack_from("<HB", parts[part], place)
        place += 3
        extra = 0
        if flags & 8:
            extra += 4 * struct.unpack_from("<H", parts[part], place)[0]
            place += 2
        if flags & 4:
            extra += int(struct.unpack_from("<I", parts[part], place)[0])
            place += 4
        lengths.append(2 * letters)
        while letters and part < len(parts):
            wide = 2 if flags & 1 else 1
            fit = min(letters, (len(parts[part]) - place) // wide)
            letters -= fit
            place += fit * wide
            if letters:
                part, place = part + 1, 1
                flags = parts[part][0] if part < len(parts) and parts[part] else 0
        while extra and part < len(parts):
            fit = min(extra, len(parts[part]) - place)
            extra -= fit
            place += fit
            if extra:
                part, place = part + 1, 0
    return lengths


def _check(scan: Scan, used: list[int], lengths: NDArray[np.int64]) -> None:
    check_area(scan)
    places = np.array(used, dtype=np.int64)
    places = places[places < len(lengths)]
    check_letters(int(lengths[places].sum()) if len(places) else 0, "The sheet")


def _stream(data: bytes) -> bytes:
    """Return the stream "Workbook" (or "Book") out of the older Office container."""
    (power, small_power) = struct.unpack_from("<HH", data, 30)
    if power not in (9, 12) or small_power != 6:
        raise FileError("The workbook is damaged; save it again as .xlsx and load that.")
    size = 1 << power
    count, first_folder = struct.unpack_from("<II", data, 44)
    limit, first_small, _, first_more, _ = struct.unpack_from("<5I", data, 56)

    def sector(number: int) -> bytes:
        return data[(number + 1) * size : (number + 2) * size]

    listing = list(struct.unpack_from("<109I", data, 76))
    seen = 0
    while first_more < _END and seen * size < len(data):
        more = struct.unpack(f"<{size // 4}I", sector(first_more))
        listing += more[:-1]
        first_more, seen = more[-1], seen + 1
    table = b"".join(sector(number) for number in listing[:count] if number < _END)
    after = np.frombuffer(table, dtype="<u4")

    def chain(number: int) -> bytes:
        parts: list[bytes] = []
        while number < min(_END, len(after)) and len(parts) * size <= len(data):
            parts.append(sector(number))
            number = int(after[number])
        return b"".join(parts)

    folder = chain(first_folder)
    entries: dict[str, tuple[int, int]] = {}
    for place in range(0, len(folder), 128):
        entry = folder[place : place + 128]
        length = struct.unpack_from("<H", entry, 64)[0]
        name = entry[: max(length - 2, 0)].decode("utf-16-le", "replace")
        start, told = struct.unpack_from("<II", entry, 116)
        entries.setdefault(name.lower(), (int(start), int(told)))
    begin, length = entries.get("workbook") or entries["book"]
    if length >= limit:
        return chain(begin)[:length]
    inside = chain(entries["root entry"][0])
    small = np.frombuffer(chain(first_small), dtype="<u4")
    pieces: list[bytes] = []
    while begin < min(_END, len(small)) and len(pieces) * 64 <= length:
        pieces.append(inside[begin * 64 : begin * 64 + 64])
        begin = int(small[begin])
    return b"".join(pieces)[:length]
