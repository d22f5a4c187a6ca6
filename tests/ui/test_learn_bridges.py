"""From Learn to Explore and from Point to Learn: the same points, the same numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from stiknn_core import interactions
from stiknn_core.quiet import without_warnings
from stiknn_core.tables import read_table
from stiknn_ui.asked.spec import ComputeSpec
from stiknn_ui.learn import links
from stiknn_ui.learn.averaging import running_means
from stiknn_ui.learn.cards.bridge import computed, table_of
from stiknn_ui.learn.lesson import Lesson
from stiknn_ui.learn.presets import PRESETS
from stiknn_ui.point.to_learn import Link, link_of
from stiknn_ui.results.inputs import prepare
from stiknn_ui.uploads.build import joined
from tests.ui.learn_cases import lessons

NEAR = [0.25, 0.5, 0.52, 1.0, 1.5, 1.9, 2.0]


def linked(
    names: list[str] | None = None, labels: str = "ababbba", own: str = "a", k: int = 3
) -> tuple[Link, Lesson]:
    names = names or [str(i) for i in range(10, 10 + len(labels))]
    found = link_of(names, list(labels), np.array(NEAR[: len(labels)]), own, k, "expected")
    parsed = links.parse(found.params)
    assert parsed.notice == ""
    return found, parsed.scene.lesson


def test_the_table_of_a_lesson_says_all_of_it() -> None:
    text = table_of(PRESETS["several"].scene.lesson).decode()
    lines = text.splitlines()
    assert lines[0] == "point,class,x,y,part"
    assert lines[1] == "A,a,2,3,train"
    assert lines[-1] == "T3,a,4.5,7.5,test"
    assert len(lines) == 1 + 6 + 3


def played() -> Iterator[tuple[str, Lesson]]:
    """Lessons, with other games on the first of each kind of place."""
    for number, (name, lesson) in enumerate(lessons()):
        yield name, lesson
        if lesson.score == "plain" and number % 10 == 0:
            yield f"{name}, Banzhaf", replace(lesson, index="weighted_banzhaf(0.3)")
            yield f"{name}, Beta", replace(lesson, index="beta(4, 1)")
            if lesson.space == "line":
                yield f"{name}, inverse", replace(lesson, score="inverse")


def test_read_as_an_upload_the_table_gives_learn_s_numbers() -> None:
    tried = 0
    for name, lesson in played():
        if lesson.score not in ("plain", "inverse"):
            continue  # not offered: measured targets stay on Learn
        if len({point.label for point in lesson.points}) < 2:
            continue  # refused as a data set: there is nothing to tell apart
        table = read_table(table_of(lesson), name="learn_points.csv")
        axes = ["x"] if lesson.space == "line" else ["x", "y"]
        with without_warnings():  # of classes that no training point has, and of k of n or more
            train, test = table.to_split(
                column="part", label="class", ids="point", features=axes, scale="none"
            )
            asked = ComputeSpec(**computed(lesson), evaluation="split-column")
            given = prepare(joined(train, test), asked)
            found = interactions(**given.arguments, k=lesson.k, index=given.index).matrix
        expected = np.array(running_means(lesson)[-1], dtype=float)
        np.testing.assert_allclose(found, expected, atol=1e-12, err_msg=name)
        tried += 1
    assert tried > 50


def test_a_point_and_its_neighbours_keep_their_order_and_classes() -> None:
    found, lesson = linked()
    assert [point.name for point in lesson.points] == ["10", "11", "12", "13", "14", "15", "16"]
    assert "".join(point.label for point in lesson.points) == "ababbba"
    places = [point.x for point in lesson.points]
    assert places == sorted(places)
    assert places == [Fraction(round(far / 2 * 100), 10) for far in NEAR]
    assert [(test.label, test.x) for test in lesson.tests] == [("a", 0)]
    assert lesson.k == 3
    assert "but for those" not in found.told


def test_what_is_lost_is_said() -> None:
    names = [f"a long name {i}" for i in range(7)]
    found, lesson = linked(names, "ab-bbba", own="a", k=50)
    assert lesson.names == ("1", "2", "3", "4", "5", "6", "7")
    assert {point.label for point in lesson.points} == {"c1", "c2", "c3"}
    assert lesson.k == 3
    assert "Classes are named c1 to c3" in found.told
    assert "k is 3 there" in found.told
    near = link_of(["1", "2"], ["a", "b"], np.array([0.999, 1.0]), "a", 1, "index")
    assert "rounding" in near.told
    assert links.parse(near.params).scene.lesson.ties == "index"
    same_place = link_of(["1", "2"], ["a", "b"], np.zeros(2), "b", 1, "expected")
    assert {point.x for point in links.parse(same_place.params).scene.lesson.points} == {0}


@pytest.mark.parametrize("k", [1, 2, 3])
def test_the_nearest_few_interact_in_learn_as_in_the_package(k: int) -> None:
    _, lesson = linked(k=k)
    X = np.array([[float(point.x)] for point in lesson.points])
    y = np.array([point.label for point in lesson.points])
    found = interactions(X, y, np.array([[0.0]]), np.array(["a"]), k=k).matrix
    np.testing.assert_allclose(found, np.array(running_means(lesson)[-1], float), atol=1e-15)
