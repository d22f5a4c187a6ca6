"""The points of a lesson as one file: the linked view of their matrix, computed by the package."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from stiknn_core import games, interactions
from stiknn_core.plane import Plane
from stiknn_core.quiet import without_warnings
from stiknn_ui.learn.games.score import label_word, measured
from stiknn_ui.learn.lesson import Lesson, Point, Probe, written
from stiknn_view import page, results
from stiknn_view.scene import Scene

FILE_NAME = "stiknn_lesson.html"


def scene_of(lesson: Lesson) -> Scene:
    """Return the view of a lesson: its points, their interactions, and where it was tested."""
    places = _places(lesson.points)
    kind = float if measured(lesson.score) else str
    with (
        without_warnings()
    ):  # k of n or more, and a class of test points alone, are lessons, not slips
        found = interactions(
            places,
            np.array([kind(point.label) for point in lesson.points]),
            _places(lesson.tests),
            np.array([kind(test.label) for test in lesson.tests]),
            k=lesson.k,
            ties=lesson.ties,
            index=games.index_of(lesson.index),
            score=_score(lesson),
        )
    found = replace(found, ids=np.array(lesson.names))
    titles = ("place", "") if lesson.space == "line" else ("x", "y")
    scene = results.scene_of(
        found, xy=Plane(places, titles, "columns"), order="input", name="A lesson"
    )
    return replace(scene, lines=(scene.lines[0], _tested(lesson), *scene.lines[1:]))


def shared_page(lesson: Lesson) -> str:
    """Return the file: HTML that needs no server; see `stiknn_view.page.page`."""
    return page.page(scene_of(lesson))


def _score(lesson: Lesson) -> games.Score:
    if lesson.score == "inverse":
        return games.kernel("inverse", bandwidth=1.0)
    return games.measured(lesson.score) if lesson.score != "plain" else games.plain()


def _places(spots: tuple[Point, ...] | tuple[Probe, ...]) -> np.ndarray:
    return np.array([(float(one.x), float(one.y)) for one in spots])


def _tested(lesson: Lesson) -> str:
    """Say where the test points are, which the scatter does not draw."""
    called = label_word(lesson.score)
    told = [
        f"T{number} of {called} {one.label} at {_place(lesson, one)}"
        for number, one in enumerate(lesson.tests, 1)
    ]
    several = "s" if len(told) > 1 else ""
    return f"Test point{several}: {'; '.join(told)}."


def _place(lesson: Lesson, one: Probe) -> str:
    return written(one.x) if lesson.space == "line" else f"({written(one.x)}, {written(one.y)})"
