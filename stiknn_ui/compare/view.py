"""The component that shows two matrices and their difference."""

from __future__ import annotations

import streamlit as st

from stiknn_ui.frontend.parts import part, send_code

_VIEW = part("compare", "compare/compare.js")


def three_pictures(content: bytes, key: str) -> None:
    """Draw A, B and their difference with one cursor and one zoom.

    Parameters
    ----------
    content : bytes
        From ``pictures.payload``.
    key : str
        Name of this view within the page.
    """
    with st.container(gap=None):
        send_code()
        _VIEW(data=content, key=key)
