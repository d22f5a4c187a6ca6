"""The browser's parts of the pages, as Streamlit components."""

from __future__ import annotations

from typing import Any

import streamlit as st

from stiknn_view.assets import (
    code_payload,
    part_stub,
    plotly_payload,
    stub,
)

_CODE = st.components.v2.component("stiknn_code", js=stub("code.js"), isolate_styles=False)
_PLOTLY = st.components.v2.component("stiknn_plotly", js=stub("plotly.js"), isolate_styles=False)


_COPY = st.components.v2.component(
    "stiknn_copy", js=stub("copy.js"), css=stub("copy.css"), isolate_styles=False
)


def part(name: str, module: str, note: str = "") -> Any:
    """Return a component that one module of the code draws; see :func:`assets.part_stub`."""
    return st.components.v2.component(
        f"stiknn_{name}", js=part_stub(module, note), isolate_styles=False
    )


def send_code() -> None:
    """Send what all parts of a page need; once on each page, before the first of them."""
    _CODE(data=code_payload(), key="stiknn-code")


def send_plotly() -> None:
    """Send what draws axes; once on each page, after the first part that wants them."""
    _PLOTLY(data=plotly_payload(), key="stiknn-plotly")


def copy_button(label: str, query: str, told: str, *, most: int) -> None:
    """Draw a button that copies the address of this page with other parameters; one on a page.

    Parameters
    ----------
    label : str
    query : str
        Without the question mark.
    told : str
        What the button says when that is done.
    most : int
        How many selected points of the picture on this page go along, at most.
    """
    data = {"label": label, "query": query, "told": told, "most": most}
    _COPY(data=data, key="copy-link", width="content")
