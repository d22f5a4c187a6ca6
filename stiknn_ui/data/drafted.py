"""The Data page while a file of one's own is on its way: asked about, unreadable, or still to come.

What is shown then is the new file or nothing, never the data from before.
"""

from __future__ import annotations

import streamlit as st

from stiknn_ui.data import preview
from stiknn_ui.results.contents import Contents, columns_of
from stiknn_ui.uploads import session as upload_session
from stiknn_ui.uploads.columns import columns_panel
from stiknn_ui.uploads.desk import UploadDesk
from stiknn_ui.uploads.tab import TabDesk
from stiknn_ui.visit import state
from stiknn_ui.words import messages


def waiting() -> str:
    """Return what has to be done before there are data of the open form; empty if there are."""
    if state.shown_source() != "upload":
        return ""
    here = state.desk(UploadDesk)
    if here.trouble is not None:
        return "The file could not be read: choose another way, or another file."
    if here.draft is not None:
        return "Answer the question about the new file first."
    if here.upload is not None:
        return ""
    if "data" in here.readings:
        return "The file is being read."
    needed = state.desk(TabDesk).awaited
    return f"This link needs the file {needed}: add it first." if needed else "Choose a file first."


def columns() -> None:
    """Draw what the columns of the open upload are used for."""
    if state.shown_source() == "upload" and state.desk(UploadDesk).trouble is None:
        columns_panel()


def show() -> None:
    """Draw the file that is asked about: as the data set it would be, else its cells."""
    here = state.desk(UploadDesk)
    if here.draft is None or here.trouble is not None:
        st.caption("What is read from your file is shown here.")
        return
    found = upload_session.draft_dataset()
    if found is not None:
        st.caption(messages.plain(f"{here.draft.file.name} as it will be, once you say so:"))
        messages.show_notices(found.notices)
        columns = columns_of(here.draft.table, here.draft.uses)
        preview.show(found, Contents(found, columns, here.draft.table), draft=True)
        return
    st.caption(messages.plain(f"{here.draft.file.name}, as it stands in the file:"))
    preview.show_cells(here.draft.table.cells)


def explore_link(waiting: str) -> None:
    """Draw the way on to the picture, which waits for an open question."""
    label, icon = "Explore these data", ":material/arrow_forward:"
    if not waiting:
        st.page_link("pages/explore.py", label=label, icon=icon)
        return
    st.button(label, key="explore-waits", icon=icon, type="tertiary", disabled=True)
    st.caption(messages.plain(waiting))
