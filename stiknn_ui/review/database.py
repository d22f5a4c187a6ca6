"""The SQLite file that decisions are kept in: opening, layout, transactions, what can go wrong.

One connection per server and file, used by one thread at a time. Other servers may use the
same file meanwhile: a write waits its turn, and readers are never in its way (WAL).
"""

from __future__ import annotations

import json
import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final

from stiknn_ui.review import home
from stiknn_ui.review.decisions import ReviewError

LAYOUT: Final = 2
"""Number of the layout below, kept in ``PRAGMA user_version``."""

_HEADER: Final = b"SQLite format 3\0"
_WAIT: Final = 10.0
_DAMAGED: Final = (
    sqlite3.SQLITE_NOTADB,
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_ERROR,  # a table or column is gone
    sqlite3.SQLITE_SCHEMA,
)
_TAKEN: Final = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)

# Names, labels and notes are JSON text, since a text of SQLite can hold no lone surrogates.
# Only a digest of the token is kept, so that the file does not open the reviews in it.
_TABLES: Final[tuple[str, ...]] = (
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
_SINCE_2: Final[tuple[str, ...]] = (
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
"""Which operations of browsers are done, and the steps that they made."""


class JournalError(ReviewError):
    """The file of decisions cannot be read or written."""


class JournalBusy(JournalError):  # noqa: N818  # nothing is wrong: trying again helps
    """Another program was writing for too long; nothing was changed."""


class Database:
    """The file, opened when it is needed first and made when something is written first.

    Parameters
    ----------
    path : Path or None
        None keeps everything in memory.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None
        self._file: tuple[int, int] | None = None

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Give a connection that sees one moment; an empty one where there is no file yet.

        Raises
        ------
        JournalError
        """
        with self._lock, self._told():
            connection = self._opened(create=False)
            if connection is None:
                with closing(_connect(":memory:")) as empty:
                    yield empty
                return
            with _transaction(connection, "BEGIN"):
                yield connection

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Give a connection on which all or nothing is done, safe on the disk afterwards.

        Raises
        ------
        JournalError
        """
        with self._lock, self._told():
            connection = self._opened(create=True)
            assert connection is not None
            with _transaction(connection, "BEGIN IMMEDIATE"):
                yield connection

    def shrink(self) -> None:
        """Give the room of what was deleted back, also in the log beside the file.

        Raises
        ------
        JournalError
        """
        with self._lock, self._told():
            connection = self._opened(create=False)
            if connection is not None:
                # A plain execute takes one step, which frees one page.
                connection.executescript("PRAGMA incremental_vacuum")
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def close(self) -> None:
        """Close the file; it is opened again when needed."""
        with self._lock:
            if self._connection is not None:
                with suppress(sqlite3.Error):
                    self._connection.close()
            self._connection = None

    def __del__(self) -> None:
        self.close()

    def _opened(self, *, create: bool) -> sqlite3.Connection | None:
        if self.path is None:
            if self._connection is None:
                self._connection = _connect(":memory:")
            return self._connection
        try:
            found = os.stat(self.path)
            if self._connection is not None and (found.st_dev, found.st_ino) == self._file:
                return self._connection
        except (FileNotFoundError, NotADirectoryError):
            found = None
        # A file that was removed or replaced can still be written to, and nobody would see it.
        self.close()
        if found is None:
            if not create:
                return None
            home.make_private_file(self.path)
            found = os.stat(self.path)
        with self.path.open("rb") as file:
            # A file too short for a header passes for an empty one, and would be overwritten.
            if file.read(len(_HEADER)) not in (b"", _HEADER):
                raise _named(sqlite3.SQLITE_NOTADB, home.short(self.path))
        self._connection = _connect(str(self.path))
        self._file = (found.st_dev, found.st_ino)
        return self._connection

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Turn what the disk and SQLite say into one sentence."""
        where = home.short(self.path) if self.path is not None else "memory"
        try:
            yield
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorcode", None)
            if code is None:
                raise  # a mistake of this package, not of the file
            raise _named(code & 0xFF, where) from error
        except json.JSONDecodeError as error:
            raise _named(sqlite3.SQLITE_CORRUPT, where) from error
        except OSError as error:
            raise JournalError(_unwritable(where)) from error


def _named(code: int, where: str) -> JournalError:
    if code in _TAKEN:
        return JournalBusy(
            "Nothing was saved, since another program holds the file of decisions: try again."
        )
    if code in _DAMAGED:
        return JournalError(
            f"The file of decisions {where} is damaged: move it to another place, and a new one "
            "is begun."
        )
    return JournalError(_unwritable(where))


def _unwritable(where: str) -> str:
    return (
        f"Decisions cannot be written to {where}: make its folder writable, make room on the "
        "disk, or name another folder in STIKNN_HOME."
    )


def _connect(path: str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=_WAIT, isolation_level=None, check_same_thread=False)
    try:
        found = _layout(connection)
        if not found:
            # Only before the first table, and it waits for writers.
            connection.execute("PRAGMA auto_vacuum = INCREMENTAL").fetchall()
        # What is forgotten is overwritten, not just unlinked. A commit is on the disk when it
        # returns, so that even a power cut loses no decision that was acknowledged.
        for setting in (
            "journal_mode = WAL",
            "synchronous = FULL",
            "secure_delete = ON",
            "foreign_keys = ON",
        ):
            connection.execute(f"PRAGMA {setting}").fetchall()
        if found != LAYOUT:
            with _transaction(connection, "BEGIN IMMEDIATE"):
                _lay_out(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _lay_out(connection: sqlite3.Connection) -> None:
    """Make the tables of a new file, unless another server just did."""
    found = _layout(connection)
    if found > LAYOUT:
        raise JournalError(
            "The file of decisions was made by a newer version of this app: update the app, or "
            "name another folder in STIKNN_HOME."
        )
    if found == LAYOUT:
        return
    tables = _SINCE_2 if found else _TABLES + _SINCE_2
    if not found and connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone():
        raise JournalError(
            "The file of decisions belongs to another program: name another folder in STIKNN_HOME."
        )
    for statement in tables:
        connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {LAYOUT}")


def _layout(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


@contextmanager
def _transaction(connection: sqlite3.Connection, begin: str) -> Iterator[None]:
    connection.execute(begin)
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
