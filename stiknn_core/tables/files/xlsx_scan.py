"""What has to be known of an .xlsx sheet before it is read, and what its reader does not tell.

The reader lays a sheet out as a full rectangle, and copies a shared text into every cell that
refers to it: a few bytes can claim any amount of memory, so both are counted here first. Tags are
looked for in the bytes, in blocks; where a count is in doubt, the larger one holds.

No search goes on past the next tag, or looks at one tag twice: in bytes that are no XML it would
take a time that grows with the square of their number.
"""

from __future__ import annotations

import io
import re
import zipfile
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from stiknn_core.cost import describe_bytes
from stiknn_core.errors import FileError
from stiknn_core.tables.files.grids import check_letters
from stiknn_core.tables.files.scans import MOST_ROWS, Scan, check_area
from stiknn_core.tables.files.xml_events import parse_small
from stiknn_core.tables.limits import MAX_LINE_BYTES

MOST_TEXTS = 8_000_000

_STEP = 1_000_000
_ENDS = (b"row>", b"</si>")
_LONGEST = 4 * MAX_LINE_BYTES
# The usual writing has a search of its own, which is quicker by far.
_TEXTS = re.compile(rb"<sst\b[^>]*")
_COUNT = re.compile(rb"ount\s*=\s*.\s*(\d+)")
_PREFIX = re.compile(rb"(</?)[^\s<>/:\"']+:")
_ROW = re.compile(rb"<row(?=[\s/>])([^>]*)")
_CELL = tuple(b"<c" + mark for mark in (b" ", b">", b"/", b"\n", b"\r", b"\t"))
_LETTERS = re.compile(rb' r="([A-Za-z]+)')
_DIGITS = re.compile(rb' r="[A-Za-z]*(\d+)')
_ANY_PLACE = re.compile(rb"\sr\s*=\s*[\"']\s*([A-Za-z]*)(\d*)")
_FILLED = re.compile(rb"<c\s(?>[^<>]*?\br\s*=\s*[\"'][A-Za-z]+)(\d++)[^<>]*+(?<!/)>")
_NUMBER = re.compile(rb"\sr\s*=\s*[\"']\s*(\d+)")
_HIDDEN = re.compile(rb"\bhidden\s*=\s*[\"'](?:1|true|on)[\"']")
_MERGE = re.compile(rb"<mergeCell\s[^<>]*?ref\s*=\s*[\"']([A-Za-z]+)(\d+):([A-Za-z]+)(\d+)")
_COLUMN = re.compile(rb"<col\s([^>]*)")
_SPAN = re.compile(rb"\b(min|max)\s*=\s*[\"'](\d+)")
_FORMULA = re.compile(
    rb"<c\s([^<>]*)>\s*<f(?=[\s/>])[^<>]*(?:/>|>[^<]*</f\s*>)\s*(</|<v\s*/>|<v\s*></)?"
)
_ERROR = re.compile(
    rb"<c\s(?>[^<>]*?\bt\s*=\s*[\"']e[\"'])[^<>]*+>(?:\s*<f[^<>]*(?:/>|>[^<]*</f\s*>))?"
    rb"\s*<v[^<>]*>([^<]{1,20})<"
)
_SHARED_AT = re.compile(
    rb"<c\s(?>[^<>]*?\bt\s*=\s*[\"']s[\"'])[^<>]*+>\s*<v[^<>]*>\s*(\d{1,9})\s*<"
)
_TEXT = re.compile(rb"<si[\s>](?:[^<]++|<(?!/?si[\s/>]))*+</si\s*>")
_TAG = re.compile(rb"<[^<>]*>")


@dataclass(frozen=True)
class Xlsx:
    """A workbook that lies in memory: its parts by name in lower case, and that of each sheet."""

    data: bytes = field(repr=False)
    archive: zipfile.ZipFile
    parts: dict[str, str]
    sheets: tuple[str, ...]


def open_xlsx(data: bytes) -> Xlsx:
    """Find the parts of a workbook, once for all of its sheets."""
    archive = zipfile.ZipFile(io.BytesIO(data))
    parts = {name.lower(): name for name in archive.namelist()}
    if len(parts) < len(archive.namelist()):
        raise FileError("The workbook holds a part twice; save it again and load that.")
    sheets = _parts_of_sheets(archive, parts)
    if len(set(sheets)) < len(sheets):
        raise FileError("Two sheets of the workbook are one; save it again and load that.")
    return Xlsx(data, archive, parts, sheets)


