"""Links to a state of the Learn page, and what its desk does with changes."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any
from urllib.parse import parse_qsl, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stiknn_core.errors import ParameterError
from stiknn_ui.learn import links
from stiknn_ui.learn.desk import Desk
from stiknn_ui.learn.game import rank
from stiknn_ui.learn.lesson import Lesson, Point, Probe, laid
from stiknn_ui.learn.orders import playable
from stiknn_ui.learn.presets import FIRST, PRESETS
from stiknn_ui.learn.scene import Scene, carried, count_steps, misfits

LETTERS = "abxyzÄß日09"
labels = st.lists(st.text(LETTERS, min_size=1, max_size=5), min_size=1, max_size=2).flatmap(
    lambda words: st.sampled_from([" ".join(words), "-".join(words)])
)
names = st.text("ABcé79", min_size=1, max_size=4)
# Three places among them are so common that points are often tied.
tenths = (st.sampled_from([30, 50, 70]) | st.integers(0, 100)).map(lambda at: Fraction(at, 10))


@st.composite
def scenes(draw: Any) -> Scene:
    plane = draw(st.booleans())
    ys = tenths if plane else st.just(Fraction(0))
    point = st.builds(Point, names, labels, tenths, ys)
    points = draw(st.lists(point, min_size=2, max_size=8, unique_by=lambda p: p.name))
    tests = draw(st.lists(st.builds(Probe, labels, tenths, ys), min_size=1, max_size=6))
    lesson = Lesson(
        tuple(points),
        tuple(tests),
        k=draw(st.integers(1, 20)),
        space="plane" if plane else "line",
        ties=draw(st.sampled_from(["expected", "index"])),
    )
    test = draw(st.integers(0, len(tests) - 1))
    return Scene(
        lesson,
        test=test,
        pair=draw(st.permutations(range(lesson.n)).map(lambda order: tuple(order[:2]))),
        subset=draw(st.none() | st.integers(0, 2**lesson.n - 1)),
        order=draw(st.integers(0, playable(rank(lesson, test).groups) - 1)),
        step=draw(st.integers(0, count_steps(lesson) - 1)),
        taken=draw(st.integers(1, len(tests))),
    )


@pytest.mark.slow
@given(scenes())
def test_a_link_restores_its_scene(scene: Scene) -> None:
    params = links.to_params(scene)
    assert set(params) <= links.NAMES
    carried_over = dict(parse_qsl(urlencode(params)))
    assert links.parse(carried_over) == links.Parsed(scene)


@pytest.mark.parametrize("name", PRESETS)
def test_an_example_is_a_short_link(name: str) -> None:
    scene = PRESETS[name].scene
    assert links.to_params(scene) == {"preset": name}
    assert links.parse({"preset": name}) == links.Parsed(scene)
    turned = replace(scene, pair=(1, 0), step=2)
    assert links.to_params(turned) == {"preset": name, "pair": "2-1", "step": "2"}
    assert links.parse(links.to_params(turned)).scene == turned


def test_no_link_is_the_first_example() -> None:
    assert links.parse({}) == links.Parsed(PRESETS[FIRST].scene)


def test_a_link_reads_as_it_is_written_here() -> None:
    link = "points=A_2_a~B_4.5_b&tests=0_a&k=2&pair=2-1&subset=1-2&step=1"
    scene = links.parse(dict(parse_qsl(link))).scene
    points = Point("A", "a", Fraction(2)), Point("B", "b", Fraction("4.5"))
    lesson = Lesson(points, (Probe("a", Fraction(0)),), k=2)
    assert scene == Scene(lesson, pair=(1, 0), subset=0b11, step=1)
    plane = links.parse(dict(parse_qsl("on=plane&points=A_2_3_a~B_4_1_b&tests=0_1_a&k=1"))).scene
    assert plane.lesson.points[0].y == 3
    assert plane.lesson.space == "plane"


BAD = {
    "preset": "nowhere",
    "on": "sphere",
    "points": "A_2_a",
    "tests": "11_a",
    "k": "0",
    "ties": "never",
    "test": "2",
    "pair": "1-1",
    "subset": "1-9",
    "order": "2",
    "step": "99",
    "taken": "2",
    "elsewhere": "1",
}


@pytest.mark.parametrize(("name", "text"), BAD.items())
def test_a_bad_value_costs_only_itself_and_is_named(name: str, text: str) -> None:
    parsed = links.parse({name: text})
    assert parsed.scene == PRESETS[FIRST].scene
    assert name in parsed.notice
    assert parsed.notice.count(".") >= 1
    kept = {"preset": "tie", "k": "2", "step": "3"}
    if name not in kept:
        other = links.parse({**kept, name: text})
        assert (other.scene.lesson.k, other.scene.step) == (2, 3)


@pytest.mark.parametrize(
    "points",
    [
        "",
        "~",
        "A_2_a~A_3_b",  # one name twice
        "A_2_a~B_3",
        "A_2_a~B_3_1_b",  # a plane's point on a line
        "A_2_a~B_10.1_b",
        "A_2_a~B_0.05_b",
        "A_2_a~B_-1_b",
        "A_2_a~B_1e1_b",
        "A_2_a~B_nan_b",
        "A_2_a~B_3_<b>",
        "A_2_a~TOOLONG_3_b",
        "A_2_a~B_3_" + "b" * 13,
        "~".join(f"{name}_1_a" for name in "ABCDEFGHI"),
        "A_2_a~B_3_b" * 100,
    ],
)
def test_points_out_of_bounds_fall_back(points: str) -> None:
    parsed = links.parse({"points": points})
    assert parsed.scene == PRESETS[FIRST].scene
    assert "points=" in parsed.notice


@given(st.dictionaries(st.sampled_from([*sorted(links.NAMES), "x"]), st.text(max_size=30)))
def test_no_link_raises(params: dict[str, str]) -> None:
    assert misfits(links.parse(params).scene) == ()


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        ({"k": 0}, "k must be a whole number from 1 to 20; got 0."),
        ({"points": ()}, "2 to 8 training points; got 0."),
        ({"tests": ()}, "1 to 6 test points; got 0."),
        ({"space": "ball"}, "a line or a plane; got ball."),
    ],
)
def test_a_lesson_out_of_bounds_is_refused_with_a_sentence(
    parts: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(ParameterError, match=sentence.replace(".", r"\.")):
        replace(PRESETS[FIRST].scene.lesson, **parts)


# The desk.


def report(desk: Desk, **changes: Any) -> dict[str, Any]:
    lesson = desk.scene.lesson
    return {
        "root": desk.root,
        "seq": desk.seen + 1,
        "points": [[p.name, p.label, float(p.x), float(p.y)] for p in lesson.points],
        "tests": [[t.label, float(t.x), float(t.y)] for t in lesson.tests],
        "test": desk.scene.test,
        **changes,
    }


def test_a_dragged_point_is_taken_over_and_can_be_undone() -> None:
    desk = Desk(PRESETS["tie"].scene)
    points = report(desk)["points"]
    points[0][2] = 6.299999
    desk.take(report(desk, points=points))
    assert desk.scene.lesson.points[0].x == Fraction("6.3")
    desk.undo()
    assert desk.scene == PRESETS["tie"].scene
    desk.redo()
    assert desk.scene.lesson.points[0].x == Fraction("6.3")


def test_the_board_is_heard_only_once_and_only_about_what_is_there() -> None:
    desk = Desk(PRESETS["tie"].scene)
    moved = report(desk)
    moved["points"][0][2] = 7
    desk.take(moved)
    further = report(desk)
    further["points"][0][2] = 8
    desk.take(further)
    desk.choose(step=2)
    desk.take(moved)  # what came before
    assert desk.scene.lesson.points[0].x == 8
    assert desk.scene.step == 2
    late = report(desk)
    late["points"][0][2] = 9
    desk.undo()
    desk.undo()
    desk.take(late)  # about points that are gone
    assert desk.scene.lesson == PRESETS["tie"].scene.lesson
    for nonsense in (None, 3, {}, {"root": desk.root}, {**report(desk), "points": [[1]]}):
        desk.take(nonsense)
    assert desk.scene.lesson == PRESETS["tie"].scene.lesson


def test_what_the_board_may_not_do_is_said_and_taken_back() -> None:
    desk = Desk(PRESETS["tie"].scene)
    root = desk.root
    points = report(desk)["points"]
    points[1][0] = "A"
    desk.take(report(desk, points=points))
    assert desk.scene == PRESETS["tie"].scene
    assert "a name of its own" in desk.notice
    assert desk.root != root
    desk.add_point()
    assert not desk.notice


def test_pair_and_subset_follow_their_points_when_one_is_removed() -> None:
    desk = Desk(replace(PRESETS["tie"].scene, pair=(2, 3), subset=0b1011, step=6))
    gone = report(desk)["points"][1:]
    desk.take(report(desk, points=gone))
    assert desk.scene.names == ("C", "D")
    assert desk.scene.subset == 0b101  # of A, B and D the last two
    assert desk.scene.step == 0
    again = report(desk)["points"][:2]
    desk.take(report(desk, points=again))
    assert misfits(desk.scene) == ()
    assert "C" in desk.scene.names


def test_points_and_test_points_are_added_up_to_the_limit() -> None:
    desk = Desk(PRESETS["paper-2.1"].scene)
    for _ in range(10):
        desk.add_point()
        desk.add_test()
    assert desk.scene.lesson.names == tuple("12345678")
    assert len(desk.scene.lesson.tests) == 6
    assert desk.scene.test == 5
    assert len({(one.x, one.y) for one in desk.scene.lesson.everyone}) == 14
    for _ in range(20):
        desk.undo()
    assert desk.scene == PRESETS["paper-2.1"].scene


def test_a_plane_falls_onto_the_line_and_comes_back_by_undo() -> None:
    desk = Desk(PRESETS["several"].scene)
    desk.lay("line")
    assert {one.y for one in desk.scene.lesson.everyone} == {0}
    assert desk.scene.lesson == laid(PRESETS["several"].scene.lesson, "line")
    desk.undo()
    assert desk.scene == PRESETS["several"].scene


def test_a_link_is_opened_once_and_an_echo_of_our_own_is_not() -> None:
    desk = Desk(PRESETS[FIRST].scene)
    desk.arrive({"preset": "tie", "step": "2", "review": "x" * 22})
    assert desk.scene == replace(PRESETS["tie"].scene, step=2)
    assert not desk.past
    before = desk.address()
    desk.change(k=2)
    desk.address()
    desk.arrive(before)  # the browser has not heard of the change yet
    assert desk.scene.lesson.k == 2
    desk.arrive({})
    assert desk.scene.lesson.k == 2
    desk.arrive({"preset": "copy"})
    assert desk.scene == PRESETS["copy"].scene
    desk.undo()
    assert desk.scene.lesson.k == 2


def test_a_change_that_cannot_be_is_said() -> None:
    desk = Desk(PRESETS[FIRST].scene)
    desk.change(k=21)
    assert desk.notice == "k must be a whole number from 1 to 20; got 21."
    assert not desk.past
    desk.open("tie")
    assert not desk.notice


def test_a_choice_that_does_not_fit_another_lesson_is_set_back() -> None:
    scene = replace(PRESETS["tie"].scene, order=1, pair=(2, 3), step=5)
    apart = replace(
        scene.lesson,
        points=(replace(scene.lesson.points[0], x=Fraction(3)), *scene.lesson.points[1:]),
    )
    moved = carried(scene, apart)
    assert (moved.order, moved.pair, moved.step) == (0, (2, 3), 5)
