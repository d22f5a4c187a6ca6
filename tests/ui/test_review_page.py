"""The Review page: what it tells its card, what it writes, and what it says.

What the card does by itself is tried in a browser: `tests/browser/test_review_*.py`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from stiknn_core.scores import SCORES
from stiknn_ui.review import payload
from stiknn_ui.review.decisions import Decision
from stiknn_ui.review.remembered import ReviewDesk
from tests.ui.review_pages import (
    all_told,
    ask,
    ask_for,
    decide,
    decisions,
    line,
    message,
    names,
    opened,
    press,
    rank_by,
    ranked,
    report,
    shown,
    turn,
    visit,
    visit_upload,
    window,
)
from tests.ui.upload_pages import finish, session, words

pytestmark = pytest.mark.slow

KEEP, SKIP, REMOVE = Decision("keep"), Decision("skip"), Decision("remove")
LINK = {"dataset": "circles", "n": 60, "flip": 0.1, "seed": 1}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, empty_shelves: None) -> Path:
    monkeypatch.setenv("STIKNN_HOME", str(tmp_path))
    return tmp_path


# -- one decision at a time ---------------------------------------------------------------


def test_what_the_card_asks_for_is_written_and_told_back() -> None:
    at = visit(**LINK)
    first, second, third = ranked(at)[:3]
    assert message(at)["review"] == ""
    assert session(at).desk(ReviewDesk).token == ""
    decide(at, (first, KEEP), (second, REMOVE), (third, Decision("relabel", "0")))
    assert decisions(at) == {first: KEEP, second: REMOVE, third: Decision("relabel", "0")}
    told = message(at)
    assert {names(at)[point] for point in all_told(at)} == {first, second, third}
    assert told["heard"] == {"test": 3}
    assert [step["what"] for step in told["undoable"]][1] == f"{second}: removed"
    assert at.query_params["review"] == session(at).desk(ReviewDesk).token


def test_undo_and_redo_without_limit() -> None:
    at = visit(**LINK)
    order = ranked(at)
    decide(at, (order[0], KEEP), (order[1], REMOVE), (order[2], SKIP))
    for place in (2, 1, 0):
        turn(at, "undo")
        assert set(decisions(at)) == set(order[:place])
    assert message(at)["undoable"] == []
    for _ in range(3):
        turn(at, "redo")
    assert [one.action for one in decisions(at).values()] == ["keep", "remove", "skip"]
    assert message(at)["redoable"] == []
    turn(at, "undo")
    decide(at, (order[3], KEEP))
    assert message(at)["redoable"] == []


def test_a_decision_can_be_changed_later_and_a_note_decides_nothing() -> None:
    at = visit(**LINK)
    name = ranked(at)[0]
    text = "*seen* by <b>me</b>"
    decide(at, (name, Decision("", note=text)))
    assert decisions(at) == {name: Decision("", note=text)}
    opened(at)
    (log,) = [one.value for one in at.dataframe if "what" in one.value]
    assert log["what"].tolist() == [f"{name}: note written"]
    assert at.button(key="bulk").label != "Accept 0 suggestions …"
    decide(at, (name, Decision("keep", note=text)))
    assert decisions(at) == {name: Decision("keep", note=text)}
    turn(at, "undo")
    assert decisions(at) == {name: Decision("", note=text)}


def test_what_is_refused_is_told_on_the_card_alone() -> None:
    at = visit(**LINK)
    name = ranked(at)[0]
    point = names(at).index(name)
    decide(at, (name, KEEP))
    ask(at, {"kind": "set", "changes": [[point, None, ["remove", "", ""]]]})
    number, told = message(at)["told"]
    assert "another window decided meanwhile" in told
    assert not at.warning
    finish(at.run())
    assert message(at)["told"] == [number, told], "not told anew"
    assert decisions(at) == {name: KEEP}


# -- the line -----------------------------------------------------------------------------


def test_the_line_is_remembered_and_the_ends_flag_nothing_and_everything() -> None:
    at = visit(**LINK)
    usual = line(at)
    assert 0 < usual < 1
    line(at, 1.0)
    assert message(at)["line"]["value"] == message(at)["line"]["high"] == 1.0
    assert not at.button(key="bulk").disabled
    line(at, 0.0)
    assert at.button(key="bulk").disabled
    rank_by(at, "value")
    assert message(at)["line"]["value"] == 0.0
    assert message(at)["by"] == "value"
    rank_by(at, "quality")
    report(at)
    assert line(at) == 0.0, "each score has a line of its own"


@pytest.mark.parametrize("score", list(SCORES))
def test_every_score_ranks_and_has_a_line_of_its_own(score: str) -> None:
    at = rank_by(visit(**LINK), score)
    told = message(at)
    assert told["by"] == score
    assert told["line"]["meaning"] == SCORES[score].meaning  # type: ignore[index]
    assert told["line"]["low"] <= told["line"]["value"] <= told["line"]["high"]
    assert at.query_params.get("rank", ["quality"])[0] in (score, score[0])


@pytest.mark.parametrize(
    "bad", [5, {"name": 5, "value": 0.5}, {"name": "x", "value": "y"}, {"value": float("nan")}]
)
def test_a_line_that_is_none_is_left_alone(bad: object) -> None:
    at = visit(**LINK)
    usual = line(at)
    report(at, line=bad)
    assert line(at) == usual


# -- many at once -------------------------------------------------------------------------


def test_all_flagged_suggestions_are_accepted_as_one_step_and_undone_as_one() -> None:
    at = visit(**LINK)
    first, second, third = ranked(at)[:3]
    decide(at, (first, KEEP), (second, SKIP), (third, Decision("", note="ask")))
    press(at, "bulk")
    table = at.dataframe[-1].value
    assert not {first, second} & set(table["id"]), "what is decided or skipped stays"
    assert (table["given"] != table["suggested"]).all()
    counts = table["given"].value_counts()
    of = {name: list(map(str, shown(at).dataset.y)).count(name) for name in counts.index}
    for name, count in counts.items():
        assert f"{count} of {of[name]} of class {name}" in words(at)
    press(at, "bulk-accept")
    found = decisions(at)
    assert found.pop(first) == KEEP
    assert found.pop(second) == SKIP
    expected = {
        row.id: Decision("relabel", row.suggested, "ask" if row.id == third else "")
        for row in table.itertuples(index=False)
    }
    assert found == expected
    assert at.button(key="bulk").label == "Accept 0 suggestions …"
    assert "suggestions accepted (quality below" in session(at).desk(ReviewDesk).seen.steps[-1].what
    turn(at, "undo")
    assert len(decisions(at)) == 3
    turn(at, "redo")
    assert len(decisions(at)) == len(table) + 2


@pytest.mark.parametrize(("limit", "most", "wanted"), [("number", 1, 1), ("share", 10, 3)])
def test_the_bulk_has_a_limit_for_each_class(limit: str, most: int, wanted: int) -> None:
    """Of 30 points of each class, the most suspicious ones."""
    at = visit(**LINK)
    line(at, 1.0)
    press(at, "bulk")
    every = at.dataframe[-1].value
    finish(at.selectbox(key="bulk-limit").select(limit).run())
    finish(at.number_input(key=f"bulk-most-{limit}").set_value(most).run())
    table = at.dataframe[-1].value
    for name, group in every.groupby("given"):
        size = [str(label) for label in shown(at).dataset.y].count(name)
        most_of = most if limit == "number" else size * most // 100
        assert abs(most_of - wanted) <= 1
        assert table[table["given"] == name]["id"].tolist() == group["id"].tolist()[:most_of]
    press(at, "bulk-accept")
    assert set(decisions(at)) == set(table["id"])


# -- what there is to see -----------------------------------------------------------------


def test_one_class_alone_is_reviewed_without_a_suggestion() -> None:
    rows = (f"P{row:02d},{row / 7:.3f},{(row * 7 % 11) / 9:.3f},only\n" for row in range(12))
    at = visit_upload("Nr,u,v,label\n" + "".join(rows), k=3)
    assert at.button(key="bulk").disabled
    for score in SCORES:
        rank_by(at, score)
        decide(at, (ranked(at)[0], REMOVE))
    assert {one.action for one in decisions(at).values()} == {"remove"}


def test_the_row_of_a_file_is_fetched_when_it_is_asked_for() -> None:
    rows = [f"P{row:02d},{row},{row % 5},said {row},{'ab'[row > 7]}\n" for row in range(16)]
    at = visit_upload("Nr,u,v,remark,label\n" + "".join(rows), k=3)
    assert message(at)["inFile"] is True
    assert window(at)[0]["cells"] is None
    ask_for(at, [3, 7], cells=True)
    first, second = window(at)[0]["cells"]
    assert ["remark", "said 3"] in first
    assert ["remark", "said 7"] in second
    assert message(visit(**LINK))["inFile"] is False


def test_cards_are_sent_for_the_points_that_are_asked_for() -> None:
    at = visit(**LINK)
    worst = [names(at).index(name) for name in ranked(at)]
    header, arrays = window(at)
    assert arrays["points"].tolist() == worst[: payload.MOST_ROWS], (
        "the first of the queue at first"
    )
    assert header["content"] == message(at)["contents"]["points"]
    ask_for(at, worst[-3:])
    assert window(at)[1]["points"].tolist() == worst[-3:]
    assert window(at)[0]["names"] == ranked(at)[-3:]
    decide(at, (ranked(at)[0], KEEP))
    assert window(at)[1]["points"].tolist() == worst[-3:], "it stays until others are asked for"
    for nonsense in ([60], [-1], [True], ["3"], 5, []):
        ask_for(at, nonsense)  # type: ignore[arg-type]
        assert window(at)[1]["points"].tolist() == worst[: payload.MOST_ROWS]
    ask_for(at, worst[-3:], content="of other points")
    assert window(at)[1]["points"].tolist() == worst[: payload.MOST_ROWS]


def test_files_and_the_rest_are_made_when_they_are_opened() -> None:
    at = visit(**LINK)
    assert not at.tabs
    assert not at.get("download_button")
    opened(at)
    assert [tab.label for tab in at.tabs] == [
        "Changes", "Effect", "Against the truth", "This review",
    ]  # fmt: skip
    assert len(at.get("download_button")) == 6
