"""Every score with every index and both rules for ties on Learn, against sums written here.

An index is written by the chance that exactly the points of a set are there, a score by its words,
a tie by all the orders that it can come in: none of the room's own formulas.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise, permutations
from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import stiknn_core
from stiknn_core import games
from stiknn_core.errors import ParameterError
from stiknn_ui.learn import links, payload, played, sentences
from stiknn_ui.learn.desk import Desk
from stiknn_ui.learn.game import interactions, rank, values
from stiknn_ui.learn.games.formulas import FAMILIES, SCORES, utility, weight
from stiknn_ui.learn.games.index import index_of
from stiknn_ui.learn.games.proof import proof
from stiknn_ui.learn.games.score import Score
from stiknn_ui.learn.lesson import Lesson, Point, Probe
from stiknn_ui.learn.orders import MOST_ORDERS, count_orders, orders
from stiknn_ui.learn.presets import FIRST, PRESETS
from stiknn_ui.learn.scene import Scene, carried, count_steps
from stiknn_ui.learn.sharing import scene_of
from stiknn_ui.learn.ties import single
from stiknn_view.packing import squeeze
from tests import exact
from tests.ui.learn_cases import brought
from tests.view.test_page import unsqueezed

places = st.sampled_from([20, 30, 40, 45, 70]).map(lambda at: Fraction(at, 10))


@st.composite
def lessons(draw: Any) -> Lesson:
    score = draw(st.sampled_from(get_args(Score)))
    n = draw(st.integers(2, 5))
    plane = score != "inverse" and draw(st.booleans())
    labels = st.sampled_from("1259" if score in ("absolute", "squared") else "ab")
    y = places if plane else st.just(Fraction(0))
    points = tuple(Point(name, draw(labels), draw(places), draw(y)) for name in "ABCDE"[:n])
    tests = draw(st.lists(st.builds(Probe, labels, places, y), min_size=1, max_size=2))
    index = draw(
        st.sampled_from(["STII", "SII", "BII", "leave_two_out()"])
        | st.integers(1, 9).map(lambda q: f"weighted_banzhaf(0.{q})")
        | st.tuples(st.integers(1, 16), st.integers(1, 16)).map(lambda p: f"beta({p[0]}, {p[1]})")
        | st.integers(0, n - 2).map(lambda least: f"calibrated({least})")
    )
    return Lesson(
        points,
        tuple(tests),
        draw(st.integers(1, n + 1)),
        "plane" if plane else "line",
        draw(st.sampled_from(["expected", "index"])),
        index,
        score,
    )


def oracle_utility(lesson: Lesson, test: int) -> exact.Game:
    """The mean over the orders that points at one distance can come in."""
    asked = lesson.tests[test]
    far = [(p.x - asked.x) ** 2 + (p.y - asked.y) ** 2 for p in lesson.points]
    key = far if lesson.ties == "expected" else [(d, i) for i, d in enumerate(far)]
    brings = [brought(lesson, point, test) / lesson.k for point in lesson.points]

    @cache
    def v(S: frozenset[int]) -> Fraction:
        ways = [
            way
            for way in permutations(sorted(S))
            if all(key[a] <= key[b] for a, b in pairwise(way))
        ]
        total = sum((brings[i] for way in ways for i in way[: lesson.k]), Fraction(0))
        return total / len(ways)

    return v


def chance(index: str, others: int, s: int) -> Fraction:
    """The chance that exactly a given set of s of the others is there.

    Points come one by one, the set's first: each is there or not by what came before.
    """
    name, *numbers = index.replace("(", " ").replace(",", " ").replace(")", " ").split()
    a, b = {"beta": numbers, "STII": (2, 1)}.get(name, (1, 1))
    if name in ("SII", "STII", "beta"):  # an urn of b and a balls; one more of what is drawn
        found, there, away = Fraction(1), Fraction(b), Fraction(a)
        for turn in range(others):
            ball = there if turn < s else away
            found *= ball / (there + away)
            there, away = there + (turn < s), away + (turn >= s)
        return found
    if name in ("BII", "weighted_banzhaf"):
        q = Fraction(numbers[0]) if numbers else Fraction(1, 2)
        return q**s * (1 - q) ** (others - s)
    least = int(numbers[0]) if numbers else others  # a size that is allowed, then a set of it
    if s < least:
        return Fraction(0)
    return Fraction(1, others + 1 - least) / len(list(combinations(range(others), s)))


def oracle_matrix(lesson: Lesson, test: int) -> list[list[Fraction]]:
    v, n = oracle_utility(lesson, test), lesson.n

    def summed(out: tuple[int, ...], change: Callable[[frozenset[int]], Fraction]) -> Fraction:
        rest = [i for i in range(n) if i not in out]
        return sum(
            (chance(lesson.index, len(rest), len(S)) * change(S) for S in exact.subsets(rest)),
            Fraction(0),
        )

    def cell(i: int, j: int) -> Fraction:
        if i != j:
            return summed((i, j), lambda S: exact.change(v, S, i, j))
        if lesson.index == "STII":
            return v(frozenset([i]))
        return summed((i,), lambda S: v(S | {i}) - v(S))

    return [[cell(i, j) for j in range(n)] for i in range(n)]


@pytest.mark.slow
@given(lessons())
def test_both_ways_are_the_oracle_s_for_every_game(lesson: Lesson) -> None:
    for test in range(len(lesson.tests)):
        expected = oracle_matrix(lesson, test)
        by_sum = interactions(lesson, test)
        assert [list(row) for row in by_sum] == expected
        assert single(lesson, test) == by_sum
        scene = Scene(lesson, test=test, pair=(lesson.n - 1, 0))
        assert "✓ equal" in sentences.verdict(scene)
        if lesson.index == "STII":
            v = oracle_utility(lesson, test)
            assert list(values(by_sum)) == [exact.shapley(v, lesson.n, i) for i in range(lesson.n)]
            assert "✓" in sentences.efficiency(scene)
        else:
            assert sentences.diagonal_table(scene).count("**✓**") == lesson.n
        told = payload.pairs(scene)
        assert Fraction(told["total"]) == expected[0][-1]


@pytest.mark.slow
@given(lessons())
def test_what_is_played_has_the_oracle_s_mean_over_orders(lesson: Lesson) -> None:
    groups = rank(lesson, 0).groups
    if count_orders(groups) > MOST_ORDERS:
        return
    ways, n = orders(groups), lesson.n
    total = [[Fraction(0)] * n for _ in range(n)]
    for way in ways:
        steps = played.played(Scene(lesson), way)
        assert len(steps) == count_steps(lesson)
        assert all(step.line < len(played.code(lesson)) for step in steps)
        last = steps[-1].matrix
        for a, i in enumerate(way):
            for b, j in enumerate(way):
                assert last[a][b] is not None
                total[i][j] += last[a][b] / len(ways)
    assert total == oracle_matrix(lesson, 0)


@pytest.mark.slow
@given(lessons())
def test_the_package_has_the_same_in_floating_point(lesson: Lesson) -> None:
    kind = float if lesson.score in ("absolute", "squared") else str
    score: Any = {"plain": "plain", "inverse": games.kernel("inverse", 1.0)}.get(lesson.score)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = stiknn_core.interactions(
            np.array([[float(p.x), float(p.y)] for p in lesson.points]),
            np.array([kind(p.label) for p in lesson.points]),
            np.array([[float(t.x), float(t.y)] for t in lesson.tests]),
            np.array([kind(t.label) for t in lesson.tests]),
            k=lesson.k,
            ties=lesson.ties,
            index=lesson.index,
            score=score or games.measured(lesson.score),
        )
    each = [np.array(single(lesson, t), dtype=float) for t in range(len(lesson.tests))]
    np.testing.assert_allclose(found.matrix, np.mean(each, axis=0), rtol=1e-11, atol=1e-11)
    assert found.index == index_of(lesson.index).name
    header, cells = unsqueezed(squeeze(scene_of(lesson).content))
    place = [lesson.names.index(one) for one in header["ids"]]
    shared = found.matrix[np.ix_(place, place)][np.triu_indices(lesson.n, 1)]
    np.testing.assert_allclose(cells, shared, rtol=1e-3, atol=1e-3 * np.abs(shared).max())


@pytest.mark.slow
@given(lessons(), st.data())
def test_every_claim_of_the_proof_holds_where_it_is_counted(lesson: Lesson, data: Any) -> None:
    pair = data.draw(st.permutations(range(lesson.n)))[:2]
    ways = orders(rank(lesson, 0).groups)
    scene = Scene(lesson, pair=tuple(pair), order=data.draw(st.integers(0, len(ways) - 1)))
    found = proof(scene)
    assert found.nearer < found.farther
    assert {found.names[found.nearer - 1], found.names[found.farther - 1]} == set(scene.names)
    for line in found.lines:
        assert line.change == line.said
        if line.rank < found.farther:
            assert (line.gained, line.lost) == (0, 0)
        if line.rank == found.farther:
            assert line.gained == 0
            assert line.lost == sum(size.sets for size in found.sizes)
    assert (
        sum((size.sets * size.weight for size in found.sizes), Fraction(0))
        == (found.w[found.farther + 1])
    )
    assert found.by_sum == found.by_theorem
    # Its own order alone is another lesson, without ties.
    way = ways[scene.order]
    if len(ways) == 1:
        assert found.by_sum == oracle_matrix(lesson, 0)[pair[0]][pair[1]]
    assert found.names == tuple(lesson.names[i] for i in way)


@pytest.mark.slow
@given(lessons())
def test_a_link_restores_the_game(lesson: Lesson) -> None:
    params = links.to_params(Scene(lesson))
    assert links.parse(params) == links.Parsed(Scene(lesson))
    assert ("index" in params) == (lesson.index != "STII")
    assert ("score" in params) == (lesson.score != "plain")


def test_games_in_links_are_short() -> None:
    tie = PRESETS["tie"].scene.lesson
    for name, text in {
        "beta(4, 1)": "beta-4-1",
        "weighted_banzhaf(0.3)": "weighted_banzhaf-0.3",
        "calibrated(2)": "calibrated-2",
        "leave_two_out()": "leave_two_out",
        "BII": "BII",
    }.items():
        lesson = replace(tie, index=name, score="inverse")
        assert links.to_params(Scene(lesson))["index"] == text
        opened = links.parse({"preset": "tie", "index": text, "score": "inverse"})
        assert opened == links.Parsed(Scene(lesson))


@pytest.mark.parametrize(
    ("link", "named"),
    [
        ({"index": "Owen"}, "index=Owen"),
        ({"index": "beta-4"}, "index=beta-4"),
        ({"index": "beta-0-1"}, "index=beta-0-1"),
        ({"index": "beta-17-1"}, "index=beta-17-1"),
        ({"index": "beta-1.5-1"}, "index=beta-1.5-1"),
        ({"index": "weighted_banzhaf-1"}, "index=weighted_banzhaf-1"),
        ({"index": "weighted_banzhaf-0.35"}, "index=weighted_banzhaf-0.35"),
        ({"index": "calibrated-3"}, "index=calibrated-3"),  # of four points
        ({"index": "STII-1"}, "index=STII-1"),
        ({"score": "rbf"}, "score=rbf"),
        ({"score": "absolute"}, "score=absolute"),  # its classes are letters
        ({"preset": "several", "score": "inverse"}, "score=inverse"),  # a plane
        ({"preset": "targets", "tests": "0_a"}, "score=absolute"),
    ],
)
def test_a_game_that_cannot_be_costs_only_itself_and_is_one_sentence(
    link: dict[str, str], named: str
) -> None:
    parsed = links.parse(link)
    assert parsed.scene.lesson.index == "STII"
    assert parsed.scene.lesson.score == "plain"
    assert parsed.notice.endswith(f": {named}.")
    assert parsed.scene.lesson.points == PRESETS[link.get("preset", FIRST)].scene.lesson.points


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"index": "beta(17, 1)"}, r"whole numbers from 1 to 16, .*; got beta\(17, 1\)\.$"),
        ({"index": "calibrated(9)"}, r"from 0 to 2, as beside .* 2 other points; got 9\.$"),
        ({"score": "rbf"}, r"one of plain, inverse, absolute, squared; got rbf\.$"),
        ({"score": "squared"}, r"whole numbers from 0 to 999 .*; got a\. Type numbers"),
    ],
)
def test_a_lesson_of_no_such_game_is_refused_with_a_sentence(
    parts: dict[str, Any], said: str
) -> None:
    with pytest.raises(ParameterError, match=said):
        replace(PRESETS[FIRST].scene.lesson, **parts)


def test_t_follows_when_points_go_and_a_game_is_undone() -> None:
    desk = Desk(PRESETS[FIRST].scene)
    desk.change(index="calibrated(2)")
    desk.choose(step=4)
    lesson = desk.scene.lesson
    report = {
        "root": desk.root,
        "seq": desk.seen + 1,
        "points": [[p.name, p.label, float(p.x), float(p.y)] for p in lesson.points[:3]],
        "tests": [[t.label, float(t.x), float(t.y)] for t in lesson.tests],
        "test": 0,
    }
    desk.take(report)
    assert desk.scene.lesson.index == "calibrated(1)"
    desk.undo()
    desk.undo()
    assert desk.scene == PRESETS[FIRST].scene
    desk.redo()
    assert desk.scene.lesson.index == "calibrated(2)"


def test_what_a_game_does_not_allow_is_said_and_nothing_changes() -> None:
    desk = Desk(PRESETS[FIRST].scene)
    desk.change(score="absolute")
    assert "got a." in desk.notice
    desk.change(score="inverse")
    assert not desk.notice
    desk.lay("plane")
    assert "on a line only" in desk.notice
    assert desk.scene.lesson.space == "line"
    assert len(desk.past) == 1


def test_another_index_begins_its_own_run() -> None:
    scene = replace(PRESETS[FIRST].scene, step=count_steps(PRESETS[FIRST].scene.lesson) - 1)
    moved = carried(scene, replace(scene.lesson, index="SII"))
    assert moved.step == 0


def test_every_game_has_its_name_and_formula() -> None:
    assert set(SCORES) == set(get_args(Score))
    formulas = {utility(score) for score in SCORES}
    assert len(formulas) == len(SCORES)
    names = ["STII", "SII", "BII", "weighted_banzhaf(0.3)", "beta(4, 2)", "calibrated(1)"]
    indices = [index_of(name) for name in [*names, "leave_two_out()"]]
    assert {index.family for index in indices} == set(FAMILIES)
    assert len({weight(index) for index in indices}) == len(FAMILIES)
    for index in indices:
        assert all(str(number.numerator) in weight(index) for number in index.numbers)
        assert index_of(index.name) == index
