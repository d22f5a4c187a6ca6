"""The Python face of the linked view."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np
import streamlit as st

from stiknn_core.errors import ShapeError
from stiknn_ui.asked.selection import Selection, parse_selection
from stiknn_ui.frontend.parts import part, send_code, send_plotly
from stiknn_ui.linked_view.options import ViewOptions
from stiknn_ui.linked_view.packing import ViewContent

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


def view_message(
    content: ViewContent,
    order: Order,
    selection: Selection,
    options: ViewOptions,
    shown: ViewContent | None = None,
) -> dict[str, Any]:
    """Return the small message that goes to the browser with each run.

    The order travels as base64 int32, about 5 bytes a point.
    """
    places = np.asarray(order.positions).astype("<i4").tobytes()
    labels = "\0".join(f"{block.label}\0{block.start}" for block in order.blocks)
    identity = hashlib.sha256(places + labels.encode()).hexdigest()[:12]
    return {
        "content": content.content_id,
        "n": content.n,
        "order": {
            "id": f"{order.name}-{identity}",
            "name": order.name,
            "title": order.title,
            "positions": base64.b64encode(places).decode(),
            "blocks": [[str(b.label), int(b.start), int(b.stop)] for b in order.blocks],
        },
        "selection": {
            "rows": [int(i) for i in selection.rows],
            "cols": [int(i) for i in selection.cols],
            "origin": selection.origin,
            "seq": int(selection.seq),
        },
        "options": asdict(options),
        "shown": "" if shown is None else shown.content_id,
    }


def read_report(event: Any, content: ViewContent) -> Selection | None:
    """Return the selection in a browser report, or None if it is for other points.

    The report stays in the widget state when the data change, and its point ids would
    then name other points.
    """
    try:
        if event["points"] != content.points_id:
            return None
    except (KeyError, TypeError):
        return None
    return parse_selection(event, content.n)


def _nothing() -> None:
    """Make the browser's ``selection`` a state value; Streamlit asks for a callback."""
