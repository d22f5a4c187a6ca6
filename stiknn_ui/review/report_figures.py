"""The pictures of a review's report. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from stiknn_core.plane import Plane
from stiknn_core.plotting.palette import class_color, class_symbol
from stiknn_core.sampling import stratified_positions
from stiknn_core.types import AnyArray, IntArray
from stiknn_ui.results.doubt import label_told
from stiknn_ui.results.result import Result

MOST_DOTS: Final = 5_000
"""Training points that the report draws at most."""


def drawn_points(analysis: Result, labels: AnyArray, removed: NDArray[np.bool_]) -> IntArray:
    """Return which training points are drawn, sorted: of very many a sample, changed ones first."""
    if analysis.n <= MOST_DOTS:
        return np.arange(analysis.n)
    rows = analysis.rows
    changed = np.flatnonzero((labels[rows] != analysis.dataset.y[rows]) | removed[rows])
    rng = np.random.default_rng(0)
    if len(changed) > MOST_DOTS // 2:
        changed = rng.choice(changed, MOST_DOTS // 2, replace=False)
    others = stratified_positions(analysis.codes, MOST_DOTS - len(changed), seed=0)
    return np.union1d(changed, others)


def scatter_of(
    analysis: Result,
    plane: Plane,
    labels: AnyArray,
    removed: NDArray[np.bool_],
    points: IntArray,
) -> go.Figure:
    """Draw training points by their label now; changed ones are ringed, removed ones crossed.

    ``labels`` and ``removed`` are those of all rows of the data set, from ``desk.corrected``.
    """
    rows, xy = analysis.rows[points], plane.xy[points]
    now = np.array([str(label) for label in labels[rows].tolist()], dtype=object)
    given = np.array(analysis.classes, dtype=object)[analysis.codes[points]]
    told_given, told_now = given, now
    if analysis.targets is not None:  # drawn by the band that they were given in
        told_given = np.array(
            [label_told(one) for one in analysis.dataset.y[rows].tolist()], object
        )
        told_now = np.array([label_told(one) for one in labels[rows].tolist()], object)
        now = given
    gone = removed[rows]
    changed = (told_now != told_given) & ~gone
    fresh = sorted(set(now.tolist()) - set(analysis.classes))
    names = np.array([escape(name) for name in analysis.names(points)], dtype=object)
    figure = go.Figure()
    for code, name in enumerate([*analysis.classes, *fresh]):
        here = (now == name) & ~gone
        if here.any():
            marker = {"color": class_color(code), "symbol": class_symbol(code), "size": 7}
            _add(figure, xy[here], escape(name), marker, names[here].tolist())
    rings = {"color": "#c2185b", "symbol": "circle-open", "size": 14, "line": {"width": 2}}
    told = [f"{escape(old)} → {escape(new)}" for old, new in zip(told_given, told_now, strict=True)]
    crosses = {"color": "#555555", "symbol": "x-thin-open", "size": 10, "line": {"width": 2}}
    for name, here, marker, hint in (
        ("relabelled", changed, rings, told),
        ("removed", gone, crosses, ["removed"] * len(rows)),
    ):
        if here.any():
            hover = [f"{names[place]}: {hint[place]}" for place in np.flatnonzero(here)]
            _add(figure, xy[here], name, marker, hover)
    titles = [escape(title) for title in plane.axis_titles]
    figure.update_layout(
        legend={"orientation": "h", "y": 1.06}, xaxis_title=titles[0], yaxis_title=titles[1]
    )
    return for_report(figure, 480)


def for_report(figure: go.Figure, height: int) -> go.Figure:
    """Give a figure the looks that the page gives it elsewhere, and room for its axes."""
    figure.update_layout(
        template="plotly_white", height=height, margin={"l": 60, "r": 20, "t": 30, "b": 50}
    )
    figure.update_xaxes(zeroline=False)
    figure.update_yaxes(zeroline=False)
    return figure


def _add(
    figure: go.Figure,
    xy: AnyArray,
    name: str,
    marker: dict[str, object],
    hover: Sequence[str],
) -> None:
    figure.add_scatter(
        x=xy[:, 0], y=xy[:, 1], mode="markers", name=name, marker=marker, text=hover,
        hoverinfo="text+name",
    )  # fmt: skip
