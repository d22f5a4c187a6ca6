"""Suspects: points ranked by how doubtful their label is, linked to the picture."""

from __future__ import annotations

import streamlit as st

from stiknn_ui import shell
from stiknn_ui.data import current
from stiknn_ui.page import controls, panels, runner, space
from stiknn_ui.visit import state
from stiknn_ui.words import messages

shell.begin("suspects")
with messages.guarded():
    dataset = current.dataset()
    controls.data_line()
    controls.compute_bar(dataset)
    space.switch()
    analysis = runner.obtain(dataset)
    if analysis is not None:
        controls.rank_control()
        st.page_link("pages/review.py", label="Review them one by one", icon=":material/rule:")
        view = state.settings().view
        panels.judged(analysis, view)
        if runner.settled(analysis):
            panels.downloads(analysis, view)
shell.keep_link("suspects")
