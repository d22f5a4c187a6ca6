"""The page of one point, from the list to the files."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
import streamlit as st

from stiknn_core.games import PairIndex
from stiknn_core.plane import Plane
from stiknn_core.ranked import RankedNeighbors
from stiknn_core.types import FloatArray
from stiknn_ui.asked.spec import ViewSpec
from stiknn_ui.blocks import shelf
from stiknn_ui.blocks.analysis import BlockAnalysis
from stiknn_ui.blocks.estimate import part_seconds
from stiknn_ui.page import frame, life, panels, plane_panel
from stiknn_ui.page.closely import look_at
from stiknn_ui.page.life import Task
from stiknn_ui.point import (
    choice,
    figures,
    head,
    partners,
    parts,
    support,
    targets,
    to_learn,
)
from stiknn_ui.point.ground import Ground, copies_of, ground_of, ranked_of
from stiknn_ui.point.split import Split, split_value
from stiknn_ui.point.tables import Partners, partners_of, split_table
from stiknn_ui.results import kept
from stiknn_ui.results.all_rows import AllRows
from stiknn_ui.results.analysis import Analysis
from stiknn_ui.uploads.shown import contents_of
from stiknn_ui.words import games, glossary, messages
from stiknn_ui.words.numbers import number
from stiknn_ui.work import shelves

_CHART: Final = {"displaylogo": False}
_FEW_ROWS: Final = 8
_TABLE_HEIGHT: Final = 320
_WAIT_ROW: Final = 4.0


def show(analysis: Analysis, view: ViewSpec) -> None:
    """Draw everything about the point in view, of a result with a matrix."""
    key = f"ranked|{analysis.key}"
    ranked: RankedNeighbors = shelves.derived().obtain(key, lambda: ranked_of(analysis))
    ground = ground_of(analysis, ranked)
    point = choice.settle(analysis.scope, analysis.n)
    # The picture is drawn first, into its later place: a click in it decides on the point.
    above, below, painted, further = (st.container() for _ in range(4))
    with painted:
        plane, point = _painted(analysis, view, point)
    found = partners_of(ground, point, ground.row(point))
    by, order = kept.ranked(analysis, view.rank_by)
    with above:
        choice.chooser(analysis, point, by, order)
        head.draw(analysis, point, found.copies)
        targets.draw(ground, analysis, point)
        to_learn.link(analysis, point)
        if contents_of(analysis).any:
            support.draw_near(analysis, point, "Its nearest points")
    with below:
        _pairs(ground, point, found)
    with further:
        parts.draw(ground, point, found, plane)


def show_row(rows: AllRows, blocks: BlockAnalysis | None, view: ViewSpec) -> None:
    """Draw everything about the point in view, where there are too many for a matrix.

    Parameters
    ----------
    rows : AllRows
    blocks : BlockAnalysis or None
        What answers for pairs; None as long as it is being computed.
    view : ViewSpec
    """
    point = choice.settle(rows.scope, rows.n)
    by, order = kept.ranked(rows, view.rank_by)
    choice.chooser(rows, point, by, order)
    head.draw(rows, point, copies_of(rows, point))
    to_learn.link(rows, point)
    support.draw(rows, point)
    if blocks is None:
        frame.draw()
        return
    support.near_button(blocks, point)
    ground = ground_of(blocks)
    row = _row(ground, point)
    if row is None:
        frame.draw()
        return
    targets.draw(ground, rows, point)
    _tested(rows, blocks, point)
    found = partners_of(ground, point, row)
    plane = shelf.plane_of(blocks, view.plane)[0]
    _pairs(ground, point, found)
    _painted_large(ground, point, found, plane)
    parts.draw(ground, point, found, plane)


def _row(ground: Ground, point: int) -> FloatArray | None:
    """Return the interactions of a point with all others; None, with progress, until then."""
    analysis = ground.analysis
    return life.obtain(
        Task(
            slot="point-row",
            key=f"point-row|{analysis.key}|{point}",
            make=lambda progress: ground.row(point, progress),
            shelf=shelves.derived,
            button="Compute its pairs",
            seconds=part_seconds(ground.ranked, analysis.n, 1),
            due=True,
            wait=_WAIT_ROW,
        )
    )


def _tested(rows: AllRows, blocks: BlockAnalysis, point: int) -> None:
    """Say which test points everything below is of, where these are not all."""
    if blocks.tests is not None:
        here, everywhere = (number(one.values[point], signed=True) for one in (blocks, rows))
        st.caption(
            f"Everything below is of {blocks.n_test:,} rows, drawn at random from every class, as "
            f"test points. By them its value is {here}; tested by every row it is {everywhere}."
        )


def _pairs(ground: Ground, point: int, found: Partners) -> None:
    made_of, others = st.columns(2, gap="large")
    with made_of:
        _made_of(ground, point, found)
    with others:
        partners.draw(ground, point, found)


def _made_of(ground: Ground, point: int, found: Partners) -> None:
    """Draw how the value comes about, and check on screen that it does."""
    analysis = ground.analysis
    index, value = analysis.given.index, float(analysis.values[point])
    split = split_value(found.row, value, point, analysis.codes, analysis.classes, index.family)
    st.markdown(
        "##### What its value is made of"
        if split.exact
        else f"##### Interactions by {analysis.group}"
    )
    st.plotly_chart(figures.waterfall(split), width="stretch", config=_CHART, key="point-split")
    st.markdown(messages.plain(check_line(split, index)))
    table = split_table(split)
    st.dataframe(
        table,
        hide_index=True,
        height="content" if len(table) <= _FEW_ROWS else _TABLE_HEIGHT,
        column_config={
            "points": st.column_config.NumberColumn(help="Other points of this class."),
            "mean": st.column_config.NumberColumn(
                format="%.3g", help=f"Mean interaction with one of them; {glossary.SIGNS}."
            ),
            "sum": st.column_config.NumberColumn(format="%.4g", help="Of all of them."),
            "adds": st.column_config.NumberColumn(
                "adds to the value",
                format="%.4g",
                help="What it earns alone in full, and half of every sum: the other half counts "
                "for the other points.",
            ),
        },
    )


def check_line(split: Split, index: PairIndex) -> str:
    """Say how the numbers add up, or why they are not expected to."""
    shared = split.interactions / 2
    if split.exact:
        off = abs(split.own + shared - split.value)
        return (
            f"{_six(split.own)} alone and {_six(shared)} from half of all interactions are "
            f"{_six(split.own + shared)}; its KNN-Shapley value is {_six(split.value)} "
            f"(they differ by {number(off)})."
        )
    kind = games.value_kind(index)
    return (
        f"With this index the diagonal of the matrix is the {kind} value itself, "
        f"{_six(split.value)}, so that nothing is left to be split by class: these are sums of "
        f"interactions ({_six(split.interactions)} in all), not parts of the value. Choose "
        "Shapley-Taylor above to split the value exactly."
    )


def _six(value: float) -> str:
    """Return a number with six digits, as many as it takes to see that a sum is right."""
    return f"{value:+.6g}".replace("-", "−")


def _painted(analysis: Analysis, view: ViewSpec, point: int) -> tuple[Plane, int]:
    """Draw matrix and scatter in the colour of the interaction with the point.

    Returned is what the scatter shows, and the point to look at: another one if it was clicked.
    """
    st.markdown("##### Its row of the matrix, painted on the plane")
    st.caption(
        "Blue points are its substitutes, orange ones its complements. Click another point to look "
        "at that one."
    )
    selection = panels.picture(
        analysis, replace(view, color_by="interaction"), name="point-view", height=420
    )
    point = choice.follow(analysis.scope, point, selection)
    if len(selection.points) != 1:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(
                f"{len(selection.points):,} points are selected: the colours are means over them.",
                width="content",
            )
            st.button(
                "Select the point again",
                key="point-again",
                on_click=look_at,
                args=(analysis.scope, point),
            )
    return plane_panel.drawn(analysis, view).plane, point


def _painted_large(ground: Ground, point: int, found: Partners, plane: Plane) -> None:
    analysis = ground.analysis
    amounts = found.row.copy()
    amounts[point] = 0.0  # what it earns alone is no interaction
    st.markdown("##### Its row of the matrix, painted on the plane")
    figure = figures.painted_plane(
        plane.xy,
        amounts,
        analysis.codes if analysis.targets is None else np.zeros_like(analysis.codes),
        ground.names,
        plane.axis_titles,
        [(ground.name(point), plane.xy[point])],
        what="interaction",
        equal_axes=plane.method == "columns",
    )
    st.plotly_chart(figure, width="stretch", config=_CHART, key="point-plane")
    st.caption("The 1,500 points that interact most with it, and evenly many of the others.")
