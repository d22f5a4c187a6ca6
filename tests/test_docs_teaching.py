"""What docs/teaching.md says of data and of single games is so."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from urllib.parse import parse_qsl

import numpy as np
import pytest

from stiknn_ui.asked.links import parse
from stiknn_ui.learn.cards.deck import deck
from stiknn_ui.learn.cards.puzzles import PUZZLES
from stiknn_ui.learn.lesson import MAX_POINTS
from stiknn_ui.results.sources import build
from tests import exact, naive

TOLD = " ".join((Path(__file__).parents[1] / "docs" / "teaching.md").read_text("utf-8").split())


def test_what_students_believe_is_answered_by_the_definition() -> None:
    assert exact.interaction(exact.ranked("ba", 1), 2, 0, 1) == -1
    assert exact.interaction(exact.ranked("aa", 1), 2, 0, 1) == -1
    assert "ba is as blue as aa: −1" in TOLD
    assert exact.interaction(exact.ranked("bba", 1), 3, 0, 1) == Fraction(1, 3)
    assert "second does no more of it: +1/3" in TOLD
    copies = exact.utility([1, 1, 5, 6], "bbaa", 1)
    assert exact.interaction(copies, 4, 0, 1) == Fraction(1, 2)
    assert "Copies can be orange: +1/2" in TOLD
    # Never the nearest of all, and harmful where the nearest is not there.
    assert exact.shapley(exact.ranked("aba", 1), 3, 1) < 0


def test_a_point_of_negative_value_is_missed_in_the_last_puzzle() -> None:
    lesson = PUZZLES[4].solutions[0]
    places, labels = [point.x for point in lesson.points], "".join(p.label for p in lesson.points)
    games = [exact.utility(places, labels, 1, test.label, test.x) for test in lesson.tests]

    def v(points: frozenset[int]) -> Fraction:
        return sum((game(points) for game in games), Fraction(0)) / len(games)

    everybody = frozenset(range(lesson.n))
    whole = v(everybody)
    (point,) = (i for i in everybody if v(everybody - {i}) == 0)
    value = sum(
        (
            (v(S | {point}) - v(S)) / (lesson.n * exact.comb(lesson.n - 1, len(S)))
            for S in exact.subsets(sorted(everybody - {point}))
        ),
        Fraction(0),
    )
    assert value == Fraction(-1, 48)
    assert f"a point with −1/48 can leave 0 of a utility of {whole}" in TOLD


def test_the_links_of_the_plans_open_what_is_said() -> None:
    assert len(deck()) == 7
    assert len(PUZZLES) == 5
    assert "`learn?card=1` to `learn?card=7`" in TOLD
    assert "`learn?puzzle=1` to `learn?puzzle=5`" in TOLD
    assert f"at most {2**MAX_POINTS} of them" in TOLD
    query = "dataset=moons&flip=0.1&k=5"
    assert f"`explore?{query}` | three hundred points" in TOLD
    assert build(parse(dict(parse_qsl(query))).settings.data).n == 300


@pytest.mark.slow
def test_most_lines_that_are_paler_than_their_block_have_a_wrong_label() -> None:
    query = "dataset=moons&n=300&flip=0.1"
    assert query in TOLD
    settings = parse(dict(parse_qsl(query))).settings
    data = build(settings.data)
    matrix = naive.formula_matrix(
        naive.nearest_first(data.X, None), data.y, data.y, k=settings.compute.k
    )
    np.fill_diagonal(matrix, 0)
    same = data.y[:, None] == data.y[None]
    own = (matrix * same).sum(axis=1) / (same.sum(axis=1) - 1)
    assert (own < 0).all(), "no line is orange"
    palest = np.argsort(-own)[:30]
    hits = int(np.isin(palest, data.flipped).sum())
    assert f"{hits} of the 30 palest have a wrong label" in TOLD
