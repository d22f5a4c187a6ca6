"""The block view on the page: where one is, the picture, and what is selected in it."""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from stiknn_core.ordering import Order
from stiknn_core.plane import Plane
from stiknn_core.ranked import RankedNeighbors
from stiknn_core.types import Dataset, IntArray
from stiknn_ui.asked.selection import Selection
from stiknn_ui.asked.spec import ViewSpec
from stiknn_ui.blocks import content, exports, runner, shelf
from stiknn_ui.blocks.analysis import BlockAnalysis
from stiknn_ui.blocks.desk import BlockDesk
from stiknn_ui.blocks.levels import BlocksPart, Level, PairsPart, Part, level_of
from stiknn_ui.blocks.summary import summarise_blocks
from stiknn_ui.linked_view import ViewOptions, linked_view
from stiknn_ui.page import controls, frame, panels, usual_tests
from stiknn_ui.page.closely import closely_button
from stiknn_ui.page.download import download
from stiknn_ui.results import describe
from stiknn_ui.results.exports import file_name
from stiknn_ui.results.summary import Pair, summarise
from stiknn_ui.visit import state
from stiknn_ui.words import messages
from stiknn_ui.words.numbers import number

_VIEW = "blocks-view"
_HINT = (
    "Nothing is selected. Click a block of the matrix or a point of the scatter, or drag over "
    "either. What you select is summed up here, and **Open** shows it in more detail, down to "
    "single pairs."
)
_PAIRS_HINT = "Nothing is selected. These are single pairs, as in a small data set."


def explored(dataset: Dataset, view: ViewSpec, news: DeltaGenerator) -> None:
    """Draw everything below the controls for data with too many points for one matrix.

    Parameters
    ----------
    dataset : Dataset
    view : ViewSpec
    news : DeltaGenerator
        Where progress goes.
    """
    with news:
        analysis = runner.obtain(dataset)
    if analysis is None:
        frame.draw()
        return
    _part(analysis, view)


def stored(name: str) -> None:
    """Draw a matrix that was computed elsewhere."""
    analysis = shelf.stored_analysis(name)
    controls.picture_bar()
    _part(analysis, state.settings().view)


@st.fragment
def _part(analysis: BlockAnalysis, view: ViewSpec) -> None:
    """Draw the part that is looked at; a selection runs this again and nothing else."""
    with messages.guarded():
        desk = state.desk(BlockDesk)
        level = desk.level(analysis)
        row = st.container(horizontal=True, vertical_alignment="center", gap="small", key="levels")
        with row:
            _trail(desk.levels)
        part = runner.obtain_part(analysis, level, view)
        if part is None:
            frame.draw()
            return
        plane, text, notices = shelf.plane_of(analysis, view.plane)
        order = _order(analysis, part, view, plane, text)
        selection = _picture(analysis, part, order, view, plane, text)
        messages.show_notices(
            [*usual_tests.notice(analysis), *analysis.notices, *notices, *order.notices]
        )
        with row:
            _open_button(analysis, part, selection)
        _summary(analysis, part, selection)
        _downloads(analysis, part, order, plane)


def _trail(levels: tuple[Level, ...]) -> None:
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
            on_click=state.desk(BlockDesk).back_to,
            args=(depth,),
            help=None if last else "Back to these points",
        )


def _order(
    analysis: BlockAnalysis, part: Part, view: ViewSpec, plane: Plane, plane_text: str
) -> Order:
    if isinstance(part, PairsPart):
        return shelf.order_pairs(analysis, part, view.order, plane, plane_text)
    return content.units_order(part)


