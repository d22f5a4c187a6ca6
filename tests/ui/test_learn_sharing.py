"""A lesson as one file shows what the page works out by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from stiknn_ui.learn import sharing
from stiknn_ui.learn.averaging import running_means
from stiknn_ui.learn.lesson import Probe
from stiknn_ui.learn.presets import PRESETS
from stiknn_view.packing import squeeze
from tests.view.test_page import unsqueezed


@pytest.mark.parametrize("name", PRESETS)
def test_the_file_holds_the_mean_of_all_test_points(name: str) -> None:
    lesson = PRESETS[name].scene.lesson
    scene = sharing.scene_of(lesson)
    header, cells = unsqueezed(squeeze(scene.content))
    exact = np.array(running_means(lesson)[-1], dtype=float)
    place = [lesson.names.index(one) for one in header["ids"]]
    wanted = exact[np.ix_(place, place)][np.triu_indices(lesson.n, 1)]
    np.testing.assert_allclose(cells, wanted, atol=1e-4)
    assert scene.order == "input"
    order = next(one for one in scene.orders if one.name == "input")
    assert [header["ids"][row] for row in order.positions] == list(lesson.names)


@pytest.mark.parametrize("name", PRESETS)
def test_the_file_says_where_it_was_tested(name: str) -> None:
    lesson = PRESETS[name].scene.lesson
    text = sharing.shared_page(lesson)
    assert f"k = {lesson.k}" in text
    last = lesson.tests[-1]
    called = "target" if lesson.score == "absolute" else "class"
    assert f"T{len(lesson.tests)} of {called} {last.label} at " in text


def test_a_class_that_only_a_test_point_has_is_no_obstacle() -> None:
    lesson = PRESETS["tie"].scene.lesson
    other = replace(lesson, tests=(Probe("other", lesson.tests[0].x),))
    assert "of class other" in sharing.shared_page(other)
