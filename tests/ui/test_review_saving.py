"""What the disk refuses is held, counts, says so, and is written as soon as that is possible."""

from __future__ import annotations

import io
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from stiknn_ui.review import database, exports
from stiknn_ui.review.decisions import DecidedElsewhere, Decision, Operation, Record
from stiknn_ui.review.journal import Journal
from stiknn_ui.review.saving import Saving
from tests.patience import wait_until
from tests.ui.review_pages import decide, decisions, message, names, turn, visit
from tests.ui.review_steps import KEEP, ONE, ZERO, change, record_of, reopened

LONG = Decision("keep", note="n" * 2000)


class Disk:
    """The disk of a test, which may be full: SQLite then finds no room for another page."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.full = False
        self._open: list[sqlite3.Connection] = []
        connect = database._connect

        def watched(path: Path | None) -> sqlite3.Connection:
            if self.full and path is not None and not path.stat().st_size:
                raise full_error()
            connection = connect(path)
            if path is not None:
                self._open.append(connection)
                self._limit(connection)
            return connection

        monkeypatch.setattr(database, "_connect", watched)

    def fill(self, *, full: bool = True) -> None:
        self.full = full
        for connection in self._open:
            self._limit(connection)

    def _limit(self, connection: sqlite3.Connection) -> None:
        try:
            (pages,) = connection.execute("PRAGMA page_count").fetchone()
            most = pages if self.full else 2**30
            connection.execute(f"PRAGMA max_page_count = {most}").fetchall()
        except sqlite3.ProgrammingError:
            pass  # closed


def full_error() -> sqlite3.Error:
    error = sqlite3.OperationalError("database or disk is full")
    error.sqlite_errorcode = sqlite3.SQLITE_FULL
    return error


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    return Disk(monkeypatch)


@pytest.fixture
def saving(journal: Journal) -> Iterator[Saving]:
    found = Saving(journal, pause=3600.0)
    yield found
    found.close()


def write(saving: Saving, token: str, row: int, after: Decision = LONG, **told: object) -> None:
    known = saving.record(token) or Record()
    saving.write(token, known, [change(row, after)], **told)  # type: ignore[arg-type]


def fill_up(saving: Saving, token: str, row: int = 0) -> int:
    """Decide until the disk has no room left; return the row that was refused first."""
    while saving.unsaved(token) is None:
        write(saving, token, row)
        row += 1
        assert row < 1000
    return row - 1


def test_a_full_disk_costs_nothing_and_all_is_saved_in_order(saving: Saving, disk: Disk) -> None:
    token = saving.begin()
    write(saving, token, 0, about="about it")
    disk.fill()
    first = fill_up(saving, token, 1)
    for row in range(first + 1, first + 8):
        write(saving, token, row)
        assert saving.unsaved(token).count == row - first + 1  # type: ignore[union-attr]
    unsaved, before = saving.unsaved(token), saving.record(token)
    assert "make room on the disk" in unsaved.trouble  # type: ignore[union-attr]
    assert [s.changes[0].key[1] for s in unsaved.steps] == list(range(first, first + 8))  # type: ignore[union-attr]
    assert len(record_of(Journal(saving.journal.path), token).steps) == first
    disk.fill(full=False)
    write(saving, token, first + 8)
    assert saving.unsaved(token) is None
    record = record_of(reopened(saving.journal), token)
    assert [s.number for s in record.steps] == list(range(1, first + 10))
    assert record.steps[:-1] == before.steps  # type: ignore[union-attr]
    assert saving.record(token, before) == record
    assert saving.about(token) == "about it"


def test_a_disk_that_is_full_at_once_loses_nothing(saving: Saving, disk: Disk) -> None:
    disk.fill()
    token = saving.begin()
    write(saving, token, 1, ZERO, about="about it", operation=Operation("a", 1))
    write(saving, token, 2, KEEP)
    assert saving.record(token).heard == {"a": 1}  # type: ignore[union-attr]
    before = saving.record(token)
    disk.fill(full=False)
    saving.try_again()
    assert saving.unsaved(token) is None
    assert record_of(reopened(saving.journal), token) == before
    assert saving.journal.about(token) == "about it"


def test_undo_and_redo_are_held_too(saving: Saving, disk: Disk) -> None:
    token = saving.begin()
    write(saving, token, 100, ZERO)
    disk.fill()
    first = fill_up(saving, token)
    number = record_of(saving.journal, token).steps[0].number
    seen = saving.record(token) or Record()
    saving.undo(token, seen, number)
    saving.undo(token, seen, seen.steps[-1].number, Operation("a", 7))
    saving.redo(token, seen, number)
    saving.pass_over(token, seen, Operation("a", 8))
    before = saving.record(token)
    assert saving.unsaved(token).count == 2  # type: ignore[union-attr]
    assert saving.step_of(token, Operation("a", 7)) is None
    disk.fill(full=False)
    saving.try_again()
    found = record_of(reopened(saving.journal), token)
    assert found.decisions == before.decisions  # type: ignore[union-attr]
    assert [s.undone for s in found.steps] == [False] * (first + 1) + [True]
    assert found.heard["a"] == 7


def test_what_another_server_decided_meanwhile_is_not_overwritten(
    saving: Saving, disk: Disk
) -> None:
    token = saving.begin()
    disk.fill()
    first = fill_up(saving, token)
    write(saving, token, 500, ZERO)
    write(saving, token, 501, ONE)
    seen = saving.record(token) or Record()
    saving.undo(token, seen, seen.steps[-1].number)
    disk.fill(full=False)
    other = Journal(saving.journal.path)
    other.write(token, [change(500, KEEP)])
    other.close()
    saving.try_again()
    assert "another window decided meanwhile on P500 (now: 1 kept)" in saving.refused(token)
    assert saving.refused(token) == "", "said once"
    record = saving.record(token, seen)
    assert record == record_of(reopened(saving.journal), token)
    rows = {row: value for (_, row), value in record.decisions.items()}  # type: ignore[union-attr]
    assert rows == {**dict.fromkeys(range(first + 1), LONG), 500: KEEP}
    assert [s.undone for s in record.steps[-2:]] == [False, True]  # type: ignore[union-attr]


def test_what_is_impossible_is_refused_at_once(saving: Saving, disk: Disk) -> None:
    token = saving.begin()
    disk.fill()
    fill_up(saving, token)
    with pytest.raises(DecidedElsewhere):
        saving.write(token, Record(), [change(0, ZERO)])
    assert saving.unsaved(token).count == 1  # type: ignore[union-attr]


def test_it_is_tried_again_without_anybody(journal: Journal, disk: Disk) -> None:
    saving = Saving(journal, pause=0.05)
    token = saving.begin()
    disk.fill()
    fill_up(saving, token)
    time.sleep(0.3)
    assert saving.unsaved(token) is not None
    disk.fill(full=False)
    wait_until(lambda: saving.unsaved(token) is None)


def test_forgetting_leaves_nothing_held(saving: Saving, disk: Disk) -> None:
    token = saving.begin()
    disk.fill()
    fill_up(saving, token)
    disk.fill(full=False)
    saving.forget(token)
    assert saving.unsaved(token) is None
    assert saving.record(token) is None
    saving.try_again()
    assert not saving.journal.exists(token)


def test_a_file_that_is_moved_away_is_begun_anew_with_all_decisions(saving: Saving) -> None:
    token = saving.begin()
    write(saving, token, 1, ZERO)
    known = saving.record(token) or Record()
    saving.close()
    path = saving.journal.path
    assert path is not None
    path.write_bytes(b"no database" * 99)
    saving.write(token, known, [change(2, KEEP)])
    assert "damaged: move it" in saving.unsaved(token).trouble  # type: ignore[union-attr]
    path.rename(path.with_name("old"))
    saving.try_again()
    assert saving.unsaved(token) is None
    assert len(record_of(reopened(saving.journal), token).decisions) == 2


def test_a_file_that_was_read_only_is_written_to_when_it_no_longer_is(saving: Saving) -> None:
    token = saving.begin()
    write(saving, token, 1, ZERO)
    database_of = saving.journal._database
    with database_of.reading() as opened:
        opened.execute("COMMIT")
        opened.execute("PRAGMA query_only = 1")  # as where the file can only be read
        opened.execute("BEGIN")
    write(saving, token, 2, KEEP)
    write(saving, token, 3, KEEP)
    assert len(record_of(reopened(saving.journal), token).decisions) == 3
    assert saving.unsaved(token) is None


# -- on the page -------------------------------------------------------------------------


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A place for decisions that is a file, until it is removed."""
    place = tmp_path / "home"
    place.write_text("")
    monkeypatch.setenv("STIKNN_HOME", str(place))
    return place


