"""The Learn page without a browser: what it says about every example, and its buttons."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from stiknn_ui.learn import payload, sentences
from stiknn_ui.learn.game import interactions
from stiknn_ui.learn.presets import FIRST, PRESETS
from stiknn_ui.learn.scene import Scene
from tests import naive
from tests.patience import PATIENCE
from tests.ui.learn_cases import lessons, oracle_game

APP = Path(__file__).parents[2] / "app.py"
VERDICT = re.compile(r"sum over subsets \$(.+?)\$ · (Algorithm 1.*?) \$(.+?)\$ · (.+?) \(")


@pytest.fixture
def visit() -> Callable[..., AppTest]:
    """Return a function that opens links in one visit. One opened before would be an echo."""
    at = AppTest.from_file(str(APP), default_timeout=PATIENCE)
    at.switch_page("pages/learn.py")

    def go(**params: str) -> AppTest:
        at.query_params.clear()
        for name, value in params.items():
            at.query_params[name] = value
        return healthy(at.run())

    return go


def healthy(at: AppTest) -> AppTest:
    assert not at.exception
    assert not at.error
    return at


def text(at: AppTest) -> str:
    kinds = (at.markdown, at.caption, at.info, at.warning, at.latex)
    return "\n".join(str(element.value) for kind in kinds for element in kind)


def number(tex: str) -> Fraction:
    """Read a fraction from TeX."""
    whole = re.fullmatch(r"(-?)(\d+)", tex)
    if whole:
        return Fraction(whole[1] + whole[2])
    sign, above, below = re.fullmatch(r"(-?)\\frac\{(\d+)\}\{(\d+)\}", tex).groups()
    return Fraction(int(sign + above), int(below))


def button(at: AppTest, label: str) -> Any:
    return next(one for one in at.button if one.label == label)


def test_every_example_shows_both_numbers_and_they_agree(visit: Callable[..., AppTest]) -> None:
    for name, preset in PRESETS.items():
        at = visit(preset=name)
        assert dict(at.query_params) == {"preset": name}
        shown = text(at)
        by_sum, how, found, sign = VERDICT.search(shown).groups()
        assert "ends at j = 3" in shown
        assert "equal" in sign
        assert "not" not in sign
        scene = preset.scene
        v = oracle_game(scene.lesson, scene.test)
        expected = naive.interaction_matrix(v, "STII")[scene.pair]
        assert float(number(by_sum)) == pytest.approx(expected, abs=1e-12)
        assert number(found) == number(by_sum)
        assert ("mean over 2 orders" in how) == (name in {"tie", "copy"})
        assert preset.text in shown
        alone = len(scene.lesson.tests) == 1
        assert ("There is one test point so far" in shown) == alone


def test_the_slip_of_the_paper_is_explained(visit: Callable[..., AppTest]) -> None:
    shown = text(visit(preset="paper-2.2"))
    assert r"prints $\phi_{1,2}=\frac{1}{6}$; the definition gives $0$" in shown
    assert "one sign" in shown
    assert VERDICT.search(shown)[1] == "0"


def test_a_link_opens_its_state(visit: Callable[..., AppTest]) -> None:
    link = {"points": "A_2_a~B_4.5_b~C_7_a", "tests": "0_a", "k": "1", "pair": "2-3"}
    at = visit(**link)
    assert dict(at.query_params) == {"on": "line", **link, "ties": "expected"}
    assert at.number_input(key="learn-k").value == 1
    shown = text(at)
    assert "| 2 | **B** | 4.5 | b | $0$ |" in shown
    assert r"\phi_{\text{B},\text{C}}" in shown
    assert not at.warning


def test_a_bad_link_is_one_sentence(visit: Callable[..., AppTest]) -> None:
    at = visit(k="99", step="1")
    assert len(at.warning) == 1
    assert "k=99" in at.warning[0].value.replace("\\", "")


def test_examples_k_and_points_can_be_changed_and_undone(visit: Callable[..., AppTest]) -> None:
    at = visit(preset=FIRST, step="2")
    healthy(at.number_input(key="learn-k").set_value(1).run())
    assert at.query_params["k"] == "1"
    assert PRESETS[FIRST].text not in text(at)
    healthy(button(at, "Training point").click().run())
    assert "**5**" in text(at)
    healthy(button(at, "Test point").click().run())
    assert "T2" in text(at)
    for _ in range(3):
        healthy(button(at, "Undo").click().run())
    assert at.query_params["preset"] == FIRST
    healthy(button(at, "Redo").click().run())
    assert at.query_params["k"] == "1"


def test_a_pair_and_an_order_can_be_chosen_in_boxes(visit: Callable[..., AppTest]) -> None:
    at = visit(preset="tie")
    first = next(box for box in at.selectbox if box.label == "i")
    healthy(first.set_value(1).run())  # B, which was j: they change places
    assert at.query_params["pair"] == "2-1"
    order = next(box for box in at.selectbox if box.label.startswith("Order"))
    assert order.options == ["Order 1 of 2: A, B, C, D", "Order 2 of 2: B, A, C, D"]
    healthy(order.set_value(1).run())
    assert at.query_params["order"] == "2"


@pytest.mark.parametrize(
    ("link", "said"),
    [
        ({"points": "A_2_a~B_4_b", "tests": "0_c", "k": "1"}, "No training point has"),
        ({"points": "A_2_a~B_4_a", "tests": "0_a", "k": "1"}, "All training points have"),
        ({"points": "A_2_a~B_4_b", "tests": "0_a", "k": "2"}, "everybody votes"),
        (
            {"points": "~".join(f"{name}_2_{name.lower()}" for name in "ABCDEFGH"), "k": "3"},
            "40,320 orders",
        ),
    ],
)
def test_extremes_are_named(visit: Callable[..., AppTest], link: dict[str, str], said: str) -> None:
    shown = text(visit(**link))
    assert said in shown.replace("\\", "")
    assert "✓ equal" in shown


# What the browser's parts are told, which AppTest does not show.


def test_the_parts_are_told_the_oracle_s_numbers() -> None:
    for name, lesson in list(lessons())[:40]:
        scene = Scene(lesson, pair=(0, lesson.n - 1), subset=2**lesson.n - 1)
        v = oracle_game(lesson, 0)
        told = payload.subsets(scene)["subsets"]
        assert len(told) == 2**lesson.n
        for one in told:
            assert float(Fraction(one["value"])) == pytest.approx(v[one["mask"]], abs=1e-12), name
            parts = sum((Fraction(vote[2]) for vote in one["votes"]), Fraction(0))
            assert parts == Fraction(one["value"])
        pairs = payload.pairs(scene)
        total = sum((Fraction(term["product"]) for term in pairs["terms"]), Fraction(0))
        assert total == Fraction(pairs["total"]) == interactions(lesson, 0)[0][lesson.n - 1]
        steps = payload.steps(scene)
        filled = {
            (row, column): Fraction(value)
            for step in steps["steps"]
            for row, column, value in step["written"]
        }
        assert len(filled) == lesson.n**2
        if not steps["tied"]:
            assert filled[tuple(steps["pair"])] == total == Fraction(steps["sum"])
        assert "✓ equal" in sentences.verdict(scene)
        assert "✓" in sentences.efficiency(scene)
