"""Sheets written as XML: OpenDocument (.ods, .fods) and the XML spreadsheets of Excel 2003."""

from __future__ import annotations

import html
import io
import itertools
import re
import zipfile
import zlib
from collections import deque
from collections.abc import Iterator, Mapping
from typing import Any

from stiknn_core.errors import FileError
from stiknn_core.phrases import counted
from stiknn_core.tables.choices import ChoiceError
from stiknn_core.tables.files.grids import Grid, check_cells, check_width
from stiknn_core.tables.files.sheets import (
    Sheet,
    best_sheet,
    column_letters,
    other_sheets,
    refuse_unstored,
    sheet_grid,
    wanted_sheets,
)
from stiknn_core.tables.files.xml_events import walk
from stiknn_core.tables.limits import MAX_UNPACKED_BYTES

_TABLE = re.compile(
    rb"<(?:\w+:)?(?:table:table|Worksheet)\s[^>]*?\b(?:table|ss):[Nn]ame=\"([^\"]*)\""
)
_SHEET = re.compile(rb"<(?:\w+:)?(?:table:table|Worksheet)[\s>]")
_DURATION = re.compile(r"^-?P(?:(\d+)D)?T?(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:[.,]\d+)?S)?$")
_MOST_ROWS = 1_048_576
_MOST_WALKED = MAX_UNPACKED_BYTES // 2
"""Bytes, some seconds: each sheet that is passed over is one more walk through the whole file."""
Told = Mapping[str, str]


def read_xml_sheet(data: bytes, kind: str, sheet: str | int | None = None) -> Grid:
    """Read one sheet by name or 0-based position; None takes the first table."""
    if kind == "OpenDocument":
        data = _content(data)
    count = len(_SHEET.findall(data))
    names = tuple(html.unescape(name.decode("utf-8", "replace")) for name in _TABLE.findall(data))
    if len(names) != count:
        names = tuple(f"Sheet {place + 1}" for place in range(count))
    dialect = _Excel2003 if kind == "SpreadsheetML" else _OpenDocument
    walked = itertools.count()

    def read(place: int) -> Grid | None:
        tried = next(walked)
        if tried * len(data) > _MOST_WALKED:
            raise ChoiceError(f"The first {tried:,} sheets are empty", "sheet", names)
        walker = dialect(names[place], place)
        walker.sheet.notices += other_sheets(names[place], names)
        walker.sheet.rows = walker.rows(data)
        return sheet_grid(walker.sheet, names)

    return best_sheet(read, wanted_sheets(names, [True] * len(names), sheet), names)


def _content(data: bytes) -> bytes:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if b"encryption-data" in archive.read("META-INF/manifest.xml"):
                raise FileError(
                    "The OpenDocument file is protected by a password; save it without one."
                )
            return archive.read("content.xml")
    except FileError:
        raise
    except (KeyError, OSError, zipfile.BadZipFile, zlib.error, ValueError, EOFError,
            NotImplementedError, RuntimeError):  # fmt: skip
        raise FileError(
            "The OpenDocument file is damaged; open it in a spreadsheet program and save it again."
        ) from None


class _Walker:
    """Rows of one sheet, from the events of an XML parser.

    Repeated cells and rows are counted before they are made: both may be claimed without end.
    """

    def __init__(self, name: str, place: int) -> None:
        self.sheet = Sheet(name, iter(()))
        self.place = place
        self.at = -1  # which sheet the parser is in
        self.row: list[Any] = []
        self.number = 0
        self.column = 0
        self.repeated = 1
        self.cell: dict[str, str] | None = None
        self.parts: list[str] = []
        self.waiting: deque[tuple[int, list[Any], int]] = deque()
        self.formulas = self.cells = 0
        self.unstored: list[str] = []

    def rows(self, data: bytes) -> Iterator[tuple[int, list[Any]]]:
        for number, row, repeated in walk(data, self.start, self.end, self.text, self.waiting):
            self.cells += repeated * (len(row) + 1)
            check_cells(self.cells, "The sheet")
            for step in range(repeated):
                yield number + step, row
        if self.unstored:
            raise refuse_unstored(self.unstored, self.sheet.name)
        if self.formulas:
            told = counted(self.formulas, "formula")
            self.sheet.notices.append(f"The stored results of {told} were read.")

    def start(self, name: str, told: Told) -> None:
        raise NotImplementedError

    def end(self, name: str) -> None:
        raise NotImplementedError

    def text(self, data: str) -> None:
        if self.cell is not None:
            self.parts.append(data)

    def put(self, value: Any, times: int = 1) -> None:
        """Put a value into the next cells of the row; empty ones only move on."""
        if value is not None and value != "":
            check_width(self.column + times)
            self.row += [None] * (self.column - len(self.row))
            self.row += [value] * times
        self.column += times

    def finish_row(self) -> None:
        if self.row:
            if self.number + self.repeated > _MOST_ROWS:
                raise FileError(
                    f"The sheet claims to reach down to row {self.number + self.repeated:,}; at "
                    f"most {_MOST_ROWS:,} are read, so keep fewer rows."
                )
            self.waiting.append((self.number, self.row, self.repeated))
        self.number += self.repeated
        self.row, self.column, self.repeated = [], 0, 1

    def hide(self, places: set[int], first: int, times: int) -> None:
        places.update(range(first, min(first + times, _MOST_ROWS)))

    def merge(self, across: int, down: int) -> None:
        if across > 1 or down > 1:
            merge = (self.number, self.column, self.number + down - 1, self.column + across - 1)
            self.sheet.merges.setdefault(self.number, []).append(merge)

    def formula(self, stored: bool) -> None:
        self.formulas += 1
        if not stored:
            self.unstored.append(f"{column_letters(self.column)}{self.number + 1}")

    def error(self, text: str) -> None:
        self.sheet.errors[text[:20]] += 1


