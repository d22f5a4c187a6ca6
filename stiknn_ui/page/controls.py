"""The bars of controls above a picture. Each writes to the settings and returns nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from stiknn_core.errors import StiknnError
from stiknn_core.types import Dataset
from stiknn_ui.asked.spec import MAX_K
from stiknn_ui.page import address, help
from stiknn_ui.page.evaluation import evaluation_choice, evaluation_details
from stiknn_ui.page.plane_panel import plane_control
from stiknn_ui.results import describe
from stiknn_ui.results.parts import parts_of
from stiknn_ui.visit import state
from stiknn_ui.words import messages, wording

_PERCENT = 100


def compute_bar(dataset: Dataset | None) -> None:
    """Draw what changes the numbers.

    Parameters
    ----------
    dataset : Dataset or None
        Decides how large k may be.
    """
    usable = _usable_k(dataset)
    with st.container(horizontal=True, vertical_alignment="bottom", key="compute-bar"):
        st.number_input(
            "k neighbours",
            min_value=1,
            max_value=usable,
            step=1,
            width=150,
            help=wording.HELP["k"],
            **state.bound("compute", "k", shown=lambda k: min(k, usable)),
        )
        choice("Interaction", "compute", "index", wording.INDEX, width=170)
        evaluation_choice()
        choice("Neighbours in", "compute", "space", wording.SPACE, width=170)
        choice("Scaling", "compute", "scaling", wording.SCALING, width=170)
        with st.popover("More", icon=":material/tune:", width="content"):
            if state.settings().compute.space == "features":
                choice("Distance", "compute", "metric", wording.METRIC)
            choice("Ties", "compute", "ties", wording.TIES)
    evaluation_details(dataset)


def _usable_k(dataset: Dataset | None) -> int:
    """Return the largest k; the controls must be there even if the data do not fit them."""
    if dataset is None:
        return MAX_K
    try:
        return parts_of(dataset, state.settings().compute).usable_k(MAX_K)[0]
    except StiknnError:
        return MAX_K


def view_bar(
    *,
    truth_known: bool,
    with_order: bool = True,
    features: Sequence[str] = (),
    embeddings: bool = True,
) -> None:
    """Draw what changes only the picture.

    Parameters
    ----------
    truth_known : bool
        Whether there are labels known to be changed.
    with_order : bool
        Whether the order of the matrix can be chosen here.
    features : sequence of str
        Features of the data, for the choice of the plane; none leaves it out.
    embeddings : bool
        Whether the plane may be an embedding, which takes too long for very many points.
    """
    with st.container(horizontal=True, vertical_alignment="bottom", key="view-bar"):
        if with_order:
            choice("Order", "view", "order", wording.ORDER, width=170)
        if features:
            plane_control(features, embeddings=embeddings)
        choice("Colour of points", "view", "color_by", wording.COLOR_BY, width=170)
        color_range()
        if truth_known:
            st.toggle(
                "Show wrong labels",
                help=wording.HELP["show_changed"],
                **state.bound("view", "show_changed"),
            )


def color_range() -> None:
    """Draw how much of the off-diagonal cells the colours cover."""
    st.slider(
        "Colour range",
        min_value=50,
        max_value=100,
        step=1,
        format="%d %%",
        width=170,
        help=wording.HELP["range"],
        **percent("view", "range_quantile"),
    )


def rank_control() -> None:
    """Draw what sorts the table of suspects."""
    st.segmented_control(
        "Rank by",
        list(wording.RANK_BY),
        format_func=lambda name: wording.RANK_BY[name],
        required=True,
        help=wording.HELP["rank_by"],
        **state.bound("view", "rank_by"),
    )


def data_line() -> None:
    """Say which data are on the table: to change them, to share them, and how to read the page."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="data-line"):
        line = messages.plain(describe.data_line(state.settings().data))
        st.markdown(f"Data: {line}", width="content")
        st.page_link("pages/data.py", label="Change", icon=":material/edit:")
        address.copy_link()
        help.button()


def choice(
    label: str,
    part: state.Part,
    name: str,
    options: Mapping[str, str],
    *,
    width: int | str = "stretch",
) -> None:
    """Draw a select box for one setting."""
    # The overloads of selectbox cannot see through keyword arguments made elsewhere.
    selectbox: Any = st.selectbox
    selectbox(
        label,
        list(options),
        format_func=lambda option: options[option],
        help=wording.HELP.get(name),
        width=width,
        **state.bound(part, name),
    )


def percent(part: state.Part, name: str) -> dict[str, Any]:
    """Tie a slider in whole per cent to a share between 0 and 1."""
    return state.bound(
        part,
        name,
        shown=lambda share: round(share * _PERCENT),
        stored=lambda value: value / _PERCENT,
    )
