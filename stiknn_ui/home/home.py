"""The words of the first page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import streamlit as st

from stiknn_ui.home import gallery
from stiknn_ui.home.examples import HOME
from stiknn_ui.page import reading
from stiknn_ui.uploads import session as upload_session
from stiknn_ui.uploads.desk import UploadDesk
from stiknn_ui.visit import state
from stiknn_ui.words import glossary, messages

_QUESTION: Final = "### Which training points compete, and which labels are wrong?"

_COLOURS: Final = f"""
Each cell is a pair of points. :blue-badge[Blue] substitutes: {glossary.inside("substitutes")}
:orange-badge[Orange] complements: {glossary.inside("complements")}
A line that breaks its block is often a **wrong label**; rings mark the labels flipped here.
"""

_EXPLANATION: Final = f"""
Above are two moons of 75 points each; one label in ten was changed on purpose. Rows and columns
are sorted by class. **Click a block** and its points light up in the scatter; click or lasso points
and their rows and columns light up in the matrix.

A k-nearest-neighbour classifier asks the k closest training points for their labels. This
dashboard computes, exactly, how much every **pair** of training points matters together. The
stronger the colour, the more so; a faint cell is {glossary.inside("faint")}
"""


_FILE_KEY: Final = "home-file"
_STYLE: Final = """
<style>
.st-key-home-file button[data-testid^="stBaseButton-secondary"] {
  background: light-dark(#6A4AC7, #A48CF2); border-color: transparent;
  color: light-dark(#FFFFFF, #12151D);
}
.st-key-home-file section { padding: 0.5rem; min-height: 0; }
</style>
"""


@dataclass
class _HomeDesk:
    """Whether a file has come that nobody was led to yet."""

    came: bool = False


def introduction() -> None:
    """Say what the picture shows, and offer to look at one's own data first of all."""
    said, beside = st.columns([5, 1], vertical_alignment="center", gap="medium")
    said.markdown(_QUESTION + "\n" + _COLOURS)
    with beside:
        st.html(_STYLE)
        st.file_uploader("**Use my data**", key=_FILE_KEY, on_change=_receive, width="stretch")
    _go_on()


@messages.guarded()
def _receive() -> None:
    file = state.widget_value(_FILE_KEY)
    if file is not None:
        upload_session.receive(file.name, file.getvalue())
        state.desk(_HomeDesk).came = True


def _go_on() -> None:
    """Lead to the picture of a file that has come, or to what is asked about it."""
    here, uploaded = state.desk(_HomeDesk), state.desk(UploadDesk)
    if not here.came or "data" in uploaded.readings:
        return
    here.came = False
    if uploaded.taken_on != "home":
        return  # stopped, or read while the visitor was elsewhere
    if uploaded.draft is None and uploaded.trouble is None:
        st.switch_page("pages/explore.py")
    state.open_form("upload")
    st.switch_page("pages/data.py")


def explanation() -> None:
    """Say more of it, below the picture, and open it where all can be changed."""
    with st.container(horizontal=True):
        if st.button("Open this example on Explore", key="open-home", icon=":material/grid_on:"):
            gallery.open_example(HOME)
            st.switch_page("pages/explore.py")
        reading.glossary_button()
    st.markdown(_EXPLANATION)


def next_steps() -> None:
    """Say where to go from here."""
    st.markdown("### What next?")
    steps = (
        ("pages/explore.py", "Explore", ":material/grid_on:", "Change k, sort the matrix, zoom."),
        ("pages/suspects.py", "Suspects", ":material/flag:", "See which labels look wrong."),
        ("pages/review.py", "Review", ":material/rule:", "Decide on each, take a corrected file."),
        ("pages/data.py", "Data", ":material/upload:", "Upload a table, or generate one."),
    )
    for column, (script, label, icon, what) in zip(st.columns(len(steps)), steps, strict=True):
        with column, st.container(border=True):
            st.page_link(script, label=f"**{label}**", icon=icon)
            st.caption(what)
