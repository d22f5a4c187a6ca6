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
_SAMPLE_LETTERS = 400_000
_NO_SEPARATOR = "\x1f"
Score = tuple[float, float, int]


def rows_of(text: str, separator: str, quote: str) -> Iterator[tuple[int, list[str]]]:
    """Yield line number and cells of each row of delimited text; blank lines are passed over.

    A row of nothing but separators comes as an empty list.
    """
    lines: Iterator[str] = io.StringIO(text, newline="")
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


def first_rows(text: str, separator: str, quote: str) -> list[list[str]]:
    """Return the first rows, blanks around cells removed; stops early at unreadable ones."""
    rows: list[list[str]] = []
    with suppress(FileError):  # Reading the whole file says where; the rows before are enough.
        for _, row in islice(rows_of(text, separator, quote), _SAMPLE_ROWS):
            rows.append([cell.strip() for cell in row])
    return rows


def table_width(rows: Sequence[Sequence[str]]) -> int:
    """Return the commonest number of cells, the larger of two equally common ones."""
    counts = Counter(len(row) for row in rows if row)
    return max(counts, key=lambda width: (counts[width], width)) if counts else 0


def _score(rows: Sequence[Sequence[str]], separator: str) -> Score:
    """Judge a separator: do rows agree, are the cells free of other separators, how many."""
    width = table_width(rows)
    if width < 2:
        return (0.0, 0.0, 0)
    agree = sum(len(row) == width for row in rows) / len(rows)
    cells = [cell for row in rows for cell in row if cell]
    others = [mark for mark in SEPARATORS[:4] if mark != separator]
    clean = sum(looks_numeric(c) or not any(mark in c for mark in others) for c in cells)
    return (round(agree, 1), round(clean / len(cells), 1), min(width, 50))


def find_separator(text: str) -> tuple[str, str]:
    """Find separator ("" for a single column) and quotation mark from the first rows."""
    sample = text
    if len(text) > _SAMPLE_LETTERS:
        sample = text[:_SAMPLE_LETTERS].rpartition("\n")[0] or text[:_SAMPLE_LETTERS]
    best: tuple[Score, str, str] = ((0.2, 0.0, 0), "", '"')
    for quote in ('"', "'"):
        for separator in SEPARATORS:
            if separator not in sample or (quote == "'" and quote not in sample):
                continue
            rows = first_rows(sample, separator, quote)
            score = _score(rows, separator)
            if separator == " ":
                score = _discount_blanks(score, rows)
            # Apostrophes are letters more often than quotation marks, so they must make rows
            # agree better to count as such.
            better = score > best[0] if quote == '"' else score[0] > best[0][0]
            if score[2] and better:
                best = (score, separator, quote)
    return best[1], best[2]


def _discount_blanks(score: Score, rows: Sequence[Sequence[str]]) -> Score:
    """Let blanks separate only numbers, and only what nothing else separates."""
    numeric = [looks_numeric(cell) for row in rows for cell in row]
    if score[0] < 0.9 or sum(numeric) < 0.5 * len(numeric):
        return (0.0, 0.0, 0)
    return (score[0] - 0.3, score[1], score[2])
