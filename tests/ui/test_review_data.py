"""The Review page on copies, odd labels, test points and many data sets in one visit."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from stiknn_ui.review import home
from stiknn_ui.review.actions import class_keys
from stiknn_ui.review.decisions import Decision
from stiknn_ui.review.journal import Journal
from stiknn_ui.review.remembered import ReviewDesk
from tests.ui.review_pages import (
    decisions,
    in_view,
    line,
    look_at,
    press,
    progress,
    queue,
    shown,
    visit,
    visit_upload,
)
from tests.ui.upload_pages import finish, go, session, words

pytestmark = pytest.mark.slow

KEEP, SKIP, REMOVE = Decision("keep"), Decision("skip"), Decision("remove")
LINK = {"dataset": "circles", "n": 60, "flip": 0.1, "seed": 1}
COPIES = "Nr,u,v,kind\n" + "".join(
    f"P{row:02d},{place},{place},{kind}\n"
    for row, (place, kind) in enumerate(
        [(row / 10, "a") for row in range(8)]
        + [(5 + row / 10, "b") for row in range(8)]
        + [(0.35, "b"), (0.35, "b"), (0.35, "a")]
    )
)
"""P16, P17 and P18 stand in the middle of class a; two of them say b."""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, empty_shelves: None) -> Path:
    monkeypatch.setenv("STIKNN_HOME", str(tmp_path))
    return tmp_path


def several(n_classes: int, names: list[str] | None = None, per_class: int = 5) -> str:
    """Return a table of classes far apart, the first row in the place of the second class."""
    named = names or [f"kind {one:02d}" for one in range(n_classes)]
    lines = ["Nr,u,v,kind"]
    for place in range(n_classes):
        for row in range(per_class):
            x = 10 * (1 if place == row == 0 else place) + row / 10
            y = (len(lines) * 7 % 11) / 9
            lines.append(f"P{len(lines) - 1:02d},{x},{y:.4f},{named[place]}")
    return "\n".join(lines) + "\n"


# -- copies -------------------------------------------------------------------------------


def test_contradicting_copies_are_decided_together() -> None:
    at = visit_upload(COPIES, k=3)
    assert queue(at)["id"].tolist()[0] in ("P16", "P17")
    assert "3 identical rows with different labels: P16 (b), P17 (b), P18 (a)." in words(at)
    assert at.checkbox(key="copies-together").value
    press(at, "accept")
    relabelled = Decision("relabel", "a")
    assert decisions(at) == {"P16": relabelled, "P17": relabelled, "P18": KEEP}
    assert len(session(at).desk(ReviewDesk).seen.steps) == 1
    press(at, "undo")
    assert decisions(at) == {}
    assert in_view(at)["name"] in ("P16", "P17"), "the one in the queue, not its copy"


def test_copies_are_decided_alone_where_that_is_asked_for() -> None:
    at = visit_upload(COPIES, k=3)
    line(at, 1.0)
    assert len(queue(at)) == 17
    finish(at.checkbox(key="copies-together").uncheck().run())
    assert len(queue(at)) == 19, "each copy comes up by itself"
    first = in_view(at)["name"]
    press(at, "remove")
    assert decisions(at) == {first: REMOVE}
    look_at(at, "P18")
    press(at, "keep")
    assert decisions(at) == {first: REMOVE, "P18": KEEP}
    assert progress(at) == (2, 19)


# -- classes ------------------------------------------------------------------------------


def test_many_classes_are_a_list() -> None:
    names = [f"kind {one:02d}" for one in range(10)] + ["<i>x</i>-11", "<i>x</i>-12"]
    at = visit_upload(several(12, names), k=3)
    assert not [one for one in at.button if str(one.key).startswith("class-")]
    (choice,) = [one for one in at.selectbox if one.label == "It is"]
    assert sorted(choice.options) == sorted(names), "shown as they are"
    assert "0 to 9" not in words(at)
    point = in_view(at)
    other = next(name for name in reversed(names) if name != point["given"])
    finish(choice.select(other).run())
    assert decisions(at) == {point["name"]: Decision("relabel", other)}
    assert in_view(at)["name"] != point["name"]
    press(at, "undo")
    (choice,) = [one for one in at.selectbox if one.label == "It is"]
    assert choice.value is None
    assert decisions(at) == {}


def test_a_class_has_the_key_of_its_own_figure() -> None:
    assert class_keys(("cat", "dog")) == ("1", "2")
    assert class_keys(tuple("0123456789")) == tuple("0123456789")
    assert class_keys(("3", "7", "10")) == ("3", "7", "1")
    assert class_keys(tuple(map(str, range(1, 11)))) == (*"123456789", "0")
    assert class_keys(("0", "1", "²", "٣")) == ("0", "1", "2", "3")
    ten = class_keys(tuple(f"kind {one}" for one in range(10)))
    assert ten == (*"123456789", "0")


def test_labels_that_look_like_numbers_stay_as_they_are_written() -> None:
    at = visit_upload(several(3, ["007", "1.0", "1"]), k=3)
    assert set(shown(at).classes) == {"007", "1.0", "1"}
    place = shown(at).classes.index("1.0")
    press(at, f"class-{place}")
    (decision,) = decisions(at).values()
    assert decision in (KEEP, Decision("relabel", "1.0"))


def test_markdown_and_html_of_a_file_stay_text() -> None:
    names = ["<b>one</b>", "**two** :red[x]", "[a](http://b)"]
    text = several(3, names).replace("P00", "<script>alert(1)</script> $x$ ![i](u)", 1)
    text = text.replace("Nr,u,v,kind", "Nr,u,:red[v] <b>,kind")
    at = visit_upload(text, k=3)
    assert in_view(at) == {
        "name": "<script>alert(1)</script> $x$ ![i](u)",
        "given": "<b>one</b>",
        "suggested": "**two** :red[x]",
    }
    press(at, "accept")
    raw = [str(one.value) for one in [*at.markdown, *at.caption, *at.warning, *at.info]]
    raw += [str(one.label) for one in [*at.button, *at.checkbox, *at.text_input]]
    raw += [str(one.help) for one in at.button]
    for bad in ("<b>", "<script>", "**two", ":red[", "](http", "![i]", "$x$"):
        assert not [text for text in raw if bad in text], bad
    assert not any(one.allow_html for one in at.markdown)


# -- whose labels ------------------------------------------------------------------------


def test_test_points_are_reviewed_alike_and_count_with_their_corrected_labels() -> None:
    at = visit(**LINK | {"n": 100, "eval": "hold-out", "share": 0.3})
    press(at, "accept")
    finish(at.segmented_control(key="review-side").set_value("test").run())
    parts = {str(one) for one in np.delete(shown(at).dataset.ids, shown(at).rows)}
    assert len(parts) == 30
    line(at, 1.0)
    assert "All 30 points are flagged." in words(at)
    assert set(queue(at)["id"]) == parts
    point = in_view(at)
    press(at, "accept" if point["given"] != point["suggested"] else "remove")
    assert point["name"] in decisions(at)
    press(at, "measure-effect")
    told = words(at)
    assert "on 30 test points" in told
    assert "1 label changed among 70 training points" in told
    assert "1 test point with a label that you corrected counts with the corrected one" in told
    (choice,) = [one for one in at.selectbox if one.label == "Rank by"]
    assert len(choice.options) == 2, "no scores from a matrix they are not in"
    finish(at.segmented_control(key="review-side").set_value("train").run())
    assert "All 30" not in words(at)
    assert len(decisions(at)) == 2


# -- little to see ------------------------------------------------------------------------


def test_data_without_a_suspect_say_so_and_can_be_gone_through() -> None:
    at = visit_upload(several(2, per_class=8).replace("P00,10.0", "P00,0.0"), k=3)
    assert "No point is flagged" in words(at)
    assert "Not flagged; 1 of 16 in the ranking" in words(at)
    assert at.button(key="accept").disabled
    press(at, "keep", "next", "remove")
    assert len(decisions(at)) == 2


def test_ten_points_are_enough() -> None:
    at = visit(dataset="moons", n=10, flip=0.2, k=3, seed=2)
    line(at, 1.0)
    for _ in range(10):
        press(at, "keep")
    assert progress(at) == (10, 10)
    assert set(decisions(at)) == set(map(str, range(10)))
    press(at, "keep")  # all is decided: the same again changes nothing and goes nowhere
    assert len(session(at).desk(ReviewDesk).seen.steps) == 10


# -- nothing is lost ----------------------------------------------------------------------


def test_eighty_decisions_in_a_row_are_all_kept() -> None:
    # Two hundred and more, and that none takes longer than the first: benchmarks.review.
    at = visit(**LINK | {"n": 90, "flip": 0.3})
    line(at, 1.0)
    expected = {}
    for place in range(80):
        point = in_view(at)
        button = ("keep", "remove", "skip", "accept")[place % 4]
        if at.button(key=button).disabled:
            button = "keep"
        action = {"accept": "relabel"}.get(button, button)
        label = point["suggested"] if button == "accept" else ""
        expected[point["name"]] = Decision(action, label)  # type: ignore[arg-type]
        at.button(key=button).click().run()
    assert not at.exception
    assert len(expected) == 80
    assert decisions(at) == expected
    assert progress(at) == (80, 90)
    journal = Journal(home.database_path())
    record = journal.record(session(at).desk(ReviewDesk).token)
    assert record is not None
    assert len(record.decisions) == len(record.steps) == 80
    journal.close()


def test_each_data_set_keeps_its_own_decisions() -> None:
    at = visit(**LINK)
    first = session(at).settings
    press(at, "keep", "remove")
    session(at).settings = replace(first, data=replace(first.data, seed=2))
    finish(at.run())
    assert progress(at)[0] == 0
    press(at, "skip")
    assert progress(at)[0] == 1
    session(at).settings = first
    finish(at.run())
    assert progress(at)[0] == 2
    assert "not decided yet" in words(at)
    assert len(session(at).desk(ReviewDesk).seen.decisions) == 3


def test_another_k_index_and_space_keep_all_decisions() -> None:
    at = visit(**LINK)
    press(at, "accept", "keep", "remove")
    before = decisions(at)
    finish(at.number_input(key="compute.k").set_value(9).run())
    finish(at.selectbox(key="compute.space").select("forest").run())
    assert shown(at).compute.k == 9
    assert shown(at).compute.space == "forest"
    assert decisions(at) == before
    line(at, 1.0)
    assert progress(at) == (3, 60)
    for page in ("explore", "review"):
        go(at, page)
    assert progress(at) == (3, 60)
    assert decisions(at) == before


def test_a_reload_finds_the_decisions_and_the_next_open_point() -> None:
    at = visit(**LINK)
    press(at, "accept", "keep")
    before, point = decisions(at), in_view(at)
    again = visit(review=session(at).desk(ReviewDesk).token)
    assert again.query_params["review"] == at.query_params["review"]
    assert decisions(again) == before
    assert in_view(again) == point
    press(again, "undo")
    assert len(decisions(again)) == 1


@pytest.mark.parametrize(
    ("token", "told"), [("A" * 22, "This review is not there any more"), ("broken!", "review=")]
)
def test_a_token_that_opens_nothing_is_told_in_a_sentence(token: str, told: str) -> None:
    at = visit(**LINK, review=token)
    assert len(at.warning) == 1
    assert told in words(at)
    assert "review" not in at.query_params
    assert not decisions(at)
    press(at, "keep")
    assert len(decisions(at)) == 1
    assert session(at).desk(ReviewDesk).token != token
