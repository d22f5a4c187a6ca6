"""What the test points around a row say of its measured target, drawn."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from stiknn_core.labels.targets import TargetSupport
from stiknn_core.types import FloatArray
from stiknn_ui.point.ground import Ground
from stiknn_ui.results.doubt import TargetDoubt
from stiknn_ui.results.result import Result
from stiknn_ui.work import shelves

_BINS = 40
_SAID, _GIVEN, _BETWEEN = "#5fa886", "#d81b60", "rgba(138, 138, 138, 0.22)"
_MIDDLE = "#e69f00"
"""Seen on the bars, and on either ground."""


def draw(ground: Ground, rows: Result, point: int) -> None:
    """Draw the distribution, where labels are measured and any test point says something."""
    doubt = rows.doubt
    if not isinstance(doubt, TargetDoubt) or np.isnan(doubt.said.suggested[point]):
        return
    key = f"point|target|{point}|{ground.analysis.key}"
    weights: FloatArray = shelves.derived().obtain(key, lambda: ground.ranked.target_weights(point))
    st.markdown("##### What its neighbours say of its target")
    told = ground.analysis.dataset.y[ground.test_rows]
    figure = distribution(doubt.said, point, told, weights)
    st.plotly_chart(figure, width="stretch", config={"displaylogo": False}, key="point-target")
    share = f"{doubt.said.coverage:.0%}"
    st.caption(
        "Each test point says its own target, the nearer the louder. Dashed orange: their weighted "
        f"median, which is suggested; shaded: where {share} of the weight lies. Red: the given "
        "target."
    )


def distribution(
    said: TargetSupport, point: int, told: FloatArray, weights: FloatArray
) -> go.Figure:
    """Return the histogram of what test points say, by weight, with the given target marked.

    Parameters
    ----------
    said : TargetSupport
    point : int
    told, weights : (t,) float64
        Target of each test point, and its weight for this point.
    """
    total = float(weights.sum()) or 1.0
    counts, edges = np.histogram(told, bins=_BINS, weights=weights / total)
    figure = go.Figure(
        go.Bar(
            x=(edges[:-1] + edges[1:]) / 2,
            y=counts,
            width=np.diff(edges),
            marker={"color": _SAID, "line_width": 0},
            hovertemplate="around %{x:.4g}: %{y:.1%}<extra></extra>",
        )
    )
    low, middle, high, given = (
        float(one[point]) for one in (said.low, said.suggested, said.high, said.targets)
    )
    figure.add_vrect(low, high, fillcolor=_BETWEEN, line_width=0, layer="below")
    figure.add_vline(middle, line={"width": 2, "dash": "dash", "color": _MIDDLE})
    figure.add_vline(given, line={"width": 2, "color": _GIVEN})
    figure.update_layout(
        height=230,
        bargap=0,
        margin={"l": 10, "r": 10, "t": 10, "b": 10},
        xaxis_title="target",
        yaxis={"title": "share of the weight", "tickformat": ".0%"},
    )
    return figure
