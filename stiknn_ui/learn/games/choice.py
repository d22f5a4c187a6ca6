"""Which game is played, chosen on the bench: one box for the score, one lid for the index."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

import streamlit as st

from stiknn_ui.learn.desk import Desk
from stiknn_ui.learn.games import formulas
from stiknn_ui.learn.games.index import MAX_SHAPE, Index, index_of
from stiknn_ui.visit import state

_USUAL: Final[dict[str, tuple[Fraction, ...]]] = {
    "weighted_banzhaf": (Fraction(3, 10),),
    "beta": (Fraction(4), Fraction(1)),
    "calibrated": (Fraction(0),),
}
"""The numbers that an index begins with."""


def draw(here: Desk) -> None:
    """Draw the box and the lid."""
    lesson = here.scene.lesson
    st.selectbox(
        "Game",
        list(formulas.SCORES),
        format_func=lambda name: formulas.SCORES[name],
        width=270,
        key=state.pinned("learn-score", lesson.score),
        on_change=lambda: here.change(score=state.widget_value("learn-score")),
        help="What one of the k nearest brings. The index below weighs the sets; any score goes "
        "with any index.",
    )
    index = index_of(lesson.index)
    with st.popover(
        f"Index: {formulas.index_name(index)}", icon=":material/balance:", width="content"
    ):
        _index(here, index)


def _index(here: Desk, index: Index) -> None:
    st.selectbox(
        "How much a set counts, by its size",
        list(formulas.FAMILIES),
        format_func=lambda name: formulas.FAMILIES[name],
        key=state.pinned("learn-index", index.family),
        on_change=lambda: _choose(here, state.widget_value("learn-index")),
    )
    st.latex(formulas.weight(index))
    match index.family:
        case "weighted_banzhaf":
            st.select_slider(
                "q: the chance that another point is there",
                [Fraction(tenth, 10) for tenth in range(1, 10)],
                format_func=lambda q: f"{float(q):g}",
                key=state.pinned("learn-q", index.numbers[0]),
                on_change=lambda: _number(here, index, 0, "learn-q"),
            )
        case "beta":
            for place, letter in enumerate("αβ"):
                _whole(here, index, place, f"{letter}", 1, MAX_SHAPE)
        case "calibrated":
            most = here.scene.lesson.n - 2
            _whole(here, index, 0, "T: smallest set of other points", 0, most)


def _whole(here: Desk, index: Index, place: int, label: str, low: int, high: int) -> None:
    key = state.key_for(f"learn-{index.family}-{place}", [str(high)])
    st.number_input(
        label,
        min_value=low,
        max_value=high,
        step=1,
        key=state.pinned(key, int(index.numbers[place])),
        on_change=lambda: _number(here, index, place, key),
    )


def _choose(here: Desk, family: str | None) -> None:
    if family is not None:
        here.change(index=Index(family, _USUAL.get(family, ())).name)


def _number(here: Desk, index: Index, place: int, key: str) -> None:
    value = state.widget_value(key)
    if value is not None:
        numbers = list(index.numbers)
        numbers[place] = Fraction(value)
        here.change(index=Index(index.family, tuple(numbers)).name)
