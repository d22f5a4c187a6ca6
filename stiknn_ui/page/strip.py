"""What is selected, as pictures or texts with labels; around one point those nearest to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import streamlit as st

from stiknn_core.types import Dataset
from stiknn_ui.results.contents import MOST_HOVER, shortened
from stiknn_ui.results.pixels import enlarged
from stiknn_ui.results.result import Result
from stiknn_ui.uploads.shown import contents_of
from stiknn_ui.words import messages

_MOST_PICTURES: Final = 16
_MOST_TEXTS: Final = 9
_SIDE: Final = 72  # pixels
_SHARP: Final = 128  # pixels from which on a picture of few pixels does not blur
_CARD: Final = 240


def selected(result: Result, points: Sequence[int], *, truth: bool) -> None:
    """Draw selected points as pictures or texts, if they are any; else nothing.

    Parameters
    ----------
    result : Result
    points : sequence of int
        Point ids; the first of them are drawn. Beside a single one stand those nearest to it.
    truth : bool
        Whether the true label stands beside one that is known to be wrong.
    """
    contents = contents_of(result)
    if not points or not contents.any:
        return
    around: list[int] = []
    if len(points) == 1:
        around = result.given.nearest(np.array(points))[0][0].tolist()
    most = _MOST_PICTURES if contents.has_pictures else _MOST_TEXTS
    shown = [*points, *around][:most]
    rows = result.rows[shown]
    labels = [_label(result.dataset, row, truth) for row in rows.tolist()]
    if around:
        labels[0] = f"selected, {labels[0]}"
    names = result.names(shown)
    with st.container(gap="small", key="selected-contents"):
        if contents.has_pictures:
            files = contents.thumbnails(rows)
            _pictures(files, labels, names, pixelated=contents.pixelated)
        if contents.has_texts:
            _texts(contents.texts(rows[:_MOST_TEXTS]), labels, names)
    if around:
        st.caption(f"The selected point and the {len(shown) - 1} nearest to it.")
    elif len(points) > len(shown):
        st.caption(f"The first {len(shown)} of {len(points):,} selected points.")


def sharp(picture: bytes, *, pixelated: bool) -> bytes:
    """Return a picture as it is to be drawn larger than it is."""
    return enlarged(picture, _SHARP) if pixelated else picture


def _pictures(
    files: Sequence[bytes], labels: Sequence[str], names: Sequence[str], *, pixelated: bool
) -> None:
    held = st.container(horizontal=True, gap="small", key="selected-pictures")
    for file, label, name in zip(files, labels, names, strict=True):
        if file:
            held.image(
                sharp(file, pixelated=pixelated),
                width=_SIDE,
                caption=messages.plain(label),
                alt=f"Picture of {name}, {label}",
            )


def _texts(texts: Sequence[str], labels: Sequence[str], names: Sequence[str]) -> None:
    held = st.container(horizontal=True, gap="small", key="selected-texts")
    for text, label, name in zip(texts, labels, names, strict=False):
        with held.container(border=True, width=_CARD, gap=None):
            st.caption(messages.plain(f"{name}, {label}"))
            st.markdown(messages.plain(shortened(text, MOST_HOVER)) or "No text.")


def _label(dataset: Dataset, row: int, truth: bool) -> str:
    given = f"label {dataset.y[row]}"
    wrong = dataset.y_true is not None and dataset.y_true[row] != dataset.y[row]
    if not truth or not wrong or dataset.y_true is None:
        return given
    return f"{given}, truly {dataset.y_true[row]}"
