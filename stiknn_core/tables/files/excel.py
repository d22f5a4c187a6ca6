"""Workbooks of Excel (.xlsx, .xlsm, .xlsb, .xls) to a grid of cells."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from xml.etree.ElementTree import ParseError

import python_calamine as calamine

from stiknn_core.errors import FileError, StiknnError
from stiknn_core.phrases import counted, listed
from stiknn_core.tables.choices import ChoiceError
from stiknn_core.tables.files.grids import Grid
from stiknn_core.tables.files.sheets import Sheet, refuse_empty, sheet_grid
from stiknn_core.tables.files.xlsx_scan import check_shared_texts, scan_xlsx

_TROUBLE = (
    calamine.CalamineError, zipfile.BadZipFile, zlib.error, ParseError, KeyError, ValueError,
    TypeError, IndexError, OSError, EOFError, OverflowError, NotImplementedError, StopIteration,
    struct.error, MemoryError,
)  # fmt: skip


def read_excel(data: bytes, sheet: str | int | None = None) -> Grid:
    """Read one sheet of a workbook, by name or 0-based position.

    None takes the first sheet that is not hidden and has at least two rows. Cells must not be
    formulas whose results were never stored.
    """
    with _one_sentence():
        check_shared_texts(data)
        book = calamine.load_workbook(io.BytesIO(data))
        names = tuple(book.sheet_names)
        shown = [page.visible == calamine.SheetVisibleEnum.Visible for page in book.sheets_metadata]
    grid = None
    for place in wanted_sheets(names, shown, sheet):
        with _one_sentence():
            # Empty sheets are passed over; of those with a single row, the last is as good.
            grid = sheet_grid(_open(data, book, place), names) or grid
        if grid is not None and len(grid.columns[0]) > 1:
            break
    if grid is None:
        raise refuse_empty(names[place])
    return grid


def wanted_sheets(
    names: tuple[str, ...], shown: list[bool], sheet: str | int | None
) -> tuple[int, ...]:
    """Return the places of the sheets to try, in order."""
    if not names:
        raise FileError("The workbook has no sheet with cells; expected a table.")
    places = range(len(names))
    if sheet is None:
        return tuple(sorted(places, key=lambda place: not shown[place]))
    if isinstance(sheet, int) and not isinstance(sheet, bool) and sheet in places:
        return (sheet,)
    if sheet in names:
        return (names.index(str(sheet)),)
    raise ChoiceError(f"The workbook has no sheet {sheet!r}", "sheet", names)


def other_sheets(name: str, names: tuple[str, ...]) -> list[str]:
    """Say which sheet was read if there are others."""
    others = [other for other in names if other != name]
    return [f"Sheet {name!r} was read; the workbook also has {listed(others)}."] if others else []


def _open(data: bytes, book: calamine.CalamineWorkbook, place: int) -> Sheet:
    name = book.sheet_names[place]
    scan, readable = scan_xlsx(data, place)
    if scan.unstored:
        raise FileError(
            f"{counted(len(scan.unstored), 'cell')} of the sheet {name!r} hold formulas without "
            f"stored results ({listed(scan.unstored, 3)}); open the workbook in a spreadsheet "
            "program, save it, and load it again."
        )
    notices = other_sheets(name, tuple(book.sheet_names))
    if scan.far:
        notices.append(f"Left out below the table: {counted(scan.far, 'row')} far away from it.")
    if scan.formulas:
        notices.append(f"The stored results of {counted(scan.formulas, 'formula')} were read.")
    if readable is not data:
        book = calamine.load_workbook(io.BytesIO(readable))
    page = book.get_sheet_by_index(place)
    # Rows come from the first of the sheet on, but cells from the first filled column.
    left = [None] * (page.start[1] if page.start else 0)
    rows = enumerate([*left, *row] for row in page.iter_rows())
    return Sheet(
        name, rows, scan.merges, scan.hidden_rows, scan.hidden_columns, scan.errors, notices
    )


@contextmanager
def _one_sentence() -> Iterator[None]:
    try:
        yield
    except StiknnError:
        raise
    except calamine.PasswordError:
        raise FileError(
            "The workbook is protected by a password; remove the password in the spreadsheet "
            "program, save, and load it again."
        ) from None
    except BaseException as error:
        # A panic of the Rust library is no Exception.
        if not isinstance(error, _TROUBLE) and type(error).__name__ != "PanicException":
            raise
        raise FileError(
            f"The workbook could not be read ({type(error).__name__}: {str(error)[:120]}); open it "
            "in a spreadsheet program, save it again as .xlsx, and load that."
        ) from None
