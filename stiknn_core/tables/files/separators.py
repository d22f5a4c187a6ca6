"""Which character separates the cells of a text file.

``csv.Sniffer`` looks at character frequencies only and takes decimal commas, dates and even
letters for separators; here every candidate is tried with the csv reader, and the one whose
rows agree and whose cells make sense wins.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice

from stiknn_core.errors import FileError
from stiknn_core.tables.cells.formats import looks_numeric

SEPARATORS: tuple[str, ...] = (",", ";", "\t", "|", "\x01", " ")

RARE: tuple[str, ...] = ("::", "~", "^", "¦", "，", "；", "؛", ":")  # noqa: RUF001 - commas of others
"""Tried only where none of the others separates anything."""
_START = 64
_QUOTED = re.compile(rb'\s*"(?:[^"]++|"")*+"\s*')
_SAMPLE_ROWS = 200
_LEAST_ROWS = 4
_SAMPLE_BYTES = 400_000
_SAMPLE_CELLS = 1_000_000
_NOTHING = (0.0, False, 0.0, 0)
_NO_SEPARATOR = "\x1f"
GAPS = "  "
"""Two blanks and more, or a tab: how columns of equal width are set, whose cells hold blanks."""
Score = tuple[float, bool, float, int]


def rows_of(data: bytes, separator: str, quote: str) -> Iterator[tuple[int, list[str]]]:
    """Yield line number and cells of each row of UTF-8 text; blank lines are passed over.

    A row of nothing but separators comes as an empty list.
    """
    lines: Iterator[str] = io.TextIOWrapper(io.BytesIO(data), "utf-8", newline="")
    if separator == " ":
        lines = (re.sub(r"[ \t]+", " ", line.strip()) + "\n" for line in lines)
    if separator == GAPS:
        lines = (re.sub(r"\t| {2,}\t?", _NO_SEPARATOR, line.strip()) + "\n" for line in lines)
    elif len(separator) > 1:
        lines = (line.replace(separator, _NO_SEPARATOR) for line in lines)
    reader = csv.reader(
        lines,
        delimiter=separator if len(separator) == 1 else _NO_SEPARATOR,
        quotechar=quote or None,
        quoting=csv.QUOTE_MINIMAL if quote else csv.QUOTE_NONE,
        skipinitialspace=separator != " ",
    )
    try:
        for row in reader:
            if "".join(row).strip():
                yield reader.line_num, row
            elif len(row) > 1:
                yield reader.line_num, []
    except csv.Error as error:
        raise FileError(
            f"Line {reader.line_num:,} could not be read ({error}); look for a quotation mark that "
            "never closes, or set quote to ''."
        ) from None


def first_rows(data: bytes, separator: str, quote: str) -> list[list[str]]:
    """Return the first rows, blanks around cells removed; stops early at unreadable ones."""
    rows: list[list[str]] = []
    with suppress(FileError):  # Reading the whole file says where; the rows before are enough.
        cells = 0
        for _, row in islice(rows_of(data, separator, quote), _SAMPLE_ROWS):
            rows.append([cell.strip() for cell in row])
            cells += len(row)
            if cells > _SAMPLE_CELLS:
                break
    return rows


def table_width(rows: Sequence[Sequence[str]]) -> int:
    """Return the commonest number of cells, the larger of two equally common ones."""
    counts = Counter(len(row) for row in rows if row)
    return max(counts, key=lambda width: (counts[width], width)) if counts else 0


def _score(rows: Sequence[Sequence[str]], separator: str) -> Score:
    """Score a separator: do rows agree, with the header too, are cells free of others, how many."""
    width = table_width(rows)
    if width < 2:
        return _NOTHING
    agree = sum(len(row) == width for row in rows) / len(rows)
    cells = [cell for row in rows for cell in row if cell]
    others = [mark for mark in SEPARATORS[:-1] if mark != separator]
    clean = sum(looks_numeric(c) or not any(mark in c for mark in others) for c in cells)
    # The header knows best: a decimal comma that all rows share is in none of its names.
    first = next(row for row in rows if row)
    header = len(first) == width or bool(names_apart(first, width))
    return (round(agree, 1), header, round(clean / len(cells), 1), min(width, 50))


def names_apart(row: Sequence[str], width: int) -> list[str]:
    """Return the names in a header that has another separator than the rows, else nothing."""
    if len(row) != 1:
        return []
    parted = ([name.strip() for name in row[0].split(mark)] for mark in SEPARATORS[:-1])
    return next((names for names in parted if len(names) == width and all(names)), [])


def without_outer_quotes(data: bytes) -> bytes | None:
    """Return the lines of a table each of which stands in quotation marks, as one cell; or None."""
    if not data[:_START].lstrip().startswith(b'"'):
        return None
    lines = data[:_SAMPLE_BYTES].splitlines()
    top = _unquoted(lines[: min(_SAMPLE_ROWS, len(lines) - (len(data) > _SAMPLE_BYTES))])
    separator = find_separator(top)[0] if top else ""
    if not top or not separator.strip() or not _parts(top, separator, 1):
        return None
    if not _score(first_rows(top, separator, '"'), separator)[1]:
        return None  # one column of sums such as "1,234,567", below its name
    return _unquoted(data.splitlines())


def _unquoted(lines: list[bytes]) -> bytes | None:
    """Take the marks off lines that have them at both ends and doubled inside; else None."""
    if not all(_QUOTED.fullmatch(line) for line in lines if line.strip()):
        return None
    return b"\n".join(line.strip()[1:-1].replace(b'""', b'"') for line in lines)


def find_separator(data: bytes) -> tuple[str, str]:
    """Find separator ("" for a single column) and quotation mark from the first rows."""
    sample = data
    if len(data) > _SAMPLE_BYTES:
        sample = data[:_SAMPLE_BYTES].rpartition(b"\n")[0]
        if not sample:  # one line: cut between letters
            sample = data[:_SAMPLE_BYTES].decode("utf-8", "ignore").encode()
    best: tuple[Score, str, str] = ((0.2, False, 0.0, 0), "", '"')
    for quote in ('"', "'"):
        for separator in SEPARATORS:
            if separator.encode() not in sample or (quote == "'" and b"'" not in sample):
                continue
            rows = first_rows(sample, separator, quote)
            score = _score(rows, separator)
            if separator == " ":
                score = _discount_blanks(score, rows)
            # Apostrophes are letters more often than quotation marks, so they must make rows
            # agree better to count as such.
            better = score > best[0] if quote == '"' else score[0] > best[0][0]
            if score[-1] and better:
                best = (score, separator, quote)
    if best[1] and b"'" in sample and _all_in(first_rows(sample, best[1], '"'), "'"):
        return best[1], "'"
    for separator in (" ", GAPS, *RARE) if best[1] == "" else (GAPS,) if best[1] == "\t" else ():
        if separator.encode() in sample and _parts(sample, separator, best[0][-1]):
            return separator, '"'
    return best[1], best[2]


def _all_in(rows: Sequence[Sequence[str]], quote: str) -> bool:
    """Tell whether all cells that hold a mark stand between two, in the first row all cells."""
    marked = [cell for row in rows for cell in row if quote in cell]
    return all(quote in cell for cell in rows[0]) and all(
        len(cell) > 1 and cell[0] == quote == cell[-1] for cell in marked
    )


def _parts(sample: bytes, separator: str, width: int) -> bool:
    """Tell whether a separator that is seldom one makes a table, with a column of numbers.

    Prose has no such column. Beside tabs it has to leave more than twice as many cells.
    """
    rows = first_rows(sample, separator, '"')
    score = _score(rows, separator)
    if score[0] < 0.9 or score[-1] < max(2, 2 * width + 1) or len(rows) < _LEAST_ROWS:
        return False
    # Blanks and colons stand in cells too, such as names and times.
    if separator in (" ", ":") and not (score[:2] == (1.0, True) and not _numeric(rows[0])):
        return False
    body = [row for row in rows[1:] if len(row) == table_width(rows)]
    return any(
        all(looks_numeric(cell) for cell in column if cell) for column in zip(*body, strict=True)
    )


def _numeric(row: Sequence[str]) -> bool:
    return any(map(looks_numeric, row))


def _discount_blanks(score: Score, rows: Sequence[Sequence[str]]) -> Score:
    """Let blanks separate only numbers, and only what nothing else separates."""
    numeric = [looks_numeric(cell) for row in rows for cell in row]
    if score[0] < 0.9 or sum(numeric) < 0.5 * len(numeric):
        return _NOTHING
    return (score[0] - 0.3, *score[1:])
