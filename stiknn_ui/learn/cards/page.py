"""The lesson on the page: the card in view, and the ways on behind the last one."""

from __future__ import annotations

from typing import Final

import streamlit as st

from stiknn_ui.frontend.parts import send_code
from stiknn_ui.learn import bench, component
from stiknn_ui.learn.cards import bridge, payload, puzzle_page, ways
from stiknn_ui.learn.cards.course import Course
from stiknn_ui.learn.cards.deck import deck
from stiknn_ui.page import address
from stiknn_ui.visit import state
from stiknn_ui.words import messages

_TITLES: Final = {"lesson": "Lesson", "puzzles": "Puzzles", "play": "Free play"}


def course() -> Course:
    """Return the visitor's course, made on the first call."""
    return state.desk(Course)


def show() -> bool:
    """Draw the choice of mode, then lesson or puzzle; return whether free play is to follow."""
    here, board = course(), bench.desk()
    here.arrive(st.query_params.to_dict(), board)
    mode = here.at.mode
    with st.container(
        horizontal=True, vertical_alignment="center", gap="xsmall", key="learn-mode-row"
    ):
        st.segmented_control(
            "Learn by",
            list(_TITLES),
            format_func=lambda name: _TITLES[name],
            required=True,
            label_visibility="collapsed",
            key=state.pinned("learn-mode", mode),
            on_change=lambda: here.switch(state.widget_value("learn-mode"), board),
        )
        if mode == "lesson":
            address.copy_link(own=here.address(board))
        else:
            if mode == "play":
                bench.moves(here.address(board))
                bench.files()
            bridge.button()
    if here.notice:
        st.warning(messages.plain(here.notice), icon=":material/info:")
    if mode == "lesson":
        _lesson(here)
    elif mode == "puzzles":
        puzzle_page.show(here)
    return mode == "play"


def keep_link() -> None:
    """Bring the address bar up to date."""
    address.write_own(course().address(bench.desk()))


def _lesson(here: Course) -> None:
    with st.container(gap=None):
        send_code()
        component.show("card", payload.card(here), "press", here.take)
    if here.at.card >= len(deck()) - 1:
        ways.on(here)
