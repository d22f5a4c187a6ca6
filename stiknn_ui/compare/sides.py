"""The choice of one of the two results, where a section is about one alone."""

from __future__ import annotations

from typing import cast

import streamlit as st

from stiknn_ui.compare.desk import CompareDesk, Side
from stiknn_ui.compare.matching import told_apart
from stiknn_ui.results.analysis import Analysis
from stiknn_ui.visit import state
from stiknn_ui.words import messages


def chosen(sides: dict[str, Analysis], section: str, *, same: bool) -> tuple[Side, Analysis]:
    """Draw the choice between A and B; return the one that is looked at.

    Where both would show the ``same``, there is nothing to choose. The choice is remembered by
    section.
    """
    side = remembered(section, same=same)
    if same:
        return side, sides[side]
    a, b = sides["A"], sides["B"]
    told = told_apart(a.data, a.compute, b.compute)
    st.segmented_control(
        "Of",
        list(sides),
        format_func=lambda name: messages.plain(f"{name}: {told[name]}"),
        required=True,
        label_visibility="collapsed",
        key=state.pinned(f"compare-side-{section}", side),
        on_change=_choose,
        args=(section,),
        persist_state="session",
    )
    return side, sides[side]


def remembered(section: str, *, same: bool) -> Side:
    """Return which of the two is looked at in a section."""
    return "A" if same else state.desk(CompareDesk).sides.get(section, "A")


def _choose(section: str) -> None:
    value = state.widget_value(f"compare-side-{section}")
    if value in ("A", "B"):
        state.desk(CompareDesk).sides[section] = cast("Side", value)
