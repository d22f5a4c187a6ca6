"""How far the files of a visitor are, on every page, with a Stop, and what came of them."""

from __future__ import annotations

from typing import Final

import streamlit as st

from stiknn_ui.uploads import session as upload_session
from stiknn_ui.uploads.desk import UploadDesk
from stiknn_ui.uploads.line import Reading, Use, readings
from stiknn_ui.visit import state
from stiknn_ui.words import messages
from stiknn_ui.work.queue import describe_place

# Seconds from one look to the next, and how many more for each file in line: dozens of visitors who
# look often would keep the server from all else, and so from showing what was read meanwhile.
_POLL: Final = 0.25
_POLL_FOR_EACH: Final = 0.15


def draw() -> None:
    """Take what has been read, show how far the rest is, and say what became of it."""
    with messages.guarded():
        upload_session.settle()
    here = state.desk(UploadDesk)
    with st.container(key="readings"):
        for use, reading in here.readings.items():
            line = readings()
            seconds = _POLL + _POLL_FOR_EACH * (line.running + line.waiting)
            st.fragment(_show, run_every=seconds)(use, reading)
        if here.told:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.info(messages.plain(here.told), icon=":material/upload_file:")
                st.button("Dismiss", key="readings-told", type="tertiary", on_click=_dismiss)


def _show(use: Use, reading: Reading) -> None:
    """Show how far one file is; the whole page runs again when it has been read."""
    if not reading.job.running:
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center", key=f"reading-{use}"):
        st.progress(reading.job.fraction, text=messages.plain(_line(reading)))
        st.button(
            "Stop",
            key=f"reading-{use}-stop",
            icon=":material/stop:",
            on_click=upload_session.stop,
            args=(use,),
        )


def _line(reading: Reading) -> str:
    place = reading.job.place
    if place is not None:
        return f"{reading.name}: {describe_place(place, 'file')}"
    done = f", {reading.job.fraction:.0%} done" if reading.job.fraction else ""
    return f"{reading.name}: {reading.stage or 'Reading the file'}{done}"


def _dismiss() -> None:
    state.desk(UploadDesk).told = ""
