"""The decisions of all reviews in one file: written the moment they are made.

Every step is one transaction of O(changes). What a row holds is compared inside it, so that
of two windows neither overwrites the other. Undoing and redoing move through steps that stay.
"""

from __future__ import annotations

import hashlib
import secrets
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Final, NamedTuple

from stiknn_ui.review import rows
from stiknn_ui.review.cells import exactly, words, written
from stiknn_ui.review.database import Database
from stiknn_ui.review.decisions import (
    Change,
    DecidedElsewhere,
    Operation,
    Record,
    ReviewError,
    Step,
    checked,
    phrase,
)

_NAMES: Final = count(1)

GONE: Final = "This review is not there any more: it was forgotten, or its file was removed."


class UnknownReview(ReviewError):  # noqa: N818  # the link is in order, the review is gone
    """There is no review with this token, or it was forgotten."""


@dataclass(frozen=True)
class StoredFile:
    """A file that was kept because a person asked for it.

    Its role is "data" or "test"; the overrides say in JSON how it is to be read.
    """

    role: str
    name: str
    content: bytes = field(repr=False)
    overrides: str = "{}"


@dataclass(frozen=True)
class StoredUpload:
    """The files of a review and, as JSON, what was chosen for them."""

    files: tuple[StoredFile, ...]
    settings: str


@dataclass(frozen=True)
class Kept:
    """What a visit knows of the files that are kept with its review.

    Attributes
    ----------
    digests : tuple of str
        SHA-256 of the files and of how they are read.
    settings : str
        What was chosen for them, as it was written last.
    """

    digests: tuple[str, ...]
    settings: str = field(repr=False)


class _Review(NamedTuple):
    """What the file says of a review as a whole."""

    id: int
    version: int
    steps: int
    about: str
    settings: str | None


