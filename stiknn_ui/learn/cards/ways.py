"""Where the lesson leads on: puzzles, points of one's own, and Explore."""

from __future__ import annotations

from typing import Final

import streamlit as st

from stiknn_ui.asked.spec import DataSpec
from stiknn_ui.learn import bench
from stiknn_ui.learn.cards.columns import MEAN
from stiknn_ui.learn.cards.course import Course
from stiknn_ui.learn.scene import Scene
from stiknn_ui.visit import state

_MANY: Final = DataSpec(name="moons", n=200, noise=0.2, flip=0.0)
_EXPLORE: Final = "pages/explore.py"


def on(here: Course) -> None:
    """Draw the ways on."""
    board = bench.desk()
    with st.container(horizontal=True, key="learn-ways"):
        if st.button("A matrix of 200 points", icon=":material/grid_on:", help=_HELP):
            state.use_data(_MANY)
            st.switch_page(_EXPLORE)
        st.page_link("pages/theorem.py", label="The proof", icon=":material/lightbulb:")
        st.button(
            "Puzzles", icon=":material/extension:", on_click=here.switch, args=("puzzles", board)
        )
        st.button(
            "Free play with these points",
            icon=":material/draw:",
            on_click=_play,
            args=(here,),
        )


_HELP: Final = (
    "Two half moons on Explore, k = 5. Each point is a test point for all others, and the "
    "matrix is the mean; the question mark there explains the colours."
)


def _play(here: Course) -> None:
    board = bench.desk()
    board.show(Scene(MEAN, taken=len(MEAN.tests)))
    here.switch("play", board)
