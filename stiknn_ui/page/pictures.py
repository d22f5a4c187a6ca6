"""Points of pictures, drawn as such with their labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import streamlit as st

from stiknn_core.types import Dataset
from stiknn_ui.results.pixels import picture_of
from stiknn_ui.words import messages

_MOST_SHOWN: Final = 16


def strip(dataset: Dataset, rows: Sequence[int], *, truth: bool) -> None:
    """Draw some rows as pictures with their labels, if they may be pictures; else nothing.

    Parameters
    ----------
    dataset : Dataset
    rows : sequence of int
        Rows of the data set; the first sixteen are drawn.
    truth : bool
        Whether the true label stands beside one that is known to be wrong.
    """
    shown = list(rows[:_MOST_SHOWN])
    if not shown or picture_of(dataset, shown[0]) is None:
        return
    with st.container(horizontal=True, gap="small", key="selected-pictures"):
        for row in shown:
            picture = picture_of(dataset, row)
            if picture is not None:
                label = _label(dataset, row, truth)
                alt = f"Picture of a selected point, {label}"
                st.image(picture, width=72, caption=messages.plain(label), alt=alt)
    if len(rows) > len(shown):
        st.caption(f"The first {len(shown)} of {len(rows):,} selected points as pictures.")


def _label(dataset: Dataset, row: int, truth: bool) -> str:
    given = f"label {dataset.y[row]}"
    wrong = dataset.y_true is not None and dataset.y_true[row] != dataset.y[row]
    if not truth or not wrong or dataset.y_true is None:
        return given
    return f"{given}, truly {dataset.y_true[row]}"
