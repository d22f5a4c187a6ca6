"""The panels below the controls: the linked view, the summary, the table, the downloads."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import numpy as np
import pandas as pd
import streamlit as st

from stiknn_core.ordering import Order
from stiknn_core.phrases import counted
from stiknn_core.plane import Plane
from stiknn_ui.asked.spec import ViewSpec
from stiknn_ui.linked_view.component import linked_view
from stiknn_ui.page import content_columns, hover, opinion, plane_panel, strip
from stiknn_ui.page.closely import closely_button
from stiknn_ui.page.download import download
from stiknn_ui.results import describe, drawing, exports, kept, sharing
from stiknn_ui.results.all_rows import AllRows
from stiknn_ui.results.analysis import Analysis
from stiknn_ui.results.summary import Pair, Summary, summarise
from stiknn_ui.results.suspects import columns_of, score_ranking, suspects_table
from stiknn_ui.uploads.shown import contents_of
from stiknn_ui.visit import state
from stiknn_ui.words import games, glossary, messages, wording
from stiknn_ui.words.numbers import number
from stiknn_view.options import MIN_HEIGHT, ViewOptions
from stiknn_view.selection import Selection

LEAST_HEIGHT: Final = 320
"""Pixels of each plot where the window is low; it grows with the room there is."""
MOST_LISTED: Final = 10_000
"""Rows of the table at most: more would travel to the browser with each other ranking."""


@st.fragment
def explored(analysis: Analysis, view: ViewSpec) -> None:
    """Draw the picture and what is selected in it.

    A selection runs this again and nothing else of the page: a download offered anew at that
    moment would be lost to whoever presses its button.
    """
    with messages.guarded():
        selection = picture(analysis, view, name="explore-view")
        selection_summary(analysis, selection, truth=view.show_changed)


@st.fragment
def suspected(analysis: Analysis, view: ViewSpec) -> None:
    """Draw the ranked table, the picture and what is selected in either; see `explored`."""
    with messages.guarded():
        score_line(analysis, view)
        with st.container(key="beside"):
            table, drawn = st.columns([2, 3])
        # The picture is drawn first: a click in it ticks rows beside it.
        with drawn:
            selection = picture(analysis, view, name="explore-view", height=MIN_HEIGHT)
        with table:
            suspects(analysis, view, selection)
        selection_summary(analysis, selection, truth=view.show_changed)


def picture(
    analysis: Analysis, view: ViewSpec, *, name: str, height: int = LEAST_HEIGHT
) -> Selection:
    """Draw matrix and scatter with the settings they were made with; return the selection.

    Parameters
    ----------
    analysis : Analysis
    view : ViewSpec
    name : str
        Name of this picture; the zoom is remembered under it.
    height : int
        Least pixels of each plot; see `ViewOptions`.
    """
    drawn = plane_panel.drawn(analysis, view)
    order = drawing.order_of(analysis, view.order, drawn)
    line = describe.result_line(analysis, order, drawn.plane)
    options = ViewOptions(
        index=games.index_line(analysis.given.index),
        color_by=analysis.colored(view.color_by),
        range_quantile=view.range_quantile,
        show_changed=view.show_changed and analysis.truth_known,
        height=height,
        caption=line,
    )
    unknown = state.arrive(analysis.scope, analysis.n)
    contents = contents_of(analysis)
    shown = drawing.shown_of(contents, analysis.scope, analysis.rows)
    reported = linked_view(
        drawing.content_of(analysis, drawn),
        order=order,
        selection=state.enter(name, analysis.scope),
        options=options,
        key=name,
        shown=shown,
    )
    hover.pictures(contents, analysis.rows, shown, name)
    st.caption(messages.plain(line))
    gone = [f"{counted(unknown, 'point')} that the link selects: not among these data."]
    messages.show_notices(
        [
            *gone[: bool(unknown)],
            *analysis.notices,
            *drawn.notices,
            *order.notices,
        ]
    )
    return state.take(analysis.scope, reported)


def selection_summary(analysis: Analysis, selection: Selection, *, truth: bool) -> None:
    """Say what the selection amounts to, and draw its points where they are pictures.

    Parameters
    ----------
    analysis : Analysis
    selection : Selection
    truth : bool
        Whether labels that are known to be wrong are told.
    """
    if not selection:
        st.markdown(
            "Nothing is selected. Click a block of the matrix or a point of the scatter, or drag "
            "over either; hold Alt for a single pair of the matrix. What you select is summed up "
            "here."
        )
        return
    found = summarise(
        selection,
        analysis.interactions.matrix,
        analysis.codes,
        analysis.classes,
        group=analysis.group,
    )
    strip.selected(analysis, selection.points, truth=truth)
    show_summary(found, partial(_pair_row, analysis), games.unit(analysis.given.score))
    points = selection.points
    name = analysis.ids[points[0]]
    of = f", first of {len(points):,} selected" if len(points) > 1 else ""
    label = f"Look closely at {name}{of}"
    closely_button(analysis.scope, points[0], name, key="look-closely", label=label)


def show_summary(found: Summary, row_of: Callable[[Pair], dict[str, object]], unit: str) -> None:
    """Draw the numbers of a selection.

    Parameters
    ----------
    found : Summary
    row_of : callable
        Returns what the table of strongest pairs says of one pair.
    unit : str
        What interactions are counted in, as a sentence.
    """
    st.markdown(f"**Selection.** {messages.plain(found.sentence)}")
    points, within, across, overall = st.columns(4)
    points.metric("Points", f"{found.n_points:,}")
    mean_help = f"Mean interaction of these pairs; {glossary.SIGNS}. {unit}"
    within.metric(f"Within a {found.group}", _signed(found.within), help=mean_help)
    across.metric(f"Across {found.groups}", _signed(found.across), help=mean_help)
    overall.metric("Whole matrix", _signed(found.overall), help="Mean over all pairs there are.")
    classes, pairs = st.columns([1, 2])
    with classes:
        st.dataframe(
            pd.DataFrame(found.per_class, columns=[found.group, "points"]), hide_index=True
        )
    with pairs:
        if found.strongest:
            st.dataframe(
                pd.DataFrame([row_of(pair) for pair in found.strongest]),
                hide_index=True,
                column_config={
                    "interaction": st.column_config.TextColumn(
                        alignment="right", help=f"Of the strongest pairs; {glossary.SIGNS}."
                    )
                },
            )


def downloads(analysis: Analysis | AllRows, view: ViewSpec) -> None:
    """Offer the numbers as files; pressing a button changes nothing on the page."""
    plane, order = analysis.plane, None
    with st.container(horizontal=True, key="downloads"):
        if isinstance(analysis, Analysis):
            drawn = drawing.drawn_of(analysis, view.plane)
            plane, order = drawn.plane, drawing.order_of(analysis, view.order, drawn)
            make = partial(exports.matrix_csv, analysis, order, plane)
            download("Matrix (CSV)", make, exports.file_name("matrix", analysis, order), "matrix")
            download(
                "Share as one file",
                partial(sharing.shared_page, analysis, view),
                exports.file_name("view", analysis, order, "html"),
                "view",
                mime="text/html",
                help=wording.HELP["one_file"],
            )
        make = partial(_points_csv, analysis, view, order, plane)
        download("Points (CSV)", make, exports.file_name("points", analysis, order), "points")
        download(
            "Suspects (JSON)",
            partial(_suspects_json, analysis, view),
            exports.file_name("suspects", analysis, None, "json"),
            "suspects-json",
            mime="application/json",
        )


def _points_csv(
    analysis: Analysis | AllRows, view: ViewSpec, order: Order | None, plane: Plane
) -> bytes:
    return exports.points_csv(analysis, order, _all_ranked(analysis, view), plane)


def _suspects_json(analysis: Analysis | AllRows, view: ViewSpec) -> bytes:
    return exports.points_json(analysis, _all_ranked(analysis, view))


def _all_ranked(analysis: Analysis | AllRows, view: ViewSpec) -> pd.DataFrame:
    _, ranking = kept.ranked(analysis, view.rank_by)
    return suspects_table(analysis, kept.scores_of(analysis, view.rank_by), ranking)


def suspects(analysis: Analysis | AllRows, view: ViewSpec, selection: Selection) -> None:
    """Draw the ranked table; ticked rows are the selection, by point id."""
    by, ranking = kept.ranked(analysis, view.rank_by)
    points = ranking[:MOST_LISTED]
    table = suspects_table(analysis, kept.scores_of(analysis, view.rank_by), points)
    contents = contents_of(analysis)
    name = f"suspects|{by}|{analysis.key}"
    place = list(table.columns).index("label")
    content_columns.add(table, contents, analysis.rows[points], place=place, key=name)
    key = f"suspects-{by}-{analysis.digest}"
    state.pin_rows(key, np.flatnonzero(np.isin(points, selection.points)).tolist())
    ids_differ = table["id"].tolist() != points.astype(str).tolist()
    st.dataframe(
        table,
        key=key,
        hide_index=True,
        height="stretch",
        selection_mode="multi-row",
        on_select=partial(state.tick, key, analysis.scope, tuple(points.tolist())),
        column_order=None if ids_differ else [name for name in table.columns if name != "id"],
        column_config=_column_config(analysis) | content_columns.config(),
        **content_columns.options(contents),
    )
    if len(points) < analysis.n:
        st.caption(
            f"The {len(points):,} most suspicious of {analysis.n:,} rows; Points (CSV) holds all."
        )
    if contents.has_pictures and len(points) > content_columns.MOST_PICTURES:
        st.caption(f"Pictures stand beside the first {content_columns.MOST_PICTURES} rows.")


def score_line(analysis: Analysis | AllRows, view: ViewSpec) -> None:
    """Say where to cut, and how well the ranking finds labels that are known to be changed."""
    opinion.cut_line(analysis, view.rank_by)
    _, ranking = kept.ranked(analysis, view.rank_by)
    score = score_ranking(ranking, analysis.changed)
    if score is None:
        return
    st.markdown(
        f"Checked against the {score.n_changed:,} labels that are known to be wrong: average "
        f"precision **{score.average_precision:.2f}**, **{score.precision_at_m:.0%}** of the "
        f"first {score.n_changed:,} are wrong (chance: {score.chance:.0%}).",
        help="Average precision is 1 if all wrong labels come first. It speaks for these data "
        "only; in most real data nobody knows which labels are wrong.",
    )


def _pair_row(analysis: Analysis, pair: Pair) -> dict[str, object]:
    (first, _), (second, _) = (analysis.doubt.told(one) for one in (pair.first, pair.second))
    label = "class" if analysis.targets is None else "target"
    return {
        "id": analysis.ids[pair.first],
        label: first,
        "with id": analysis.ids[pair.second],
        f"of {label}": second,
        "interaction": number(pair.value, signed=True),
    }


def _signed(value: float | None) -> str:
    return "none" if value is None else number(value, signed=True)


def _column_config(analysis: Analysis | AllRows) -> dict[str, Any]:
    # Values shrink with the number of points: show three digits of the largest one.
    largest = float(np.abs(analysis.values).max()) or 1.0
    decimals = min(9, max(2, 2 - math.floor(math.log10(largest))))
    formats = {"quality": "%.2f", "quality_suggested": "%.2f", "row": "%.2f", "rarity": "%.2f"}
    formats["annotators"] = "%.2f"
    formats["confusion"] = "%.4f"  # most lie near 1
    formats |= dict.fromkeys(("value", "leave_one_out"), f"%.{decimals}f")
    formats["in_out"] = "%.3g"
    if analysis.targets is not None:
        formats |= dict.fromkeys(("label", "suggested", "low", "high", "distance"), "%.6g")
    config: dict[str, Any] = {}
    for name, meaning in columns_of(analysis).items():
        if name in formats:
            config[name] = st.column_config.NumberColumn(
                meaning.title, help=meaning.help, format=formats[name]
            )
        elif name == "known_flip":
            config[name] = st.column_config.CheckboxColumn(meaning.title, help=meaning.help)
        else:
            config[name] = st.column_config.Column(meaning.title, help=meaning.help)
    return config
