"""The Python face of the linked view."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from stiknn_core.errors import ShapeError
from stiknn_ui.frontend.parts import part, send_code, send_plotly
from stiknn_view.message import read_report, view_message
from stiknn_view.options import ViewOptions
from stiknn_view.packing import ViewContent
from stiknn_view.selection import Selection

if TYPE_CHECKING:
    from stiknn_core.ordering import Order

# One component per kind of message, so that each changes only with its own content.
_CONTENT = part("view_content", "linked_view/contents.js")
_VIEW = part("view", "linked_view/view.js", "Loading the picture…")
_SHOWN = part("view_shown", "linked_view/shown.js")


def linked_view(
    content: ViewContent,
    *,
    order: Order,
    selection: Selection,
    options: ViewOptions,
    key: str,
    shown: ViewContent | None = None,
) -> Selection | None:
    """Draw the matrix and the scatter, and report what is selected in the browser.

    Parameters
    ----------
    content : ViewContent
        From :func:`build_content` or :func:`build_block_content`; sent to the browser once.
    order : Order
        Display order of rows and columns, a permutation of ``content.n`` positions.
    selection : Selection
        What the app holds to be selected: ids of points, or of blocks where the rows are
        blocks. The browser takes it over only if its ``seq`` is higher than that of its
        own; so a selection made in Python needs a ``seq`` above that of the one it replaces.
    options : ViewOptions
    key : str
        Name of this view within the page.
    shown : ViewContent or None
        Texts and pictures of the dots, from :func:`build_shown`.

    Returns
    -------
    Selection or None
        The newest selection the browser reported for this content, else None. Merge
        it with ``newest(current, returned)``.

    Raises
    ------
    ShapeError
        If the order is not one of ``content.n`` positions.
    """
    if len(order.positions) != content.n:
        raise ShapeError(
            f"order must place each of the {content.n} rows; got {len(order.positions)} places."
        )
    with st.container(gap=None, key=f"{key}-frame"):
        send_code()
        _CONTENT(data=content.payload, key=f"{key}-content")
        result = _VIEW(
            data=view_message(content, order, selection, options, shown),
            key=key,
            on_selection_change=_nothing,
        )
        # After the picture, which needs none of it.
        if shown is not None:
            _SHOWN(data=shown.payload, key=f"{key}-shown")
        send_plotly()
    return read_report(result.get("selection"), content)


def _nothing() -> None:
    """Make the browser's ``selection`` a state value; Streamlit asks for a callback."""
