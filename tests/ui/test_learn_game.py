"""The Learn page's numbers against the oracle, for every example and 200 random lessons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

import stiknn_core
from stiknn_ui.learn.algorithm import PSEUDO_CODE, Step, count_steps, play
from stiknn_ui.learn.averaging import in_order, running_means
from stiknn_ui.learn.game import (
    Matrix,
    contributions,
    game,
    interactions,
    members,
    pair_terms,
    rank,
    seats,
    trace,
    triangle,
    values,
)
from stiknn_ui.learn.lesson import Lesson, Point, Probe
from stiknn_ui.learn.orders import MOST_ORDERS, count_orders, orders, playable
from stiknn_ui.learn.presets import PRESETS
from stiknn_ui.learn.ties import single
from tests import naive
from tests.ui.learn_cases import RANDOM_CASES, lessons, oracle_game, oracle_groups

CASES = list(lessons())
CLOSE = 1e-12


def floats(matrix: Sequence[Sequence[Fraction]]) -> np.ndarray:
    return np.array([[float(cell) for cell in row] for row in matrix])


def last_matrix(lesson: Lesson, test: int, order: tuple[int, ...]) -> Matrix:
    """The last matrix of Algorithm 1, by position."""
    u = contributions(lesson, test)
    done = play([u[i] for i in order], lesson.k, [lesson.names[i] for i in order])[-1].matrix
    place = {point: m for m, point in enumerate(order)}
    return tuple(tuple(done[place[i]][place[j]] for j in range(lesson.n)) for i in range(lesson.n))


def test_the_cases_hold_all_that_can_be_special() -> None:
    assert len(CASES) == RANDOM_CASES + len(PRESETS)
    seen = Counter()
    for _, lesson in CASES:
        groups = rank(lesson, 0).groups
        seen["tied"] += len(groups) < lesson.n
        seen["all tied"] += len(groups) == 1
        seen["too many orders"] += count_orders(groups) > MOST_ORDERS
        seen["index"] += lesson.ties == "index"
        seen["k >= n"] += lesson.k >= lesson.n
        seen["k > n"] += lesson.k > lesson.n
        seen["one class"] += len({point.label for point in lesson.points}) == 1
        labels = {point.label for point in lesson.points}
        seen["absent"] += lesson.tests[0].label not in labels
        seen["n = 2"] += lesson.n == 2
        seen["n = 8"] += lesson.n == 8
    assert min(seen.values()) >= 5, seen
    assert len(seen) == 10


@pytest.mark.slow
def test_game_sums_and_values_are_the_oracle_s() -> None:
    for name, lesson in CASES:
        for test in range(len(lesson.tests)):
            v = oracle_game(lesson, test)
            assert [float(x) for x in game(lesson, test)] == pytest.approx(list(v), abs=CLOSE), name
            matrix = interactions(lesson, test)
            expected = naive.interaction_matrix(v, "STII")
            np.testing.assert_allclose(floats(matrix), expected, atol=CLOSE, err_msg=name)
            shares = [float(x) for x in values(matrix)]
            assert shares == pytest.approx(list(naive.shapley_values(v)), abs=CLOSE), name
            assert trace(matrix) + triangle(matrix) == game(lesson, test)[-1]


def test_neighbours_are_the_oracle_s() -> None:
    for name, lesson in CASES:
        for test, row in enumerate(oracle_groups(lesson)):
            ranking = rank(lesson, test)
            assert [row[i] for i in ranking.order] == sorted(row), name
            for group in ranking.groups:
                assert len({row[i] for i in group}) == 1, name
                assert list(group) == sorted(group), name
            assert len(ranking.groups) == len(set(row.tolist())), name


@pytest.mark.slow
def test_the_terms_of_every_pair_add_up_to_its_interaction_exactly() -> None:
    for name, lesson in CASES[:: 4 if len(CASES) > 50 else 1]:
        v, matrix = game(lesson, 0), interactions(lesson, 0)
        for i in range(lesson.n):
            for j in range(i):
                terms = pair_terms(v, i, j)
                assert sum(term.product for term in terms) == terms[-1].running == matrix[i][j]
                assert len(terms) == 2 ** (lesson.n - 2), name
                assert all(a.size <= b.size for a, b in pairwise(terms))
                assert not any({i, j} & set(members(term.subset)) for term in terms)


@pytest.mark.slow
def test_algorithm_1_gives_the_same_matrix_exactly_in_the_mean_over_orders() -> None:
    played = 0
    for name, lesson in CASES:
        for test in range(len(lesson.tests)):
            expected = interactions(lesson, test)
            groups = rank(lesson, test).groups
            assert single(lesson, test) == expected, name  # in closed form, any number of orders
            if count_orders(groups) > MOST_ORDERS:
                assert playable(groups) == 1
                continue
            each = [last_matrix(lesson, test, order) for order in orders(groups)]
            assert len(each) == count_orders(groups) == playable(groups)
            assert len(set(orders(groups))) == len(each)
            assert mean(each) == expected, name
            played += 1
    assert played > RANDOM_CASES


def mean(matrices: Sequence[Matrix]) -> Matrix:
    n = len(matrices[0])
    return tuple(
        tuple(sum((m[i][j] for m in matrices), Fraction(0)) / len(matrices) for j in range(n))
        for i in range(n)
    )


def test_each_step_writes_what_the_algorithm_says() -> None:
    """Written again from the paper's lines, on ranks counted from 1."""
    for name, lesson in CASES:
        order = rank(lesson, 0).order
        u = [Fraction(0), *(contributions(lesson, 0)[i] for i in order)]
        n, k = lesson.n, lesson.k
        steps = play(u[1:], k, [lesson.names[i] for i in order])
        assert len(steps) == count_steps(n), name
        told = iter(steps)
        first = next(told)
        assert first.kind == "sort"
        assert not any(cell is not None for row in first.matrix for cell in row)
        phi = {}
        phi[n - 1, n] = -Fraction(2 * (n - k), n * (n - 1)) * u[n] if k < n else Fraction(0)
        expect(next(told), "start", phi, (n - 1, n))
        for j in range(n, 2, -1):
            phi[j - 2, j - 1] = phi[j - 1, j]
            if j > k + 1:
                factor = Fraction(2 * (j - k - 1), (j - 2) * (j - 1))
                phi[j - 2, j - 1] += factor * (u[j] - u[j - 1])
            step = next(told)
            assert step.loop == {"j": j}
            expect(step, "changed" if j > k + 1 else "same", phi, (j - 2, j - 1))
        for j in range(3, n + 1):
            for i in range(j - 2, 0, -1):
                phi[i, j] = phi[i + 1, j]
                step = next(told)
                assert step.loop == {"j": j, "i": i}
                assert step.source == (i, j - 1)
                expect(step, "copy", phi, (i, j))
        done = next(told)
        assert done.kind == "done"
        assert next(told, None) is None
        assert done.matrix == tuple(zip(*done.matrix, strict=True))
        assert [done.matrix[m][m] for m in range(n)] == u[1:]


