"""What pages do with a review: one visit, several windows, no disk."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from stiknn_ui.asked import links
from stiknn_ui.asked.spec import ComputeSpec, DataSpec
from stiknn_ui.results.analysis import Analysis, analyse
from stiknn_ui.results.sources import build
from stiknn_ui.review import desk, home, keeping
from stiknn_ui.review import kept as review_kept
from stiknn_ui.review.database import JournalBusy
from stiknn_ui.review.decisions import Decision, Step
from stiknn_ui.review.journal import Journal
from stiknn_ui.review.remembered import ReviewDesk
from stiknn_ui.uploads import session as uploads
from stiknn_ui.visit import state
from stiknn_ui.visit.state import Session
from tests.patience import PATIENCE

KEEP, ZERO, REMOVE = Decision("keep"), Decision("relabel", "0"), Decision("remove")
APP = Path(__file__).parents[2] / "app.py"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("STIKNN_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def window(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Session]:
    """Return a function that goes to a browser window: a new one, or one opened before."""

    def open_window(known: Session | None = None, token: str = "") -> Session:
        here = known or Session()
        monkeypatch.setattr(state, "session", lambda: here)
        if token:
            desk.arrive(token)
        return here

    return open_window


def choose(analysis: Analysis, **wanted: Decision | None) -> None:
    desk.decide(desk.changes_of(analysis, {int(row[1:]): one for row, one in wanted.items()}))


def undo() -> Step | None:
    """Take back what this window saw as the newest step."""
    seen = state.desk(ReviewDesk).seen.undoable
    return None if seen is None else desk.undo(seen.number)


def redo() -> Step | None:
    seen = state.desk(ReviewDesk).seen.redoable
    return None if seen is None else desk.redo(seen.number)


def test_a_visit_without_a_decision_writes_nothing(
    window: Callable[..., Session], flipped: Analysis, folder: Path
) -> None:
    here = window()
    assert desk.record().decisions == {}
    assert desk.decided(flipped) == {}
    assert undo() is None
    assert redo() is None
    labels, removed = desk.corrected(flipped)
    np.testing.assert_array_equal(labels, flipped.dataset.y)
    assert not removed.any()
    assert desk.decide(()) is None
    assert here.desk(ReviewDesk).token == ""
    assert not folder.exists()


def test_the_first_decision_begins_a_review(
    window: Callable[..., Session], flipped: Analysis, folder: Path
) -> None:
    here = window()
    step = desk.decide(desk.changes_of(flipped, {3: ZERO}))
    assert step is not None
    assert step.what == f"{flipped.dataset.ids[3]}: {flipped.dataset.y[3]} → 0"
    assert re.fullmatch(r"[A-Za-z0-9_-]{22}", here.desk(ReviewDesk).token)
    assert desk.decided(flipped) == {3: ZERO}
    again = window(token=here.desk(ReviewDesk).token)
    assert desk.decided(flipped) == {3: ZERO}
    assert again.desk(ReviewDesk).notice == ""
    assert str(folder / "reviews.sqlite") in desk.where_kept()


def test_corrected_labels_keep_their_kind(
    window: Callable[..., Session], flipped: Analysis
) -> None:
    window()
    given = flipped.dataset.y
    row = int(np.flatnonzero(given == 1)[0])
    choose(flipped, **{f"r{row}": ZERO, f"r{row + 1}": REMOVE, f"r{row + 2}": KEEP})
    labels, removed = desk.corrected(flipped)
    assert labels.dtype == given.dtype
    assert np.flatnonzero(labels != given).tolist() == [row]
    assert labels[row] == 0
    assert np.flatnonzero(removed).tolist() == [row + 1]
    choose(flipped, **{f"r{row}": Decision("relabel", "new")})
    labels, _ = desk.corrected(flipped)
    assert labels[row] == "new"
    assert labels[row - 1] == given[row - 1]


def test_decisions_stay_with_their_rows_for_another_k_and_way_of_judging(
    window: Callable[..., Session], flipped: Analysis, held_out: Analysis
) -> None:
    window()
    choose(flipped, r3=ZERO, r117=KEEP)
    other = analyse(flipped.dataset, flipped.data, ComputeSpec(k=9, index="SII"))
    assert desk.decided(other) == desk.decided(held_out) == {3: ZERO, 117: KEEP}
    data = DataSpec(n=120, noise=0.05, flip=0.1, seed=4)
    assert desk.decided(analyse(build(data), data, ComputeSpec())) == {}


def test_a_decision_can_be_changed_and_taken_back(
    window: Callable[..., Session], flipped: Analysis
) -> None:
    window()
    choose(flipped, r3=ZERO)
    choose(flipped, r3=KEEP)
    choose(flipped, r3=KEEP)
    assert len(desk.record().steps) == 2, "the same decision again is no step"
    choose(flipped, r3=None)
    assert desk.decided(flipped) == {}
    for expected in ({3: KEEP}, {3: ZERO}, {}):
        undo()
        assert desk.decided(flipped) == expected
    assert undo() is None
    redo()
    assert desk.decided(flipped) == {3: ZERO}


def test_two_windows_see_each_other_and_do_not_overwrite(
    window: Callable[..., Session], flipped: Analysis
) -> None:
    first = window()
    choose(flipped, r3=ZERO)
    second = window(token=first.desk(ReviewDesk).token)
    window(first)
    choose(flipped, r3=KEEP, r5=REMOVE)
    window(second)
    choose(flipped, r3=Decision("skip"))
    name = flipped.dataset.ids[3]
    assert f"{name} (now: {flipped.dataset.y[3]} kept)" in second.desk(ReviewDesk).notice
    assert desk.decided(flipped) == {3: KEEP, 5: REMOVE}
    choose(flipped, r3=Decision("skip"))
    assert second.desk(ReviewDesk).notice == ""
    window(first)
    assert undo() is None
    assert "meanwhile" in first.desk(ReviewDesk).notice
    assert desk.decided(flipped) == {3: Decision("skip"), 5: REMOVE}
    assert undo() is not None
    assert desk.decided(flipped) == {3: KEEP, 5: REMOVE}


def test_an_impossible_decision_is_a_notice(
    window: Callable[..., Session], flipped: Analysis, folder: Path
) -> None:
    here = window()
    choose(flipped, r3=Decision("keep", note="n" * 2001))
    assert "A note can have 2,000 characters" in here.desk(ReviewDesk).notice
    assert here.desk(ReviewDesk).token == ""
    assert not folder.exists()


def test_forgetting_leaves_nothing(window: Callable[..., Session], flipped: Analysis) -> None:
    here = window()
    choose(flipped, r3=ZERO)
    token = here.desk(ReviewDesk).token
    other = window(token=token)
    window(here)
    desk.forget()
    assert here.desk(ReviewDesk).token == ""
    assert desk.record().steps == ()
    assert not review_kept.saving(str(home.database_path())).journal.exists(token)
    window(other)
    choose(flipped, r4=ZERO)
    assert "not there any more" in other.desk(ReviewDesk).notice
    assert other.desk(ReviewDesk).token == ""
    choose(flipped, r4=ZERO)
    assert other.desk(ReviewDesk).token not in ("", token)


def test_a_token_nobody_has_begins_nothing(window: Callable[..., Session], folder: Path) -> None:
    here = window(token="a" * 22)
    assert here.desk(ReviewDesk).token == ""
    assert "not there any more" in here.desk(ReviewDesk).notice
    assert not folder.exists()


def test_without_a_disk_decisions_are_held_for_all_windows(
    window: Callable[..., Session],
    flipped: Analysis,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("STIKNN_HOME", str(tmp_path / "file" / "home"))
    here = window()
    choose(flipped, r3=ZERO)
    choose(flipped, r4=KEEP)
    assert desk.decided(flipped) == {3: ZERO, 4: KEEP}
    undo()
    window(token=here.desk(ReviewDesk).token)
    assert desk.decided(flipped) == {3: ZERO}
    unsaved = desk.unsaved()
    assert unsaved is not None
    assert unsaved.count == 2
    assert "cannot be written to" in unsaved.trouble
    assert here.desk(ReviewDesk).notice == ""


def test_a_file_that_cannot_be_kept_says_why(
    window: Callable[..., Session], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("STIKNN_HOME", str(tmp_path / "file" / "home"))
    here = window()
    uploads.receive("mine.csv", b"id,u,label\na,1,x\nb,2,y\nc,3,x\nd,4,y\n")
    assert not keeping.keep()
    notice = here.desk(ReviewDesk).notice
    assert "The file could not be kept. Decisions cannot be written to" in notice


def test_without_a_home_directory_the_sentence_says_what_to_set(
    window: Callable[..., Session], flipped: Analysis, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nowhere(_: Path) -> Path:
        raise RuntimeError("no home")

    monkeypatch.delenv("STIKNN_HOME")
    monkeypatch.setattr(Path, "expanduser", nowhere)
    window()
    choose(flipped, r3=ZERO)
    unsaved = desk.unsaved()
    assert unsaved is not None
    assert "cannot be written to ~/.stiknn/reviews.sqlite" in unsaved.trouble
    assert "STIKNN_HOME" in unsaved.trouble
    assert not Path("~").exists()


def test_a_file_that_breaks_in_the_middle_costs_no_decision(
    window: Callable[..., Session], flipped: Analysis, folder: Path
) -> None:
    here = window()
    choose(flipped, r3=ZERO)
    token = here.desk(ReviewDesk).token
    review_kept.saving(str(home.database_path())).close()
    kept = (folder / "reviews.sqlite").read_bytes()
    (folder / "reviews.sqlite").write_bytes(b"broken" * 999)
    choose(flipped, r4=KEEP)
    assert desk.decided(flipped) == {3: ZERO, 4: KEEP}
    assert "damaged" in desk.unsaved().trouble  # type: ignore[union-attr]
    (folder / "reviews.sqlite").write_bytes(kept)
    window(token=token)
    choose(flipped, r5=KEEP)
    assert desk.unsaved() is None
    assert desk.decided(flipped) == {3: ZERO, 4: KEEP, 5: KEEP}


def test_a_busy_file_is_a_notice_and_no_reason_to_leave_it(
    window: Callable[..., Session],
    flipped: Analysis,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    here = window()
    choose(flipped, r3=ZERO)
    review_kept.saving(str(home.database_path())).close()
    monkeypatch.setattr("stiknn_ui.review.database._WAIT", 0.05)
    other = Journal(home.database_path())
    with other._database.writing():
        choose(flipped, r4=KEEP)
    assert "try again" in here.desk(ReviewDesk).notice
    assert desk.unsaved() is None
    choose(flipped, r4=KEEP)
    assert desk.decided(flipped) == {3: ZERO, 4: KEEP}
    other.close()

    def busy(*_: object) -> None:
        raise JournalBusy("try again")

    monkeypatch.setattr(Journal, "record", busy)
    assert desk.decided(flipped) == {3: ZERO, 4: KEEP}, "what was seen last"
    assert desk.unsaved() is None


# -- the address bar ---------------------------------------------------------------------


def test_links_know_a_token_and_copies_do_not_carry_it() -> None:
    token = "Ab_-" * 5 + "xy"
    parsed = links.parse({"dataset": "moons", "review": token})
    assert parsed.review == token
    assert parsed.notice == ""
    assert "review" not in links.to_params(parsed.settings)
    assert token not in links.to_query(parsed.settings)
    assert links.to_private_params(parsed.settings, token)["review"] == token
    assert "review" not in links.to_private_params(parsed.settings, "")


@pytest.mark.parametrize(
    "token", ["short", "x" * 23, "x" * 21 + "é", "x" * 21 + "/", "\u0661" * 22]
)
def test_what_is_no_token_is_named(token: str) -> None:
    parsed = links.parse({"review": token})
    assert parsed.review == ""
    assert "review=" in parsed.notice


def test_what_a_link_says_expressly_wins() -> None:
    noted = links.parse({"dataset": "moons", "k": "7", "order": "value"}).settings
    found = links.overridden(noted, {"k": "9", "index": "nonsense", "dataset": "circles"})
    assert found.compute == ComputeSpec(k=9)
    assert found.data == noted.data
    assert found.view == noted.view


def opened(script: str, **params: str) -> AppTest:
    at = AppTest.from_file(str(APP), default_timeout=PATIENCE)
    for name, value in params.items():
        at.query_params[name] = value
    at.switch_page(script) if script != "app.py" else None
    return at.run()


def session(at: AppTest) -> Session:
    found: Session = at.session_state["stiknn"]
    return found


@pytest.fixture
def token(folder: Path) -> str:
    """A review of 30 points on moons, made in another visit."""
    with pytest.MonkeyPatch.context() as patch:
        here = Session(settings=links.parse({"dataset": "moons", "n": "30", "k": "3"}).settings)
        patch.setattr(state, "session", lambda: here)
        data = here.settings.data
        analysis = analyse(build(data), data, here.settings.compute)
        choose(analysis, r3=KEEP)
    return here.desk(ReviewDesk).token


@pytest.mark.slow
def test_the_token_alone_opens_the_data_and_stays_in_the_address(token: str) -> None:
    at = opened("pages/data.py", review=token)
    assert not at.exception
    assert session(at).settings.data.name == "moons"
    assert session(at).settings.data.n == 30
    assert session(at).settings.compute.k == 3
    assert at.query_params["review"] == token
    assert at.query_params["dataset"] == "moons"
    assert len(session(at).desk(ReviewDesk).seen.steps) == 1


@pytest.mark.slow
def test_the_rest_of_the_link_comes_first(token: str) -> None:
    at = opened("pages/data.py", review=token, k="4")
    assert session(at).settings.compute.k == 4
    assert session(at).settings.data.name == "moons"
    at = opened("pages/data.py", review=token, dataset="spirals")
    assert session(at).settings.data.name == "spirals"


@pytest.mark.slow
def test_home_keeps_the_token_too(token: str) -> None:
    at = opened("app.py", review=token)
    assert at.query_params["review"] == token
    assert set(at.query_params) == {"review"}
    at.switch_page("pages/data.py").run()
    at.query_params.clear()  # as a link from page to page does
    at.switch_page("app.py").run()
    assert at.query_params["review"] == token


@pytest.mark.usefixtures("folder")
def test_an_unknown_token_is_told_and_dropped() -> None:
    at = opened("pages/data.py", review="a" * 22)
    assert "not there any more" in at.warning[0].value.replace("\\", "")
    assert "review" not in at.query_params
    at.button(key="dismiss-review").click().run()
    assert not at.warning


def test_another_visit_sees_nothing_of_it(token: str) -> None:
    at = opened("pages/data.py", dataset="moons", n="30", k="3")
    assert session(at).desk(ReviewDesk).token == ""
    assert session(at).desk(ReviewDesk).seen.steps == ()
    assert "review" not in at.query_params
