"""The component that shows two matrices and their difference."""

from __future__ import annotations

from importlib import resources

import streamlit as st


def _frontend(name: str) -> str:
    return (resources.files("stiknn_ui.frontend") / "compare" / name).read_text(encoding="utf-8")


_VIEW = st.components.v2.component(
    "stiknn_compare",
    js=_frontend("compare.js"),
    css=_frontend("compare.css"),
    isolate_styles=False,
)


def three_pictures(content: bytes, key: str) -> None:
    """Draw A, B and their difference with one cursor and one zoom.

    Parameters
    ----------
    content : bytes
        From ``pictures.payload``.
    key : str
        Name of this view within the page.
    """
    _VIEW(data=content, key=key)