def _count(told: Told, name: str, otherwise: int = 1) -> int:
    text = told.get(name, "")
    return int(text[:9]) if text.isdigit() and text.isascii() else otherwise


class _OpenDocument(_Walker):
    """Rows of content.xml, or of a flat file."""

    skipped = 0

    def start(self, name: str, told: Told) -> None:
        if name == "table":
            self.at += 1
            self.column = 0
        elif self.at != self.place:
            return
        elif name == "table-column":
            times = _count(told, "number-columns-repeated")
            if told.get("visibility") in ("collapse", "filter"):
                self.hide(self.sheet.hidden_columns, self.column, times)
            self.column += times
        elif name == "table-row":
            self.column = 0
            self.repeated = _count(told, "number-rows-repeated")
            if told.get("visibility") in ("collapse", "filter"):
                self.hide(self.sheet.hidden_rows, self.number, self.repeated)
        elif name in ("table-cell", "covered-table-cell"):
            self.cell, self.parts = dict(told), []
            if name == "table-cell":
                self.merge(
                    _count(told, "number-columns-spanned"), _count(told, "number-rows-spanned")
                )
        elif name == "annotation":
            self.skipped += 1
        elif name == "p" and self.parts and not self.skipped:
            self.parts.append("\n")
        elif name in ("s", "tab"):
            self.parts.append(" " * min(_count(told, "c"), 100))

    def text(self, data: str) -> None:
        if self.cell is not None and not self.skipped:
            self.parts.append(data)

    def end(self, name: str) -> None:
        if self.at != self.place:
            return
        if name == "annotation":
            self.skipped -= 1
        elif name in ("table-cell", "covered-table-cell") and self.cell is not None:
            told, self.cell = self.cell, None
            value = self._value(told, "".join(self.parts))
            if "formula" in told:
                self.formula("value-type" in told)
            self.put(value, _count(told, "number-columns-repeated"))
        elif name == "table-row":
            self.finish_row()

    def _value(self, told: Told, text: str) -> Any:
        kind = told.get("value-type")
        if text.startswith(("#", "Err:")) and "formula" in told and kind != "float":
            self.error(text)
            return None
        if kind in ("float", "percentage", "currency"):
            return _number(told.get("value", ""))
        if kind == "boolean":
            return told.get("boolean-value") == "true"
        if kind == "date":
            day, _, hour = told.get("date-value", text).partition("T")
            return day if not hour.strip("0:.") else f"{day} {hour}"
        if kind == "time":
            return _duration(told.get("time-value", "")) or text
        return text or told.get("string-value")


class _Excel2003(_Walker):
    """Rows of the XML spreadsheets that Excel 2003 and many web programs write."""

    kind = ""
    spanned = 0

    def start(self, name: str, told: Told) -> None:
        if name == "Worksheet":
            self.at += 1
        elif self.at != self.place:
            return
        elif name == "Table":
            self.column = self.number = 0
        elif name == "Column":
            self.column = max(self.column, _count(told, "Index", self.column + 1) - 1)
            times = 1 + _count(told, "Span", 0)
            if told.get("Hidden") == "1":
                self.hide(self.sheet.hidden_columns, self.column, times)
            self.column += times
        elif name == "Row":
            self.column = 0
            self.number = max(self.number, _count(told, "Index", self.number + 1) - 1)
            # A span tells that the rows below are alike, and empty; the next one comes after them.
            self.spanned = _count(told, "Span", 0)
            if told.get("Hidden") == "1":
                self.hide(self.sheet.hidden_rows, self.number, 1 + self.spanned)
        elif name == "Cell":
            self.column = max(self.column, _count(told, "Index", self.column + 1) - 1)
            self.merge(1 + _count(told, "MergeAcross", 0), 1 + _count(told, "MergeDown", 0))
            if "Formula" in told:
                self.formula(True)
            self.row_merge = _count(told, "MergeAcross", 0)
            self.value: Any = None
        elif name == "Data":
            self.cell, self.parts = dict(told), []

    def end(self, name: str) -> None:
        if self.at != self.place:
            return
        if name == "Data" and self.cell is not None:
            told, self.cell = self.cell, None
            self.value = self._value(told.get("Type", "String"), "".join(self.parts))
        elif name == "Cell":
            self.put(self.value)
            self.column += self.row_merge
        elif name == "Row":
            self.finish_row()
            self.number += self.spanned

    def _value(self, kind: str, text: str) -> Any:
        if kind == "Number":
            return _number(text)
        if kind == "Boolean":
            return text.strip() == "1"
        if kind == "Error":
            self.error(text)
            return None
        if kind == "DateTime":
            day, _, hour = text.partition("T")
            return day if not hour.strip("0:.") else f"{day} {hour}"
        return text


def _number(text: str) -> Any:
    try:
        return float(text)
    except ValueError:
        return text


def _duration(text: str) -> str | None:
    found = _DURATION.match(text)
    if not found:
        return None
    days, hours, minutes, seconds = (int((part or "0")[:9]) for part in found.groups())
    return f"{days * 24 + hours:02}:{minutes:02}:{seconds:02}"
