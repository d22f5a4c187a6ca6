"""The place of a picture that is not there yet: grey, so that nothing jumps when it comes."""

from __future__ import annotations

from typing import Final

import streamlit as st

# As high as both plots may become beside each other, and never higher than the window.
_FRAME: Final = """
<div class="stiknn-frame" data-testid="frame" aria-hidden="true"
     style="display: flex; gap: 16px; height: clamp(240px, calc(100vh - 260px), 900px)">
  <div style="flex: 1; border-radius: 8px; background: rgba(128, 128, 128, 0.12)"></div>
  <div style="flex: 1; border-radius: 8px; background: rgba(128, 128, 128, 0.12)"></div>
</div>
"""


def draw() -> None:
    """Draw the empty frame of the picture."""
    st.html(_FRAME)
