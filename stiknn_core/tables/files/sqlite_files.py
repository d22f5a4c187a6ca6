"""Tables and views of an SQLite file, read from memory and never run."""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from typing import Any

from stiknn_core.errors import FileError
from stiknn_core.tables.choices import ChoiceError
from stiknn_core.tables.files.draft import Draft
from stiknn_core.tables.files.grids import check_cells, check_width
from stiknn_core.tables.files.records import records_draft
from stiknn_core.tables.files.refused import reason
from stiknn_core.tables.limits import MAX_PICTURE_BYTES

# A view may compute without end; a table of 60 million cells takes about half of these steps.
_MOST_STEPS = 1_000_000_000
# One step may write a long text, so that seconds are counted as well, between a few steps.
_STEPS = 100
_MOST_SECONDS = 10.0
_SECONDS_A_CELL = 3e-6
_LONGEST_CELL = MAX_PICTURE_BYTES
# Looking for one text in another is a single step, and takes their product.
_LONGEST_COMPUTED = 1_000_000
# Views and computed columns have it; a table that only calls something so loses nothing else.
_COMPUTES = re.compile(r"(?i)\bas\b")
_WHY = {
    "not authorized": "a view does more than choose from tables, such as calling itself",
    "interrupted": "a view computes for too long",
}
_ALLOWED = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION}


def read_sqlite(data: bytes, table: str | None = None) -> Draft:
    """Read one table or view; None takes the only one with rows."""
    # A copy with a journal beside it says so in two bytes, and could not be opened alone.
    data = data[:18] + b"\x01\x01" + data[20:]
    try:
        with closing(sqlite3.connect(":memory:", isolation_level=None)) as base:
            base.deserialize(data)
            return _read(base, table)
    except (sqlite3.Error, MemoryError, OverflowError, ValueError) as error:
        if isinstance(error, FileError):
            raise
        why = _WHY.get(str(error), reason(error))
        raise FileError(
            f"The SQLite file could not be read ({why}); export the table as CSV."
        ) from None


def _read(base: sqlite3.Connection, table: str | None) -> Draft:
    base.execute("PRAGMA trusted_schema = OFF")
    base.execute("PRAGMA cell_size_check = ON")
    base.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_COMPUTED)
    base.text_factory = lambda text: text.decode("utf-8", "replace")
    listing = "SELECT name, type, sql FROM sqlite_master WHERE type IN ('table', 'view')"
    found = base.execute(listing).fetchall()
    kinds = {str(name): kind for name, kind, _ in found}
    names = tuple(name for name in kinds if not name.startswith("sqlite_"))
    base.set_authorizer(
        lambda action, *_: sqlite3.SQLITE_OK if action in _ALLOWED else sqlite3.SQLITE_DENY
    )
    allowance = _Allowance()
    base.set_progress_handler(allowance.is_spent, _STEPS)
    if not names:
        raise FileError("The SQLite file holds no table; expected one with rows.")
    if table is None:
        # A view shows again what stands in tables.
        tables = [name for name in names if kinds[name] == "table"] or names
        filled = [name for name in tables if len(names) == 1 or _has_rows(base, name)]
        if len(filled) != 1:
            raise ChoiceError(f"The SQLite file holds {len(names)} tables", "table", names)
        table = filled[0]
    elif table not in names:
        raise ChoiceError(f"The SQLite file holds no table {table!r}", "table", names)
    if not any(name == table and _COMPUTES.search(str(sql)) for name, _, sql in found):
        base.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_CELL)
    rows = base.execute(f"SELECT * FROM {_quoted(table)}")
    columns = [str(told[0]) for told in rows.description]
    check_width(len(columns))
    notices = [f"Table {table!r} of the SQLite file was read."] if len(names) > 1 else []
    draft = records_draft(columns, _counted(rows, len(columns), allowance), "SQLite", notices)
    draft.decisions["table"] = table
    draft.tables = names
    return draft


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _has_rows(base: sqlite3.Connection, name: str) -> bool:
    try:
        return base.execute(f"SELECT 1 FROM {_quoted(name)} LIMIT 1").fetchone() is not None
    except sqlite3.DatabaseError:
        return False  # a view of what is not there, or that computes without end


class _Allowance:
    """Steps and seconds that are left for computing; each cell that comes of it adds a little."""

    def __init__(self) -> None:
        self.cells = 0
        self._left = _MOST_STEPS // _STEPS
        self._begun = time.thread_time()

    def is_spent(self) -> bool:
        self._left -= 1
        seconds = _MOST_SECONDS + _SECONDS_A_CELL * self.cells
        return self._left < 0 or time.thread_time() - self._begun > seconds


def _counted(
    rows: Iterator[tuple[Any, ...]], width: int, allowance: _Allowance
) -> Iterator[tuple[Any, ...]]:
    for count, row in enumerate(rows, start=1):
        check_cells(count * width, "The SQLite table")
        allowance.cells = count * width
        yield row
