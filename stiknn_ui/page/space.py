"""Where and how neighbours are looked for, on all pages alike, and the other way by one click."""

from __future__ import annotations

from typing import Final

import streamlit as st

from stiknn_core.types import Dataset, Metric, Scaling, Space
from stiknn_ui.results.proposals import SPACES, distance_for, kind_of
from stiknn_ui.visit import state

_SAID: Final[dict[Space, str]] = {
    "features": "Neighbours are looked for among the features.",
    "forest": "Neighbours are looked for in a random forest, on every page.",
}
_OTHER: Final[dict[Space, tuple[Space, str]]] = {
    "features": ("forest", "Use the forest on every page"),
    "forest": ("features", "Use the features on every page"),
}


def switch(dataset: Dataset | None = None) -> None:
    """Say where neighbours are looked for, and offer the other way; then what `offer` says."""
    if dataset is not None and dataset.measured:
        offer(dataset)
        return
    space = state.settings().compute.space
    other, label = _OTHER[space]
    where = SPACES["table" if dataset is None else kind_of(dataset)]
    # What speaks for the other way; what is done already needs no reason.
    reason = where.reason if where.space == other else ""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="space-line"):
        st.caption(f"{_SAID[space]} {reason}".strip(), width="content")
        st.button(label, key="other-space", type="tertiary", on_click=_use, args=(other,))
    offer(dataset)


def offer(dataset: Dataset | None) -> None:
    """Propose the distance that fits the kind of data, where another one is in use."""
    if dataset is not None and dataset.measured and state.settings().compute.space == "forest":
        st.button(_OTHER["forest"][1], key="other-space", on_click=_use, args=("features",))
        return
    proposed = None if dataset is None else distance_for(dataset, state.settings().compute)
    if proposed is None:
        return
    with st.container(
        horizontal=True, vertical_alignment="center", gap="small", key="distance-line"
    ):
        st.caption(proposed.reason, width="content")
        st.button(
            f"Use {proposed.metric} distance on every page",
            key="proposed-distance",
            type="tertiary",
            on_click=_measure_by,
            args=(proposed.metric, proposed.scaling),
            help="Features are then compared as they are: scaling would change directions.",
        )


def _use(space: Space) -> None:
    state.change("compute", space=space)


def _measure_by(metric: Metric, scaling: Scaling) -> None:
    state.change("compute", metric=metric, scaling=scaling)
    state.session().chosen |= {"compute.metric", "compute.scaling"}
