"""Suspects: points ranked by how doubtful their label is, linked to the picture."""

from __future__ import annotations

import streamlit as st

from stiknn_ui import controls, messages, panels, runner, shell, state

shell.begin("suspects")
with messages.guarded():
    dataset = runner.current_dataset()
    controls.data_line()
    controls.compute_bar(dataset)
    analysis = runner.obtain(dataset)
    if analysis is not None:
        controls.rank_control()
        view = state.settings().view
        # The picture is drawn first, into the second place: a click in it ticks rows above.
        table, below = st.container(), st.container()
        with below:
            selection = panels.picture(analysis, view, name="explore-view", height=420)
        with table:
            panels.score_line(analysis, view)
            panels.suspects(analysis, view, selection)
        panels.selection_summary(analysis, selection)
        panels.downloads(analysis, view)
shell.keep_link("suspects")
