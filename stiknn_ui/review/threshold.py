"""Which points are flagged: a line through the distribution of a score."""

from __future__ import annotations

from functools import partial
from typing import Final

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from stiknn_core.scores import SCORES
from stiknn_core.types import FloatArray
from stiknn_ui.asked.spec import RankBy
from stiknn_ui.review.queue import Flags, flags_for
from stiknn_ui.review.remembered import ReviewDesk
from stiknn_ui.review.subject import Subject
from stiknn_ui.visit import state
from stiknn_ui.words import messages

_BINS: Final = 40
_FLAGGED: Final = "#E69F00"
_OTHERS: Final = "#7F95A8"
_LINE: Final[dict[RankBy, str]] = {
    "quality": "At first as many are flagged as have another class suggested.",
    "value": "Below 0 a point does harm: without it the others would be right more often.",
    "in_out": "Below 0 a point is more redundant with other classes than with its own.",
    "row": "Below 0 a row looks more like another class than like its own.",
    "rarity": "Nothing is flagged at first: a rare label is no wrong label.",
}


def draw(subject: Subject, by: RankBy) -> Flags:
    """Draw the histogram and the slider of a score; return where the line is."""
    scores = subject.scores[by]
    name = f"threshold-{subject.side}-{by}-{subject.analysis.digest}"
    doubted = int((subject.suggested != np.array(subject.given, dtype=object)).sum())
    flags = flags_for(by, scores, state.desk(ReviewDesk).thresholds.get(name), doubted=doubted)
    figure = histogram_of(scores, flags, SCORES[by].title)
    config = {"displayModeBar": False}
    st.plotly_chart(figure, width="stretch", config=config, key="score-histogram")
    st.slider(
        "Flag below",
        min_value=flags.low,
        max_value=flags.high,
        step=flags.step,
        format=f"%.{flags.decimals}f",
        key=state.pinned(name, flags.threshold),
        on_change=partial(_keep, name),
        persist_state="session",
        help=f"{_LINE[by]} At the left end nothing is flagged, at the right end everything.",
    )
    st.markdown(messages.plain(count_line(scores, flags)))
    return flags


def count_line(scores: FloatArray, flags: Flags) -> str:
    """Say how many points are flagged."""
    flagged = int(flags.of(scores).sum())
    line = f"{flags.threshold:.{flags.decimals}f}"
    if not flagged:
        return f"No point is flagged: none lies below {line}. Move the line to the right."
    if flagged == len(scores):
        return f"All {len(scores):,} points are flagged."
    return f"{flagged:,} of {len(scores):,} points lie below {line} and are flagged."


def histogram_of(scores: FloatArray, flags: Flags, title: str) -> go.Figure:
    """Return how the scores are spread, flagged and other points in two colours."""
    edges = np.linspace(min(flags.low, scores.min()), max(flags.high, scores.max()), _BINS + 1)
    middle, width = (edges[:-1] + edges[1:]) / 2, edges[1] - edges[0]
    flagged = flags.of(scores)
    figure = go.Figure()
    for name, here, color in (("flagged", flagged, _FLAGGED), ("others", ~flagged, _OTHERS)):
        counts, _ = np.histogram(scores[here], edges)
        figure.add_bar(x=middle, y=counts, width=width, name=name, marker_color=color)
    figure.add_vline(x=flags.threshold, line={"width": 2, "color": "#D55E00"})
    figure.update_layout(
        barmode="stack",
        height=170,
        bargap=0,
        margin={"l": 0, "r": 0, "t": 4, "b": 0},
        showlegend=False,
        xaxis={"title": title, "fixedrange": True, "range": [edges[0], edges[-1]]},
        yaxis={"title": "points", "fixedrange": True},
    )
    return figure


def _keep(name: str) -> None:
    value = state.widget_value(name)
    if value is not None:
        state.desk(ReviewDesk).thresholds[name] = float(value)
