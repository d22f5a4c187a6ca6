"""The theorem's page and the games on Learn, without a browser."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from stiknn_ui.learn.lesson import Lesson
from stiknn_ui.learn.presets import PRESETS
from tests.patience import PATIENCE
from tests.ui.test_learn_other_games import oracle_matrix
from tests.ui.test_learn_page import button, healthy, number, text

APP = Path(__file__).parents[2] / "app.py"
LEARN, THEOREM = "pages/learn.py", "pages/theorem.py"
VERDICT = re.compile(r"subsets: \$(.+?)\$ · the theorem: \$(.+?)\$ · (.+)")
Visit = Callable[..., AppTest]


@pytest.fixture
def visit() -> Visit:
    def go(page: str, **params: str) -> AppTest:
        at = AppTest.from_file(str(APP), default_timeout=PATIENCE)
        at.switch_page(page)
        for name, value in params.items():
            at.query_params[name] = value
        return healthy(at.run())

    return go


def box(at: AppTest, label: str) -> Any:
    kinds = (at.selectbox, at.number_input, at.select_slider)
    return next(one for kind in kinds for one in kind if one.label.startswith(label))


@pytest.mark.parametrize("name", PRESETS)
def test_the_page_proves_every_example(visit: Visit, name: str) -> None:
    at = visit(THEOREM, preset=name)
    shown = text(at)
    by_sum, found, sign = VERDICT.search(shown).groups()
    assert sign == ":green[**✓ equal**]"
    assert number(by_sum) == number(found)
    lesson, pair = PRESETS[name].scene.lesson, PRESETS[name].scene.pair
    tied = "Tied points are taken in order 1 of 2" in shown
    assert tied == (name in {"tie", "copy"})
    if not tied:
        assert number(found) == oracle_matrix(lesson, 0)[pair[0]][pair[1]]
    assert "✗" not in shown
    assert [shown.count(f"**{step}. ") for step in range(1, 7)] == [1] * 6
    assert dict(at.query_params) == {"preset": name}


def test_the_theorem_s_pair_and_game_are_the_lesson_s(visit: Visit) -> None:
    at = visit(LEARN, preset="several")
    healthy(box(at, "How much a set counts").set_value("weighted_banzhaf").run())
    assert at.query_params["index"] == "weighted_banzhaf-0.3"
    at.switch_page(THEOREM)
    healthy(at.run())
    healthy(box(at, "j").set_value(4).run())
    shown = text(at)
    assert r"\left(\frac{3}{10}\right)^{s}\left(\frac{7}{10}\right)^{n-2-s}" in shown
    assert r"\phi_{\text{B},\text{E}}" in shown
    assert VERDICT.search(shown)[3] == ":green[**✓ equal**]"
    assert at.query_params["pair"] == "2-5"
    at.switch_page(LEARN)
    healthy(at.run())
    assert r"\phi_{\text{B},\text{E}}" in text(at)


def test_the_theorem_is_reached_from_learn_and_is_not_in_the_bar(visit: Visit) -> None:
    links = {link.proto.label for link in visit(LEARN, mode="play").get("page_link")}
    assert "Why they agree: the theorem" in links
    assert "Theorem" not in links
    links = {link.proto.label for link in visit(THEOREM).get("page_link")}
    assert {"Back to Learn", "Learn"} <= links


def test_a_bad_link_to_the_theorem_is_one_sentence(visit: Visit) -> None:
    at = visit(THEOREM, index="beta-0-1")
    assert len(at.warning) == 1
    assert "index=beta-0-1" in at.warning[0].value.replace("\\", "")


def test_games_are_chosen_in_boxes_and_undone(visit: Visit) -> None:
    at = visit(LEARN, preset="tie")
    before = text(at)
    healthy(box(at, "Game").set_value("inverse").run())
    assert at.query_params["score"] == "inverse"
    assert r"\frac{\mathbf{1}[\,y_i=y_{\text{test}}\,]}{1+d_i}" in text(at)
    assert "Algorithm 1, mean over 2 orders" in text(at)
    healthy(box(at, "How much a set counts").set_value("beta").run())
    assert at.query_params["index"] == "beta-4-1"
    healthy(box(at, "β").set_value(3).run())
    assert at.query_params["index"] == "beta-4-3"
    shown = text(at)
    assert r"p_s=\frac{B(s+3,\;n-2-s+4)}{B(4,3)}" in shown
    assert "the theorem, mean over 2 orders" in shown
    assert "#### 4. The theorem, column by column" in shown
    assert "Diagonal and pairs do not add up" in shown
    assert "each pair once" not in shown
    healthy(box(at, "How much a set counts").set_value("calibrated").run())
    least = box(at, "T: smallest")
    assert (least.min, least.max) == (0, 2)
    healthy(least.set_value(2).run())
    assert at.query_params["index"] == "calibrated-2"
    for _ in range(5):
        healthy(button(at, "Undo").click().run())
    assert text(at) == before
    assert dict(at.query_params) == {"preset": "tie"}


def test_measured_targets_need_numbers_and_say_so(visit: Visit) -> None:
    at = visit(LEARN, preset="tie")
    healthy(box(at, "Game").set_value("squared").run())
    assert [one.value.count("whole numbers from 0 to 999") for one in at.warning] == [1]
    assert box(at, "Game").value == "plain"
    at = visit(LEARN, preset="targets")
    shown = text(at)
    assert "of target **4**" in shown
    assert "| 3 | **C** | 4 | 9 | $-\\frac{5}{2}$ |" in shown
    assert not at.warning


def test_the_numbers_on_learn_are_the_oracle_s_for_another_game(visit: Visit) -> None:
    lesson: Lesson = PRESETS["targets"].scene.lesson
    at = visit(LEARN, preset="targets", index="leave_two_out", k="1")
    found = re.search(r"sum over subsets \$(.+?)\$ · the theorem \$(.+?)\$ · (.+?) \(", text(at))
    asked = Lesson(
        lesson.points, lesson.tests, 1, lesson.space, lesson.ties, "leave_two_out()", lesson.score
    )
    expected: Fraction = oracle_matrix(asked, 0)[0][1]
    assert number(found[1]) == number(found[2]) == expected != 0
    assert "✓ equal" in found[3]
