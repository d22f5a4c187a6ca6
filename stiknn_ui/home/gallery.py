"""The gallery of the first page: six examples, each one click away."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final
from urllib.parse import urlsplit, urlunsplit

import numpy as np
import streamlit as st
from numpy.typing import NDArray
from streamlit.delta_generator import DeltaGenerator

from stiknn_core.errors import StiknnError
from stiknn_ui.asked import links
from stiknn_ui.home.examples import EXAMPLES, Example, example_of, points_to_select
from stiknn_ui.home.thumbnails import thumbnail
from stiknn_ui.results import drawing, kept
from stiknn_ui.results.analysis import Analysis
from stiknn_ui.results.result import result_key, selection_scope
from stiknn_ui.visit import state
from stiknn_ui.words import messages
from stiknn_ui.work import shelves
from stiknn_view.selection import Selection

_SCRIPT: Final = "pages/explore.py"
_PAGE: Final = "explore"
_PER_ROW: Final = 3
_PIXELS: Final = 132
# A job that waits in line behind others leaves its card without a picture until the next visit.
_PATIENCE: Final = 10.0


@dataclass(frozen=True)
class Places:
    """Where something of a card goes that is not there at once."""

    picture: DeltaGenerator
    link: DeltaGenerator


@dataclass
class _GalleryDesk:
    """Examples whose note was dismissed."""

    hushed: set[str] = field(default_factory=set)


def cards() -> dict[str, Places]:
    """Draw the six cards, and return where the rest of each goes, by the example's name."""
    st.markdown("### Six examples, one click each")
    places: dict[str, Places] = {}
    for first in range(0, len(EXAMPLES), _PER_ROW):
        row = EXAMPLES[first : first + _PER_ROW]
        for column, example in zip(st.columns(_PER_ROW), row, strict=True):
            with column:
                places[example.name] = _card(example)
    return places


def fill(places: Mapping[str, Places]) -> None:
    """Draw the pictures into the cards; what is not there yet is computed, once for all visitors.

    Then a card's link knows what to select. Call it when all else of the page is drawn, so that
    nothing waits for them.
    """
    for example in EXAMPLES:
        try:
            found = _picture(example)
        except StiknnError:
            continue  # the line is full: the card does without
        if found is not None:
            alt = f"The interaction matrix of this example: {example.title}"
            place = places[example.name]
            place.picture.image(found, width=_PIXELS, alt=alt, output_format="PNG")
            _new_tab(place.link, example)


def open_example(example: Example) -> None:
    """Put an example in the place of what the controls say, as its link would."""
    here = state.session()
    settings = example.settings
    state.use_data(settings.data)
    here.settings = settings
    here.chosen.clear()
    state.desk(_GalleryDesk).hushed.discard(example.name)
    scope = selection_scope(settings.data, settings.compute)
    state.take(scope, replace(_selection(example), seq=state.next_seq()))


def note() -> None:
    """Say what is to be seen, where an example of the gallery is open."""
    example = example_of(state.settings())
    if example is None or example.name in state.desk(_GalleryDesk).hushed:
        return
    scope = selection_scope(example.settings.data, example.settings.compute)
    chosen = f"{example.chosen} " if state.selected(scope) else ""
    with st.container(key="example-note"):
        said, beside = st.columns([9, 1], vertical_alignment="center")
        said.info(
            f"**{example.title}: what to see here.** {messages.plain(chosen + example.look)}",
            icon=":material/visibility:",
        )
        beside.button(
            "Dismiss",
            key="example-dismiss",
            type="tertiary",
            on_click=state.desk(_GalleryDesk).hushed.add,
            args=(example.name,),
        )


def address(example: Example) -> str:
    """Return the link that opens an example, beside the page that is open now."""
    here = urlsplit(st.context.url or "/")
    path = f"{here.path.rstrip('/')}/{_PAGE}"
    query = links.to_query(example.settings, selection=_selection(example))
    return urlunsplit(here._replace(path=path, query=query, fragment=""))


def _card(example: Example) -> Places:
    with (
        st.container(border=True, height="stretch", key=f"example-{example.name}"),
        st.container(horizontal=True, vertical_alignment="top", gap="small"),
    ):
        place = st.container(width=_PIXELS, height=_PIXELS, border=False).empty()
        with st.container(gap="small"):
            st.markdown(f"**{example.title}**")
            st.caption(messages.plain(example.claim))
            with st.container(horizontal=True, gap="small"):
                if st.button("Open", key=f"open-{example.name}", icon=":material/grid_on:"):
                    open_example(example)
                    st.switch_page(_SCRIPT)
                link = st.empty()
                _new_tab(link, example)
    return Places(place, link)


def _new_tab(place: DeltaGenerator, example: Example) -> None:
    place.link_button(
        "New tab",
        address(example),
        icon=":material/open_in_new:",
        type="tertiary",
        help="The same as a link to share.",
    )


def _selection(example: Example) -> Selection:
    """Return what is selected when an example opens; nothing while its result is not there."""
    analysis = _known(example)
    points = () if analysis is None else points_to_select(example, analysis)
    return Selection(points, points, "table")


def _known(example: Example) -> Analysis | None:
    return kept.results().get(result_key(example.settings.data, example.settings.compute))


def _picture(example: Example) -> NDArray[np.uint8] | None:
    """Return the matrix of an example as a small picture; None if it has to wait."""
    key = f"thumbnail|{example.name}"
    found: NDArray[np.uint8] | None = shelves.derived().get(key)
    if found is None:
        analysis = _known(example) or _computed(example)
        if analysis is not None:
            found = shelves.derived().obtain(key, lambda: _drawn(example, analysis))
    return found


def _computed(example: Example) -> Analysis | None:
    """Compute an example in its turn; the result stays, so that opening it takes no time."""
    settings = example.settings
    dataset = kept.public_dataset(settings.data)
    job = kept.start_job(dataset, settings.data, settings.compute)
    job.wait(_PATIENCE)
    return job.result


def _drawn(example: Example, analysis: Analysis) -> NDArray[np.uint8]:
    view = example.settings.view
    order = drawing.order_of(analysis, view.order)
    edges = tuple(block.start for block in order.blocks)
    return thumbnail(analysis.interactions.matrix, order.positions, edges, view.range_quantile)
