"""The control that chooses the plane, and the line that says when one is being made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import streamlit as st

from stiknn_core.cost import describe_seconds
from stiknn_core.plane import Plane
from stiknn_core.plane.embedding import embedding_seconds
from stiknn_ui import drawing, messages, plane_choice, state, wording
from stiknn_ui.analysis import Analysis
from stiknn_ui.drawing import Drawn
from stiknn_ui.jobs import Job
from stiknn_ui.queue import describe_place
from stiknn_ui.spec import ViewSpec

_METHOD: Final = "plane-method"
_FIRST: Final = "plane-first"
_SECOND: Final = "plane-second"
_POLL: Final = 0.5
# A small embedding is there at once; a larger one is waited for beside the usual picture.
_WAIT: Final = 1.5


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
        width=170,
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
            width=170,
        )


def drawn(analysis: Analysis, view: ViewSpec) -> Drawn:
    """Return the plane to draw, and say so while the one that was asked for is being made."""
    visitor = state.session().visitor
    found = drawing.drawn_of(analysis, view.plane, visitor)
    if found.job is not None and found.job.wait(_WAIT):
        found = drawing.drawn_of(analysis, view.plane, visitor)
    if found.job is not None:
        _waiting(found.job, plane_choice.offered(3)[view.plane], analysis.n)
    return found


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


@st.fragment(run_every=_POLL)
def _waiting(job: Job[Plane], name: str, n: int) -> None:
    """Say what is going on; the whole page runs again when it has ended."""
    if not job.running:
        st.rerun()
    place, time = job.place, describe_seconds(embedding_seconds(n))
    line = "" if place is None else f"{describe_place(place)}. "
    st.caption(
        f":material/hourglass_top: {line}{messages.plain(name)} is being computed and takes about "
        f"{messages.plain(time)}. Until then the usual plane is shown; everything else works."
    )
