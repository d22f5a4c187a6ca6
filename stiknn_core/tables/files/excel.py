"""Workbooks of Excel (.xlsx, .xlsm, .xlsb, .xls) to a grid of cells."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from xml.etree.ElementTree import ParseError

import python_calamine as calamine

from stiknn_core.errors import FileError, StiknnError
from stiknn_core.phrases import counted
from stiknn_core.tables.files.binary_scan import scan_xls, scan_xlsb
from stiknn_core.tables.files.grids import Grid
from stiknn_core.tables.files.refused import reason
from stiknn_core.tables.files.scans import Scan
from stiknn_core.tables.files.sheets import (
    Sheet,
    best_sheet,
    other_sheets,
    refuse_unstored,
    sheet_grid,
    wanted_sheets,
)
from stiknn_core.tables.files.xlsx_scan import Xlsx, check_shared_texts, open_xlsx, scan_xlsx

_TROUBLE = (
    calamine.CalamineError, zipfile.BadZipFile, zlib.error, ParseError, LookupError, ValueError,
    TypeError, OSError, EOFError, OverflowError, NotImplementedError, StopIteration,
    struct.error, MemoryError,
)  # fmt: skip


def read_excel(data: bytes, kind: str, sheet: str | int | None = None) -> Grid:
    """Read one sheet of a workbook, by name or 0-based position.

    None takes the first sheet that is not hidden and has at least two rows and columns, if there
    is one. Cells must not be formulas whose results were never stored.
    """
    with _one_sentence():
        scans = _scan_all(data, kind)
        book = calamine.load_workbook(io.BytesIO(data))
        names = tuple(book.sheet_names)
        shown = [page.visible == calamine.SheetVisibleEnum.Visible for page in book.sheets_metadata]

    def read(place: int) -> Grid | None:
        with _one_sentence():
            return sheet_grid(_open(data, book, place, scans), names)

    return best_sheet(read, wanted_sheets(names, shown, sheet), names)


def _scan_all(data: bytes, kind: str) -> Sequence[Scan] | Xlsx:
    """Count what the reader makes when it opens a file: for binary ones, that is every sheet."""
    if kind == "workbook":
        check_shared_texts(data)
        return open_xlsx(data)
    return scan_xlsb(data) if kind == "binary workbook" else scan_xls(data)


def _open(
    data: bytes, book: calamine.CalamineWorkbook, place: int, scans: Sequence[Scan] | Xlsx
) -> Sheet:
    name = book.sheet_names[place]
    scan, readable = scan_xlsx(scans, place) if isinstance(scans, Xlsx) else (scans[place], data)
    if scan.unstored:
        raise refuse_unstored(scan.unstored, name)
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
            f"The workbook could not be read ({type(error).__name__}: {reason(error)}); open it "
            "in a spreadsheet program, save it again as .xlsx, and load that."
        ) from None
