"""What browsers ask for: once, in order, and only of the review and the points it is about."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from stiknn_ui.results.analysis import Analysis
from stiknn_ui.results.suspects import scores_of
from stiknn_ui.review import card, desk, home, operations, standing, threshold
from stiknn_ui.review import kept as review_kept
from stiknn_ui.review.decided import Decided
from stiknn_ui.review.decisions import Decision
from stiknn_ui.review.journal import Journal
from stiknn_ui.review.remembered import ReviewDesk
from stiknn_ui.review.subject import Subject, training_points
from stiknn_ui.visit import state
from stiknn_ui.visit.state import Session
from tests.ui.review_steps import ONE, change, record_of

Window = Callable[..., Session]
KEEP, SKIP, REMOVE = ["keep", "", ""], ["skip", "", ""], ["remove", "", ""]


@pytest.fixture
def window(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Window]:
    """Return a function that goes to a browser window: a new one, or one opened before."""
    monkeypatch.setenv("STIKNN_HOME", str(tmp_path / "home"))

    def open_window(known: Session | None = None, token: str = "") -> Session:
        here = known or Session()
        monkeypatch.setattr(state, "session", lambda: here)
        if token:
            desk.arrive(token)
        return here

    yield open_window
    review_kept.saving(str(home.database_path())).close()


@pytest.fixture(scope="module")
def subject(flipped: Analysis) -> Subject:
    return training_points(flipped, scores_of(flipped))


def put(number: int, point: int, after: Any, before: Any = None, client: str = "a") -> dict:
    return {
        "client": client,
        "number": number,
        "kind": "set",
        "changes": [[point, before, after]],
    }


def turn(number: int, kind: str, client: str = "a", **which: Any) -> dict:
    return {"client": client, "number": number, "kind": kind, **which}


def send(subject: Subject, *asked: dict, review: str | None = None) -> None:
    scope = operations.scope_of(subject)
    review = desk.name() if review is None else review
    message = {"scope": scope, "review": review, "operations": list(asked)}
    operations.apply(subject, message)


def held() -> dict[int, Decision]:
    return {row: decision for (_, row), decision in sorted(desk.record().decisions.items())}


def told() -> str:
    return state.desk(ReviewDesk).told[1]


def token() -> str:
    return state.desk(ReviewDesk).token


def test_what_is_sent_again_is_done_once(window: Window, subject: Subject) -> None:
    window()
    send(subject, put(1, 3, KEEP), put(2, 4, REMOVE))
    send(subject, put(1, 3, KEEP), put(2, 4, REMOVE), put(3, 4, SKIP, REMOVE))
    send(subject, put(2, 4, REMOVE), put(3, 4, SKIP, REMOVE))
    assert held() == {3: Decision("keep"), 4: Decision("skip")}
    assert [step.number for step in desk.record().steps] == [1, 2, 3]
    assert desk.record().heard == {"a": 3}
    assert told() == ""


def test_a_tail_that_comes_after_a_reload_is_done_once(window: Window, subject: Subject) -> None:
    """The server wrote some of it, and the answer was lost with the page."""
    window()
    tail = [put(1, 3, KEEP), put(2, 4, REMOVE), turn(3, "undo", of=["a", 2])]
    send(subject, *tail)
    kept = token()
    window(token=kept)
    send(subject, *tail, put(4, 5, SKIP))
    assert held() == {3: Decision("keep"), 5: Decision("skip")}
    assert [step.undone for step in desk.record().steps] == [False, True, False]
    window(token=kept)
    send(subject, *tail, put(4, 5, SKIP), put(1, 6, KEEP, client="another page load"))
    assert sorted(held()) == [3, 5, 6]
    assert told() == ""


def test_the_first_operations_find_the_review_that_they_began(
    window: Window, subject: Subject
) -> None:
    """They are made before it has a name."""
    first = window()
    send(subject, put(1, 3, KEEP), review="")
    send(subject, put(1, 3, KEEP), put(2, 4, KEEP), review="")
    assert sorted(held()) == [3, 4]
    window(token=first.desk(ReviewDesk).token)  # a reload: the address has it by now
    send(subject, put(1, 3, KEEP), put(2, 4, KEEP), put(3, 5, KEEP), review="")
    assert sorted(held()) == [3, 4, 5]
    send(subject, put(1, 6, KEEP, client="of no review"), review="")
    assert sorted(held()) == [3, 4, 5], "a review opened by a link is not written to by accident"


def test_what_was_made_for_another_review_or_other_points_is_left_alone(
    window: Window, subject: Subject
) -> None:
    first = window()
    send(subject, put(1, 3, KEEP))
    name = desk.name()
    assert name
    assert name not in first.desk(ReviewDesk).token
    window()
    send(subject, put(1, 3, REMOVE, client="b"))
    send(subject, put(2, 4, KEEP), review=name)
    assert held() == {3: Decision("remove")}
    other = {"scope": "train|other data", "review": desk.name(), "operations": [put(2, 4, KEEP)]}
    operations.apply(subject, other)
    assert held() == {3: Decision("remove")}


def test_undo_and_redo_name_what_they_are_about(window: Window, subject: Subject) -> None:
    window()
    send(subject, put(1, 3, KEEP), put(2, 3, SKIP, KEEP), turn(3, "undo", of=["a", 2]))
    assert held() == {3: Decision("keep")}
    send(subject, turn(4, "redo", step=2), turn(5, "undo", step=2), turn(6, "undo", step=1))
    assert held() == {}
    send(subject, turn(7, "undo", of=["a", 99]))
    assert "that step was not made" in told()
    assert desk.record().heard == {"a": 7}


def test_what_another_window_decided_is_told_and_the_rest_goes_on(
    window: Window, subject: Subject
) -> None:
    first = window()
    send(subject, put(1, 3, KEEP))
    second = window(token=first.desk(ReviewDesk).token)
    send(subject, put(1, 4, REMOVE, client="b"))
    window(first)
    # Its undo was of the decision that was refused, and does not take back another one.
    send(subject, put(2, 4, KEEP), put(3, 5, SKIP), turn(4, "undo", of=["a", 2]), put(5, 6, KEEP))
    name = subject.names()[4]
    assert f"another window decided meanwhile on {name} (now: removed)" in told()
    assert "that step was not made" in told()
    wanted = {3: Decision("keep"), 4: Decision("remove"), 5: Decision("skip"), 6: Decision("keep")}
    assert held() == wanted
    assert desk.record().heard == {"a": 5, "b": 1}
    before = state.desk(ReviewDesk).told
    send(subject, put(2, 4, KEEP))
    assert state.desk(ReviewDesk).told == before, "refused once"
    assert first.desk(ReviewDesk).notice == second.desk(ReviewDesk).notice == ""


def test_a_busy_file_is_tried_again(
    window: Window, subject: Subject, monkeypatch: pytest.MonkeyPatch
) -> None:
    window()
    send(subject, put(1, 3, KEEP))
    review_kept.saving(str(home.database_path())).close()
    monkeypatch.setattr("stiknn_ui.review.database._WAIT", 0.05)
    other = Journal(home.database_path())
    with other._database.writing():
        send(subject, put(2, 4, KEEP), put(3, 5, KEEP))
        assert "try again" in told()
    assert desk.record().heard == {"a": 1}
    send(subject, put(2, 4, KEEP), put(3, 5, KEEP))
    assert sorted(held()) == [3, 4, 5]
    other.close()


def test_a_forgotten_review_is_not_begun_again_by_what_was_on_its_way(
    window: Window, subject: Subject
) -> None:
    here = window()
    send(subject, put(1, 3, KEEP))
    review, other = desk.name(), Journal(home.database_path())
    other.forget(token())
    other.close()
    send(subject, put(2, 4, KEEP), put(3, 5, KEEP), review=review)
    assert "not there any more" in told()
    assert here.desk(ReviewDesk).token == ""
    assert held() == {}


def test_without_a_disk_they_are_done_once_too(
    window: Window, subject: Subject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    window()
    send(subject, put(1, 3, KEEP))
    review_kept.saving(str(home.database_path())).close()
    monkeypatch.setenv("STIKNN_HOME", str(tmp_path / "file" / "home"))
    send(subject, put(2, 4, KEEP))
    send(subject, put(1, 3, KEEP), put(2, 4, KEEP), put(3, 4, SKIP, KEEP))
    assert held() == {3: Decision("keep"), 4: Decision("skip")}
    unsaved = desk.unsaved()
    assert unsaved is not None
    assert unsaved.count == 2


def test_a_note_alone_decides_nothing(window: Window, subject: Subject) -> None:
    window()
    send(subject, put(1, 3, ["", "", "ask"]))
    assert held() == {3: Decision("", note="ask")}
    assert not held()[3].decides
    send(subject, put(2, 3, ["keep", "", "ask"], ["", "", "ask"]), put(3, 4, ["", "", ""]))
    assert held() == {3: Decision("keep", note="ask")}
    assert "nothing noted" in told()
    assert desk.record().heard == {"a": 3}


@pytest.mark.parametrize(
    "message",
    [
        None,
        [],
        {"operations": 5},
        {"operations": [5, {}, {"client": "", "number": 1, "kind": "set"}]},
        {"operations": [{"client": "a", "number": 0, "kind": "set", "changes": []}]},
        {"operations": [{"client": "a", "number": True, "kind": "set", "changes": []}]},
        {"operations": [{"client": "a" * 65, "number": 1, "kind": "set", "changes": []}]},
        {"operations": [{"client": "a", "number": 1, "kind": "forget"}]},
        {"operations": [{"client": "a", "number": 1, "kind": "undo", "step": "1"}]},
        {"operations": [put(1, 120, KEEP), put(1, -1, KEEP), put(1, True, KEEP)]},
        {"operations": [put(1, 3, ["keep", ""]), put(1, 3, [1, "", ""])]},
        {"operations": [put(1, 3, ["relabel", "no such class", ""])]},
    ],
)
def test_nonsense_does_nothing(message: Any, window: Window, subject: Subject) -> None:
    window()
    if isinstance(message, dict):
        message = {"scope": operations.scope_of(subject), "review": "", **message}
    operations.apply(subject, message)
    assert token() == ""
    assert not home.database_path().exists()


def test_a_file_of_the_version_before_is_read_and_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "reviews.sqlite"
    journal = Journal(path)
    old = journal.new_review()
    journal.write(old, [change(1, Decision("skip", note="ask"))])
    journal.close()
    with sqlite3.connect(path, isolation_level=None) as on:
        on.execute("DROP TABLE operations")
        on.execute("PRAGMA user_version = 1")
    on.close()
    assert record_of(journal, old).decisions == {("s" * 64, 1): Decision("skip", note="ask")}
    assert journal.write(old, [change(2, ONE)]) is not None
    assert len(record_of(journal, old).steps) == 2
    journal.close()


def test_the_browser_is_told_the_truth_and_no_secret(
    window: Window, subject: Subject, flipped: Analysis, monkeypatch: pytest.MonkeyPatch
) -> None:
    window()
    many = {row: Decision("keep") for row in range(20, 30)}
    desk.decide(desk.changes_of(flipped, many), "ten at once")
    send(subject, put(1, 3, KEEP), put(2, 4, ["", "", "ask"]), turn(3, "undo", of=["a", 2]))
    flags = threshold.flags_of(subject, "quality")
    decided = desk.decided(flipped)
    _, changed = standing.since(
        subject, decided, standing.since(subject, Decided(0 * decided.codes), None)[0]
    )
    monkeypatch.setattr(state, "widget_value", lambda _: None)
    monkeypatch.setattr(card, "_MOST_CHANGES", 5)
    found = card.message(subject, {}, changed, "quality", flags)
    assert token() not in repr(found)
    assert found["review"] == desk.name()
    assert found["heard"] == {"a": 3}
    assert found["decisions"] == [[3, KEEP], *([row, KEEP] for row in range(20, 30))]
    assert found["undoable"] == [
        {"step": 1, "what": "ten at once", "changes": None},
        {"step": 2, "what": f"{subject.names()[3]}: 0 kept", "changes": [[3, None, KEEP]]},
    ]
    assert [one["changes"] for one in found["redoable"]] == [[[4, None, ["", "", "ask"]]]]
    assert found["inFile"] is False
