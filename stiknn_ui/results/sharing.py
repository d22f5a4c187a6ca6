"""The linked view of a result as one file to give away. Pure: no streamlit."""

from __future__ import annotations

from typing import Final

from stiknn_core.ordering.order import OrderName
from stiknn_ui.asked.spec import ViewSpec
from stiknn_ui.results import describe, drawing
from stiknn_ui.results.analysis import Analysis
from stiknn_ui.words import games
from stiknn_view.options import ViewOptions
from stiknn_view.page import page
from stiknn_view.scene import Scene, held_line

HEIGHT: Final = 360
"""Least pixels of each plot in the file."""
ORDERS: Final[tuple[OrderName, ...]] = ("class", "value", "cluster", "input")
_MOST_CLUSTERED: Final = 2_000  # of more points that order takes seconds


def scene_of(analysis: Analysis, view: ViewSpec) -> Scene:
    """Return what a file of its own shows of a result, as it stands on the page."""
    drawn = drawing.drawn_of(analysis, view.plane)
    orders = {
        name: drawing.order_of(analysis, name, drawn)
        for name in ORDERS
        if name in ("class", "value", "input", view.order) or analysis.n <= _MOST_CLUSTERED
    }
    line = describe.result_line(analysis, orders[view.order], drawn.plane)
    options = ViewOptions(
        index=games.index_line(analysis.given.index),
        color_by=analysis.colored(view.color_by),
        range_quantile=view.range_quantile,
        show_changed=view.show_changed and analysis.truth_known,
        height=HEIGHT,
        caption=line,
    )
    told = (line, analysis.remark, held_line(analysis.n))
    return Scene(
        drawing.content_of(analysis, drawn),
        tuple(orders.values()),
        view.order,
        options,
        title=f"Interactions between the points of {analysis.data.name}",
        lines=tuple(one for one in told if one),
    )


def shared_page(analysis: Analysis, view: ViewSpec) -> str:
    """Return the file: HTML that needs no server; see `stiknn_view.page.page`."""
    return page(scene_of(analysis, view))
