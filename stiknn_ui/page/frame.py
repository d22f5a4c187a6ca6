"""The place of a picture that is not there yet: grey, so that nothing jumps when it comes."""

from __future__ import annotations

from typing import Final

import streamlit as st

_FRAME: Final = """
<div class="stiknn-skeleton" data-testid="frame" aria-hidden="true"><div></div><div></div></div>
"""


def draw() -> None:
    """Draw the empty frame of the picture."""
    st.html(_FRAME)