def warnings(at: AppTest) -> list[str]:
    return [one.value.replace("\\", "") for one in at.warning]


@pytest.mark.slow
@pytest.mark.usefixtures("empty_shelves")
def test_the_warning_stays_until_all_is_saved(home: Path) -> None:
    at = visit(dataset="moons", n="30", k="3")
    for count, name in enumerate(names(at)[:3], start=1):
        decide(at, (name, KEEP))
        verb = "decision is" if count == 1 else "decisions are"
        (warning,) = warnings(at)
        assert f"{count} {verb} not saved. Decisions cannot be written to" in warning
        assert message(at)["unsaved"] == count
    turn(at, "undo")
    assert "3 decisions are not saved" in warnings(at)[0]
    at.switch_page("pages/data.py").run()
    assert "3 decisions are not saved" in warnings(at)[0], "on every page"
    again = visit(review=at.query_params["review"])
    assert decisions(again) == dict.fromkeys(names(again)[:2], KEEP), "a reload loses nothing"
    assert "3 decisions are not saved" in warnings(again)[0]
    home.unlink()
    decide(again, (names(again)[5], KEEP))
    assert warnings(again) == []
    assert message(again)["unsaved"] == 0
    at.run()
    assert warnings(at) == []
    assert len(Journal(home / "reviews.sqlite").record(at.query_params["review"]).decisions) == 3  # type: ignore[union-attr]


def test_unsaved_steps_are_a_file(saving: Saving, disk: Disk) -> None:
    disk.fill()
    token = saving.begin()
    write(saving, token, 1, ZERO)
    write(saving, token, 2, KEEP)
    unsaved = saving.unsaved(token)
    assert unsaved is not None
    found = pd.read_csv(io.BytesIO(exports.unsaved_csv(unsaved.steps)), encoding="utf-8-sig")
    assert found["id"].tolist() == ["P01", "P02"]
    assert found["action"].tolist() == ["relabel", "keep"]
    assert found["new_label"].tolist() == [0, 1]
