"""Pictures of the dots that the mouse is on, sent when the browser asks for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import streamlit as st

from stiknn_core.types import IntArray
from stiknn_ui.frontend.parts import part
from stiknn_ui.linked_view import ViewContent, build_pictures
from stiknn_ui.results.contents import Contents
from stiknn_ui.visit import state

MOST: Final = 48
"""Pictures of one answer."""
_PICTURES = part("view_pictures", "linked_view/pictures.js")


@st.fragment
def pictures(contents: Contents, rows: IntArray, shown: ViewContent | None, name: str) -> None:
    """Send what the browser asks for; this runs again with each question, and nothing else.

    Parameters
    ----------
    contents : Contents
    rows : (m,) int64
        Row of the data set of each dot.
    shown : ViewContent or None
        What the dots are known by.
    name : str
        Name of the view.
    """
    if shown is None or not contents.has_pictures:
        return
    key = f"{name}-pictures"
    asked = _asked(state.widget_value(key), shown.content_id, len(rows))
    files = contents.thumbnails(rows[asked]) if asked else []
    answer = build_pictures(shown.content_id, asked, files)
    _PICTURES(data=answer.payload, key=key, on_ask_change=_nothing)


def _asked(held: Any, content: str, n: int) -> list[int]:
    """Return the dots that a browser asks for; none where it asks for those of another view."""
    ask = held.get("ask") if isinstance(held, Mapping) else None
    if not isinstance(ask, Mapping) or ask.get("content") != content:
        return []
    dots = ask.get("dots")
    if not isinstance(dots, list) or not all(type(one) is int and 0 <= one < n for one in dots):
        return []
    return dots[:MOST]


def _nothing() -> None:
    """Make what the browser asks for a state value; Streamlit asks for a callback."""
