"""The sections that need nothing but the two results."""

from __future__ import annotations

import math
from typing import Any, Final

import pandas as pd
import streamlit as st

from stiknn_ui.compare import figures, sentences, tables
from stiknn_ui.compare.comparison import Compared, compared_key
from stiknn_ui.compare.desk import CompareDesk
from stiknn_ui.compare.matching import common_order, told_apart
from stiknn_ui.compare.pictures import limits_of, make_pictures, payload
from stiknn_ui.frontend.parts import part, send_code
from stiknn_ui.page import plane_panel
from stiknn_ui.page.controls import choice, color_range, rank_control
from stiknn_ui.results import drawing, kept
from stiknn_ui.results.analysis import Analysis
from stiknn_ui.results.describe import compute_line
from stiknn_ui.visit import state
from stiknn_ui.words import messages, wording
from stiknn_ui.work import shelves

_VIEW: Final = part("compare", "compare/compare.js")
_CONFIG: Final = {"displaylogo": False}
_HINT: Final = (
    "Point at a pair: its two numbers stand here, and it is marked in all three pictures. Drag to "
    "zoom in, double click to see all again; arrow keys move from pair to pair."
)


def numbers(compared: Compared) -> None:
    """Draw how well pairs and values agree, in five numbers."""
    pairs, values = compared.pairs, compared.values
    shown = (
        ("Pairs, Pearson", pairs.pearson, "Correlation of the interactions of all pairs."),
        ("Pairs, Spearman", pairs.spearman, "The same by rank: only their order counts."),
        (
            "Same sign",
            pairs.same_sign,
            "Share of pairs of one kind in both, substitutes or complements.",
        ),
        ("Values, Pearson", values.pearson, "Correlation of the points' values."),
        ("Values, Spearman", values.spearman, "The same by rank: who is worth more."),
    )
    with st.container(horizontal=True, key="compare-numbers"):
        for title, number, said in shown:
            text = f"{100 * number:.1f} %" if title == "Same sign" else f"{number:.3f}"
            # What nothing varies in has no correlation.
            st.metric(title, "none" if math.isnan(number) else text, help=said, width=160)


def matrices(a: Analysis, b: Analysis, compared: Compared) -> None:
    """Draw both matrices in A's order and their difference."""
    orders = wording.ORDER if a.targets is None else wording.ORDER_OF_TARGETS
    own = sentences.own_scale(state.settings().view.own_scale, a.compute, b.compute)
    with st.container(horizontal=True, vertical_alignment="bottom", key="compare-view-bar"):
        choice("Order", "view", "order", orders, width=190)
        color_range(170)
        st.segmented_control(
            "Colour scale",
            [False, True],
            format_func=lambda own: "Own scale" if own else "One scale",
            required=True,
            help="One scale: equal colours are equal interactions. Own scale: each picture has the "
            "colour range of its own pairs, and the third shows the difference of the "
            "standardised matrices (each minus the mean of its pairs, over their standard "
            "deviation), so that patterns can be compared whatever k and index do to the size.",
            **state.bound("view", "own_scale", shown=lambda _: own),
        )
    view = state.settings().view
    drawn = plane_panel.drawn(a, view)
    order = common_order(drawing.order_of(a, view.order, drawn), compared.common)
    key = f"pictures|{order.name}|{drawn.text}|{compared_key(a, b)}"
    pictures = shelves.derived().obtain(key, lambda: make_pictures(a, b, compared, order))
    with st.container(gap=None):
        send_code()
        _VIEW(
            data=payload(
                pictures,
                compared,
                _words(a, b, compared, own, key),
                quantile=view.range_quantile,
                own_scale=own,
            ),
            key="compare-view",
        )
    told = [sentences.scale_sentence(a, b, compared.pairs)] if not own else []
    if pictures.step > 1:
        told.append(
            f"Each cell is the mean over {pictures.step} × {pictures.step} pairs; the numbers "
            "above are over single pairs."
        )
    for said in filter(None, told):
        st.caption(messages.plain(said))


def pairs(a: Analysis, b: Analysis, compared: Compared) -> None:
    """Draw the pairs of B against those of A."""
    found = compared.pairs
    figure, words = st.columns([3, 2])
    with figure:
        st.plotly_chart(
            figures.pairs_figure(compared.cloud, found),
            config=_CONFIG,
            key="compare-pairs",
            alt=f"Interactions of {found.n:,} pairs in B against A. "
            f"{sentences.pairs_sentence(found)}",
        )
    with words:
        said = [
            sentences.pairs_sentence(found),
            sentences.ranks_sentence(found),
            sentences.signs_sentence(found),
            sentences.scale_sentence(a, b, found),
            f"Spread (standard deviation) of the pairs: {found.spread_a:.3g} in A, "
            f"{found.spread_b:.3g} in B.",
        ]
        st.markdown("\n".join(f"- {messages.plain(one)}" for one in said if one))
        if compared.cloud.counts.size:
            st.caption(
                "The stronger the colour, the more pairs (on a logarithmic scale). The outermost "
                "0.1 % at each end count in the outermost cells."
            )


