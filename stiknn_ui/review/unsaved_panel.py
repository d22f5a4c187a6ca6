"""What stands on every page for as long as decisions are not on the disk."""

from __future__ import annotations

from functools import partial
from typing import Final

import streamlit as st

from stiknn_core.phrases import counted
from stiknn_ui.page.download import download
from stiknn_ui.review import desk
from stiknn_ui.review.exports import unsaved_csv
from stiknn_ui.words import messages

LOOK: Final = 2.0
"""Seconds from one look to the next whether they are saved by now."""
KEY: Final = "unsaved"


def warn() -> None:
    """Say how many decisions are not saved and why, and offer them as a file."""
    if desk.unsaved() is not None:
        _watched()


@st.fragment(run_every=LOOK)
def _watched() -> None:
    found = desk.unsaved()
    if found is None:
        st.rerun()
    told = (
        f"{counted(found.count, 'decision is', 'decisions are')} not saved. {found.trouble} "
        "Until then this server holds them in memory, counts them as usual, and tries again every "
        "few seconds; they are lost if it is stopped."
    )
    with st.container(horizontal=True, vertical_alignment="center", key=KEY):
        st.warning(messages.plain(told), icon=":material/save:")
        make = partial(unsaved_csv, found.steps)
        download("Unsaved decisions (CSV)", make, "unsaved-decisions.csv", KEY)
