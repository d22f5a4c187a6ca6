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

SEPARATORS: tuple[str, ...] = (",", ";", "\t", "|", " ")

_SAMPLE_ROWS = 200
_SAMPLE_BYTES = 400_000
_SAMPLE_CELLS = 1_000_000
_NOTHING = (0.0, False, 0.0, 0)
_NO_SEPARATOR = "\x1f"
Score = tuple[float, bool, float, int]


def rows_of(data: bytes, separator: str, quote: str) -> Iterator[tuple[int, list[str]]]:
    """Yield line number and cells of each row of UTF-8 text; blank lines are passed over.

    A row of nothing but separators comes as an empty list.
    """
    lines: Iterator[str] = io.TextIOWrapper(io.BytesIO(data), "utf-8", newline="")
    if separator == " ":
        lines = (re.sub(r"[ \t]+", " ", line.strip()) + "\n" for line in lines)
    reader = csv.reader(
        lines,
        delimiter=separator or _NO_SEPARATOR,
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
    others = [mark for mark in SEPARATORS[:4] if mark != separator]
    clean = sum(looks_numeric(c) or not any(mark in c for mark in others) for c in cells)
    # The header knows best: a decimal comma that all rows share is in none of its names.
    header = len(next(row for row in rows if row)) == width
    return (round(agree, 1), header, round(clean / len(cells), 1), min(width, 50))


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
    return best[1], best[2]


def _discount_blanks(score: Score, rows: Sequence[Sequence[str]]) -> Score:
    """Let blanks separate only numbers, and only what nothing else separates."""
    numeric = [looks_numeric(cell) for row in rows for cell in row]
    if score[0] < 0.9 or sum(numeric) < 0.5 * len(numeric):
        return _NOTHING
    return (score[0] - 0.3, *score[1:])
