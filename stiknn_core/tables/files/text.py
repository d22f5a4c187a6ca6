"""Delimited text to a grid of cells: ragged rows, and lines around the table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

from stiknn_core.errors import FileError, ParameterError
from stiknn_core.phrases import counted, listed
from stiknn_core.tables.cells.formats import looks_numeric
from stiknn_core.tables.files.grids import Grid, check_width, to_columns
from stiknn_core.tables.files.headers import looks_like_header
from stiknn_core.tables.files.separators import find_separator, first_rows, rows_of, table_width

Ragged = Literal["refuse", "drop"]

_MOST_AROUND = 30
_MOST_RAGGED = 10_000


@dataclass
class _Tally:
    """Rows that do not fit, collected while the good ones stream past."""

    bad: list[tuple[int, int]] = field(default_factory=list)
    below: int = 0


def read_text(text: str, separator: str | None, quote: str | None, ragged: Ragged) -> Grid:
    """Read delimited text with line ends of any kind; the options are those of ``Overrides``."""
    _check_options(separator, quote, ragged)
    if "\x00" in text:
        raise FileError("The text holds zero bytes; the file is damaged or is not text.")
    hint = re.match(r"\s*sep=(.)[ \t]*(\r\n|\r|\n)", text)
    if hint:
        text = text[hint.end() :]
        separator = hint.group(1) if separator is None else separator
    found, mark = find_separator(text) if separator is None else (separator, '"')
    mark = mark if quote is None else quote
    if found and mark == found:
        mark = ""
    grid, tally = _read_grid(text, found, mark, ragged)
    if tally.bad and mark and quote is None:
        # A stray quotation mark swallows separators and line ends; without quotes it cannot.
        plain, plain_tally = _read_grid(text, found, "", ragged)
        if not plain_tally.bad:
            notice = "Quotation marks do not pair up and were read as ordinary characters."
            return replace(plain, notices=(*plain.notices, notice))
    if tally.bad and ragged == "refuse":
        raise _ragged_error(tally.bad, len(grid.columns))
    return grid


def _check_options(separator: str | None, quote: str | None, ragged: str) -> None:
    for name, value in (("separator", separator), ("quote", quote)):
        if value is not None and (
            not isinstance(value, str) or len(value) > 1 or value in ("\r", "\n", "\x00")
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


def _read_grid(text: str, separator: str, quote: str, ragged: Ragged) -> tuple[Grid, _Tally]:
    top = first_rows(text, separator, quote)
    if not any(map(any, top)):
        for _ in rows_of(text, separator, quote):
            break  # Only to let the reader say what keeps it from the first row.
        raise FileError("The file is empty; expected a table with a header and rows.")
    width = table_width(top)
    check_width(width)
    notices: list[str] = []
    skipped = _lines_above(top, width)
    unnamed_first = _lacks_first_name(top[skipped - 1 :], width) if skipped else False
    skipped -= unnamed_first
    if skipped:
        notices.append(f"Left out above the table: {counted(skipped, 'line')}.")
    if unnamed_first:
        notices.append("The header has one name too few; the first column was taken as unnamed.")
    tally = _Tally()
    rows = _good_rows(text, separator, quote, width, skipped, unnamed_first, tally)
    columns = to_columns(rows, width)
    if tally.below:
        notices.append(f"Left out below the table: {counted(tally.below, 'line')}.")
    if tally.bad and ragged == "drop":
        notices.append(f"Left out: {counted(len(tally.bad), 'row')} with too few or many cells.")
    head = top[skipped : skipped + 100]
    if unnamed_first:
        head[0] = ["", *head[0]]
    head = [row[:width] for row in head if len(row) >= width or not any(row)]
    decisions = {"separator": separator, "quote": quote}
    return Grid(head, columns, decisions, tuple(notices)), tally


def _lines_above(top: list[list[str]], width: int) -> int:
    """Count the rows above the table: titles, remarks, a report's first lines."""
    count = 0
    for row in top[:_MOST_AROUND]:
        remark = row and row[0].startswith("#") and len(row) != width
        numeric = sum(looks_numeric(cell) for cell in row if cell)
        data = len(row) > 1 and numeric >= 0.5 * len(row)
        if row and (len(row) >= width or data) and not remark:
            break
        count += 1
    return count if count < len(top) else 0


def _lacks_first_name(rows: list[list[str]], width: int) -> bool:
    """Tell whether the row above the table is a header without a name for the row names."""
    if len(rows) < 2 or width < 3 or len(rows[0]) != width - 1:
        return False
    names = all(cell and not looks_numeric(cell) for cell in rows[0])
    return names and not looks_like_header([row for row in rows[1:] if len(row) == width])


def _good_rows(
    text: str,
    separator: str,
    quote: str,
    width: int,
    skipped: int,
    unnamed_first: bool,
    tally: _Tally,
) -> Iterator[list[str]]:
    waiting: list[tuple[int, int]] = []
    for count, (line, row) in enumerate(rows_of(text, separator, quote)):
        if count < skipped:
            continue
        if count == skipped and unnamed_first:
            row = ["", *row]
        if len(row) > width and not any(cell.strip() for cell in row[width:]):
            row = row[:width]
        if not row or len(row) == width:
            # Short rows with a good row after them were not the lines below the table.
            if row:
                tally.bad += waiting
                waiting = []
            yield row
            continue
        if len(row) == 1 and width > 2 and len(waiting) < _MOST_AROUND:
            waiting.append((line, 1))
            continue
        tally.bad += [*waiting, (line, len(row))]
        waiting = []
        if len(tally.bad) > _MOST_RAGGED:
            return
    tally.below = len(waiting)
