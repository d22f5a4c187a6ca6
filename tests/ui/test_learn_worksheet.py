"""The worksheet of Learn, held against own sums over all subsets and orders."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from fractions import Fraction
from html import unescape
from math import comb

import pytest

from stiknn_ui.learn import worksheet
from stiknn_ui.learn.lesson import Lesson
from stiknn_ui.learn.presets import PRESETS
from stiknn_ui.learn.scene import Scene

SCENES = {
    name: preset.scene
    for name, preset in PRESETS.items()
    if worksheet.printable(preset.scene.lesson)
}
SCENES["several tests, another pair"] = replace(SCENES["several"], test=2, pair=(0, 5))


def sides(scene: Scene) -> tuple[str, str]:
    parts = re.findall(r"<section>(.*?)</section>", worksheet.sheet(scene), re.DOTALL)
    assert len(parts) == 2
    return parts[0], parts[1]


def tables(side: str) -> list[list[list[str]]]:
    return [
        [
            [unescape(cell) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row)]
            for row in re.findall(r"<tr>(.*?)</tr>", found)
        ]
        for found in re.findall(r"<table[^>]*>(.*?)</table>", side)
    ]


def number(text: str) -> Fraction:
    return Fraction(text.replace("\N{MINUS SIGN}", "-"))


def worth(lesson: Lesson, test: int, subset: tuple[int, ...]) -> Fraction:
    """v(S) as a mean over all orders that respect the distances."""
    probe = lesson.tests[test]
    far = [(p.x - probe.x) ** 2 + (p.y - probe.y) ** 2 for p in lesson.points]
    orders = [
        order
        for order in itertools.permutations(subset)
        if all(far[a] <= far[b] for a, b in itertools.pairwise(order))
    ]
    total = sum(
        sum(lesson.points[i].label == probe.label for i in order[: lesson.k]) for order in orders
    )
    return Fraction(total, lesson.k * len(orders))


def pair(lesson: Lesson, test: int, i: int, j: int) -> Fraction:
    n = lesson.n
    rest = [m for m in range(n) if m not in (i, j)]
    found = Fraction(0)
    for s in range(n - 1):
        for S in itertools.combinations(rest, s):
            v = [worth(lesson, test, (*S, *more)) for more in ((i, j), (i,), (j,), ())]
            found += Fraction(2, n * comb(n - 1, s)) * (v[0] - v[1] - v[2] + v[3])
    return found


@pytest.mark.parametrize("name", SCENES)
def test_the_answers_are_those_of_the_definition(name: str) -> None:
    scene = SCENES[name]
    lesson, test = scene.lesson, scene.test
    found = tables(sides(scene)[1])
    many = lesson.n > 5
    order, sets, *terms, matrix, values = found[: 4 if many else 5]
    index = {point.name: i for i, point in enumerate(lesson.points)}
    ranked = [index[row[1]] for row in order[1:]]
    probe = lesson.tests[test]
    far = [
        (lesson.points[i].x - probe.x) ** 2 + (lesson.points[i].y - probe.y) ** 2 for i in ranked
    ]
    assert far == sorted(far)
    for text, told in sets[1:]:
        inside = re.findall(r"\w+", text.removeprefix("v"))
        assert number(told) == worth(lesson, test, tuple(index[one] for one in inside))
    phi = {
        frozenset((i, j)): pair(lesson, test, i, j)
        for i, j in itertools.combinations(range(lesson.n), 2)
    }
    for row, line in enumerate(matrix[1:]):
        for column in range(row + 1, lesson.n):
            assert number(line[1 + column]) == phi[frozenset((ranked[row], ranked[column]))]
    total = Fraction(0)
    for told, alone, rest, value in values[1:]:
        i = index[told]
        own = sum((phi[frozenset((i, j))] for j in range(lesson.n) if j != i), Fraction(0))
        assert number(alone) == worth(lesson, test, (i,))
        assert number(rest) == own
        assert number(value) == number(alone) + own / 2
        total += number(value)
    assert total == worth(lesson, test, tuple(range(lesson.n)))
    if not many:
        (told_terms,) = terms
        products = [number(row[-1]) for row in told_terms[1:]]
        assert len(products) == 2 ** (lesson.n - 2)
        assert sum(products) == phi[frozenset(scene.pair)]
        for row in told_terms[1:]:
            both, one, other, nobody, change, weight, product = map(number, row[1:])
            assert change == both - one - other + nobody
            assert product == weight * change
    if len(lesson.tests) > 1:
        means = [number(row[1]) for row in found[-1][1:]]
        assert means == [pair(lesson, one, *scene.pair) for one in range(len(lesson.tests))]
        mean = re.search(r"Mean: <b>(.*?)</b>", sides(scene)[1])
        assert mean is not None
        assert number(mean[1]) == sum(means) / len(means)


@pytest.mark.parametrize("name", SCENES)
def test_the_blanks_are_where_the_answers_are(name: str) -> None:
    asked, answered = sides(SCENES[name])
    assert asked.count("<tr>") == answered.count("<tr>")
    for blank, full in zip(tables(asked), tables(answered), strict=True):
        for row, line in zip(blank, full, strict=True):
            assert all(cell in ("", told) for cell, told in zip(row, line, strict=True))
    assert not re.search(r"Sum of the values: <b>[^<]", asked)
    assert not re.search(r"the interaction is <b>[^<]", asked)


def test_blanks_hold_no_answer() -> None:
    asked, _ = sides(SCENES["paper-2.1"])
    order, sets, terms, matrix, values = tables(asked)
    assert all(set(row[1:]) == {""} for row in order[1:] + sets[1:] + values[1:])
    assert all(set(row[1:6]) == {""} and row[7] == "" for row in terms[1:])
    assert {cell for row in matrix[1:] for cell in row[1:]} == {"", "–"}


def test_a_flip_that_changes_pairs_is_not_asked_about() -> None:
    told = "Change the class of the nearest point"
    assert told in sides(SCENES["paper-2.1"])[0]
    assert told not in sides(SCENES["tie"])[0]  # two points share the only place


def test_names_and_classes_are_text_and_nothing_runs() -> None:
    found = worksheet.sheet(SCENES["mislabeled"])
    assert "<script" not in found
    assert "default-src 'none'" in found
