"""The browser's parts of the pages, as Streamlit components."""

from __future__ import annotations

from typing import Any

import streamlit as st

from stiknn_ui.frontend.assets import (
    code_payload,
    code_stub,
    part_stub,
    plotly_payload,
    plotly_stub,
)

_CODE = st.components.v2.component("stiknn_code", js=code_stub(), isolate_styles=False)
_PLOTLY = st.components.v2.component("stiknn_plotly", js=plotly_stub(), isolate_styles=False)


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
