"""The forms of the data page: where the data come from and what is done to them."""

from __future__ import annotations

from typing import Final

import streamlit as st

from stiknn_core.datasets import ORIGINS
from stiknn_ui.asked.spec import MAX_GENERATED, MIN_POINTS
from stiknn_ui.data.paper_form import paper_form
from stiknn_ui.page.controls import choice
from stiknn_ui.uploads.forms import upload_form
from stiknn_ui.visit import state
from stiknn_ui.words import wording

_SOURCES: Final = {
    "generated": "Generate",
    "bundled": "Known data",
    "paper": "Paper's data sets",
    "upload": "Upload a file",
}


def source_choice() -> None:
    """Draw the choice of a source."""
    key = state.pinned("data-source", state.shown_source())
    st.segmented_control(
        "Where the data come from",
        list(_SOURCES),
        format_func=lambda source: _SOURCES[source],
        required=True,
        key=key,
        on_change=state.open_source,
        args=(key,),
        persist_state="session",
        label_visibility="collapsed",
    )


def source_form() -> None:
    """Draw the form of the source whose choice is shown."""
    match state.shown_source():
        case "generated":
            _generate_form()
        case "bundled":
            _bundled_form()
        case "paper":
            paper_form()
        case "upload":
            upload_form()


def _bundled_form() -> None:
    choice("Data set", "data", "name", wording.BUNDLED)
    for name, origin in ORIGINS.items():
        if name == state.settings().data.name:
            differs = f" As scikit-learn has it: {origin.remark}." if origin.remark else ""
            st.caption(
                f"[{origin.title}]({origin.address}), {origin.by}. {origin.keeper}, "
                f"{origin.licence}.{differs}"
            )


def _generate_form() -> None:
    choice("Shape", "data", "name", wording.GENERATORS)
    st.number_input(
        "Points",
        min_value=MIN_POINTS,
        max_value=MAX_GENERATED,
        step=50,
        help=wording.HELP["n"],
        **state.bound("data", "n"),
    )
    st.slider(
        "Spread",
        min_value=0.0,
        max_value=1.0,
        step=0.01,
        help=wording.HELP["noise"],
        **state.bound("data", "noise", shown=lambda noise: min(noise, 1.0)),
    )
    if state.settings().data.name in wording.MANY_CLASSES:
        st.number_input(
            "Classes",
            min_value=2,
            max_value=10,
            step=1,
            help=wording.HELP["n_classes"],
            **state.bound("data", "n_classes"),
        )
