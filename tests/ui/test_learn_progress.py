"""Progress in a link, and going back: nonsense costs only itself, echoes change nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stiknn_ui.learn.cards import progress
from stiknn_ui.learn.cards.course import Course
from stiknn_ui.learn.cards.deck import deck
from stiknn_ui.learn.cards.progress import Progress
from stiknn_ui.learn.cards.puzzles import PUZZLES
from stiknn_ui.learn.desk import Desk
from stiknn_ui.learn.presets import FIRST, PRESETS
from stiknn_ui.learn.scene import Scene

ALL_RIGHT = tuple(tuple(one.right for one in card.rounds) for card in deck())


def board() -> Desk:
    return Desk(PRESETS[FIRST].scene)


def press(course: Course, kind: str, number: int) -> None:
    course.take({"kind": kind, "number": number, "about": course.about})


@pytest.mark.parametrize(
    ("link", "points", "mode"),
    [
        ({}, False, "lesson"),
        ({}, True, "play"),
        ({"mode": "play"}, False, "play"),
        ({"mode": "puzzles"}, False, "puzzles"),
        ({"puzzle": "2"}, True, "puzzles"),
        ({"card": "2"}, True, "lesson"),
        ({"bets": "1"}, True, "play"),
        ({"mode": "nonsense"}, False, "lesson"),
    ],
)
def test_which_mode_a_link_opens(link: dict[str, str], points: bool, mode: str) -> None:
    assert progress.parse(link, points=points)[0].mode == mode


@pytest.mark.parametrize(
    "at",
    [
        Progress(),
        Progress(card=7, bets=ALL_RIGHT, orders=110, tests_in=2, solved="ace", zero="kr"),
        Progress(mode="puzzles", puzzle=3, bets=((0,), (), (1, 2))),
        Progress(mode="puzzles", puzzle=4, solved="ab"),
    ],
)
def test_a_link_and_back(at: Progress) -> None:
    params = progress.to_params(at)
    found, told = progress.parse(params, points=False)
    assert told == ""
    assert progress.to_params(found) == params
    assert sum(map(len, params.values())) < 60
    for card in range(len(deck())):
        assert found.bets_of(card) == at.bets_of(card)


texts = st.text(max_size=80) | st.from_regex(r"[0-9.]{0,30}", fullmatch=True)


@given(st.dictionaries(st.sampled_from(progress.NAMES), texts))
def test_any_link_opens_something_that_is_there(link: dict[str, str]) -> None:
    found, _ = progress.parse(link, points=False)
    assert 0 <= found.card <= len(deck())
    assert 0 <= found.puzzle < len(PUZZLES)
    for number, card in enumerate(deck()):
        made = found.bets_of(number)
        assert len(made) <= len(card.rounds)
        assert all(
            0 <= choice < len(one.choices) for choice, one in zip(made, card.rounds, strict=False)
        )
    params = progress.to_params(found)
    again, told = progress.parse(params, points=False)
    assert told == ""
    assert progress.to_params(again) == params


def test_what_is_wrong_is_named_and_the_rest_kept() -> None:
    found, told = progress.parse({"card": "99", "bets": "1.9.3", "solved": "ax"}, points=False)
    assert (found.card, found.bets, found.solved) == (0, ((0,), (), (2,)), "a")
    for part in ("card=99", "bets=1.9.3", "solved=ax"):
        assert part in told


def test_bets_are_taken_once_and_in_order() -> None:
    course = Course()
    stale = course.about
    press(course, "bet", 0)
    assert course.at.bets_of(0) == (0,)
    course.take({"kind": "bet", "number": 1, "about": stale})  # a second click before the answer
    press(course, "bet", 1)  # all bets of this card are made
    assert course.at.bets_of(0) == (0,)
    assert progress.standing(course.at, 0) == "right"
    press(course, "card", 1)
    press(course, "bet", 7)
    assert course.at.bets_of(1) == ()
    for junk in (None, 3, {}, {"kind": "bet"}, {"kind": "bet", "number": "0"}):
        course.take(junk)
    assert course.at.bets_of(1) == ()
    press(course, "again", 0)
    assert course.at == Progress()


def test_back_and_forward_and_echoes() -> None:
    course, desk = Course(), board()
    course.arrive({}, desk)
    first = course.address(desk)
    press(course, "bet", 0)
    course.arrive(first, desk)  # the run of the press still has the address from before
    assert course.at.bets_of(0) == (0,)
    second = course.address(desk)
    press(course, "card", 1)
    course.arrive(second, desk)
    third = course.address(desk)
    course.arrive(third, desk)
    assert course.at.card == 1
    course.arrive(first, desk)  # back twice, with nothing pressed
    assert (course.at.card, course.at.bets_of(0)) == (0, (0,)), "a bet stays made"
    assert course.address(desk) == {"card": "1", "bets": "1"}
    course.arrive(third, desk)  # and forward
    assert (course.at.card, course.at.bets_of(0)) == (1, (0,))


def test_back_from_a_puzzle_brings_its_points_along() -> None:
    course, desk = Course(), board()
    course.arrive({"puzzle": "1"}, desk)
    assert desk.scene.lesson == PUZZLES[0].start
    desk.show(Scene(PUZZLES[0].solutions[0]))
    course.note(PUZZLES[0].check(desk.scene.lesson), desk)
    first = course.address(desk)
    course.choose_puzzle(3, desk)
    course.arrive(first, desk)
    course.address(desk)
    assert desk.scene.lesson == PUZZLES[3].start
    course.arrive(first, desk)
    assert course.at.puzzle == 0
    assert desk.scene.lesson == PUZZLES[0].solutions[0]
    assert course.at.solved == "a"


def test_free_play_keeps_its_own_links() -> None:
    course, desk = Course(), board()
    course.arrive({"preset": "tie"}, desk)
    assert course.at.mode == "play"
    assert course.address(desk) == {"preset": "tie"}
    course.switch("lesson", desk)
    press(course, "bet", 0)
    course.switch("play", desk)
    assert course.address(desk) == {"preset": "tie", "bets": "1"}
