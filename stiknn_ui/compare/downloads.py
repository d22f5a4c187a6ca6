"""What can be taken away of a comparison."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from stiknn_ui.compare import exports, sweep_panel
from stiknn_ui.compare.comparison import Compared
from stiknn_ui.page.download import download
from stiknn_ui.results.analysis import Analysis


def draw(a: Analysis, b: Analysis, compared: Compared) -> None:
    """Offer the numbers as files; pressing a button changes nothing on the page."""
    files: list[tuple[str, str, Callable[[], bytes]]] = [
        ("Agreement (CSV)", "agreement", partial(exports.summary_csv, a, b, compared)),
        ("Points (CSV)", "points-compared", partial(exports.points_csv, a, b, compared)),
    ]
    swept = sweep_panel.known({"A": a, "B": b})
    if swept is not None:
        files.append(("All k (CSV)", "sweep", partial(exports.sweep_csv, *swept)))
    with st.container(horizontal=True, key="downloads"):
        for label, kind, make in files:
            download(label, make, exports.file_name(kind, a, b), kind)
