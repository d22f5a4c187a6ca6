"""Explore, for data with too many points for one matrix: the picture, and what is selected."""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from stiknn_core.ranked import RankedNeighbors
from stiknn_core.types import Dataset, IntArray
from stiknn_ui.asked.spec import ViewSpec
from stiknn_ui.blocks import exports, picture, runner, shelf
from stiknn_ui.blocks.analysis import BlockAnalysis
from stiknn_ui.blocks.levels import BlocksPart, PairsPart
from stiknn_ui.blocks.picture import Shown
from stiknn_ui.blocks.selected import is_whole
from stiknn_ui.blocks.summary import summarise_blocks
from stiknn_ui.page import controls, frame, panels, strip
from stiknn_ui.page.closely import closely_button
from stiknn_ui.page.download import download
from stiknn_ui.results.exports import file_name
from stiknn_ui.results.summary import Pair, summarise
from stiknn_ui.visit import state
from stiknn_ui.words import games, messages
from stiknn_ui.words.numbers import number

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
        shown = picture.draw(analysis, view)
        if shown is not None:
            summary(shown)
            _downloads(shown)


def summary(shown: Shown) -> None:
    """Say what the selection amounts to: in pairs of points, or in means of blocks."""
    analysis, part, units = shown.analysis, shown.part, shown.units
    if not units:
        st.markdown(_HINT if isinstance(part, BlocksPart) else _PAIRS_HINT)
        return
    points, unit = part.level.points, games.unit(analysis.given.score)
    chosen = points[part.level.places_of(shown.chosen.points)]
    if analysis.fixed_order is None:
        strip.selected(analysis, chosen.tolist(), truth=state.settings().view.show_changed)
    if isinstance(part, PairsPart):
        codes, group = analysis.codes[points], analysis.group
        found = summarise(units, part.matrix, codes, analysis.classes, group=group)
        panels.show_summary(found, partial(_pair_row, analysis, part), unit)
    elif is_whole(part, shown.chosen, units):
        codes = analysis.codes[points[part.firsts]]
        sums, sizes = part.blocks.sums, part.units.sizes
        group, names = analysis.group, analysis.classes
        blocks = summarise_blocks(units, sums, sizes, codes, names, group=group)
        panels.show_summary(blocks, partial(_block_row, part), unit)
    else:
        n, lit = len(chosen), len(units.points)
        st.markdown(
            f"**Selection.** {n:,} {'row' if n == 1 else 'rows'} of the "
            f"{'block' if lit == 1 else f'{lit:,} blocks'} lit in the picture."
        )
    _closely(shown, chosen)


def _closely(shown: Shown, points: IntArray) -> None:
    """Offer the page of the most suspicious of some points; a store knows of no single ones."""
    analysis = shown.analysis
    if not isinstance(analysis.ranked, RankedNeighbors):
        return
    (score, *_) = shown.told.doubt.scores().values()
    point = int(points[np.argmin(score[points])])
    (name,) = analysis.names([point])
    label = f"Look closely at {name}, the most suspicious of them" if len(points) > 1 else ""
    closely_button(analysis.scope, point, name, key="look-closely", label=label)


def _pair_row(analysis: BlockAnalysis, part: PairsPart, pair: Pair) -> dict[str, object]:
    points = part.level.points[[pair.first, pair.second]]
    first, second = analysis.names(points)
    (one, _), (other, _) = (analysis.doubt.told(point) for point in points.tolist())
    label = "class" if analysis.targets is None else "target"
    return {
        "id": first,
        label: one,
        "with id": second,
        f"of {label}": other,
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


def _downloads(shown: Shown) -> None:
    """Offer the numbers of this part as files."""
    analysis, part, order, plane = shown.analysis, shown.part, shown.order, shown.plane
    pairs = isinstance(part, PairsPart)
    with st.container(horizontal=True, key="downloads"):
        for label, kind, make in (
            (
                "Matrix (CSV)" if pairs else "Block means (CSV)",
                "matrix" if pairs else "blocks",
                partial(exports.matrix_csv, analysis, part, order, plane),
            ),
            (
                "Points (CSV)",
                "points",
                partial(exports.points_csv, analysis, part, order, plane, shown.told),
            ),
        ):
            download(label, make, file_name(kind, analysis, order), kind)
