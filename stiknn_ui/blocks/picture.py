"""A part of the matrix on the page: where one is, the picture, and what is selected in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import streamlit as st

from stiknn_core.ordering import Order
from stiknn_core.phrases import counted
from stiknn_core.plane import Plane
from stiknn_core.types import IntArray
from stiknn_ui.asked.spec import ViewSpec
from stiknn_ui.blocks import content, runner, shelf
from stiknn_ui.blocks.analysis import BlockAnalysis
from stiknn_ui.blocks.desk import BlockDesk
from stiknn_ui.blocks.levels import N_NEAR, Level, PairsPart, Part, level_of, near_level
from stiknn_ui.blocks.selected import as_points, as_units
from stiknn_ui.linked_view.component import linked_view
from stiknn_ui.page import frame, hover, panels
from stiknn_ui.results import describe, drawing
from stiknn_ui.results.contents import Contents
from stiknn_ui.results.result import Result
from stiknn_ui.uploads.shown import contents_of
from stiknn_ui.visit import state
from stiknn_ui.words import games, messages
from stiknn_view.options import ViewOptions
from stiknn_view.packing import ViewContent
from stiknn_view.selection import Selection

_VIEW: Final = "blocks-view"


@dataclass(frozen=True, eq=False)
class Shown:
    """What is on the page of a matrix that is looked at in parts.

    Attributes
    ----------
    analysis : BlockAnalysis
    told : Result
        That single points are read from; see `shelf.told_of`.
    part : PairsPart or BlocksPart
    order : Order
        Of its rows.
    plane : Plane
    chosen : Selection
        Point ids.
    units : Selection
        The rows of the matrix that hold any of them.
    """

    analysis: BlockAnalysis
    told: Result
    part: Part
    order: Order
    plane: Plane
    chosen: Selection
    units: Selection


def draw(
    analysis: BlockAnalysis,
    view: ViewSpec,
    *,
    marked: IntArray | None = None,
    height: int = panels.LEAST_HEIGHT,
) -> Shown | None:
    """Draw the way through the levels, the part that is looked at, and what is to be said of it.

    Parameters
    ----------
    analysis : BlockAnalysis
    view : ViewSpec
    marked : (m,) int64, optional
        Points that are marked in the picture.
    height : int
        Least pixels of each plot.

    Returns
    -------
    Shown or None
        None, with the progress and the frame, until the part has been computed.
    """
    desk = state.desk(BlockDesk)
    level = desk.level(analysis)
    row = st.container(horizontal=True, vertical_alignment="center", gap="small", key="levels")
    with row:
        _trail(analysis.scope, desk.levels)
    part = runner.obtain_part(analysis, level, view)
    if part is None:
        frame.draw()
        return None
    told = shelf.told_of(analysis)
    plane, text, notices = shelf.plane_of(analysis, view.plane)
    if isinstance(part, PairsPart):
        order = shelf.order_pairs(analysis, part, view.order, plane, text)
    else:
        order = content.units_order(part)
    unknown = state.arrive(analysis.scope, analysis.n)
    drawn = shelf.picture_of(analysis, part, view.order, plane, text, told)
    line = describe.result_line(analysis, order, plane)
    cut = shelf.part_key(analysis, part.level, view.order, text)
    held = state.enter(_VIEW, analysis.scope, f"|{part.level.digest}|{cut}")
    marks = None if marked is None else content.marks_of(part, marked, plane)
    contents, rows, beside = _contents(analysis, part)
    reported = linked_view(
        drawn,
        order=order,
        selection=as_units(part, held),
        options=ViewOptions(
            index=games.index_line(analysis.given.index),
            color_by=analysis.colored(view.color_by),
            range_quantile=view.range_quantile,
            show_changed=view.show_changed and analysis.truth_known,
            height=height,
            caption=f"{line} · {part.level.title}",
            marks=marks,
        ),
        key=_VIEW,
        shown=beside,
    )
    hover.pictures(contents, rows, beside, _VIEW)
    newer = reported is not None and reported.seq > held.seq
    chosen = state.take(analysis.scope, as_points(part, reported) if newer else None)
    st.caption(messages.plain(line))
    if marked is not None:
        st.caption(
            f"× marks each of the {len(marked):,} most suspicious rows; circles on the diagonal of "
            "the matrix grow with how many of them a block holds."
        )
    gone = [f"{counted(unknown, 'point')} that the link selects: not among these data."]
    said = [*gone[: bool(unknown)], *_tested(analysis, told), *analysis.notices]
    messages.show_notices([*said, *notices, *order.notices])
    shown = Shown(analysis, told, part, order, plane, chosen, as_units(part, chosen))
    with row:
        _open_button(shown)
        _near_button(shown)
    return shown


def _contents(analysis: BlockAnalysis, part: Part) -> tuple[Contents, IntArray, ViewContent | None]:
    """Return what rows say and show, the rows of the dots, and what the mouse shows of them."""
    if analysis.fixed_order is not None:  # a store holds numbers alone
        return Contents(analysis.dataset), analysis.rows[:0], None
    contents = contents_of(analysis)
    rows = analysis.rows[content.dots_of(analysis, part)]
    name = f"{analysis.scope}|{part.level.digest}"
    return contents, rows, drawing.shown_of(contents, name, rows)


def _tested(analysis: BlockAnalysis, told: Result) -> list[str]:
    """Say which test points there are where some were drawn."""
    if analysis.tests is None:
        return []
    said = (
        f"{analysis.n_test:,} of the {analysis.n:,} rows, drawn at random from every class, are "
        "the test points of the pairs in this picture, each tested by all the other rows."
    )
    if told is analysis:
        return [f"{said} So are those of single points here; Suspects tests with every row."]
    return [f"{said} Values and label quality of single points are tested by every row."]


def _trail(scope: str, levels: tuple[Level, ...]) -> None:
    """Draw the way back: one button for each level above."""
    for depth, level in enumerate(levels):
        last = depth == len(levels) - 1
        if depth:
            st.markdown(":material/chevron_right:", width="content")
        st.button(
            messages.plain(level.title),
            key=f"level-{depth}",
            type="tertiary",
            disabled=last,
            on_click=_back,
            args=(scope, depth),
            help=None if last else "Back to these points",
        )


def _back(scope: str, depth: int) -> None:
    """Look at an earlier level again, with what was opened there selected unless anything is."""
    desk = state.desk(BlockDesk)
    if not state.selected(scope):
        points = tuple(desk.levels[depth + 1].points.tolist())
        state.take(scope, Selection(points, points, "table", state.next_seq()))
    desk.back_to(depth)


def _open_button(shown: Shown) -> None:
    """Offer to look at what is selected more closely."""
    part = shown.part
    if isinstance(part, PairsPart):
        return
    places = part.level.places_of(shown.chosen.points)
    level = level_of(shown.analysis, part.level.points[places]) if len(places) else part.level
    usable = 2 <= len(places) < len(part.level.points)
    how = "single pairs" if level.as_pairs else "finer blocks"
    st.button(
        f"Open {len(places):,} points as {how}" if usable else "Open the selection",
        key="open-part",
        type="primary" if usable else "secondary",
        icon=":material/zoom_in:",
        disabled=not usable,
        on_click=_open,
        args=(shown.analysis.scope, level),
        help="Computes this part exactly: all other points stay in the game, they are only not "
        "drawn.",
    )


def _open(scope: str, level: Level) -> None:
    """Look at what was selected; as all of it would be lit, nothing is."""
    state.desk(BlockDesk).open(level)
    state.take(scope, Selection(origin="clear", seq=state.next_seq()))


def _near_button(shown: Shown) -> None:
    """Offer the one row that is selected among those nearest to it."""
    points = shown.chosen.points
    if shown.analysis.fixed_order is not None:
        return  # a store knows of no distances
    st.button(
        f"This row among its {min(N_NEAR, shown.analysis.n):,} nearest, as single pairs",
        key="open-near",
        icon=":material/filter_center_focus:",
        disabled=len(points) != 1,
        on_click=_open_near,
        args=(shown.analysis, points[0] if points else 0),
        help="Select or tick one row first.",
    )


@messages.guarded()
def _open_near(analysis: BlockAnalysis, point: int) -> None:
    state.desk(BlockDesk).open(near_level(analysis, point))
