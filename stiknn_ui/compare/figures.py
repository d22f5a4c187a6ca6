"""Plotly figures of a comparison; readable on light and on dark ground. Pure."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Final

import numpy as np
import plotly.graph_objects as go

from stiknn_core.comparing.agreement import Agreement
from stiknn_core.comparing.sweep import KSweep
from stiknn_core.plotting.palette import class_color, class_symbol
from stiknn_core.types import FloatArray
from stiknn_ui.compare.comparison import Cloud
from stiknn_ui.compare.errors import ErrorSummary
from stiknn_ui.compare.matching import Common, named
from stiknn_ui.results.analysis import Analysis

# Shown on either ground: a violet that fades, a grey line, and an orange one.
_FADING: Final = [[0.0, "rgba(106,74,199,0.10)"], [0.5, "rgba(106,74,199,0.55)"], [1.0, "#6A4AC7"]]
_IDENTITY: Final = {"color": "#8A93A6", "width": 1.5, "dash": "dot"}
_FIT: Final = {"color": "#E07B1A", "width": 2}
_LINES: Final = ("#3D86C6", "#E07B1A", "#8A93A6")
_MARGIN: Final = {"l": 10, "r": 10, "t": 10, "b": 10}
_MOST_DOTS: Final = 3_000
# Low = far apart, high = alike; each shows on its ground.
_ALIKE: Final = [[0.0, "#3b528b"], [0.5, "#21918c"], [1.0, "#d8d219"]]


def pairs_figure(cloud: Cloud, pairs: Agreement) -> go.Figure:
    """Draw the pairs of B against those of A: dots where they are few, else how many there are."""
    figure = go.Figure()
    if cloud.counts.size:
        counts = cloud.counts.astype(float)
        shade = np.where(counts > 0, np.log10(np.maximum(counts, 1.0)), np.nan)
        middles = [(edges[:-1] + edges[1:]) / 2 for edges in (cloud.edges_a, cloud.edges_b)]
        figure.add_heatmap(
            x=middles[0],
            y=middles[1],
            z=shade,
            customdata=counts,
            colorscale=_FADING,
            showscale=False,
            hovertemplate="A %{x:.3g}, B %{y:.3g}: %{customdata:,.0f} pairs<extra></extra>",
        )
        x_range, y_range = ((edges[0], edges[-1]) for edges in (cloud.edges_a, cloud.edges_b))
    else:
        figure.add_scatter(
            x=cloud.a,
            y=cloud.b,
            mode="markers",
            marker={"size": 5, "color": "#6A4AC7", "opacity": 0.5},
            hovertemplate="A %{x:.3g}, B %{y:.3g}<extra></extra>",
            showlegend=False,
        )
        x_range, y_range = _range(cloud.a), _range(cloud.b)
    return _against(figure, "interaction", x_range, y_range, pairs)


def values_figure(a: Analysis, b: Analysis, common: Common, values: Agreement) -> go.Figure:
    """Draw each common point by its value in A and in B, class by colour and symbol."""
    figure = go.Figure()
    codes = a.codes[common.in_a]
    x, y = a.values[common.in_a], b.values[common.in_b]
    for code, name in enumerate(a.classes):
        here = np.flatnonzero(codes == code)
        kind = go.Scattergl if common.n > _MOST_DOTS else go.Scatter
        figure.add_trace(
            kind(
                x=x[here],
                y=y[here],
                mode="markers",
                name=html.escape(f"{a.group} {name}"),
                marker={
                    "size": 7,
                    "opacity": 0.75,
                    "color": class_color(code),
                    "symbol": class_symbol(code),
                },
                text=[
                    html.escape(f"point {named(a, point)}") for point in common.in_a[here].tolist()
                ],
                hovertemplate="%{text}: A %{x:.3g}, B %{y:.3g}<extra></extra>",
            )
        )
    return _against(figure, "value", _range(x), _range(y), values)


def sweep_heatmap(sweep: KSweep, marks: Sequence[tuple[str, int]]) -> go.Figure:
    """Draw how alike the matrices of all k are, and where on it the sides with their k stand."""
    ks = [str(k) for k in sweep.ks]
    figure = go.Figure(
        go.Heatmap(
            x=ks,
            y=ks,
            z=sweep.correlation,
            zmax=1.0,
            colorscale=_ALIKE,
            colorbar={"title": {"text": "r"}, "thickness": 12},
            hovertemplate="k = %{y} and k = %{x}: r = %{z:.3f}<extra></extra>",
        )
    )
    for side, k in marks:
        figure.add_annotation(
            x=ks.index(str(k)),
            y=ks.index(str(k)),
            text=f"<b>{side}</b>",
            showarrow=False,
            font={"color": "#1D2230"},
        )
    figure.update_xaxes(title="k", type="category", constrain="domain", nticks=12)
    figure.update_yaxes(title="k", type="category", scaleanchor="x", constrain="domain", nticks=12)
    return _laid_out(figure, 420)


def sweep_curves(sweep: KSweep, k: int) -> go.Figure:
    """Draw the correlation of every k with ``k``, of pairs and of values."""
    here = int(np.flatnonzero(sweep.ks == k)[0])
    figure = go.Figure()
    for name, table, color in (
        ("pairs", sweep.correlation, _LINES[0]),
        ("values", sweep.value_correlation, _LINES[1]),
    ):
        figure.add_scatter(
            x=sweep.ks,
            y=table[here],
            mode="lines+markers",
            name=name,
            line={"color": color},
            hovertemplate="k = %{x}: r = %{y:.3f}<extra>" + name + "</extra>",
        )
    figure.add_vline(x=k, line=_IDENTITY)
    figure.update_xaxes(title="k", rangemode="tozero")
    figure.update_yaxes(title=f"correlation with k = {k}")
    return _laid_out(figure, 250)


def spread_curve(sweep: KSweep) -> go.Figure:
    """Draw the spread of the pairs times k, which a fall as 1/k would make flat."""
    figure = go.Figure(
        go.Scatter(
            x=sweep.ks,
            y=sweep.spread * sweep.ks,
            mode="lines+markers",
            line={"color": _LINES[0]},
            customdata=sweep.spread,
            hovertemplate="k = %{x}: spread %{customdata:.3g}, times k %{y:.3g}<extra></extra>",
        )
    )
    figure.update_xaxes(title="k", rangemode="tozero")
    figure.update_yaxes(title="spread of pairs × k", rangemode="tozero")
    return _laid_out(figure, 220)


def errors_figure(found: ErrorSummary) -> go.Figure:
    """Draw the correlation to expect against the number of test points, and what was measured."""
    figure = go.Figure()
    n_test, needed = found.whole.n_test, found.whole.needed()
    most = 4.0 * n_test
    if np.isfinite(needed):
        most = min(max(most, 1.5 * needed), 200.0 * n_test)
    counts = np.unique(np.round(np.geomspace(2, most, 60)))
    figure.add_scatter(
        x=counts,
        y=[found.whole.expected_correlation(float(count)) for count in counts],
        mode="lines",
        name="expected",
        line={"color": _LINES[0], "width": 2},
        hovertemplate="%{x:,.0f} test points: r = %{y:.3f}<extra>expected</extra>",
    )
    means = np.nanmean(found.halves.correlations, axis=1)
    figure.add_scatter(
        x=found.halves.sizes,
        y=means,
        mode="markers",
        name="measured, drawn apart",
        marker={"size": 9, "color": _LINES[1]},
        error_y={
            "type": "data",
            "symmetric": False,
            "array": np.nanmax(found.halves.correlations, axis=1) - means,
            "arrayminus": means - np.nanmin(found.halves.correlations, axis=1),
        },
        hovertemplate="two sets of %{x:,.0f}: r = %{y:.3f} on average<extra></extra>",
    )
    figure.add_hline(y=0.95, line=_IDENTITY)
    figure.add_vline(x=n_test, line=_IDENTITY)
    figure.update_xaxes(title="test points of each matrix", type="log", dtick="D2")
    figure.update_yaxes(title="correlation of two matrices", range=[min(0.0, means.min()), 1.02])
    return _laid_out(figure, 360)


def _against(
    figure: go.Figure,
    what: str,
    x_range: tuple[float, float],
    y_range: tuple[float, float],
    fit: Agreement,
) -> go.Figure:
    """Lay out a picture of B against A, with the lines on which both are equal, and that fits."""
    ends = np.array(x_range)
    figure.add_scatter(x=ends, y=ends, mode="lines", name="A = B", line=_IDENTITY, hoverinfo="skip")
    if np.isfinite(fit.slope):
        figure.add_scatter(
            x=ends,
            y=fit.intercept + fit.slope * ends,
            mode="lines",
            name="best line",
            line=_FIT,
            hoverinfo="skip",
        )
    figure.update_xaxes(range=x_range, title=f"{what} in A")
    figure.update_yaxes(range=y_range, title=f"{what} in B")
    return _laid_out(figure, 440)


def _laid_out(figure: go.Figure, height: int) -> go.Figure:
    legend = {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0}
    figure.update_layout(height=height, margin=_MARGIN, legend=legend)
    figure.update_xaxes(automargin=True, exponentformat="power")
    figure.update_yaxes(automargin=True, exponentformat="power")
    return figure


def _range(numbers: FloatArray) -> tuple[float, float]:
    low, high = (float(numbers.min()), float(numbers.max())) if len(numbers) else (0.0, 1.0)
    room = 0.04 * (high - low) or 0.5 * (abs(high) or 1.0)
    return low - room, high + room
