"""The Review page: what its buttons write, what comes next, and what it says."""

from __future__ import annotations

from pathlib import Path

import pytest

from stiknn_core.scores import SCORES
from stiknn_ui.review.decisions import Decision
from stiknn_ui.review.remembered import ReviewDesk
from tests.ui.review_pages import (
    decisions,
    in_view,
    line,
    press,
    progress,
    queue,
    rank_by,
    shown,
    visit,
    visit_upload,
)
from tests.ui.upload_pages import session, words

pytestmark = pytest.mark.slow

KEEP, SKIP, REMOVE = Decision("keep"), Decision("skip"), Decision("remove")
LINK = {"dataset": "circles", "n": 60, "flip": 0.1, "seed": 1}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, empty_shelves: None) -> Path:
    monkeypatch.setenv("STIKNN_HOME", str(tmp_path))
    return tmp_path


# -- one decision at a time ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("button", "expected"), [("keep", KEEP), ("remove", REMOVE), ("skip", SKIP)]
)
def test_a_button_writes_exactly_its_decision_and_goes_on(button: str, expected: Decision) -> None:
    at = visit(**LINK)
    first, second = queue(at)["id"][:2]
    assert in_view(at)["name"] == first
    assert not decisions(at)
    press(at, button)
    assert decisions(at) == {first: expected}
    assert in_view(at)["name"] == second
    assert progress(at)[0] == 1


def test_accepting_gives_the_suggested_class() -> None:
    at = visit(**LINK)
    point = in_view(at)
    assert at.button(key="accept").label == f"Accept: {point['suggested']}"
    press(at, "accept")
    assert decisions(at) == {point["name"]: Decision("relabel", point["suggested"])}
    assert queue(at)["decision"][0] == f"{point['given']} → {point['suggested']}"


def test_a_class_is_given_by_its_button_and_its_own_class_is_a_keep() -> None:
    at = visit(**LINK)
    other, own = in_view(at), None
    press(at, f"class-{shown(at).classes.index(other['suggested'])}")
    own = in_view(at)
    press(at, f"class-{shown(at).classes.index(own['given'])}")
    assert decisions(at) == {
        other["name"]: Decision("relabel", other["suggested"]),
        own["name"]: KEEP,
    }


def test_moving_changes_nothing() -> None:
    at = visit(**LINK)
    order = queue(at)["id"].tolist()
    press(at, "next", "next", "back", "next")
    assert in_view(at)["name"] == order[2]
    assert at.button(key="undo").disabled
    assert session(at).desk(ReviewDesk).token == ""
    press(at, "back", "back")
    assert at.button(key="back").disabled


def test_undo_and_redo_without_limit_come_back_to_the_point() -> None:
    at = visit(**LINK)
    order = queue(at)["id"].tolist()
    press(at, "accept", "keep", "remove")
    for place in (2, 1, 0):
        press(at, "undo")
        assert in_view(at)["name"] == order[place]
        assert set(decisions(at)) == set(order[:place])
    assert at.button(key="undo").disabled
    press(at, "redo", "redo", "redo")
    assert [one.action for one in decisions(at).values()] == ["relabel", "keep", "remove"]
    assert at.button(key="redo").disabled
    press(at, "undo", "skip")
    assert at.button(key="redo").disabled
    assert decisions(at)[order[2]] == SKIP


def test_a_decision_can_be_changed_later_and_keeps_its_note() -> None:
    at = visit(**LINK)
    name = in_view(at)["name"]
    press(at, "note")
    (field,) = at.text_input
    field.set_value(" *seen* by <b>me</b> ")
    press(at, f"FormSubmitter:note-form-{name}-Save")
    assert decisions(at) == {name: Decision("skip", "", "*seen* by <b>me</b>")}
    assert "Note: *seen* by <b>me</b>" in words(at)
    assert in_view(at)["name"] == name
    press(at, "keep", "back")
    assert decisions(at) == {name: Decision("keep", "", "*seen* by <b>me</b>")}
    assert at.button(key="note").label == "Note ✓"


# -- the line -----------------------------------------------------------------------------


def test_the_ends_of_the_line_flag_nothing_and_everything_with_a_live_count() -> None:
    at = visit(**LINK)
    flagged = progress(at)[1]
    assert f"{flagged} of 60 points lie below {line(at):.2f} and are flagged." in words(at)
    line(at, 1.0)
    assert "All 60 points are flagged." in words(at)
    assert progress(at) == (0, 60)
    line(at, 0.0)
    assert "No point is flagged: none lies below 0.00." in words(at)
    assert not at.get("progress")
    assert at.button(key="bulk").disabled
    assert len(queue(at)) == 1
    press(at, "keep")  # the ranking can be gone through all the same
    line(at, 1.0)
    assert progress(at) == (1, 60)


@pytest.mark.parametrize("score", list(SCORES))
def test_every_score_ranks_and_has_a_line_of_its_own(score: str) -> None:
    at = rank_by(visit(**LINK), score)
    assert SCORES[score].meaning in words(at)  # type: ignore[index]
    assert at.query_params.get("rank", ["quality"])[0] in (score, score[0])
    (slider,) = [one for one in at.slider if one.label == "Flag below"]
    line(at, slider.max)
    assert "All 60 points are flagged." in words(at)
    assert queue(at)[score].is_monotonic_increasing
    press(at, "keep")
    rank_by(at, "quality" if score != "quality" else "value")
    assert len(decisions(at)) == 1


def test_all_flagged_suggestions_are_accepted_as_one_step_and_undone_as_one() -> None:
    at = visit(**LINK)
    kept = in_view(at)["name"]
    press(at, "keep", "bulk")
    table = at.dataframe[-1].value
    assert kept not in set(table["id"])
    assert (table["given"] != table["suggested"]).all()
    press(at, "bulk-accept")
    found = decisions(at)
    assert found.pop(kept) == KEEP
    assert found == {
        row.id: Decision("relabel", row.suggested) for row in table.itertuples(index=False)
    }
    assert at.button(key="bulk").label == "Accept 0 suggestions …"
    assert "suggestions accepted (quality below" in session(at).desk(ReviewDesk).seen.steps[-1].what
    press(at, "undo")
    assert decisions(at) == {kept: KEEP}
    press(at, "redo")
    assert len(decisions(at)) == len(table) + 1


def test_one_class_alone_is_reviewed_without_a_suggestion() -> None:
    rows = (f"P{row:02d},{row / 7:.3f},{(row * 7 % 11) / 9:.3f},only\n" for row in range(12))
    at = visit_upload("Nr,u,v,label\n" + "".join(rows), k=3)
    assert in_view(at) == {"name": "P00", "given": "only", "suggested": "only"}
    assert "No point is flagged" in words(at)
    assert "looks more like" not in words(at).split("| score |")[0], "there is no other class"
    assert at.button(key="accept").disabled
    for score in SCORES:
        rank_by(at, score)
        press(at, "remove")
    assert [one.action for one in decisions(at).values()] == ["remove"] * len(SCORES)
