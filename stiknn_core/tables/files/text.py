"""Delimited text to a grid of cells: ragged rows, and lines around the table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Literal

import pyarrow as pa

from stiknn_core.cost import describe_bytes
from stiknn_core.errors import FileError, ParameterError
from stiknn_core.phrases import counted, listed
from stiknn_core.tables.cells.formats import looks_numeric
from stiknn_core.tables.files.drawn import without_drawing
from stiknn_core.tables.files.grids import Grid, check_cells, check_width, clean, to_columns
from stiknn_core.tables.files.headers import looks_like_header
from stiknn_core.tables.files.leftovers import RULE
from stiknn_core.tables.files.quick import read_quickly
from stiknn_core.tables.files.separators import (
    GAPS,
    RARE,
    find_separator,
    first_rows,
    names_apart,
    rows_of,
    table_width,
    without_outer_quotes,
)
from stiknn_core.tables.limits import MAX_LINE_BYTES

Ragged = Literal["refuse", "drop"]

_MOST_AROUND = 30
_MOST_RAGGED = 10_000


@dataclass(frozen=True)
class _Layout:
    """How a text is laid out: marks, columns, spare separators at the end, rows above.

    ``first`` is the header where it is to be read in another way than the rows, else empty.
    """

    separator: str
    quote: str
    width: int
    trailing: int
    skipped: int
    first: tuple[str, ...]


@dataclass
class _Tally:
    """Rows that do not fit, collected while the good ones stream past."""

    bad: list[tuple[int, int]] = field(default_factory=list)
    below: int = 0
    rules: int = 0


def read_text(data: bytes, separator: str | None, quote: str | None, ragged: Ragged) -> Grid:
    """Read delimited UTF-8 text with line ends of any kind; see ``Overrides`` for the options."""
    _check_options(separator, quote, ragged)
    if b"\x00" in data:
        raise FileError("The text holds zero bytes; the file is damaged or is not text.")
    _check_lines(data)
    hint = re.match(rb"\s*sep=(.)[ \t]*(\r\n|\r|\n)", data)
    if hint:
        data = data[hint.end() :]
        separator = hint.group(1).decode("utf-8", "replace") if separator is None else separator
    data, undrawn = without_drawing(data)
    if separator is None and (inner := without_outer_quotes(data)):
        data = inner
        undrawn.append("Each line stood in quotation marks, which were taken off.")
    found, mark = find_separator(data) if separator is None else (separator, '"')
    mark = mark if quote is None else quote
    if found and mark == found:
        mark = ""
    _check_separators(data, found)
    grid, tally = _read_grid(data, found, mark, ragged)
    if tally.bad and mark and quote is None:
        # A stray quotation mark swallows separators and line ends; without quotes it cannot.
        plain, plain_tally = _read_grid(data, found, "", ragged)
        if not plain_tally.bad:
            grid, tally = plain, plain_tally
            notice = "Quotation marks do not pair up and were read as ordinary characters."
            undrawn.append(notice)
    if tally.bad and ragged == "refuse":
        raise _ragged_error(tally.bad, len(grid.columns))
    return replace(grid, notices=(*undrawn, *grid.notices)) if undrawn else grid


def _check_lines(data: bytes) -> None:
    """Refuse lines that are longer than any row, before anything tries to read one."""
    start = 0
    while len(data) - start > MAX_LINE_BYTES:
        end = max(data.rfind(mark, start, start + MAX_LINE_BYTES) for mark in (b"\n", b"\r"))
        if end < 0:
            line = 1 + data.count(b"\n", 0, start)
            raise FileError(
                f"Line {line:,} is longer than {describe_bytes(MAX_LINE_BYTES)}; expected one row "
                "per line, so check that the file is a table and its line ends are there."
            )
        start = end + 1


def _check_separators(data: bytes, separator: str) -> None:
    """Count cells before they are read; among quotation marks some may be none."""
    if not separator.strip(" "):
        return
    lines = max(data.count(b"\n"), data.count(b"\r"))
    cells = data.count(separator.encode()) + lines
    check_cells(cells // 2 if b'"' in data or b"'" in data else cells, "The text")


def _check_options(separator: str | None, quote: str | None, ragged: str) -> None:
    for name, value in (("separator", separator), ("quote", quote)):
        if value is not None and (
            not isinstance(value, str)
            or (len(value) > 1 and value not in (GAPS, *RARE))
            or value in ("\r", "\n", "\x00")
        ):
            raise ParameterError(f"{name} must be one character, or '' for none; got {value!r}.")
    if ragged not in ("refuse", "drop"):
        raise ParameterError(f"ragged must be 'refuse' or 'drop'; got {ragged!r}.")


def _ragged_error(bad: list[tuple[int, int]], width: int) -> FileError:
    told = listed((f"line {line:,} has {cells}" for line, cells in bad), 3)
    return FileError(
        f"{counted(len(bad), 'row does', 'rows do')} not fit the table: "
        f"expected {counted(width, 'cell')}, but {told}",
        "mend the file, choose another separator, or leave those rows out with ragged='drop'",
        "ragged",
    )


def _read_grid(data: bytes, separator: str, quote: str, ragged: Ragged) -> tuple[Grid, _Tally]:
    top = first_rows(data, separator, quote)
    if not any(map(any, top)):
        for _ in rows_of(data, separator, quote):
            break  # Only to let the reader say what keeps it from the first row.
        raise FileError("The file is empty; expected a table with a header and rows.")
    notices: list[str] = []
    width = table_width(top)
    check_width(width)
    trailing = _trailing(top, width)
    if trailing:
        width -= trailing
        ends = counted(trailing, "separator")
        notices.append(f"Rows end in {ends} more than the header; the empty cells were left out.")
    skipped = _lines_above(top, width)
    first, said = _header_above(top[skipped - 1 :], width) if skipped else ([], "")
    skipped -= bool(first)
    if skipped:
        notices.append(f"Left out above the table: {counted(skipped, 'line')}.")
    if said:
        notices.append(said)
    layout = _Layout(separator, quote, width, trailing, skipped, tuple(first))
    tally = _Tally()
    columns = _quick_columns(data, layout)
    if columns is None:
        columns = to_columns(_good_rows(data, layout, tally), width)
    if tally.rules:
        notices.append(f"Left out: {counted(tally.rules, 'line')} of dashes.")
    if tally.below:
        notices.append(f"Left out below the table: {counted(tally.below, 'line')}.")
    if tally.bad and ragged == "drop":
        notices.append(f"Left out: {counted(len(tally.bad), 'row')} with too few or many cells.")
    head = top[skipped : skipped + 100]
    if first:
        head[0] = first
    head = [row[:width] for row in head if len(row) >= width or not any(row)]
    decisions = {"separator": separator, "quote": quote}
    return Grid(head, columns, decisions, tuple(notices)), tally


def _trailing(top: list[list[str]], width: int) -> int:
    """Count the separators at the end of rows that a header before them does not have."""
    first = next((place for place, row in enumerate(top) if len(row) == width), 0)
    header = top[first - 1] if first else []
    rows = [row for row in top[first:] if len(row) >= len(header)]
    if not 2 <= len(header) < width or not all(header) or not looks_like_header([header, *rows]):
        return 0
    return 0 if any(cell for row in rows for cell in row[len(header) :]) else width - len(header)


def _quick_columns(data: bytes, layout: _Layout) -> list[pa.ChunkedArray] | None:
    """Read the first row, which may lack a name, by itself, and those below it at once."""
    width = layout.width
    rows = rows_of(data, layout.separator, layout.quote)
    line, first = next(islice(rows, layout.skipped, None))
    first = list(layout.first) or first
    if len(first) != width:
        return None
    below = read_quickly(data, layout.separator, layout.quote, line, width + layout.trailing)
    if below is None or any(column.null_count < len(column) for column in below[width:]):
        return None
    check_cells(width * (1 + len(below[0])))
    heads = [clean(pa.array([cell], pa.large_string())) for cell in first]
    return [
        pa.chunked_array([head, *column.chunks], pa.large_string())
        for head, column in zip(heads, below, strict=False)
    ]


def _lines_above(top: list[list[str]], width: int) -> int:
    """Count the rows above the table: titles, remarks, a report's first lines."""
    count = 0
    for place, row in enumerate(top[:_MOST_AROUND]):
        remark = row and row[0].startswith("#") and len(row) != width
        # Spreadsheets fill up a title with separators.
        remark = remark or (width > 2 and len(row) > 1 and bool(row[0]) and not any(row[1:]))
        numeric = sum(looks_numeric(cell) for cell in row if cell)
        data = len(row) > 1 and numeric >= 0.5 * len(row)
        if (
            row
            and (len(row) >= width or data)
            and not (remark or (len(row) != width and _begins(top[place + 1 :], width)))
        ):
            break
        count += 1
    return count if count < len(top) else 0


