"""The tables of a web page; many programs save one and call it .xls."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from stiknn_core.errors import FileError
from stiknn_core.tables.choices import ChoiceError
from stiknn_core.tables.files.grids import Grid, check_width
from stiknn_core.tables.files.sheets import Sheet, sheet_grid

# A tag ends before the next one begins, so the search is done in one pass whatever comes.
_TAG = re.compile(r"(?i)<(/?)(table|tr|t[dh]|br|p|script|style)\b([^<>]*)>")
_ANY = re.compile(r"<[^<>]*>")
_BEGIN = re.compile(r"(?i)<table\b")
_MOST_TABLES = 20_000
_MOST_CELLS = 6_000_000
_SPAN = re.compile(r"(?i)\b(colspan|rowspan)\s*=\s*[\"']?\s*(\d{1,5})")


def read_web_page(text: str, table: str | None = None) -> Grid:
    """Read a table of a page, counted from "1"; None takes the only one with two rows."""
    count = sum(1 for _ in _BEGIN.finditer(text))
    if count > _MOST_TABLES:
        raise FileError(
            f"The web page holds {count:,} tables; at most {_MOST_TABLES:,} are looked at, so save "
            "the one that is meant as CSV."
        )
    sheets = list(_tables(text))
    large = [number for number, (rows, _) in enumerate(sheets) if len(rows) > 1]
    if not large:
        raise FileError(
            "This is a web page without a table of rows; expected a page with one, CSV or Excel."
        )
    names = tuple(str(number + 1) for number in large)
    if table is None and len(large) > 1:
        raise ChoiceError(f"The web page holds {len(large)} tables", "table", names)
    chosen = names[0] if table is None else str(table)
    if chosen not in names:
        raise ChoiceError(f"The web page holds no table {chosen!r}", "table", names)
    rows, merges = sheets[int(chosen) - 1]
    found = Sheet(f"table {chosen}", enumerate(rows), merges)
    grid = sheet_grid(found, ())
    if grid is None:
        raise FileError("The table of the web page is empty; expected rows with values.")
    return grid


def _check(cells: int) -> int:
    """Count rows and cells, those that others cover too, since all are kept as texts."""
    if cells > _MOST_CELLS:
        raise FileError(
            f"The web page has more than {_MOST_CELLS:,} cells; keep fewer rows, or save the table "
            "as CSV."
        )
    return cells


Merges = dict[int, list[tuple[int, int, int, int]]]


def _tables(text: str) -> Iterator[tuple[list[list[str]], Merges]]:
    """Yield the rows of every table, with its merged cells; a table in a cell is a part of it."""
    rows: list[list[str]] = []
    merges: Merges = {}
    covered: dict[int, int] = {}
    depth = cells = place = 0
    begun: int | None = None
    for tag in _TAG.finditer(text):
        closing, name = bool(tag[1]), tag[2].lower()
        if begun is not None and depth == 1 and name in ("td", "th", "tr", "table"):
            rows[-1][place] = _plain(text[begun : tag.start()])
            begun = None
        if name == "table":
            depth = max(depth + (-1 if closing else 1), 0)
            if depth == 1 and not closing:
                rows, merges, covered = [], {}, {}
            elif depth == 0 and closing:
                yield rows, merges
                rows = []
        elif depth == 1 and name == "tr" and not closing:
            rows.append([])
            cells = _check(cells + 1 + len(covered))
            covered = {place: left - 1 for place, left in covered.items() if left > 1}
        elif depth == 1 and name in ("td", "th") and not closing and rows:
            span = {key.lower(): max(int(size), 1) for key, size in _SPAN.findall(tag[3])}
            across, down = span.get("colspan", 1), span.get("rowspan", 1)
            row, number = rows[-1], len(rows) - 1
            while len(row) in covered:
                row.append("")
            place = len(row)
            check_width(place + across)
            cells = _check(cells + across)
            if across > 1 or down > 1:
                merge = (number, place, number + down - 1, place + across - 1)
                merges.setdefault(number, []).append(merge)
            if down > 1:
                covered.update(dict.fromkeys(range(place, place + across), down))
            row += [""] * across
            begun = tag.end()
    if depth and rows:
        yield rows, merges


def _plain(part: str) -> str:
    return re.sub(r"\s+", " ", html.unescape(_ANY.sub(" ", part))).strip()