def expect(
    step: Step, kind: str, phi: dict[tuple[int, int], Fraction], new: tuple[int, int]
) -> None:
    n = len(step.matrix)
    assert step.kind == kind
    assert step.cells == ((new[0] - 1, new[1] - 1),)
    assert step.matrix == tuple(
        tuple(phi.get((i, j)) for j in range(1, n + 1)) for i in range(1, n + 1)
    )
    assert PSEUDO_CODE[step.line][1].startswith("φ_")
    assert step.sentence.endswith(".")


def test_the_printed_start_value_is_wrong_for_k_above_n_and_the_page_says_so() -> None:
    lesson = PRESETS["large-k"].scene.lesson
    n, k = lesson.n, lesson.k
    assert k > n
    u = contributions(lesson, 0)
    printed = -Fraction(2 * (n - k), n * (n - 1)) * u[rank(lesson, 0).order[-1]]
    assert printed == Fraction(1, 30)
    start = play([u[i] for i in rank(lesson, 0).order], k, lesson.names)[1]
    assert start.matrix[n - 2][n - 1] == 0
    assert "would give 1/30" in start.sentence
    assert triangle(interactions(lesson, 0)) == 0


def test_seats_are_shared_among_the_tied() -> None:
    groups = ((2,), (0, 3), (1,))
    assert [(s.point, s.share) for s in seats(groups, 0b1111, 2)] == [
        (2, Fraction(1)),
        (0, Fraction(1, 2)),
        (3, Fraction(1, 2)),
    ]
    assert [(s.point, s.share) for s in seats(groups, 0b1010, 2)] == [
        (3, Fraction(1)),
        (1, Fraction(1)),
    ]
    assert seats(groups, 0, 2) == ()


