"""Suspects, for data with too many points for one matrix: table and picture of blocks."""

from __future__ import annotations

from typing import Final

import streamlit as st

from stiknn_ui.asked.spec import ViewSpec
from stiknn_ui.blocks import panel, picture
from stiknn_ui.blocks.analysis import BlockAnalysis
from stiknn_ui.page import frame, panels
from stiknn_ui.results import kept
from stiknn_ui.results.all_rows import AllRows
from stiknn_ui.visit import state
from stiknn_ui.words import messages
from stiknn_view.options import MIN_HEIGHT

N_MARKED: Final = 500
"""The most suspicious rows, so many of them, are marked in the picture."""


@st.fragment
def suspected(rows: AllRows, analysis: BlockAnalysis | None, view: ViewSpec) -> None:
    """Draw the ranked table of all rows, the picture, and what is selected in either.

    Parameters
    ----------
    rows : AllRows
    analysis : BlockAnalysis or None
        None as long as the picture is being computed.
    view : ViewSpec
    """
    with messages.guarded():
        panels.score_line(rows, view)
        with st.container(key="beside"):
            table, drawn = st.columns([2, 3])
        shown = None
        # The picture is drawn first: a click in it ticks rows beside it.
        with drawn:
            if analysis is None:
                frame.draw()
            else:
                _, ranking = kept.ranked(rows, view.rank_by)
                marked = ranking[: min(N_MARKED, rows.n // 10)]
                shown = picture.draw(analysis, view, marked=marked, height=MIN_HEIGHT)
        with table:
            panels.suspects(rows, view, state.selected(rows.scope))
        if shown is not None:
            panel.summary(shown)
