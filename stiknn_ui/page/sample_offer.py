"""What the full matrix would take, and a sample where one is needed."""

from __future__ import annotations

import streamlit as st

from stiknn_core.errors import StiknnError
from stiknn_core.tables import largest_sample
from stiknn_core.types import Dataset
from stiknn_ui.asked.spec import MAX_POINTS, DataSpec, fits_a_matrix
from stiknn_ui.results import kept
from stiknn_ui.results.estimate import estimate
from stiknn_ui.visit import state
from stiknn_ui.words import messages


def most_rows(data: DataSpec) -> int:
    """Return how many rows a sample may have, so that copies and outliers still fit in."""
    growth = (1 + data.copies) * (1 + data.outliers)
    return int(min(MAX_POINTS, largest_sample()) / growth)


def size_note(dataset: Dataset) -> None:
    """Say what the full matrix would take, and how more rows are shown.

    Parameters
    ----------
    dataset : Dataset
        What the controls describe.
    """
    settings = state.settings()
    try:
        parts = kept.parts(dataset, settings.data, settings.compute)
    except StiknnError:
        return  # said where the result is missed
    n = len(parts.train)
    told = estimate(n, parts.n_test, dataset.X.shape[1], settings.compute.space).cost
    if not fits_a_matrix(n):
        st.caption(
            messages.plain(
                f"{told.sentence} So many rows are shown as exact means of blocks, any of which "
                "opens down to single pairs; Suspects, Point and Review take every row."
            )
        )
        return
    st.caption(messages.plain(told.sentence))
    if settings.data.sample:
        _offer_all()


def offer_sample() -> None:
    """Offer a sample that keeps the shares of the classes, by one click."""
    rows = most_rows(state.settings().data)
    st.button(
        f"Use a sample of {rows:,} rows",
        key="use-sample",
        type="primary",
        icon=":material/colorize:",
        on_click=_use,
        args=(rows,),
        help="Drawn by the seed of the data; every class keeps its share.",
    )


def _offer_all() -> None:
    st.button("Use all rows again", key="use-all", type="tertiary", on_click=_use, args=(0,))


def _use(rows: int) -> None:
    state.change("data", sample=rows)
