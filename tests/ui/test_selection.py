"""Selections: point ids, merging by time, and reading what a browser sends."""

import pytest

from stiknn_view.selection import NOTHING, Selection, newest, parse_selection


def test_points_are_the_union_each_once():
    assert Selection(rows=(1, 4), cols=(2, 4)).points == (1, 2, 4)


@pytest.mark.parametrize(
    ("selection", "expected"),
    [(NOTHING, False), (Selection(rows=(0,)), True), (Selection(cols=(0,)), True)],
)
def test_empty_selection_is_false(selection, expected):
    assert bool(selection) is expected


def test_later_selection_wins_whichever_side_it_came_from():
    old = Selection((1,), (1,), "table", 10)
    new = Selection((2,), (2,), "block", 11)

    assert newest(old, new) is new
    assert newest(new, old) is new


def test_current_selection_stays_on_a_draw_and_without_another():
    mine = Selection((1,), (1,), "table", 10)

    assert newest(mine, Selection((2,), (2,), "block", 10)) is mine
    assert newest(mine, None) is mine


def test_cleared_selection_wins_over_an_older_one():
    cleared = Selection((), (), "clear", 12)

    assert newest(Selection((1,), (1,), "block", 11), cleared) is cleared


def test_browser_event_is_sorted_and_made_unique():
    event = {"rows": [3, 1, 3], "cols": [0], "origin": "drag", "seq": 1_700_000_000_000}

    expected = Selection((1, 3), (0,), "drag", 1_700_000_000_000)

    assert parse_selection(event, n=4) == expected


def test_missing_origin_is_read_as_none():
    parsed = parse_selection({"rows": [], "cols": [], "seq": 5}, n=4)

    assert parsed is not None
    assert parsed.origin == "none"


def test_overlong_origin_is_cut():
    parsed = parse_selection({"rows": [], "cols": [], "seq": 5, "origin": "x" * 500}, n=4)

    assert parsed is not None
    assert len(parsed.origin) == 20


@pytest.mark.parametrize(
    "event",
    [
        None,
        "rows",
        [],
        {},
        {"rows": [0], "cols": [0]},
        {"rows": [0], "cols": [0], "seq": "soon"},
        {"rows": [0], "cols": [0], "seq": None},
        {"rows": [0], "cols": [0], "seq": float("inf")},
        {"rows": 0, "cols": [0], "seq": 1},
        {"rows": None, "cols": [0], "seq": 1},
        {"rows": ["a"], "cols": [0], "seq": 1},
        {"rows": [None], "cols": [0], "seq": 1},
        {"rows": [4], "cols": [0], "seq": 1},
        {"rows": [0], "cols": [-1], "seq": 1},
        {"rows": [{}], "cols": [0], "seq": 1},
    ],
)
def test_anything_else_from_the_browser_is_no_selection(event):
    assert parse_selection(event, n=4) is None


def test_last_point_is_inside():
    parsed = parse_selection({"rows": [3], "cols": [3], "seq": 1}, n=4)

    assert parsed is not None
    assert parsed.points == (3,)
