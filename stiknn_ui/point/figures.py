"""The pictures of one point: its value as a waterfall, parts as bars and on the plane. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from html import escape
from typing import Final

import numpy as np
import plotly.graph_objects as go

from stiknn_core.plotting.palette import class_symbol
from stiknn_core.types import FloatArray, IntArray
from stiknn_ui.point.split import Split, strongest
from stiknn_ui.words.numbers import number

# Readable on white and on black; the ends of the diverging scale are not.
_UP: Final = "#e07b1a"
_DOWN: Final = "#3d86c6"
_TOTAL: Final = "#8a8a8a"
_MARK: Final = "#7b61ff"
# What hardly counts is faint on either ground.
_SCALE: Final = [[0.0, _DOWN], [0.5, "rgba(138, 138, 138, 0.2)"], [1.0, _UP]]
_MOST_CLASSES: Final = 12
_MOST_BARS: Final = 600
_MOST_DOTS: Final = 3_000
_WEBGL_FROM: Final = 1_500


def _hints(told: Sequence[str], amounts: FloatArray, shown: IntArray) -> list[str]:
    """Return what stands at the mouse: a name and its number."""
    return [f"{escape(told[one])}: {number(amounts[one], signed=True)}" for one in shown.tolist()]


def waterfall(split: Split) -> go.Figure:
    """Draw how the own term and the halves of the interactions add up to the value.

    Where the split is not exact, the sums of the interactions by class are drawn side by side.
    """
    shares, rest = strongest(split, _MOST_CLASSES)
    drawn = [*shares, *([rest] if rest is not None else [])]
    names = [f"with {escape(share.name)}" + (" (own)" if share.own else "") for share in drawn]
    if split.exact:
        names = ["alone", *names, "value"]
        sizes = [split.own, *(share.half for share in drawn), split.value]
        reached = [0.0, *np.cumsum(sizes[:-1]).tolist()]
        bars = go.Waterfall(
            measure=["relative", *["relative"] * len(drawn), "total"],
            increasing={"marker": {"color": _UP}},
            decreasing={"marker": {"color": _DOWN}},
            totals={"marker": {"color": _TOTAL}},
            connector={"line": {"width": 1, "color": _TOTAL}},
        )
    else:
        sizes = [share.total for share in drawn]
        reached = [0.0, *sizes]
        bars = go.Bar(marker={"color": _colors(sizes)})
    bars.update(
        orientation="h",
        x=sizes,
        y=names,
        text=[number(size, signed=True) for size in sizes],
        textposition="auto",
        hovertemplate="%{y}: %{text}<extra></extra>",
    )
    figure = go.Figure(bars)
    figure.update_yaxes(autorange="reversed", type="category")
    # Room for the numbers beside short bars: on a phone too, where names leave little of it.
    low, high = min(reached), max(reached)
    room = 0.18 * (high - low or 1.0)
    low -= 1.3 * room if split.exact else 0.0  # where the bars get short
    figure.update_xaxes(exponentformat="e", zeroline=True, range=[low - room, high + room])
    return _laid_out(figure, 90 + 34 * (len(drawn) + 2))


def sorted_parts(parts: FloatArray, told: Sequence[str]) -> go.Figure:
    """Draw the parts of all test points as bars, the largest first, with what is told of each.

    Of more than 600 test points, evenly many from the largest to the smallest are drawn.
    """
    order = np.argsort(-parts, kind="stable")
    places = np.arange(len(order))
    if len(order) > _MOST_BARS:
        places = np.unique(np.linspace(0, len(order) - 1, _MOST_BARS).astype(np.int64))
    shown = order[places]
    figure = go.Figure(
        go.Bar(
            x=places + 1,
            y=parts[shown],
            marker={"color": _colors(parts[shown]), "line_width": 0},
            width=max(1.0, len(order) / max(1, len(places))),
            text=[
                f"{escape(told[one])}: {number(parts[one], signed=True)}" for one in shown.tolist()
            ],
            textposition="none",
            hovertemplate="%{text}<extra></extra>",
        )
    )
    figure.add_hline(float(parts.mean()), line={"width": 1, "dash": "dash", "color": _MARK})
    figure.update_layout(
        xaxis_title="test points, the largest part first", yaxis_title="part", bargap=0
    )
    figure.update_yaxes(exponentformat="e")
    return _laid_out(figure, 400)


def painted_plane(
    xy: FloatArray,
    amounts: FloatArray,
    codes: IntArray,
    told: Callable[[IntArray], list[str]],
    titles: tuple[str, str],
    marks: Sequence[tuple[str, FloatArray]],
    *,
    what: str,
    equal_axes: bool,
) -> go.Figure:
    """Draw points in the plane in the colour of an amount, some of them marked.

    Parameters
    ----------
    xy : (m, 2) float64
    amounts : (m,) float64
        Negative is blue, positive orange, 0 neutral.
    codes : (m,) int64
        Class of each, for its symbol; -1 for a class that training lacks.
    told : callable
        Returns what to say of some of them on hover.
    titles : tuple of 2 str
    marks : sequence of (str, (2,) float64)
        Name and place of each marked point; the first is a star, others are diamonds.
    what : str
        What the colour means.
    equal_axes : bool
        Whether a unit is equally long on both axes.

    Returns
    -------
    go.Figure
        Of more than 3,000 points, those with the largest amounts and evenly many others.
    """
    shown = np.arange(len(xy))
    if len(shown) > _MOST_DOTS:
        strong = np.argsort(-np.abs(amounts), kind="stable")[: _MOST_DOTS // 2]
        even = np.linspace(0, len(xy) - 1, _MOST_DOTS // 2).astype(np.int64)
        shown = np.union1d(strong, even)
    # The strongest on top.
    shown = shown[np.argsort(np.abs(amounts[shown]), kind="stable")]
    limit = float(np.quantile(np.abs(amounts), 0.98)) or float(np.abs(amounts).max()) or 1.0
    kind = go.Scattergl if len(shown) > _WEBGL_FROM else go.Scatter
    figure = go.Figure(
        kind(
            x=xy[shown, 0],
            y=xy[shown, 1],
            mode="markers",
            marker={
                "size": 8,
                "symbol": [class_symbol(int(codes[one])) for one in shown],
                "color": amounts[shown],
                "cmin": -limit,
                "cmax": limit,
                "colorscale": _SCALE,
                "colorbar": {"title": {"text": what, "side": "top"}, "exponentformat": "e"},
                "line": {"width": 0.7, "color": _TOTAL},
            },
            text=[
                f"{escape(name)}: {number(amount, signed=True)}"
                for name, amount in zip(told(shown), amounts[shown].tolist(), strict=True)
            ],
            hovertemplate="%{text}<extra></extra>",
            showlegend=False,
        )
    )
    for place, (name, at) in enumerate(marks):
        figure.add_scatter(
            x=[at[0]],
            y=[at[1]],
            mode="markers",
            name=escape(name),
            text=[escape(name)],  # in a template, "%{" would begin a number
            hovertemplate="%{text}<extra></extra>",
            marker={
                "size": 16,
                "symbol": "diamond" if place else "star",
                "color": _MARK,
                "line": {"width": 1.5, "color": "white"},
            },
        )
    figure.update_layout(
        xaxis_title=escape(titles[0]),
        yaxis={"title": escape(titles[1]), "scaleanchor": "x" if equal_axes else None},
        legend={"orientation": "h", "y": 1.1},
    )
    return _laid_out(figure, 400)


def _colors(amounts: Iterable[float]) -> list[str]:
    return [_UP if amount > 0 else _DOWN for amount in amounts]


def _laid_out(figure: go.Figure, height: int) -> go.Figure:
    figure.update_layout(height=height, margin={"l": 10, "r": 10, "t": 20, "b": 10})
    return figure
