"""The control that chooses the plane, and the line that says when one is being made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import streamlit as st

from stiknn_core.cost import describe_seconds
from stiknn_core.plane.embedding import embedding_seconds
from stiknn_ui.asked import plane_choice
from stiknn_ui.asked.spec import ViewSpec
from stiknn_ui.page import life
from stiknn_ui.page.life import Task
from stiknn_ui.results import drawing
from stiknn_ui.results.analysis import Analysis
from stiknn_ui.results.drawing import Drawn
from stiknn_ui.visit import state
from stiknn_ui.words import wording
from stiknn_ui.work import shelves

_METHOD: Final = "plane-method"
_FIRST: Final = "plane-first"
_SECOND: Final = "plane-second"


def plane_control(names: Sequence[str], *, embeddings: bool = True) -> None:
    """Draw the choice of the plane, and of two columns where these are chosen.

    Parameters
    ----------
    names : sequence of str
        Features of the data.
    embeddings : bool
        Whether embeddings are offered too.
    """
    options = plane_choice.offered(len(names))
    if not embeddings:
        options = {
            name: text for name, text in options.items() if name not in plane_choice.EMBEDDED
        }
    if len(options) < 2:
        return
    text = plane_choice.resolve(state.settings().view.plane, names).text
    method = plane_choice.method_of(text)
    key = state.key_for(_METHOD, options.values())
    st.selectbox(
        "Plane",
        list(options),
        format_func=lambda option: options[option],
        key=state.pinned(key, method if method in options else plane_choice.AUTO),
        on_change=_change_method,
        args=(key, tuple(names)),
        persist_state="session",
        help=wording.HELP["plane"],
    )
    pair = plane_choice.columns_of(text)
    if pair is None:
        return
    keys = (state.key_for(_FIRST, names), state.key_for(_SECOND, names))
    for label, key, chosen, other in (
        ("Horizontal", keys[0], pair[0], pair[1]),
        ("Vertical", keys[1], pair[1], pair[0]),
    ):
        st.selectbox(
            label,
            [name for name in names if name != other],
            key=state.pinned(key, chosen),
            on_change=_change_columns,
            args=keys,
            persist_state="session",
        )


def drawn(analysis: Analysis, view: ViewSpec) -> Drawn:
    """Return the plane to draw, and say so while the one that was asked for is being made."""
    found = drawing.drawn_of(analysis, view.plane)
    if not found.awaited:
        return found
    name, seconds = plane_choice.offered(3)[found.awaited], embedding_seconds(analysis.n)
    told = f"{name} takes about {describe_seconds(seconds)}; until then the usual plane is shown."
    made = life.obtain(
        Task(
            slot="plane",
            key=drawing.plane_key(analysis, found.awaited),
            make=drawing.making_plane(analysis, found.awaited),
            shelf=shelves.derived,
            button=f"Compute {name}",
            seconds=seconds,
            due=True,
            told=told,
            doing=told,
            kind="secondary",
        )
    )
    return found if made is None else Drawn(made, found.awaited, made.notices)


def _change_method(key: str, names: tuple[str, ...]) -> None:
    method = state.widget_value(key)
    if method == plane_choice.COLUMNS:
        state.change("view", plane=plane_choice.columns_text(names[0], names[1]))
    elif method is not None:
        state.change("view", plane=method)


def _change_columns(*keys: str) -> None:
    first, second = (state.widget_value(key) for key in keys)
    if first is not None and second is not None and first != second:
        state.change("view", plane=plane_choice.columns_text(first, second))
