"""The page of a link whose file is not there: which one it needs, and where to put it."""

from __future__ import annotations

import streamlit as st

from stiknn_ui.uploads import forms, tab
from stiknn_ui.uploads import session as upload_session
from stiknn_ui.uploads.desk import UploadDesk
from stiknn_ui.uploads.tab import TabDesk
from stiknn_ui.visit import state
from stiknn_ui.words import messages

_FILE_KEY = "upload-awaited"


def draw() -> None:
    """Ask for the file, once the tab is known not to have one here."""
    name = messages.plain(state.desk(TabDesk).awaited or state.settings().data.name)
    if tab.looking():
        st.caption(f"Looking for {name} …")
        return
    here = state.desk(UploadDesk)
    with st.container(border=True, key="awaited"):
        st.markdown(f"**This link needs the file {name}.** Its settings are here already.")
        if here.draft is not None:
            st.page_link(
                "pages/data.py", label="Answer the question about it", icon=":material/help:"
            )
            return
        st.file_uploader(f"Upload {name} again", key=_FILE_KEY, on_change=_receive)
        if here.trouble is not None:
            forms.tell(here.trouble.error)
        st.caption(
            "Uploaded data never go into a link. They are kept for their own browser tab, and "
            "only for a while."
        )
        st.page_link("pages/data.py", label="Use other data", icon=":material/table:")


@messages.guarded()
def _receive() -> None:
    file = state.widget_value(_FILE_KEY)
    if file is None:
        return
    upload_session.receive(file.name, file.getvalue(), state.desk(TabDesk).awaited)