def test_what_the_examples_say_is_so() -> None:
    half, third, sixth = Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)
    first = game(PRESETS["paper-2.1"].scene.lesson, 0)
    assert first[0b1111] == 2 * third
    assert [first[mask] for mask in (0b0001, 0b0010, 0b1101)] == [third, 0, 1]
    second = PRESETS["paper-2.2"].scene.lesson
    alone = game(second, 0)
    assert [alone[mask] for mask in (0b0001, 0b0010, 0b1010, 0b1100)] == [0, half, 1, half]
    terms = {term.subset: term for term in pair_terms(game(second, 0), 0, 1)}
    four = terms[0b1000]
    assert (four.both, four.with_i, four.with_j, four.without) == (half, half, 1, half)
    assert four.change == -half
    assert terms[0b1100].change == half
    assert four.weight == terms[0b1100].weight == sixth
    assert interactions(second, 0)[0][1] == 0
    tie = PRESETS["tie"].scene.lesson
    ways = orders(rank(tie, 0).groups)
    assert len({last_matrix(tie, 0, way)[0][1] for way in ways}) == 2
    copy = PRESETS["copy"].scene.lesson
    rows = interactions(copy, 0)
    assert rows[1][0] == rows[2][0]
    assert rows[1][3] == rows[2][3]
    assert rows[1][2] < 0
    assert values(rows)[1] == values(rows)[2]
    points = (replace(one, label=label) for one, label in zip(copy.points, "bbba", strict=True))
    assert interactions(replace(copy, points=tuple(points), k=1), 0)[1][2] == sixth
    wrong = PRESETS["mislabeled"].scene.lesson
    assert values(interactions(wrong, 0))[3] < 0
    together = running_means(wrong)[-1]
    assert values(together)[3] == min(values(together)) < 0
    both = [
        i
        for i in range(wrong.n)
        if any(together[i][j] for j in (0, 1, 2) if j != i)
        and any(together[i][j] for j in (4, 5, 6) if j != i)
    ]
    assert both == [3]
    several = PRESETS["several"].scene.lesson
    for test in range(3):
        sorted_one = in_order(single(several, test), rank(several, test).order)
        for j in range(1, several.n):
            assert len({sorted_one[i][j] for i in range(j)}) == 1
    average = running_means(several)[-1]
    assert any(len({average[i][j] for i in range(j)}) > 1 for j in range(2, several.n))


@pytest.mark.filterwarnings("ignore:Classes without any training point")
def test_the_mean_over_test_points_is_the_core_s_matrix() -> None:
    plain = [case for case in CASES[: len(PRESETS) + 20] if case[1].score == "plain"]
    for name, lesson in plain:
        result = stiknn_core.interactions(
            np.array([[float(p.x), float(p.y)] for p in lesson.points]),
            np.array([p.label for p in lesson.points]),
            np.array([[float(t.x), float(t.y)] for t in lesson.tests]),
            np.array([t.label for t in lesson.tests]),
            k=lesson.k,
            ties=lesson.ties,
        )
        expected = floats(running_means(lesson)[-1])
        np.testing.assert_allclose(result.matrix, expected, atol=CLOSE, err_msg=name)


def test_running_means_take_the_test_points_in_one_by_one() -> None:
    lesson = PRESETS["several"].scene.lesson
    each = [single(lesson, test) for test in range(len(lesson.tests))]
    assert running_means(lesson) == tuple(mean(each[: m + 1]) for m in range(len(each)))


def test_a_test_point_on_all_points_ties_them_all() -> None:
    points = tuple(
        Point(name, label, Fraction(3)) for name, label in zip("ABC", "aab", strict=True)
    )
    lesson = Lesson(points, (Probe("a", Fraction(3)),), k=1)
    assert rank(lesson, 0).groups == ((0, 1, 2),)
    assert game(lesson, 0)[0b111] == Fraction(2, 3)
    assert interactions(lesson, 0)[0][2] == interactions(lesson, 0)[1][2]
