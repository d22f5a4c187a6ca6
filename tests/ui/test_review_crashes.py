"""What happens to decisions when servers are killed, disks fail, and several write at once."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from stiknn_ui.review import rows
from stiknn_ui.review.database import JournalBusy
from stiknn_ui.review.decisions import Record
from stiknn_ui.review.journal import Journal, UnknownReview
from stiknn_ui.review.layout import JournalError
from tests.ui.review_steps import ZERO, change, record_of, reopened

ROOT = Path(__file__).parents[2]

WRITER = """
import sys
from pathlib import Path
from stiknn_ui.review.decisions import Change, Decision
from stiknn_ui.review.journal import Journal
path, token, first = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
journal = Journal(path)
for row in range(first, first + 100_000):
    journal.write(token, [Change(("s", row), str(row), "1", None, Decision("keep"))])
    print(row, flush=True)
"""


def writer(journal: Journal, token: str, first: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WRITER, str(journal.path), token, str(first)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


@pytest.mark.slow
def test_a_killed_server_loses_nothing_it_acknowledged(journal: Journal) -> None:
    token = journal.new_review()
    acknowledged: set[int] = set()
    for attempt in range(3):
        process = writer(journal, token, 1_000_000 * attempt)
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(40)]
        os.kill(process.pid, signal.SIGKILL)
        lines += process.stdout.read().splitlines()
        process.stdout.close()
        process.wait()
        acknowledged |= {int(line) for line in lines}
    record = record_of(reopened(journal), token)
    held = {row for _, row in record.decisions}
    assert len(acknowledged) >= 120
    assert acknowledged <= held
    assert len(held - acknowledged) <= 3, "at most the step that was being written is extra"
    assert [step.number for step in record.steps] == list(range(1, len(held) + 1))
    journal.write(token, [change(1, ZERO)])


@pytest.mark.slow
def test_servers_that_write_at_once_wait_for_each_other(journal: Journal) -> None:
    token = journal.new_review()
    processes = [writer(journal, token, 1_000_000 * number) for number in (1, 2)]
    try:
        for row in range(50):
            journal.write(token, [change(row, ZERO)])
        for process in processes:
            assert process.stdout is not None
            assert [process.stdout.readline() for _ in range(50)]
    finally:
        for process in processes:
            process.kill()
            process.communicate()
    record = record_of(journal, token)
    assert len(record.decisions) == len(record.steps) >= 150
    assert len({row // 1_000_000 for _, row in record.decisions}) == 3


def test_threads_share_one_connection(journal: Journal) -> None:
    token = journal.new_review()
    errors: list[BaseException] = []

    def work(first: int) -> None:
        try:
            for row in range(first, first + 30):
                journal.write(token, [change(row, ZERO)])
                journal.record(token)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(100 * number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    assert len(record_of(journal, token).steps) == 120


def test_an_exception_in_the_middle_leaves_no_half_step(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = journal.new_review()
    journal.write(token, [change(1, ZERO)])
    before = record_of(journal, token)
    with monkeypatch.context() as patch:
        patch.setattr(rows, "put", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            journal.write(token, [change(2, ZERO)])
    assert record_of(reopened(journal), token) == before


@pytest.mark.parametrize(
    "content", [b"this is no database, and long enough to look at " * 99, b"x"]
)
def test_a_damaged_file_is_one_sentence_and_stays_as_it_is(
    journal: Journal, content: bytes
) -> None:
    assert journal.path is not None
    journal.path.parent.mkdir()
    journal.path.write_bytes(content)
    for attempt in (journal.new_review, lambda: journal.record("a" * 22)):
        with pytest.raises(JournalError, match=r"is damaged: move it to another place"):
            attempt()
    assert journal.path.read_bytes() == content
    journal.path.unlink()
    assert journal.exists(journal.new_review())


def test_a_hole_in_a_file_is_one_sentence(journal: Journal) -> None:
    token = journal.new_review()
    for row in range(300):
        journal.write(token, [change(row, ZERO)])
    journal.close()
    assert journal.path is not None
    content = bytearray(journal.path.read_bytes())
    content[4096 : len(content)] = b"\xff" * (len(content) - 4096)
    journal.path.write_bytes(content)
    with pytest.raises(JournalError, match="damaged"):
        journal.record(token)


def test_a_table_that_is_gone_is_one_sentence(journal: Journal) -> None:
    token = journal.new_review()
    journal.close()
    with raw(journal) as on:
        on.execute("DROP TABLE steps")
    with pytest.raises(JournalError, match="damaged"):
        journal.write(token, [change(1, ZERO)])


def test_a_folder_that_cannot_be_made_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    journal = Journal(tmp_path / "file" / "home" / "reviews.sqlite")
    with pytest.raises(JournalError, match=r"cannot be written to .*STIKNN_HOME"):
        journal.new_review()


def test_a_file_that_is_gone_is_noticed(journal: Journal) -> None:
    token = journal.new_review()
    assert journal.path is not None
    for path in list(journal.path.parent.iterdir()):
        path.unlink()
    assert journal.record(token) is None
    with pytest.raises(UnknownReview):
        journal.write(token, [change(1, ZERO)])
    assert reopened(journal).exists(journal.new_review()), "the new file is a real one"


def test_a_file_that_was_put_back_is_noticed(journal: Journal) -> None:
    token = journal.new_review()
    journal.write(token, [change(1, ZERO)])
    journal.close()
    assert journal.path is not None
    copy = journal.path.with_name("copy")
    copy.write_bytes(journal.path.read_bytes())
    journal.write(token, [change(2, ZERO)])
    known = record_of(journal, token)
    copy.replace(journal.path)
    for suffix in ("-wal", "-shm"):
        journal.path.with_name(f"{journal.path.name}{suffix}").unlink(missing_ok=True)
    assert len(record_of(journal, token, known).decisions) == 1, "it is older than what was known"
    journal.write(token, [change(3, ZERO)])
    assert len(record_of(reopened(journal), token).decisions) == 2


def test_a_writer_that_never_ends_is_one_sentence(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = journal.new_review()
    journal.close()
    monkeypatch.setattr("stiknn_ui.review.database._WAIT", 0.05)
    with raw(journal) as on:
        on.execute("BEGIN IMMEDIATE")
        with pytest.raises(JournalBusy, match=r"Nothing was saved.*try again"):
            journal.write(token, [change(1, ZERO)])
        assert journal.record(token) == Record(), "readers need not wait"
        on.execute("ROLLBACK")
    assert journal.write(token, [change(1, ZERO)]) is not None


class raw:  # noqa: N801  # reads as a function
    """The file without this package."""

    def __init__(self, journal: Journal) -> None:
        assert journal.path is not None
        self.on = sqlite3.connect(journal.path, isolation_level=None)

    def __enter__(self) -> sqlite3.Connection:
        return self.on

    def __exit__(self, *_: object) -> None:
        self.on.close()


STATEMENTS = {
    name: getattr(rows, name)
    for name in dir(rows)
    if name.isupper() and name[0] != "_" and isinstance(getattr(rows, name), str)
}


@pytest.mark.parametrize("name", sorted(STATEMENTS))
def test_every_statement_finds_its_rows_by_an_index(journal: Journal, name: str) -> None:
    journal.new_review()
    statement = STATEMENTS[name]
    with raw(journal) as on:
        plan = on.execute(f"EXPLAIN QUERY PLAN {statement}", [1] * statement.count("?")).fetchall()
    told = [row[3] for row in plan]
    assert told or statement.startswith("INSERT")
    assert not [step for step in told if "SCAN" in step or "TEMP B-TREE" in step], told


def test_the_review_is_found_by_an_index(journal: Journal) -> None:
    journal.new_review()
    with raw(journal) as on:
        query = "EXPLAIN QUERY PLAN SELECT id, version FROM reviews WHERE digest = ?"
        assert "USING INDEX" in on.execute(query, (b"",)).fetchone()[3]