def scan_xlsx(book: Xlsx, place: int) -> tuple[Scan, bytes]:
    """Count what is in the sheet at a place of the workbook; return the bytes to read it from.

    Those leave out a few rows far below all others, which would cost a rectangle up to there.
    """
    data, archive, part = book.data, book.archive, book.sheets[place]
    scan = _scan(_blocks(archive, part))
    if (
        scan.gap
        and scan.rows <= MOST_ROWS
        and scan.rows * scan.columns > max(1_000_000, 8 * scan.cells)
    ):
        data = _without_far_rows(data, archive, part, scan)
    check_area(scan)
    _check_texts(archive, book.parts.get("xl/sharedstrings.xml"), part, scan)
    return scan, data


def check_shared_texts(data: bytes) -> None:
    """Refuse more different texts than any table has: the reader lists them all at once."""
    count = 0
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for part in archive.namelist():
            if part.lower() != "xl/sharedstrings.xml":
                continue
            for block in _blocks(archive, part):
                count += sum(block.count(mark) for mark in (b"</si", b":si", b"<si/"))
                count = max(count, _claimed(block))
                if count > MOST_TEXTS:
                    raise FileError(
                        f"The workbook lists more than {MOST_TEXTS:,} different texts; keep fewer "
                        "rows, or save it as CSV."
                    )


def _claimed(block: bytes) -> int:
    """Return how many texts their list says that it has: the reader makes room for as many."""
    begin = _TEXTS.search(block)
    return max(map(int, _COUNT.findall(begin[0])), default=0) if begin else 0


def _parts_of_sheets(archive: zipfile.ZipFile, parts: dict[str, str]) -> tuple[str, ...]:
    links: dict[str | None, list[str]] = {}
    for link in parse_small(archive.read(parts["xl/_rels/workbook.xml.rels"])):
        links.setdefault(link.get("Id"), []).append(link.get("Target", ""))
    book = parse_small(archive.read(parts["xl/workbook.xml"]))
    found = []
    for sheet in (element for element in book.iter() if element.tag.endswith("}sheet")):
        key = next(
            value for name, value in sheet.attrib.items() if name.endswith("relationships}id")
        )
        targets = links.get(key, [])
        if len(targets) != 1:
            raise FileError("The workbook does not say where its sheet is; save it again.")
        path = targets[0]
        found.append(parts[(path[1:] if path.startswith("/") else path if path.startswith("xl/")
                            else f"xl/{path}").lower()])  # fmt: skip
    return tuple(found)


def _blocks(archive: zipfile.ZipFile, part: str) -> Iterator[bytes]:
    """Yield the part in blocks that end where a row or a text ends, tags without prefixes."""
    for block in _raw_blocks(archive, part):
        yield _PREFIX.sub(rb"\1", block) if b":" in block else block


def _raw_blocks(archive: zipfile.ZipFile, part: str) -> Iterator[bytes]:
    waiting: list[bytes] = []
    with archive.open(part) as stream:
        while block := stream.read(_STEP):
            ends = [block.rfind(mark) + len(mark) for mark in _ENDS if mark in block]
            if not ends:
                waiting.append(block)
                if len(waiting) * _STEP > _LONGEST:
                    raise FileError(
                        f"A part of the workbook goes on for {describe_bytes(_LONGEST)} without "
                        "the end of a row or text; save it again in a spreadsheet program."
                    )
                continue
            yield b"".join([*waiting, block[: max(ends)]])
            waiting = [block[max(ends) :]]
    yield b"".join(waiting)


