"""The layout of the file of decisions: its tables, how older ones become it, whose file it is.

A layout is a number, kept in ``PRAGMA user_version``, and what leads to it from the one before.
To change it, add to `STEPS`; a new file goes through all of them.
"""

from __future__ import annotations

import os
import sqlite3
import stat
from contextlib import closing
from pathlib import Path
from typing import Final

from stiknn_ui.review.decisions import ReviewError

APPLICATION: Final = 0x53544B4E
"""Says in ``PRAGMA application_id`` whose file it is: "STKN"."""

# Only a digest of the token is kept, so that the file does not open the reviews in it.
_FIRST: Final[tuple[str, ...]] = (
    """CREATE TABLE reviews (
        id INTEGER PRIMARY KEY,
        digest BLOB NOT NULL UNIQUE,
        created TEXT NOT NULL,
        version INTEGER NOT NULL DEFAULT 0,
        steps INTEGER NOT NULL DEFAULT 0,
        about TEXT NOT NULL DEFAULT '',
        settings TEXT
    )""",
    """CREATE TABLE decisions (
        review INTEGER NOT NULL REFERENCES reviews ON DELETE CASCADE,
        source TEXT NOT NULL,
        row INTEGER NOT NULL,
        decision TEXT,
        version INTEGER NOT NULL,
        PRIMARY KEY (review, source, row)
    ) WITHOUT ROWID""",
    "CREATE INDEX decisions_by_version ON decisions (review, version)",
    """CREATE TABLE steps (
        review INTEGER NOT NULL REFERENCES reviews ON DELETE CASCADE,
        number INTEGER NOT NULL,
        at TEXT NOT NULL,
        what TEXT NOT NULL,
        state INTEGER NOT NULL,
        version INTEGER NOT NULL,
        PRIMARY KEY (review, number)
    ) WITHOUT ROWID""",
    "CREATE INDEX steps_by_state ON steps (review, state, version)",
    "CREATE INDEX steps_by_version ON steps (review, version)",
    """CREATE TABLE changes (
        review INTEGER NOT NULL REFERENCES reviews ON DELETE CASCADE,
        step INTEGER NOT NULL,
        place INTEGER NOT NULL,
        source TEXT NOT NULL,
        row INTEGER NOT NULL,
        name TEXT NOT NULL,
        given TEXT NOT NULL,
        before TEXT,
        after TEXT,
        PRIMARY KEY (review, step, place)
    ) WITHOUT ROWID""",
    """CREATE TABLE files (
        review INTEGER NOT NULL REFERENCES reviews ON DELETE CASCADE,
        role TEXT NOT NULL,
        name TEXT NOT NULL,
        overrides TEXT NOT NULL,
        content BLOB NOT NULL,
        PRIMARY KEY (review, role)
    )""",
)
# Which operations of browsers are done, and the steps that they made.
_OPERATIONS: Final[tuple[str, ...]] = (
    """CREATE TABLE operations (
        review INTEGER NOT NULL REFERENCES reviews ON DELETE CASCADE,
        client TEXT NOT NULL,
        number INTEGER NOT NULL,
        step INTEGER,
        version INTEGER NOT NULL,
        PRIMARY KEY (review, client, number)
    ) WITHOUT ROWID""",
    "CREATE INDEX operations_by_version ON operations (review, version)",
)

STEPS: tuple[tuple[str, ...], ...] = (
    _FIRST,
    _OPERATIONS,
    (f"PRAGMA application_id = {APPLICATION}",),
)
"""What makes each layout out of the one before, from the first."""

_HEADER: Final = b"SQLite format 3\0"
_UNNAMED: Final = 2  # the last layout without an application id
_OURS: Final = {"reviews", "decisions", "steps", "changes", "files"}


class JournalError(ReviewError):
    """The file of decisions cannot be read or written."""


class DamagedFileError(Exception):
    """It is no database, or none that can be read."""


def newest() -> int:
    """Return the number of the layout that this version writes."""
    return len(STEPS)


def number_of(connection: sqlite3.Connection) -> int:
    """Return the layout of a file; 0 for an empty one."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def look_first(path: Path) -> None:
    """Refuse a file that is not ours before SQLite opens it, and so before anything is written.

    Raises
    ------
    DamagedFileError
    JournalError
    """
    for beside in ("", "-wal", "-shm", "-journal"):
        try:
            found = os.stat(f"{path}{beside}")
        except FileNotFoundError:
            continue
        # Opening a pipe would never end.
        if not stat.S_ISREG(found.st_mode):
            raise DamagedFileError(f"{path}{beside} is no file")
    with path.open("rb") as file:
        begins = file.read(len(_HEADER))
    if not begins:
        return
    # A file too short for a header passes for an empty one, and would be overwritten.
    if begins != _HEADER:
        raise DamagedFileError(f"{path} is no database")
    with closing(untouched(path)) as connection:
        require_ours(connection)


def untouched(path: Path) -> sqlite3.Connection:
    """Return a connection that reads a file as it is and makes none beside it.

    It sees nothing of a log beside the file, where the newest changes may be.
    """
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=ro&immutable=1",
        uri=True,
        isolation_level=None,
        check_same_thread=False,
    )


def require_ours(connection: sqlite3.Connection) -> None:
    """Refuse a file of another program, or of a newer version of this one.

    Raises
    ------
    JournalError
    """
    found = number_of(connection)
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    unnamed = application == 0 and 0 < found <= _UNNAMED and names >= _OURS
    if not (application == APPLICATION or unnamed) and (application or found or names):
        raise JournalError(
            "The file of decisions belongs to another program: name another folder in STIKNN_HOME."
        )
    if found > newest():
        raise JournalError(
            "The file of decisions was made by a newer version of this app: update the app, or "
            "name another folder in STIKNN_HOME."
        )


def bring_up_to_date(connection: sqlite3.Connection) -> None:
    """Do what leads to the newest layout; its caller began a transaction."""
    for statements in STEPS[number_of(connection) :]:
        for statement in statements:
            connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {newest()}")
