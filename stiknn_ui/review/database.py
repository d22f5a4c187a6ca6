"""The SQLite file that decisions are kept in: opening, layout, transactions, what can go wrong.

One connection per server and file, used by one thread at a time. Other servers may use the
same file meanwhile: a write waits its turn, and readers are never in its way (WAL).
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final

from stiknn_ui.review import home, layout
from stiknn_ui.review.cells import DamagedError
from stiknn_ui.review.layout import DamagedFileError, JournalError

_WAIT: Final = 10.0
_COPY: Final = ".layout-"
"""Stands between the name of the file and the number of the layout that a copy has."""
_DAMAGED: Final = (
    sqlite3.SQLITE_NOTADB,
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_ERROR,  # a table or column is gone
    sqlite3.SQLITE_SCHEMA,
)
_NO_ROOM: Final = (
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
)
_TAKEN: Final = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


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
            try:
                connection = self._opened(create=False)
            except sqlite3.OperationalError as error:
                if _code(error) not in _NO_ROOM or self._has_log():
                    raise
                # Where nothing can be written beside it, it is read without a log.
                assert self.path is not None
                with closing(layout.untouched(self.path)) as connection:
                    if layout.number_of(connection) != layout.newest():
                        raise
                    yield connection
                return
            if connection is None:
                with closing(_connect(None)) as empty:
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
            try:
                with _transaction(connection, "BEGIN IMMEDIATE"):
                    yield connection
            except sqlite3.OperationalError as error:
                # Opened while the file was read-only, it stays so when the file no longer is.
                if _code(error) in _NO_ROOM:
                    self.close()
                raise

    def shrink(self) -> None:
        """Give the room of what was deleted back, also in the log beside the file.

        Copies from before a change of layout go too: what was deleted is in them.

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
            if self.path is not None:
                for copy in self.path.parent.glob(f"{self.path.name}{_COPY}*"):
                    copy.unlink()

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
                self._connection = _connect(None)
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
        layout.look_first(self.path)
        self._connection = _connect(self.path)
        self._file = (found.st_dev, found.st_ino)
        return self._connection

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Turn what the disk and SQLite say into one sentence."""
        where = home.short(self.path) if self.path is not None else "memory"
        try:
            yield
        except (DamagedError, DamagedFileError, UnicodeDecodeError) as error:
            raise _named(sqlite3.SQLITE_CORRUPT, where) from error
        except sqlite3.Error as error:
            code = _code(error)
            if code is None:
                raise  # a mistake of this package, not of the file
            raise _named(code, where) from error
        except OSError as error:
            raise JournalError(_unwritable(where)) from error

    def _has_log(self) -> bool:
        log = Path(f"{self.path}-wal")
        return log.exists() and log.stat().st_size > 0


def _code(error: sqlite3.Error) -> int | None:
    """Return SQLite's code; None for a mistake of whoever called it."""
    code = getattr(error, "sqlite_errorcode", None)
    if code is None and type(error) is sqlite3.OperationalError:
        return sqlite3.SQLITE_CORRUPT  # a text that is not UTF-8, the only one without a code
    return None if code is None else code & 0xFF


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


def _connect(path: Path | None) -> sqlite3.Connection:
    connection = sqlite3.connect(
        path or ":memory:", timeout=_WAIT, isolation_level=None, check_same_thread=False
    )
    try:
        layout.require_ours(connection)  # a log beside the file may say more than the file did
        found = layout.number_of(connection)
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
        if found != layout.newest():
            with _transaction(connection, "BEGIN IMMEDIATE"):
                layout.require_ours(connection)
                before = layout.number_of(connection)  # another server may just have done it
                if path is not None and 0 < before < layout.newest():
                    _copy(path, path.with_name(f"{path.name}{_COPY}{before}"))
                layout.bring_up_to_date(connection)
            # Whoever looks at the file without its log sees whose it is.
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    except BaseException:
        connection.close()
        raise
    return connection


def _copy(path: Path, target: Path) -> None:
    """Keep a file as it is, which nobody else can write to meanwhile; what is there stays."""
    if target.exists():
        return
    unfinished = target.with_name(f"{target.name}.part")
    try:
        home.make_private_file(unfinished)
        with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(unfinished)) as to:
            source.backup(to)
        unfinished.replace(target)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


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