def _scan(blocks: Iterator[bytes]) -> Scan:
    scan = Scan()
    start = last = without = 0
    for block in blocks:
        for row in _ROW.finditer(block):
            told = _NUMBER.search(row[1])
            number = int(told[1][:12]) if told else last + 1
            without += told is None
            if last and scan.gap is None and number - last > 1000:
                scan.gap = (start + row.start(), last)
            last = number
            if b"hidden" in row[1] and _HIDDEN.search(row[1]):
                scan.hidden_rows.add(number - 1)
        _measure(block, scan)
        scan.shared += block.count(b'"s"') + block.count(b"'s'")
        if b'"e"' in block or b"'e'" in block:
            scan.errors.update(text.decode("utf-8", "replace") for text in _ERROR.findall(block))
        if b"<f" in block:
            _count_formulas(block, scan)
        for merge in _MERGE.findall(block):
            left, right = _column(merge[0]) - 1, _column(merge[2]) - 1
            top, bottom = int(merge[1][:12]) - 1, int(merge[3][:12]) - 1
            scan.merges.setdefault(top, []).append((top, left, bottom, right))
        for column in _COLUMN.findall(block) if b"hidden" in block else ():
            span = dict(_SPAN.findall(column))
            if _HIDDEN.search(column) and len(span) == 2:
                scan.hide_columns(*(int(span[key][:9]) - 1 for key in (b"min", b"max")))
        start += len(block)
    scan.rows += without
    return scan


def _measure(block: bytes, scan: Scan) -> None:
    """Find how far the cells reach; those that do not say where they are count by row."""
    cells = _cells_in(block)
    names = _LETTERS.findall(block)
    digits = set(_DIGITS.findall(block))
    if len(names) < cells:
        told = [place for place in _ANY_PLACE.findall(block) if place[0]]
        names = [name for name, _ in told]
        digits.update(number for _, number in told)
        scan.columns = max(scan.columns, *map(_cells_in, block.split(b"<row")))
    scan.columns = max(scan.columns, 0, *map(_column, set(names)))
    scan.rows = max(scan.rows, 0, *(int(number[:12]) for number in digits if number))
    scan.cells += cells


def _cells_in(block: bytes) -> int:
    return sum(block.count(mark) for mark in _CELL)


def _column(letters: bytes) -> int:
    """Return the number of a column called so, from 1."""
    number = 0
    for letter in letters[:8].upper():
        number = number * 26 + letter - 64
    return number


def _count_formulas(block: bytes, scan: Scan) -> None:
    for cell, rest in _FORMULA.findall(block):
        scan.formulas += 1
        # A stored empty text is a result too.
        if rest and not (b'"str"' in cell and rest.endswith(b"></")):
            told = _ANY_PLACE.search(b" " + cell)
            scan.unstored.append(b"".join(told.groups()).decode() if told else "?")


def _check_texts(archive: zipfile.ZipFile, part: str | None, sheet: str, scan: Scan) -> None:
    """Count the letters of the texts that cells refer to, as often as they do."""
    if part is None or not scan.shared:
        return
    lengths = _lengths(archive, part)
    try:
        check_letters(int(lengths.max(initial=0)) * scan.shared)
    except FileError:
        lengths = _lengths(archive, part, without_tags=True)
        check_letters(_referred(_blocks(archive, sheet), lengths, scan.shared), "The sheet")


def _lengths(
    archive: zipfile.ZipFile, part: str, *, without_tags: bool = False
) -> NDArray[np.int64]:
    """Return the bytes of each shared text; those of tags too, which is quicker, or not."""
    found = array("q")
    for block in _blocks(archive, part):
        texts = _TEXT.findall(block)
        found.extend(len(_TAG.sub(b"", text) if without_tags else text) for text in texts)
    return np.array(found, dtype=np.int64)


def _referred(blocks: Iterator[bytes], lengths: NDArray[np.int64], total: int) -> int:
    letters = found = 0
    for block in blocks:
        places = np.array(_SHARED_AT.findall(block), dtype=np.int64)
        places = places[places < len(lengths)]
        letters += int(lengths[places].sum())
        found += len(places)
    return letters + (total - found) * int(lengths.max(initial=0))


def _without_far_rows(data: bytes, archive: zipfile.ZipFile, part: str, scan: Scan) -> bytes:
    """Return the workbook with the sheet cut off before its first far row."""
    end, rows = scan.gap or (0, 0)
    sheet = b"".join(_blocks(archive, part))
    rest = sheet[end:]
    kept = _scan(iter([sheet[:end]]))
    if kept.cells < scan.cells / 2:
        return data
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as made:
        for name in archive.namelist():
            if name == part:
                made.writestr(name, sheet[:end] + b"</sheetData></worksheet>")
            elif "/media/" not in name and "/worksheets/" not in name:
                made.writestr(name, archive.read(name))
    scan.rows, scan.columns, scan.cells = rows, kept.columns, kept.cells
    scan.far = len(set(_FILLED.findall(rest)))
    return stream.getvalue()