class Journal:
    """Reviews in one SQLite file, for any number of threads and servers.

    Parameters
    ----------
    path : Path or None
        Made when something is written first; None keeps everything in memory.
    """

    def __init__(self, path: Path | None) -> None:
        self._database = Database(path)
        self._name = next(_NAMES)
        self._made: tuple[str, Step] | None = None  # the last one written here, and its review

    @property
    def path(self) -> Path | None:
        """The file; None if there is none."""
        return self._database.path

    def new_review(self, token: str | None = None) -> str:
        """Begin a review and return its token, which is not kept here.

        Raises
        ------
        JournalError
            If the file cannot be written; so do all methods, where it cannot be read.
        """
        token = new_token() if token is None else token
        with self._database.writing() as on:
            on.execute(
                "INSERT INTO reviews (digest, created) VALUES (?, ?)", (_digest(token), _now())
            )
        return token

    def exists(self, token: str) -> bool:
        """Tell whether there is a review with this token."""
        with self._reading(token) as (_, review):
            return review is not None

    def record(self, token: str, known: Record | None = None) -> Record | None:
        """Return all decisions of a review; None if there is no such review.

        Only what has changed since ``known`` was read of the same review is read.
        """
        with self._reading(token) as (on, review):
            if review is None:
                return None
            if known is None or known.read_of != self._name or known.version > review.version:
                known = Record(read_of=self._name)
            elif known.version == review.version:
                return known
            return rows.read(on, review.id, review.version, known, self._step(token))

    def write(
        self,
        token: str,
        changes: Sequence[Change],
        what: str = "",
        about: str | None = None,
        operation: Operation | None = None,
        at: str | None = None,
    ) -> Step | None:
        """Write a step, unless nothing changes; what was undone before can no longer be redone.

        Parameters
        ----------
        token : str
        changes : sequence of Change
        what : str
            One phrase for the list of changes; empty takes one made of the changes.
        about : str or None
            What the review is about, if that is to be noted too.
        operation : Operation or None
            What the browser that asks for it calls it; nothing is done twice.
        at : str or None
            When it was made, as in `Step`; None means now.

        Raises
        ------
        DecidedElsewhere
            If a row no longer holds ``before``; nothing is written.
        UnknownReview
        ReviewError
            If a change is impossible in itself.
        """
        wanted = checked(changes)
        if not wanted:
            return None
        with self._writing(token) as (on, review):
            if rows.is_done(on, review.id, operation):
                return None
            rows.require(on, review.id, [(change, change.before) for change in wanted])
            version = rows.next_version(on, review.id)
            number = 1 + review.steps
            step = Step(number, at or _now(), what or phrase(wanted), wanted, turn=version)
            on.execute(rows.REPLACE, (rows.REPLACED, version, review.id, rows.UNDONE))
            rows.add_step(on, review.id, step)
            rows.put(on, review.id, version, [(change.key, change.after) for change in wanted])
            rows.hear(on, review.id, version, operation, number)
            on.execute(
                "UPDATE reviews SET steps = ?, about = ? WHERE id = ?",
                (number, review.about if about is None else about, review.id),
            )
        self._made = token, step
        return step

    def undo(
        self, token: str, number: int | None = None, operation: Operation | None = None
    ) -> Step | None:
        """Take a step back: the one a person means, or the newest; None if there is none.

        Raises
        ------
        DecidedElsewhere
            If its rows no longer hold what it left, or it was undone already.
        UnknownReview
        """
        return self._turn(token, number, operation, undo=True)

    def redo(
        self, token: str, number: int | None = None, operation: Operation | None = None
    ) -> Step | None:
        """Make a step again that was taken back; see ``undo``."""
        return self._turn(token, number, operation, undo=False)

    def pass_over(self, token: str, operation: Operation) -> None:
        """Note that an operation changes nothing, so that it is not asked for again."""
        with self._writing(token) as (on, review):
            if not rows.is_done(on, review.id, operation):
                version = rows.next_version(on, review.id)
                rows.hear(on, review.id, version, operation)

    def step_of(self, token: str, operation: Operation) -> int | None:
        """Return the number of the step that an operation made; None if it made none."""
        with self._reading(token) as (on, review):
            if review is None:
                return None
            asked = (review.id, operation.client, operation.number)
            row = on.execute(rows.STEP_OF, asked).fetchone()
        return None if row is None else row[0]

    def about(self, token: str) -> str:
        """Return what was noted about the data and settings of a review; empty if nothing was."""
        with self._reading(token) as (_, review):
            return "" if review is None else review.about

    def keep_upload(self, token: str, files: Iterable[StoredFile], settings: str | None) -> None:
        """Keep files and what was chosen for them, in place of what was kept before.

        Raises
        ------
        UnknownReview
        """
        with self._writing(token) as (on, review):
            on.execute("DELETE FROM files WHERE review = ?", (review.id,))
            on.executemany(
                "INSERT INTO files VALUES (?, ?, ?, ?, ?)",
                [(review.id, f.role, written(f.name), f.overrides, f.content) for f in files],
            )
            on.execute("UPDATE reviews SET settings = ? WHERE id = ?", (settings, review.id))
        self._database.shrink()

    def keep_settings(self, token: str, settings: str) -> None:
        """Bring what was chosen for kept files up to date; the files stay as they are."""
        with self._database.writing() as on:
            on.execute(
                "UPDATE reviews SET settings = ? WHERE digest = ? AND settings IS NOT NULL",
                (settings, _digest(token)),
            )

    def stored_upload(self, token: str) -> StoredUpload | None:
        """Return the files that were kept; None if there are none."""
        with self._reading(token) as (on, review):
            if review is None or review.settings is None:
                return None
            found = on.execute(
                "SELECT role, name, content, overrides FROM files WHERE review = ? ORDER BY role",
                (review.id,),
            )
            files = [_stored(*row) for row in found]
        return StoredUpload(tuple(files), review.settings)

    def drop_upload(self, token: str) -> None:
        """Delete the files that were kept; the decisions stay."""
        self.keep_upload(token, (), None)

    def forget(self, token: str) -> None:
        """Delete a review with everything in it, overwriting it on the disk."""
        self._made = None
        if self.exists(token):  # else a file would be made where there is none
            with self._database.writing() as on:
                on.execute("DELETE FROM reviews WHERE digest = ?", (_digest(token),))
        self._database.shrink()

    def adopt(self, record: Record, token: str, about: str = "") -> None:
        """Begin a review that already has the steps of ``record``."""
        self.new_review(token)
        with self._writing(token) as (on, review):
            for step in record.steps:
                rows.add_step(on, review.id, step)
            rows.put(on, review.id, record.version, list(record.decisions.items()))
            for client, number in record.heard.items():
                rows.hear(on, review.id, record.version, Operation(client, number))
            last = record.steps[-1].number if record.steps else 0
            on.execute(
                "UPDATE reviews SET steps = ?, version = ?, about = ? WHERE id = ?",
                (last, record.version, about, review.id),
            )

    def close(self) -> None:
        """Close the file; it is opened again when needed."""
        self._database.close()

    def _step(self, token: str) -> Step | None:
        """Return the last step that was written here, if it was to this review."""
        return self._made[1] if self._made is not None and self._made[0] == token else None

    @contextmanager
    def _reading(self, token: str) -> Iterator[tuple[sqlite3.Connection, _Review | None]]:
        """Read at one moment; None where there is no such review."""
        with self._database.reading() as on:
            yield on, _find(on, token)

    @contextmanager
    def _writing(self, token: str) -> Iterator[tuple[sqlite3.Connection, _Review]]:
        """Do all or nothing to a review that is there."""
        with self._database.writing() as on:
            review = _find(on, token)
            if review is None:
                raise UnknownReview(GONE)
            yield on, review

    def _turn(
        self, token: str, number: int | None, operation: Operation | None, *, undo: bool
    ) -> Step | None:
        before, after = (rows.DONE, rows.UNDONE) if undo else (rows.UNDONE, rows.DONE)
        with self._writing(token) as (on, review):
            if rows.is_done(on, review.id, operation):
                return None
            wanted = rows.newest(on, review.id, before) if number is None else number
            if wanted is None:
                return None
            found = on.execute(rows.STEP, (review.id, wanted)).fetchone()
            if found is None or found[2] != before:
                done = "undone" if undo else "redone or replaced"
                raise DecidedElsewhere(
                    f"Nothing was changed, since step {wanted} was {done} in another window "
                    "meanwhile: look again."
                )
            made = self._step(token)
            if made is not None and rows.is_step(made, wanted, found[0], found[1]):
                changes = made.changes
            else:
                changes = rows.changes_of(on, review.id, wanted)
            # From what the step left to what it found, or the other way round.
            moves = [(c, c.after, c.before) if undo else (c, c.before, c.after) for c in changes]
            rows.require(on, review.id, [(change, held) for change, held, _ in moves])
            version = rows.next_version(on, review.id)
            rows.put(on, review.id, version, [(change.key, then) for change, _, then in moves])
            on.execute(rows.TURN, (after, version, review.id, wanted))
            rows.hear(on, review.id, version, operation)
        return Step(
            wanted, exactly(str, found[0]), words(found[1]), changes, undone=undo, turn=version
        )


def new_token() -> str:
    """Return a token that nobody can guess: 22 characters, safe in a link."""
    return secrets.token_urlsafe(16)


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _find(on: sqlite3.Connection, token: str) -> _Review | None:
    row = on.execute(
        "SELECT id, version, steps, about, settings FROM reviews WHERE digest = ?",
        (_digest(token),),
    ).fetchone()
    if row is None:
        return None
    number, version, steps, about, settings = row
    return _Review(
        exactly(int, number),
        exactly(int, version),
        exactly(int, steps),
        exactly(str, about),
        None if settings is None else exactly(str, settings),
    )


def _stored(role: object, name: object, content: object, overrides: object) -> StoredFile:
    return StoredFile(
        exactly(str, role), words(name), exactly(bytes, content), exactly(str, overrides)
    )
