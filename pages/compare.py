"""Compare: the same data computed in two ways, side by side."""

from __future__ import annotations

import streamlit as st

from stiknn_ui import shell
from stiknn_ui.compare import bars, page
from stiknn_ui.data import current
from stiknn_ui.page import controls
from stiknn_ui.words import messages

shell.begin("compare")
with messages.guarded():
    opening = st.empty()
    dataset = current.dataset()
    other = bars.settle()
    controls.data_line()
    page.draw(dataset, other, opening)
shell.keep_link("compare")