def _picture(
    analysis: BlockAnalysis,
    part: Part,
    order: Order,
    view: ViewSpec,
    plane: Plane,
    plane_text: str,
) -> Selection:
    """Draw matrix and scatter of a part; return what is selected in them."""
    line = describe.result_line(analysis, order, plane)
    cut = "pairs"
    if isinstance(part, BlocksPart):
        cut = shelf.part_key(analysis, part.level, view.order, plane_text)
    scope = f"{analysis.scope}|{part.level.digest}|{cut}"
    reported = linked_view(
        shelf.picture_of(analysis, part, view.order, plane, plane_text),
        order=order,
        selection=state.enter(_VIEW, scope),
        options=ViewOptions(
            index=analysis.compute.index,
            color_by=view.color_by,
            range_quantile=view.range_quantile,
            show_changed=view.show_changed and analysis.truth_known,
            height=panels.LEAST_HEIGHT,
            caption=f"{line} · {part.level.title}",
        ),
        key=_VIEW,
    )
    st.caption(messages.plain(line))
    return state.take(scope, reported)


def _open_button(analysis: BlockAnalysis, part: Part, selection: Selection) -> None:
    """Offer to look at what is selected more closely."""
    if isinstance(part, PairsPart):
        return
    points = part.members(selection.points)
    level = level_of(analysis, points) if selection else part.level
    usable = bool(selection) and 2 <= len(points) < len(part.level.points)
    how = "single pairs" if level.as_pairs else "finer blocks"
    st.button(
        f"Open {len(points):,} points as {how}" if usable else "Open the selection",
        key="open-part",
        type="primary" if usable else "secondary",
        icon=":material/zoom_in:",
        disabled=not usable,
        on_click=state.desk(BlockDesk).open,
        args=(level,),
        help="Computes this part exactly: all other points stay in the game, they are only not "
        "drawn.",
    )


def _summary(analysis: BlockAnalysis, part: Part, selection: Selection) -> None:
    if not selection:
        st.markdown(_HINT if isinstance(part, BlocksPart) else _PAIRS_HINT)
        return
    points = part.level.points
    if isinstance(part, PairsPart):
        found = summarise(selection, part.matrix, analysis.codes[points], analysis.classes)
        panels.show_summary(found, partial(_pair_row, analysis, part))
        _closely(analysis, points[list(selection.points)])
        return
    codes = analysis.codes[points[part.firsts]]
    sums, sizes = part.blocks.sums, part.units.sizes
    blocks = summarise_blocks(selection, sums, sizes, codes, analysis.classes)
    panels.show_summary(blocks, partial(_block_row, part))
    _closely(analysis, part.members(selection.points))


def _closely(analysis: BlockAnalysis, points: IntArray) -> None:
    """Offer the page of the most suspicious of some points; a store knows of no single ones."""
    if not isinstance(analysis.ranked, RankedNeighbors):
        return
    point = int(points[np.argmin(analysis.support.quality[points])])
    (name,) = analysis.names(points[points == point])
    label = f"Look closely at {name}, the most suspicious of them" if len(points) > 1 else ""
    closely_button(analysis.scope, point, name, key="look-closely", label=label)


def _pair_row(analysis: BlockAnalysis, part: PairsPart, pair: Pair) -> dict[str, object]:
    points = part.level.points[[pair.first, pair.second]]
    first, second = analysis.names(points)
    one, other = (analysis.classes[code] for code in analysis.codes[points])
    return {
        "id": first,
        "class": one,
        "with id": second,
        "of class": other,
        "interaction": number(pair.value, signed=True),
    }


def _block_row(part: BlocksPart, pair: Pair) -> dict[str, object]:
    one, other = (part.units.blocks[unit] for unit in (pair.first, pair.second))
    return {
        "block": one.label,
        "points": one.stop - one.start,
        "with block": other.label,
        "of points": other.stop - other.start,
        "interaction": number(pair.value, signed=True),
    }


def _downloads(analysis: BlockAnalysis, part: Part, order: Order, plane: Plane) -> None:
    """Offer the numbers of this part as files."""
    with st.container(horizontal=True, key="downloads"):
        for label, kind, make in (
            (
                "Matrix (CSV)" if isinstance(part, PairsPart) else "Block means (CSV)",
                "matrix" if isinstance(part, PairsPart) else "blocks",
                partial(exports.matrix_csv, analysis, part, order, plane),
            ),
            ("Points (CSV)", "points", partial(exports.points_csv, analysis, part, order, plane)),
        ):
            download(label, make, file_name(kind, analysis, order), kind)
