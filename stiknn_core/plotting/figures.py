"""Plotly figures of a result for notebooks: ``go.Figure`` out, nothing shown or written."""

from __future__ import annotations

import html
from typing import Any

import numpy as np
import plotly.graph_objects as go

from stiknn_core.errors import ParameterError, ShapeError
from stiknn_core.ordering import Order
from stiknn_core.plotting.palette import DIVERGING, class_color, class_symbol
from stiknn_core.results import Interactions
from stiknn_core.types import FloatArray

#: Cells along one side above which the matrix is averaged in blocks before it is drawn.
_MAX_CELLS = 512


def color_limit(matrix: FloatArray, quantile: float = 0.98) -> float:
    """Return the symmetric end of the colour range: a quantile of the size of the pairs.

    Parameters
    ----------
    matrix : (n, n) float64
        Interactions. The diagonal is left out: it is some 50 times larger.
    quantile : float, default 0.98
        In (0, 1].

    Returns
    -------
    float
        Positive, in units of utility; 1.0 where all pairs are zero.

    Raises
    ------
    ParameterError
        If ``quantile`` is outside (0, 1].
    """
    if not 0 < quantile <= 1:
        raise ParameterError(f"quantile must be above 0 and at most 1; got {quantile!r}.")
    pairs = np.abs(matrix[np.triu_indices(len(matrix), 1)])
    limit = float(np.quantile(pairs, quantile)) if pairs.size else 0.0
    return limit or float(pairs.max(initial=0.0)) or 1.0


def interaction_heatmap(
    result: Interactions, order: Order | None = None, *, quantile: float = 0.98
) -> go.Figure:
    """Draw the interaction matrix in an order, the diagonal blank and zero neutral.

    Parameters
    ----------
    result : Interactions
    order : Order, optional
        From `stiknn_core.ordering`; input order by default.
    quantile : float, default 0.98
        As in `color_limit`.

    Returns
    -------
    plotly.graph_objects.Figure
        Above 512 points the mean of blocks of cells is drawn, and the title says so.

    Raises
    ------
    ParameterError, ShapeError
        If ``quantile`` is out of range, or the order is of other points.
    """
    n = result.n_train
    positions = np.arange(n) if order is None else order.positions
    if len(positions) != n:
        raise ShapeError(f"The order must be of {n:,} points; got {len(positions):,}.")
    shown = result.matrix[np.ix_(positions, positions)]
    limit = color_limit(result.matrix, quantile)
    np.fill_diagonal(shown, np.nan)
    step = -(-n // _MAX_CELLS)
    title = f"{result.index}, k = {result.k}, {result.metric}, {result.evaluation}"
    if step > 1:
        shown = _block_means(shown, step)
        title += f" (mean of {step} × {step} points a cell)"
    figure = go.Figure(
        go.Heatmap(
            z=shown,
            zmin=-limit,
            zmax=limit,
            colorscale=[list(stop) for stop in DIVERGING],
            colorbar={"title": "interaction", "exponentformat": "e"},
        )
    )
    for block in () if order is None else order.blocks:
        for edge in (block.start / step - 0.5, block.stop / step - 0.5):
            figure.add_hline(edge, line_width=1, line_color="#666")
            figure.add_vline(edge, line_width=1, line_color="#666")
    figure.update_layout(title=title)
    figure.update_yaxes(autorange="reversed", scaleanchor="x", constrain="domain")
    figure.update_xaxes(constrain="domain")
    return figure


def _block_means(matrix: FloatArray, step: int) -> FloatArray:
    """Average step × step cells, leaving the blank diagonal out of the mean."""
    edges = np.arange(0, len(matrix), step)
    filled = np.nan_to_num(matrix)
    known = (~np.isnan(matrix)).astype(np.float64)
    total = np.add.reduceat(np.add.reduceat(filled, edges, 0), edges, 1)
    cells = np.add.reduceat(np.add.reduceat(known, edges, 0), edges, 1)
    return np.divide(total, cells, out=np.full_like(total, np.nan), where=cells > 0)


def class_scatter(xy: Any, result: Interactions, *, title: str = "") -> go.Figure:
    """Draw the points in a plane, class by colour and symbol, the value on hover.

    Parameters
    ----------
    xy : (n, 2) float
        Coordinates of the training points.
    result : Interactions
    title : str, optional

    Returns
    -------
    plotly.graph_objects.Figure

    Raises
    ------
    ShapeError
        If ``xy`` does not hold two coordinates for each training point.
    """
    plane = np.asarray(xy, dtype=np.float64)
    if plane.shape != (result.n_train, 2):
        raise ShapeError(f"xy must have shape ({result.n_train}, 2); got {plane.shape}.")
    figure = go.Figure()
    for code, name in enumerate(result.classes):
        rows = np.flatnonzero(result.labels == name)
        figure.add_scatter(
            x=plane[rows, 0],
            y=plane[rows, 1],
            mode="markers",
            name=html.escape(str(name)),
            marker={"color": class_color(code), "symbol": class_symbol(code)},
            customdata=rows,
            text=[
                f"{html.escape(str(result.ids[row]))}: value {result.values[row]:.3g}"
                for row in rows
            ],
            hoverinfo="text",
        )
    figure.update_layout(title=html.escape(title))
    return figure
