"""What a file of one's own still asks, in one line beside the controls of every page."""

from __future__ import annotations

import streamlit as st

from stiknn_core.phrases import counted
from stiknn_ui.uploads.desk import UploadDesk
from stiknn_ui.uploads.table import unread_columns
from stiknn_ui.visit import state
from stiknn_ui.words import messages


def file_note() -> None:
    """Lead to Data where a file waits for an answer, or columns of numbers were not read.

    Below the picture, where all is told of the data, nobody sees it before they trust the picture.
    """
    said, more = _note()
    if not said:
        return
    with st.container(key="file-note", width="content"):
        st.page_link(
            "pages/data.py",
            label=messages.plain(said),
            icon=":material/help:",
            help=messages.plain(more),
        )


def _note() -> tuple[str, str]:
    here = state.desk(UploadDesk)
    if here.draft is not None:
        name = here.draft.file.name
        return (
            "Your new file waits for an answer",
            f"{name}: answer on Data what is asked about it.",
        )
    if here.upload is None or state.settings().data.source != "upload":
        return "", ""
    count, which = unread_columns(here.upload)
    if not count:
        return "", ""
    return (
        f"{counted(count, 'column')} not read as numbers",
        f"Left out: {which}. Data is where to say how they are read.",
    )