def _begins(rows: list[list[str]], width: int) -> bool:
    """Tell whether the next row is a header: what stands above it belongs to no column."""
    return (
        len(rows) > 1
        and len(rows[0]) == width
        and all(cell and not looks_numeric(cell) for cell in rows[0])
        and looks_like_header([row for row in rows if len(row) == width])
    )


def _header_above(rows: list[list[str]], width: int) -> tuple[list[str], str]:
    """Return the names in the row above the table and a sentence, where its cells are not as many.

    It may lack a name for the row names, or have another separator than the rows.
    """
    names = rows[0] if len(rows[0]) > 1 else names_apart(rows[0], width)
    below = [row for row in rows[1:] if len(row) == width]
    named = len(names) > 1 and all(cell and not looks_numeric(cell) for cell in names)
    if not named or not below or looks_like_header(below):
        return [], ""
    if len(names) == width:
        return names, "The header has another separator than the rows."
    # The names of rows are distinct; what stands before decimal commas is not.
    if width > 2 and len(names) == width - 1 and len({row[0] for row in below}) == len(below):
        said = "The header has one name too few; the first column was taken as unnamed."
        return ["", *names], said
    if len(names) < width and len(set(names)) == len(names):
        raise FileError(
            f"The header names {counted(len(names), 'column')} ({listed(names, 4)}), but the rows "
            f"have {counted(width, 'cell')}. Give each column a name; if the separator is also the "
            "decimal mark, save the file with another separator or with quotation marks."
        )
    return [], ""


def _good_rows(data: bytes, layout: _Layout, tally: _Tally) -> Iterator[list[str]]:
    waiting: list[tuple[int, int]] = []
    width, last = layout.width, 0
    for count, (line, row) in enumerate(rows_of(data, layout.separator, layout.quote)):
        if count < layout.skipped:
            continue
        if count == layout.skipped and layout.first:
            row = list(layout.first)
        if len(row) > width and not any(cell.strip() for cell in row[width:]):
            row = row[:width]
        if not row or len(row) == width:
            # Short rows with a good row after them were not the lines below the table.
            if row:
                tally.bad += waiting
                waiting = []
                last = line
            yield row
            continue
        # Of two columns only a blank line tells a remark from a row without its last cell.
        # Consoles draw a line under the names: "---+---".
        if len(row) == 1 and RULE.fullmatch(row[0].strip()):
            tally.rules += 1
            continue
        apart = width > 2 or bool(waiting) or line - last > 1
        if len(row) == 1 and apart and len(waiting) < _MOST_AROUND:
            waiting.append((line, 1))
            continue
        tally.bad += [*waiting, (line, len(row))]
        waiting = []
        if len(tally.bad) > _MOST_RAGGED:
            return
    tally.below = len(waiting)
