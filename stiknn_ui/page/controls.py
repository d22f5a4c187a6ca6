"""The one row of controls above a picture. Each writes to the settings and returns nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, get_args

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from stiknn_core.errors import StiknnError
from stiknn_core.types import Dataset
from stiknn_ui.asked.spec import MAX_K, RankBy
from stiknn_ui.page import address, help
from stiknn_ui.page.evaluation import evaluation_choice, evaluation_details
from stiknn_ui.page.file_note import file_note
from stiknn_ui.page.game import game_choice, game_details, said_of
from stiknn_ui.page.plane_panel import plane_control
from stiknn_ui.results import describe, kept
from stiknn_ui.visit import state
from stiknn_ui.words import messages, wording

_PERCENT = 100

Shows = Literal["picture", "ranking", "point"]
"""What a page is about: that decides what stands in the row itself, the rest in the drawer."""


def toolbar(
    dataset: Dataset | None, shows: Shows = "picture", *, embeddings: bool = True
) -> DeltaGenerator:
    """Draw the row: the data, what is changed often, and a drawer with the rest.

    Parameters
    ----------
    dataset : Dataset or None
        What the controls describe; None where it cannot be made, and the controls stay.
    shows : {"picture", "ranking", "point"}
    embeddings : bool
        Whether the plane may be an embedding, which takes too long for very many points.

    Returns
    -------
    DeltaGenerator
        Where progress and news go: beside the controls or over the picture, so that nothing
        moves when there are any.
    """
    with _row():
        with st.container(key="data-name", width="content"):
            line = describe.data_line(state.settings().data)
            st.page_link(
                "pages/data.py",
                label=f"Data: {messages.plain(line)}",
                icon=":material/edit:",
                help=f"{messages.plain(line)}. Opens the page that changes them.",
            )
        _neighbours(dataset)
        if shows == "picture":
            _order(dataset)
            _color_by(dataset)
        elif shows == "ranking":
            _rank_by(dataset)
            with st.container(key="review-link", width="content"):
                st.page_link("pages/review.py", label="Review them", icon=":material/rule:")
        with _drawer():
            computed, drawn = st.columns(2)
            with computed:
                _computation(dataset)
            with drawn:
                _picture(dataset, shows, embeddings=embeddings)
        _at_the_end(dataset)
        file_note()
    return st.container(key="news")


def picture_bar() -> None:
    """Draw the row of a matrix that was computed elsewhere: only its picture can be changed."""
    with _row():
        _order(None)
        _color_by(None)
        with _drawer():
            color_range()
        _at_the_end()


def _row() -> DeltaGenerator:
    return st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="toolbar")


def _drawer() -> DeltaGenerator:
    return st.popover("Settings", icon=":material/tune:", width="content", key="settings")


def _at_the_end(dataset: Dataset | None = None) -> None:
    with st.container(horizontal=True, width="content", gap="small", key="toolbar-end"):
        address.copy_link()
        help.button(dataset)


def _neighbours(dataset: Dataset | None) -> None:
    usable = _usable_k(dataset)
    st.number_input(
        "k neighbours",
        min_value=1,
        max_value=usable,
        step=1,
        width=130,
        help=wording.HELP["k"],
        **state.bound("compute", "k", shown=lambda k: min(k, usable)),
    )


def _order(dataset: Dataset | None, width: int | Literal["stretch"] = 165) -> None:
    names = wording.ORDER_OF_TARGETS if dataset is not None and dataset.measured else wording.ORDER
    choice("Order", "view", "order", names, width=width)


def _color_by(dataset: Dataset | None, width: int | Literal["stretch"] = 130) -> None:
    if dataset is None or not dataset.measured:
        choice("Colour of points", "view", "color_by", wording.COLOR_BY, width=width)
        return
    names, chosen = wording.COLOR_OF_TARGETS, state.settings().view.color_by
    by = chosen if chosen in names else "class"
    selectbox: Any = st.selectbox
    selectbox(
        "Colour of points",
        list(names),
        format_func=lambda name: names[name],
        help=wording.HELP["color_by"],
        width=width,
        **state.bound("view", "color_by", shown=lambda _: by, options=list(names)),
    )


def _computation(dataset: Dataset | None) -> None:
    """Draw what else changes the numbers."""
    st.markdown("**Computation**")
    game_choice("compute", dataset)
    said = said_of("compute", dataset)
    if said:
        st.caption(said)
    with st.expander("Details of the game", expanded=not said):
        game_details("compute", dataset)
    evaluation_choice()
    evaluation_details(dataset)
    if dataset is None or not dataset.measured:  # a forest tells classes apart
        choice("Neighbours in", "compute", "space", wording.SPACE)
    choice("Scaling", "compute", "scaling", wording.SCALING)
    if state.settings().compute.space == "features":
        choice("Distance", "compute", "metric", wording.METRIC)
    choice("Ties", "compute", "ties", wording.TIES)


def _picture(dataset: Dataset | None, shows: Shows, *, embeddings: bool) -> None:
    """Draw what else changes only the picture."""
    st.markdown("**Picture**")
    if shows != "picture":
        _order(dataset, "stretch")
    if dataset is not None:
        plane_control(dataset.feature_names, embeddings=embeddings)
    if shows == "ranking":
        _color_by(dataset, "stretch")
    color_range()
    if dataset is not None and dataset.y_true is not None and len(dataset.flipped) > 0:
        st.toggle(
            "Show wrong labels",
            help=wording.HELP["show_changed"],
            **state.bound("view", "show_changed"),
        )


def _usable_k(dataset: Dataset | None) -> int:
    """Return the largest k; the controls must be there even if the data do not fit them."""
    if dataset is None:
        return MAX_K
    try:
        here = state.settings()
        return kept.parts(dataset, here.data, here.compute).usable_k(MAX_K)[0]
    except StiknnError:
        return MAX_K


def ranks_of(dataset: Dataset | None) -> list[RankBy]:
    """Return the scores that the labels of these data can be ranked by, the usual one first."""
    if dataset is not None and dataset.measured:
        return ["distance", "value"]
    return [name for name in get_args(RankBy) if name != "distance"]


def _rank_by(dataset: Dataset | None) -> None:
    names = ranks_of(dataset)
    chosen = state.settings().view.rank_by
    by = chosen if chosen in names else names[0]
    selectbox: Any = st.selectbox
    selectbox(
        "Rank by",
        names,
        format_func=lambda name: wording.RANK_BY[name],
        help=wording.HELP["rank_by"],
        width=260,
        **state.bound("view", "rank_by", shown=lambda _: by, options=names),
    )


def color_range(width: int | Literal["stretch"] = "stretch") -> None:
    """Draw how much of the off-diagonal cells the colours cover."""
    st.slider(
        "Colour range",
        min_value=50,
        max_value=100,
        step=1,
        format="%d %%",
        width=width,
        help=wording.HELP["range"],
        **percent("view", "range_quantile"),
    )


def rank_control(dataset: Dataset | None) -> RankBy:
    """Choose a score that is there for every result, and return it."""
    names: list[RankBy] = [name for name in ranks_of(dataset) if name != "confusion"]
    chosen = state.settings().view.rank_by
    by = chosen if chosen in names else names[0]
    st.segmented_control(
        "Rank by",
        names,
        format_func=lambda name: wording.RANK_BY[name],
        required=True,
        help=wording.HELP["rank_by"],
        **state.bound("view", "rank_by", shown=lambda _: by, options=names),
    )
    return by


def data_line() -> None:
    """Say which data are on the table: to change them, to share them, and how to read the page."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="data-line"):
        line = messages.plain(describe.data_line(state.settings().data))
        st.markdown(f"Data: {line}", width="content")
        st.page_link("pages/data.py", label="Change", icon=":material/edit:")
        address.copy_link()
        help.button()
        file_note()


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
