"""Excel workbooks to a grid of cells."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any
from xml.etree.ElementTree import ParseError

import openpyxl

from stiknn_core.errors import FileError
from stiknn_core.phrases import counted, listed
from stiknn_core.tables.cells.text import cell_text
from stiknn_core.tables.choices import ChoiceError
from stiknn_core.tables.files.grids import Grid, check_cells, check_width, to_columns

_ERRORS = ("#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#N/A")
# openpyxl lets many kinds of errors through for damaged files; all of them mean the same here.
_TROUBLE = (
    zipfile.BadZipFile, zlib.error, ParseError, KeyError, ValueError, TypeError, IndexError,
    AttributeError, OSError, EOFError, OverflowError, NotImplementedError, RecursionError,
    AssertionError,
)  # fmt: skip


def read_excel(data: bytes, sheet: str | int | None = None) -> Grid:
    """Read one sheet of an .xlsx file, by name or 0-based position.

    None takes the first sheet with at least two rows. Cells must not be formulas whose results
    were never stored.
    """
    try:
        book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        names = tuple(page.title for page in book.worksheets)
        wanted = _wanted(names, sheet)
        for name in wanted:
            rows = _sheet_rows(book, name)
            if len(rows) > 1 or name == wanted[-1]:
                break
        if not any(rows):
            raise FileError(f"The sheet {name!r} is empty; expected a table with rows.")
        notices = list(_check_formulas(data, name))
    except FileError:
        raise
    except _TROUBLE as error:
        raise FileError(
            f"The workbook could not be read ({type(error).__name__}: {str(error)[:120]}); open it "
            "in a spreadsheet program, save it again as .xlsx, and load that."
        ) from None
    if len(names) > 1:
        others = [other for other in names if other != name]
        notices.insert(0, f"Sheet {name!r} was read; the workbook also has {listed(others)}.")
    return _cut(rows, name, names, notices)


def _wanted(names: tuple[str, ...], sheet: str | int | None) -> tuple[str, ...]:
    if not names:
        raise FileError("The workbook has no sheet with cells; expected a table.")
    if sheet is None:
        return names
    if isinstance(sheet, int) and not isinstance(sheet, bool) and 0 <= sheet < len(names):
        return (names[sheet],)
    if sheet in names:
        return (str(sheet),)
    raise ChoiceError(f"The workbook has no sheet {sheet!r}", "sheet", names)


def _sheet_rows(book: Any, name: str) -> list[list[str]]:
    page = book[name]
    # The stated size of a sheet can be wrong, and huge; rows then come as long as they are.
    page.reset_dimensions()
    rows: list[list[str]] = []
    cells = 0
    for row in page.iter_rows(values_only=True):
        texts = [cell_text(value).strip() for value in row]
        while texts and not texts[-1]:
            texts.pop()
        cells += len(texts) + 1
        check_cells(cells, "The sheet")
        rows.append(texts)
    while rows and not rows[-1]:
        rows.pop()
    return rows


def _check_formulas(data: bytes, name: str) -> Iterator[str]:
    """Compare formulas with the results that the spreadsheet program stored."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        sheets = [item for item in archive.namelist() if item.startswith("xl/worksheets/")]
        if not any(b"<f" in archive.read(item) for item in sheets if item.endswith(".xml")):
            return
    formulas = openpyxl.load_workbook(io.BytesIO(data), read_only=True)[name]
    results = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)[name]
    formulas.reset_dimensions()
    results.reset_dimensions()
    count, blank = 0, []
    for told, shown in zip(formulas.iter_rows(), results.iter_rows(), strict=True):
        for cell, result in zip(told, shown, strict=True):
            if getattr(cell, "data_type", None) == "f":
                count += 1
                if result.value is None:
                    blank.append(cell.coordinate)
    if blank:
        raise FileError(
            f"{counted(len(blank), 'cell')} of the sheet {name!r} hold formulas without stored "
            f"results ({listed(blank, 3)}); open the workbook in a spreadsheet program, save it, "
            "and load it again."
        )
    if count:
        yield f"The stored results of {counted(count, 'formula')} were read."


def _cut(rows: list[list[str]], name: str, names: tuple[str, ...], notices: list[str]) -> Grid:
    """Cut the filled rectangle out, without titles above and remarks below."""
    first = next(place for place, row in enumerate(rows) if row)
    spans = Counter(len(row) for row in rows[:2000] if row)  # no row ends in an empty cell
    left = min(_filled(row)[0] for row in rows if row)
    width = max(len(row) for row in rows) - left
    check_width(width)
    usual = max(spans, key=lambda end: (spans[end], end)) - left
    above = _titles(rows[first:], left, usual)
    if above:
        notices.append(f"Left out above the table: {counted(above, 'row')}.")
    last = len(rows)
    while usual > 2 and last > first + above + 2 and _is_remark(rows, last - 1):
        last -= 1
    below = sum(bool(row) for row in rows[last:])
    if below:
        notices.append(f"Left out below the table: {counted(below, 'row')}.")
    inside = rows[first + above : last]
    # A forgotten cell in the last row of a sheet must not cost a million empty ones.
    body = [row[left:] for row in inside if row]
    if len(body) < len(inside):
        notices.append(f"Left out: {counted(len(inside) - len(body), 'empty row')}.")
    width = max(len(row) for row in body)
    errors = Counter(cell for row in body for cell in row if cell in _ERRORS)
    if errors:
        notices.append(
            f"Cells with Excel errors count as missing: {counted(sum(errors.values()), 'cell')} "
            f"({listed(sorted(errors))})."
        )
    clean = [["" if cell in _ERRORS else cell for cell in row] for row in body]
    corner = f"{openpyxl.utils.get_column_letter(left + 1)}{first + above + 1}"
    top = [[*row, *[""] * (width - len(row))] for row in clean[:100]]
    decisions = {"sheet": name, "corner": corner}
    return Grid(top, to_columns(clean, width), decisions, tuple(notices), names)


def _filled(row: Sequence[str]) -> list[int]:
    return [place for place, cell in enumerate(row) if cell]


def _titles(rows: Sequence[Sequence[str]], left: int, usual: int) -> int:
    """Count rows above the table that fill at most half of its columns."""
    for place, row in enumerate(rows[:30]):
        if len(_filled(row)) > 0.5 * usual or (usual <= 2 and len(row) - left >= usual):
            return place
    return 0


def _is_remark(rows: Sequence[Sequence[str]], place: int) -> bool:
    """Tell whether a row near the end is empty, or one lone cell below an empty row."""
    row = rows[place]
    if not row:
        return True
    if len(_filled(row)) > 1:
        return False
    above = next((at for at in range(place - 1, -1, -1) if len(_filled(rows[at])) != 1), -1)
    return above >= 0 and not rows[above]
