"""The forms of the data page: where the data come from and what is done to them."""

from __future__ import annotations

from typing import Final

import streamlit as st

from stiknn_core.errors import StiknnError
from stiknn_ui import messages, state, wording
from stiknn_ui.controls import choice, percent
from stiknn_ui.sources import column_names
from stiknn_ui.spec import MAX_POINTS, MAX_SEED, MIN_POINTS

_SOURCES: Final = {
    "generated": "Generate",
    "bundled": "Known data",
    "upload": "Upload a CSV",
}
_MAX_UPLOAD_MB: Final = 50
_FILE_KEY: Final = "upload-file"
_LABEL_KEY: Final = "upload-label"


def source_form() -> None:
    """Draw the choice of a source and its form."""
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
    match state.shown_source():
        case "generated":
            _generate_form()
        case "bundled":
            choice("Data set", "data", "name", wording.BUNDLED)
        case "upload":
            _upload_form()


def noise_form() -> None:
    """Draw what is done to the data on purpose."""
    data = state.settings().data
    _share("Flipped labels", "flip", 50)
    if data.flip:
        choice("A flipped label becomes", "data", "flip_kind", wording.FLIP_KIND)
    with st.expander("Copies, outliers, fewer of a class"):
        _share("Copies", "copies", 50)
        _share("Outliers", "outliers", 50)
        if data.source == "generated":
            _share("Imbalance of classes", "imbalance", 95)
        else:
            _share("Remove from the last class", "thin", 95)
    st.number_input(
        "Seed",
        min_value=0,
        max_value=MAX_SEED,
        step=1,
        help=wording.HELP["seed"],
        **state.bound("data", "seed"),
    )


def _generate_form() -> None:
    choice("Shape", "data", "name", wording.GENERATORS)
    st.number_input(
        "Points",
        min_value=MIN_POINTS,
        max_value=MAX_POINTS,
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


def _upload_form() -> None:
    st.file_uploader(
        "A table with one row per point: numbers, and one column with the label",
        type=["csv", "txt"],
        max_upload_size=_MAX_UPLOAD_MB,
        key=_FILE_KEY,
        on_change=_receive_file,
        help="The file stays in the memory of this server, for this visit, and goes nowhere else.",
    )
    here = state.session()
    if isinstance(here.upload_error, StiknnError):
        messages.show_error(here.upload_error)
    elif here.upload_error is not None:
        messages.show_unexpected(here.upload_error)
    if here.upload_error is not None:
        st.caption("The data from before are still in use.")
    if here.upload is not None:
        names = column_names(here.upload.content)
        chosen = here.upload.label if here.upload.label in names else None
        st.selectbox(
            "Column with the label",
            [None, *names],
            format_func=lambda name: "Chosen for you" if name is None else name,
            key=state.pinned(_LABEL_KEY, chosen),
            on_change=_read_again,
            persist_state="session",
            help="The app looks for 'label', 'class', 'target' or 'y', else takes the last column.",
        )


def _receive_file() -> None:
    file = state.widget_value(_FILE_KEY)
    if file is not None:
        state.receive_upload(file.name, file.getvalue())


def _read_again() -> None:
    upload = state.session().upload
    if upload is not None:
        state.receive_upload(upload.name, upload.content, state.widget_value(_LABEL_KEY))


def _share(label: str, name: str, most: int) -> None:
    st.slider(
        label,
        min_value=0,
        max_value=most,
        step=1,
        format="%d %%",
        help=wording.HELP[name],
        **percent("data", name),
    )
