"""Whose the file of decisions is, what is wrong with it, and how it gets from layout to layout."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from stiknn_ui.review import database, layout
from stiknn_ui.review.decisions import Change, Decision, Operation, Record
from stiknn_ui.review.journal import Journal, StoredFile
from stiknn_ui.review.layout import JournalError
from tests.patience import NO_STEP
from tests.ui.review_steps import KEEP, ZERO, change, record_of, reopened

DAMAGED = r"is damaged: move it to another place, and a new one is begun"
Attempt = Callable[[Journal, str], object]

ATTEMPTS: list[Attempt] = [
    lambda journal, token: journal.record(token),
    lambda journal, token: journal.write(token, [change(9, ZERO)]),
    lambda journal, token: journal.undo(token),
    lambda journal, token: journal.stored_upload(token),
    lambda journal, token: journal.new_review(),
]


@pytest.fixture
def path(journal: Journal) -> Path:
    assert journal.path is not None
    return journal.path


@pytest.fixture
def token(journal: Journal) -> str:
    """A review with a bit of everything, in a file that is closed."""
    token = journal.new_review()
    for row in range(5):
        told = Change(("sourceXYZ", row), f"name{row}", "1", None, KEEP)
        journal.write(
            token, [told], about='{"what": "about"}', operation=Operation("client", row + 1)
        )
    journal.keep_upload(token, [StoredFile("data", "kept.csv", b"a,b\n")], '{"set": "tings"}')
    journal.close()
    return token


def beside(path: Path) -> list[str]:
    return sorted(one.name for one in path.parent.iterdir())


# -- damage ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"CREATE TABLE reviews", b"CREATE TABLE review\xd4"),
        (b"sourceXYZ", b"sourceXY\xd4"),
        (b'"name3"', b'"nam\xd43"'),
        (b'"name3"', b"[1234]?"),
        (b"keep", b"kee\xd4"),
        (b'["keep"', b'["keep#'),
        (b"keep", b"kexp"),
        (b'["keep", "", ""]', b'["keep", "", 12]'),
        (b'["keep", "", ""]', b"[[[[[[[[[[[[[[[["),
        (b'["keep", "", ""]', b'{"keep":1234567}'),
        (b"20", b"\xd40"),
        (b"client", b"clien\xd4"),
        (b"about", b"abou\xd4"),
        (b"tings", b"ting\xd4"),
        (b"kept.csv", b"kept.cs\xd4"),
    ],
)
def test_bytes_that_nobody_wrote_are_one_sentence(
    journal: Journal, path: Path, token: str, old: bytes, new: bytes
) -> None:
    content = path.read_bytes()
    assert old in content
    assert len(old) == len(new)
    path.write_bytes(content.replace(old, new))
    told = []
    for attempt in ATTEMPTS:
        try:
            attempt(Journal(path), token)
        except JournalError as error:
            told.append(str(error))
    assert told
    assert all("is damaged: move it to another place" in sentence for sentence in told)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE steps SET state = 7",
        "UPDATE steps SET at = x'35'",
        "UPDATE steps SET what = 5",
        "UPDATE decisions SET row = 'x' WHERE row = 2",
        "UPDATE decisions SET source = x'00' WHERE row = 2",
        "UPDATE changes SET before = 'null', after = '1'",
        "UPDATE reviews SET version = 'many'",
        "UPDATE reviews SET about = x'ff'",
        "UPDATE operations SET number = 1.5 WHERE number = 2",
    ],
)
def test_values_of_other_kinds_are_one_sentence(
    journal: Journal, path: Path, token: str, statement: str
) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as raw:
        raw.execute(statement)
    with pytest.raises(JournalError, match=DAMAGED):
        journal.record(token)


def put_pipe(path: Path) -> None:
    os.mkfifo(path)


def put_folder(path: Path) -> None:
    path.mkdir()


def put_device(path: Path) -> None:
    path.symlink_to("/dev/zero")


@pytest.mark.timeout(60)  # opening a pipe may wait without end for somebody to write to it
@pytest.mark.parametrize("put", [put_pipe, put_folder, put_device])
@pytest.mark.parametrize("name", ["reviews.sqlite", "reviews.sqlite-wal", "reviews.sqlite-shm"])
def test_what_is_no_file_is_one_sentence(
    journal: Journal, path: Path, token: str, put: Callable[[Path], None], name: str
) -> None:
    place = path.with_name(name)
    place.unlink(missing_ok=True)
    put(place)
    for attempt in ATTEMPTS:
        with pytest.raises(JournalError, match=DAMAGED):
            attempt(journal, token)


@pytest.mark.timeout(60)  # opening a pipe may wait without end for somebody to write to it
def test_a_pipe_that_takes_the_place_of_an_open_file_is_noticed(
    journal: Journal, path: Path, token: str
) -> None:
    record_of(journal, token)
    for name in beside(path):
        path.with_name(name).unlink()
    os.mkfifo(path)
    with pytest.raises(JournalError, match=DAMAGED):
        journal.record(token)


# -- whose file it is --------------------------------------------------------------------


@pytest.mark.parametrize("log", ["wal", "delete"])
@pytest.mark.parametrize(
    "made",
    [
        ("CREATE TABLE theirs (x)",),
        ("CREATE TABLE reviews (x)", "PRAGMA user_version = 2"),
        ("PRAGMA application_id = 252006675", "CREATE TABLE theirs (x)"),
        ("PRAGMA application_id = 252006675",),
        ("PRAGMA user_version = 40",),
    ],
)
def test_the_file_of_another_program_is_not_touched(
    journal: Journal, path: Path, log: str, made: tuple[str, ...]
) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path, isolation_level=None)) as theirs:
        theirs.execute(f"PRAGMA journal_mode = {log}").fetchall()
        for statement in made:
            theirs.execute(statement)
    content, names, when = path.read_bytes(), beside(path), path.stat().st_mtime_ns
    for attempt in ATTEMPTS:
        with pytest.raises(JournalError, match="belongs to another program: name another folder"):
            attempt(journal, "a" * 22)
    assert path.read_bytes() == content
    assert path.stat().st_mtime_ns == when
    assert beside(path) == names == ["reviews.sqlite"]


def test_another_program_at_work_is_not_touched(journal: Journal, path: Path) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path, isolation_level=None)) as theirs:
        theirs.execute("PRAGMA journal_mode = WAL").fetchall()
        theirs.execute("CREATE TABLE theirs (x)")  # so far in the log alone
        before = [path.with_name(name).read_bytes() for name in beside(path)[:2]]
        with pytest.raises(JournalError, match="belongs to another program"):
            journal.new_review()
        assert theirs.execute("SELECT name FROM sqlite_master").fetchall() == [("theirs",)]
        assert theirs.execute("PRAGMA application_id").fetchone() == (0,)
        assert path.read_bytes() == before[0]


def test_a_file_of_a_newer_layout_is_not_touched(
    journal: Journal, path: Path, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(layout, "STEPS", (*layout.STEPS, ("CREATE TABLE later (x)",)))
        record_of(journal, token)
        journal.close()
    content, names = path.read_bytes(), beside(path)
    for attempt in ATTEMPTS:
        with pytest.raises(JournalError, match="newer version of this app: update the app"):
            attempt(Journal(path), token)
    assert path.read_bytes() == content
    assert beside(path) == names


def test_a_new_file_says_whose_it_is_without_its_log(journal: Journal, path: Path) -> None:
    journal.new_review()
    with closing(layout.untouched(path)) as raw:
        assert raw.execute("PRAGMA application_id").fetchone() == (layout.APPLICATION,)
        assert layout.number_of(raw) == layout.newest()


# -- from layout to layout ---------------------------------------------------------------

NEXT = (
    "ALTER TABLE decisions ADD COLUMN sure INTEGER",
    "CREATE TABLE people (id INTEGER PRIMARY KEY)",
)


def test_todays_file_opens_after_the_layout_changes(
    journal: Journal, path: Path, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    today = record_of(journal, token)
    journal.close()
    monkeypatch.setattr(layout, "STEPS", (*layout.STEPS, NEXT))
    later = Journal(path)
    assert record_of(later, token) == today
    assert later.stored_upload(token) is not None
    later.close()
    copy = path.with_name(f"reviews.sqlite.layout-{layout.newest() - 1}")
    assert copy.stat().st_mode & 0o777 == 0o600
    assert beside(path) == ["reviews.sqlite", copy.name]
    with closing(layout.untouched(copy)) as raw:
        assert raw.execute("SELECT count(*) FROM decisions").fetchone() == (5,)
        assert layout.number_of(raw) == layout.newest() - 1
    later.forget(token)
    later.close()
    assert beside(path) == ["reviews.sqlite"], "what is forgotten is in no copy"


def test_a_change_that_fails_leaves_everything_as_it_was(
    journal: Journal, path: Path, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    today = record_of(journal, token)
    journal.close()
    with monkeypatch.context() as patch:
        patch.setattr(layout, "STEPS", (*layout.STEPS, (*NEXT, "UPDATE nowhere SET x = 1")))
        with pytest.raises(JournalError):
            Journal(path).record(token)
    assert record_of(Journal(path), token) == today
    with closing(layout.untouched(path)) as raw:
        assert "people" not in str(raw.execute("SELECT name FROM sqlite_master").fetchall())


def test_without_room_for_a_copy_nothing_changes(
    journal: Journal, path: Path, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = path.read_bytes()
    monkeypatch.setattr(layout, "STEPS", (*layout.STEPS, NEXT))

    def refuse(_: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(database.home, "make_private_file", refuse)
    with pytest.raises(JournalError, match="make room on the disk"):
        Journal(path).record(token)
    assert path.read_bytes() == content
    assert beside(path) == ["reviews.sqlite"]


@pytest.mark.parametrize("number", [1, 2])
def test_the_files_of_all_layouts_so_far_open(
    journal: Journal, path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path, isolation_level=None)) as old:
        old.execute("PRAGMA journal_mode = WAL").fetchall()
        for statements in layout.STEPS[:number]:
            for statement in statements:
                old.execute(statement)
        old.execute(f"PRAGMA user_version = {number}")
        old.execute(
            "INSERT INTO reviews (digest, created, version, steps) VALUES (?, 'then', 1, 0)",
            (hashlib.sha256(b"t" * 22).digest(),),
        )
        decision = '["relabel", "0", ""]'
        old.execute("INSERT INTO decisions VALUES (1, 'source', 3, ?, 1)", (decision,))
    assert dict(record_of(journal, "t" * 22).decisions) == {("source", 3): ZERO}
    journal.write("t" * 22, [change(1, KEEP)], operation=Operation("a", 1))
    assert record_of(reopened(journal), "t" * 22).heard == {"a": 1}
    assert path.with_name(f"reviews.sqlite.layout-{number}").exists()


def test_servers_that_change_the_layout_at_once_do_it_once(
    journal: Journal, path: Path, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(layout, "STEPS", (*layout.STEPS, NEXT))
    found: list[Record | BaseException | None] = []

    def look() -> None:
        other = Journal(path)
        try:
            found.append(other.record(token))
        except BaseException as error:
            found.append(error)
        other.close()

    threads = [threading.Thread(target=look) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [len(one.decisions) for one in found if isinstance(one, Record)] == [5] * 4, found


# -- where nothing can be written --------------------------------------------------------


def test_a_read_only_folder_can_still_be_read(
    journal: Journal, path: Path, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Root may write anywhere, so what SQLite says to others is said here."""

    def connect(_: Path | None) -> sqlite3.Connection:
        error = sqlite3.OperationalError("unable to open database file")
        error.sqlite_errorcode = sqlite3.SQLITE_CANTOPEN
        raise error

    monkeypatch.setattr(database, "_connect", connect)
    assert len(record_of(journal, token).decisions) == 5
    with pytest.raises(JournalError, match="cannot be written to"):
        journal.write(token, [change(1, ZERO)])
    assert beside(path) == ["reviews.sqlite"]


# -- many at once ------------------------------------------------------------------------


@pytest.mark.slow
def test_a_hundred_thousand_decisions_are_one_step(journal: Journal) -> None:
    token = journal.new_review()
    decision = Decision("relabel", "b", "note")
    changes = [Change(("s" * 64, n), f"name {n}", "a", None, decision) for n in range(100_000)]
    began = time.process_time()
    journal.write(token, changes)
    assert time.process_time() - began < NO_STEP
    record = record_of(journal, token)
    assert len(record.decisions) == len(record.steps[0].changes) == 100_000
    assert record.steps[0].changes[99_999] == changes[99_999]
    journal.undo(token)
    assert not record_of(journal, token, record).decisions
