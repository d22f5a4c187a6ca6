"""The Review page on copies, odd labels, test points and many data sets in one visit."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from stiknn_ui.review.decisions import Decision
from stiknn_ui.review.remembered import ReviewDesk
from tests.ui.review_pages import (
    all_told,
    ask,
    content,
    decide,
    decisions,
    line,
    message,
    names,
    opened,
    press,
    ranked,
    shown,
    turn,
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


def test_contradicting_copies_are_told_as_a_group_and_decided_in_one_step() -> None:
    at = visit_upload(COPIES, k=3)
    _, arrays = content(at)
    groups = arrays["groups"].tolist()
    (group,) = {one for one in groups if one >= 0}
    members = [point for point, one in enumerate(groups) if one == group]
    assert [names(at)[point] for point in members] == ["P16", "P17", "P18"]
    relabelled = ["relabel", "a", ""]
    after = [relabelled, relabelled, ["keep", "", ""]]
    changes = [[point, None, one] for point, one in zip(members, after, strict=True)]
    ask(at, {"kind": "set", "changes": changes})
    assert decisions(at) == {
        "P16": Decision("relabel", "a"),
        "P17": Decision("relabel", "a"),
        "P18": KEEP,
    }
    assert len(session(at).desk(ReviewDesk).seen.steps) == 1
    turn(at, "undo")
    assert decisions(at) == {}


# -- classes ------------------------------------------------------------------------------


def test_many_and_odd_classes_travel_as_they_are_written() -> None:
    called = [f"kind {one:02d}" for one in range(10)] + ["<i>x</i>-11", "007", "1.0", "1"]
    at = visit_upload(several(14, called), k=3)
    assert sorted(content(at)[0]["classes"]) == sorted(called)
    decide(at, *[(f"P{row:02d}", Decision("relabel", name)) for row, name in enumerate(called)])
    assert [one.label for one in decisions(at).values()] == called


def test_markdown_and_html_of_a_file_stay_text() -> None:
    called = ["<b>one</b>", "**two** :red[x]", "[a](http://b)"]
    text = several(3, called).replace("P00", "<script>alert(1)</script> $x$ ![i](u)", 1)
    text = text.replace("Nr,u,v,kind", "Nr,u,:red[v] <b>,kind")
    at = visit_upload(text, k=3)
    odd = "<script>alert(1)</script> $x$ ![i](u)"
    assert odd in names(at)
    decide(at, (odd, Decision("relabel", called[1])))
    opened(at)
    line(at, 1.0)
    press(at, "bulk")
    raw = [str(one.value) for one in [*at.markdown, *at.caption, *at.warning, *at.info]]
    raw += [str(one.label) for one in [*at.button, *at.checkbox, *at.text_input]]
    raw += [str(one.help) for one in at.button]
    for bad in ("<b>", "<script>", "**two", ":red[", "](http", "![i]", "$x$"):
        assert not [text for text in raw if bad in text], bad
    assert not any(one.allow_html for one in at.markdown)


# -- whose labels ------------------------------------------------------------------------


def test_test_points_are_reviewed_alike_and_count_with_their_corrected_labels() -> None:
    at = visit(**LINK | {"n": 100, "eval": "hold-out", "share": 0.3})
    first = ranked(at)[0]
    given = dict(zip(shown(at).ids, map(str, shown(at).dataset.y[shown(at).rows]), strict=True))
    decide(at, (first, Decision("relabel", "1" if given[first] == "0" else "0")))
    finish(at.segmented_control(key="review-side").set_value("test").run())
    parts = {str(one) for one in np.delete(shown(at).dataset.ids, shown(at).rows)}
    assert set(names(at)) == parts
    assert all_told(at) == {}, "those of the training points are not of these"
    point = ranked(at)[0]
    decide(at, (point, REMOVE))
    second = ranked(at)[1]
    label = str(shown(at).dataset.y[shown(at).dataset.ids.tolist().index(int(second))])
    decide(at, (second, Decision("relabel", "1" if label == "0" else "0")))
    assert set(decisions(at)) == {first, point, second}
    opened(at)
    press(at, "measure-effect")
    told = words(at)
    assert "on 29 test points" in told or "on 30 test points" in told
    assert "1 label changed among 70 training points" in told
    assert "1 test point with a label that you corrected counts with the corrected one" in told
    (choice,) = [one for one in at.selectbox if one.label == "Rank by"]
    assert len(choice.options) == 2, "no scores from a matrix they are not in"
    finish(at.segmented_control(key="review-side").set_value("train").run())
    assert [names(at)[point] for point in all_told(at)] == [first]
    assert len(decisions(at)) == 3


def test_an_undone_step_about_the_other_side_is_told_without_its_points() -> None:
    at = visit(**LINK | {"n": 100, "eval": "hold-out", "share": 0.3})
    decide(at, (ranked(at)[0], KEEP))
    finish(at.segmented_control(key="review-side").set_value("test").run())
    (step,) = message(at)["undoable"]
    assert step["changes"] == []
    turn(at, "undo")
    assert not decisions(at)


# -- little to see, and much --------------------------------------------------------------


def test_ten_points_are_enough() -> None:
    at = visit(dataset="moons", n=10, flip=0.2, k=3, seed=2)
    decide(at, *[(name, KEEP) for name in ranked(at)])
    assert set(decisions(at)) == set(map(str, range(10)))


def test_eighty_decisions_in_one_message_are_all_written_in_order() -> None:
    # Two hundred and more, and that none takes longer than the first: benchmarks.review.
    at = visit(**LINK | {"n": 90, "flip": 0.3})
    kinds = [KEEP, REMOVE, SKIP, Decision("relabel", "0")]
    wanted = [(name, kinds[place % 4]) for place, name in enumerate(ranked(at)[:80])]
    decide(at, *wanted)
    assert decisions(at) == dict(wanted)
    steps = session(at).desk(ReviewDesk).seen.steps
    assert [step.changes[0].name for step in steps] == [name for name, _ in wanted]
    assert len(message(at)["undoable"]) == 60, "the newest of them travel"


def test_each_data_set_keeps_its_own_decisions() -> None:
    at = visit(**LINK)
    first = session(at).settings
    order = ranked(at)
    decide(at, (order[0], KEEP), (order[1], REMOVE))
    session(at).settings = replace(first, data=replace(first.data, seed=2))
    finish(at.run())
    assert all_told(at) == {}
    decide(at, (ranked(at)[0], SKIP))
    assert len(all_told(at)) == 1
    session(at).settings = first
    finish(at.run())
    assert {names(at)[point] for point in all_told(at)} == set(order[:2])
    assert len(session(at).desk(ReviewDesk).seen.decisions) == 3


def test_another_k_index_and_space_keep_all_decisions() -> None:
    at = visit(**LINK)
    order = ranked(at)
    decide(at, (order[0], KEEP), (order[1], REMOVE), (order[2], SKIP))
    before, known = decisions(at), all_told(at)
    finish(at.number_input(key="compute.k").set_value(9).run())
    finish(at.selectbox(key="compute.space").select("forest").run())
    assert shown(at).compute.k == 9
    assert shown(at).compute.space == "forest"
    assert decisions(at) == before
    assert all_told(at) == known
    for page in ("explore", "review"):
        go(at, page)
    assert all_told(at) == known
    assert decisions(at) == before


def test_a_reload_finds_the_decisions() -> None:
    at = visit(**LINK)
    order = ranked(at)
    decide(at, (order[0], KEEP), (order[1], REMOVE))
    before = decisions(at)
    again = visit(review=session(at).desk(ReviewDesk).token)
    assert again.query_params["review"] == at.query_params["review"]
    assert decisions(again) == before
    turn(again, "undo")
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
    decide(at, (ranked(at)[0], KEEP))
    assert len(decisions(at)) == 1
    assert session(at).desk(ReviewDesk).token != token