def values(a: Analysis, b: Analysis, compared: Compared) -> None:
    """Draw the points by their values, and those that move most."""
    found = compared.values
    kinds = sentences.value_kinds(a, b)
    said = sentences.values_sentence(found, kinds)
    st.markdown(messages.plain(said))
    figure, table = st.columns([1, 1])
    with figure:
        st.plotly_chart(
            figures.values_figure(a, b, compared.common, found),
            config=_CONFIG,
            key="compare-values",
            alt=f"Values of {found.n:,} points in B against A. {said}",
        )
    with table:
        moved = tables.movers(a, b, compared.common)
        st.markdown(
            "**Points whose rank by value changes most**",
            help="Place 1 is the lowest value, the most suspicious. A positive move: worth more "
            "in B, compared with the others.",
        )
        if moved.empty:
            st.markdown("No point changes its place.")
        else:
            _table(a, moved, height=400)


def suspects(a: Analysis, b: Analysis, compared: Compared) -> None:
    """Draw how many of the most suspicious points are the same."""
    common, desk = compared.common, state.desk(CompareDesk)
    with st.container(horizontal=True, vertical_alignment="bottom", key="compare-top-bar"):
        by = rank_control(a.dataset)
        slot = f"{by}|{common.n}|{a.digest}"
        chosen = min(common.n, desk.top.get(slot, tables.usual_top(a, common)))
        st.number_input(
            "Most suspicious points",
            min_value=1,
            max_value=common.n,
            step=1,
            width=190,
            key=state.pinned(f"compare-top-{slot}", chosen),
            on_change=_take_top,
            args=(slot,),
            help="How many of the first in either ranking are compared. At first: as many as have "
            "another class suggested in A, or else 5 %.",
        )
    scores_a, scores_b = kept.scores_of(a), kept.scores_of(b)
    found = tables.suspected(scores_a, scores_b, common, by, chosen)
    overlap = found.overlap
    numbers = st.columns(3)
    numbers[0].metric("In both", f"{len(overlap.both):,} of {overlap.m:,}")
    numbers[1].metric(
        "Overlap",
        f"{100 * overlap.share:.0f} %",
        help=f"By chance: {100 * overlap.chance_share:.0f} %.",
    )
    numbers[2].metric(
        "Jaccard", f"{overlap.jaccard:.2f}", help=f"By chance: {overlap.chance_jaccard:.2f}."
    )
    st.markdown(messages.plain(sentences.overlap_sentence(overlap, common.n)))
    of = {"A": scores_a[by], "B": scores_b[by]}
    for column, (title, places) in zip(
        st.columns(2),
        (("Only in A", overlap.only_a), ("Only in B", overlap.only_b)),
        strict=True,
    ):
        with column:
            st.markdown(f"**{title}** ({len(places):,})")
            if len(places):
                _table(a, tables.one_sided(a, common, found, places, of), height=280)


def _table(a: Analysis, table: pd.DataFrame, *, height: int) -> None:
    ids_differ = list(a.ids) != [str(point) for point in range(a.n)]
    config = {
        name: st.column_config.NumberColumn(format="%.3g")
        for name in table.columns
        if name.startswith(("value", "score"))
    }
    config["moved"] = st.column_config.NumberColumn(format="%+d")
    st.dataframe(
        table,
        hide_index=True,
        height=height if len(table) > height // 36 else "content",
        column_order=[name for name in table.columns if name != "id" or ids_differ],
        column_config=config,
    )


def _words(a: Analysis, b: Analysis, compared: Compared, own: bool, key: str) -> dict[str, Any]:
    """Return what stands in the pictures."""
    quantile = state.settings().view.range_quantile
    end_a, end_b, gap = limits_of(compared, quantile, own_scale=own)
    third = "Standardised A − standardised B" if own else "A − B"
    lines = {
        side: f"{side} · {compute_line(one.compute, one.k, one.given)}"
        for side, one in (("A", a), ("B", b))
    }
    told = told_apart(a.data, a.compute, b.compute, (a.given, b.given))
    short = [f"{side} · {told[side] or line}" for side, line in lines.items()]
    said = sentences.pairs_sentence(compared.pairs)
    return {
        "id": key,
        "titles": [*short, third],
        "told": [*lines.values(), third],
        "ticks": [
            [f"−{end_a:.2g} substitutes", "0", f"+{end_a:.2g}"],
            [f"−{end_b:.2g} substitutes", "0", f"+{end_b:.2g}"],
            [f"B larger −{gap:.2g}", "0", f"+{gap:.2g} A larger"],
        ],
        "alts": [
            f"Interaction matrix {lines['A']}. Arrow keys read single pairs.",
            f"Interaction matrix {lines['B']}, in the order of A. Arrow keys read single pairs.",
            f"Difference of the two matrices. {said} Arrow keys read single pairs.",
        ],
        "hint": _HINT,
    }


def _take_top(slot: str) -> None:
    value = state.widget_value(f"compare-top-{slot}")
    if value is not None:
        state.desk(CompareDesk).top[slot] = int(value)
