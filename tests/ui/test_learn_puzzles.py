"""The puzzles' checkers against the definition, on their own boards and on many others."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from stiknn_ui.learn.cards import puzzles
from stiknn_ui.learn.cards.course import Course
from stiknn_ui.learn.cards.facts import facts_of
from stiknn_ui.learn.cards.model import on_line
from stiknn_ui.learn.cards.progress import Progress
from stiknn_ui.learn.cards.puzzles import KINDS_WANTED, PUZZLES, ZERO_KINDS
from stiknn_ui.learn.desk import Desk
from stiknn_ui.learn.lesson import Lesson
from stiknn_ui.learn.scene import Scene
from tests.ui.learn_by_hand import by_hand, spots

HALF = Fraction(1, 2)


def near(lesson: Lesson) -> set[int]:
    """Who is among the k nearest of a test point, tied points with a place in some order too."""
    points, tests, k = spots(lesson)
    found = set()
    for _, place in tests:
        distances = [abs(x - place) for _, x in points]
        edge = sorted(distances)[min(k, len(points)) - 1]
        found |= {i for i, distance in enumerate(distances) if distance <= edge}
    return found


def holds(letter: str, lesson: Lesson) -> bool:
    """The tasks in the words of the page, from the definition."""
    game, points = by_hand(lesson), lesson.points
    n = lesson.n
    values = [game.value(i) for i in range(n)]
    if letter == "a":
        return max(game.pairs().values()) > 0
    if letter == "b":
        return any(values[i] < 0 and i not in near(lesson) for i in range(n))
    if letter == "c":
        return not any(game.pairs().values())
    if letter == "d":
        return any(
            value == HALF
            for (i, j), value in game.pairs().items()
            if (points[i].label, points[i].x) == (points[j].label, points[j].x)
        )
    return any(values[i] < 0 and game.without[i] < game.whole for i in range(n))


def lessons(seed: int, count: int) -> list[Lesson]:
    """Draw lessons in which ties, copies, k >= n, and a class without test points all happen."""
    rng = random.Random(seed)
    found = []
    for _ in range(count):
        places = rng.choice((3, 10))
        k = rng.choice((1, 1, 2, 3, 6))
        n, t = rng.randint(2, 5), rng.randint(1, 3)
        labels, asked = rng.choice((("ab", "ab"), ("ab", "ac"), ("a", "ac"), ("b", "a")))
        drawn = [(rng.choice(labels), Fraction(rng.randint(0, places))) for _ in range(n)]
        tests = [(rng.choice(asked), Fraction(rng.randint(0, places))) for _ in range(t)]
        found.append(on_line(drawn, tests, k))
    return found


@pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda puzzle: puzzle.letter)
def test_a_puzzle_begins_unsolved_and_its_solutions_solve_it(puzzle: puzzles.Puzzle) -> None:
    assert not puzzle.check(puzzle.start).solved
    assert not holds(puzzle.letter, puzzle.start)
    for solution in puzzle.solutions:
        assert puzzle.check(solution).solved
        assert holds(puzzle.letter, solution)


def test_checkers_say_what_the_definition_says() -> None:
    solved = dict.fromkeys("abcde", 0)
    for lesson in lessons(1, 150):
        for puzzle in PUZZLES:
            report = puzzle.check(lesson)
            assert report.solved == holds(puzzle.letter, lesson), (puzzle.letter, lesson)
            assert report.said.endswith(".")
            solved[puzzle.letter] += report.solved
    assert min(solved[letter] for letter in "abc") > 5, solved


def test_facts_are_those_of_the_definition() -> None:
    for lesson in lessons(2, 40):
        facts, game = facts_of(lesson), by_hand(lesson)
        assert facts.pairs == game.pairs()
        assert list(facts.values) == [game.value(i) for i in range(lesson.n)]
        assert facts.whole == game.whole
        assert list(facts.without) == game.without
        assert {i for i in range(lesson.n) if facts.asked[i]} == near(lesson)


def test_the_known_solution_of_the_last_puzzle() -> None:
    (solution,) = PUZZLES[-1].solutions
    game = by_hand(solution)
    assert game.value(3) == Fraction(-1, 48)
    assert (game.whole, game.without[3]) == (Fraction(1, 4), 0)
    said = PUZZLES[-1].check(solution).said
    assert said == "D has the value −1/48, and without it v(N) falls from 1/4 to 0."


def test_kinds_of_zero_are_told_apart_by_what_makes_them() -> None:
    seen = set()
    for lesson in [*lessons(3, 400), *PUZZLES[2].solutions]:
        report = PUZZLES[2].check(lesson)
        if not report.solved:
            assert report.kind == ""
            continue
        points, tests, k = spots(lesson)
        nobody = [all(label != right for label, _ in points) for right, _ in tests]
        expected = "k" if k >= lesson.n else "n" if all(nobody) else "m" if any(nobody) else "r"
        assert report.kind == expected
        seen.add(report.kind)
        # No test point's pairs are anything but 0: nothing cancels.
        for test in tests:
            alone = on_line(points, [test], k)
            assert not any(by_hand(alone).pairs().values())
    assert seen == set(ZERO_KINDS)
    assert KINDS_WANTED < len(ZERO_KINDS)


def test_a_solution_that_was_shown_is_not_ticked_and_can_be_taken_back() -> None:
    board = Desk(Scene(PUZZLES[0].start))
    course = Course(Progress(mode="puzzles"))
    course.show_solution(board)
    assert course.is_shown(board)
    course.note(PUZZLES[0].check(board.scene.lesson), board)
    assert course.at.solved == ""
    course.take_back(board)
    assert board.scene.lesson == PUZZLES[0].start
    assert not course.is_shown(board)
    board.show(Scene(PUZZLES[0].solutions[0]))
    course.note(PUZZLES[0].check(board.scene.lesson), board)
    assert course.at.solved == "a"


def test_three_ways_must_be_found_and_another_one_is_shown_each_time() -> None:
    board = Desk(Scene(PUZZLES[2].start))
    course = Course(Progress(mode="puzzles", puzzle=2))
    for found, solution in enumerate(PUZZLES[2].solutions[:0:-1], 1):
        board.show(Scene(solution))
        for _ in range(2):  # the same way twice counts once
            course.note(PUZZLES[2].check(board.scene.lesson), board)
        assert len(course.at.zero) == found
        assert course.at.solved == ("c" if found == KINDS_WANTED else "")
        course.show_solution(board)
        assert course.shown is not None
        assert PUZZLES[2].check(course.shown).kind not in course.at.zero
