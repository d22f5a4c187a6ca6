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
from stiknn_ui.uploads.files import sample_files
from stiknn_ui.visit import state
from stiknn_ui.words import glossary, messages

_QUESTION: Final = "### Which training points compete, and which labels are wrong?"

_COLOURS: Final = f"""
Each cell is a pair of points. :blue-badge[Blue] substitutes: {glossary.inside("substitutes")}
:orange-badge[Orange] complements: {glossary.inside("complements")}
A line that breaks its block may be a **wrong label**; here most are, and rings mark the flipped
ones.
"""

_EXPLANATION: Final = f"""
Above are two moons of 75 points each; one label in ten was changed on purpose. Rows and columns
are sorted by class. **Click a block** and its points light up in the scatter; click or lasso points
and their rows and columns light up in the matrix.

A k-nearest-neighbour classifier asks the k closest training points for their labels. This
dashboard computes, exactly, how much each of every **pair** of training points changes what the
other adds. The stronger the colour, the more; a faint cell is {glossary.inside("faint")}
"""


_FILE_KEY: Final = "home-file"
# Files of sample_data/ that are no tables of numbers: title, icon, and what is in them.
_SAMPLES: Final = {
    "messages.csv": (
        "Texts",
        ":material/notes:",
        "400 short messages in four topics, 32 of them under a wrong one. Neighbours share words.",
    ),
    "digits_wrong.zip": (
        "Pictures",
        ":material/image:",
        "400 handwritten digits, a folder for each; 24 lie in a wrong one. Point at one to see it.",
    ),
    "message_vectors.jsonl": (
        "Embeddings",
        ":material/data_array:",
        "The same messages as a list of 32 numbers each, the form that embeddings come in.",
    ),
}
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


def samples() -> None:
    """Offer the files of texts, pictures and embeddings, each opened as one's own would be."""
    files = sample_files()
    offered = {name: told for name, told in _SAMPLES.items() if name in files}
    if not offered:
        return
    st.markdown("### Texts, pictures, embeddings: three files to clean")
    for column, (name, (title, icon, what)) in zip(
        st.columns(len(offered)), offered.items(), strict=True
    ):
        with column, st.container(border=True, height="stretch", key=f"sample-{title.lower()}"):
            st.markdown(f"**{icon} {title}**")
            st.caption(what)
            st.button(
                f"Open {name}",
                key=f"open-{name}",
                icon=":material/upload_file:",
                on_click=_open_sample,
                args=(name,),
            )


@messages.guarded()
def _open_sample(name: str) -> None:
    path = sample_files().get(name)
    if path is not None:
        upload_session.receive(name, path.read_bytes())
        state.desk(_HomeDesk).came = True


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
