"""The effect of the decisions on screen: measured when asked for, kept while nothing changes."""

from __future__ import annotations

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from stiknn_core.types import AnyArray
from stiknn_ui.results.analysis import Analysis
from stiknn_ui.review import kept as review_kept
from stiknn_ui.review.effect import (
    Measured,
    effect_key,
    effect_table,
    measure,
    measured_on,
    n_changed,
    sentences,
)
from stiknn_ui.words import messages


def show(analysis: Analysis, labels: AnyArray, removed: NDArray[np.bool_]) -> None:
    """Draw the button that measures, and what was measured.

    Parameters
    ----------
    analysis : Analysis
    labels : (n,) array
        Labels of all rows with the decisions applied; from ``desk.corrected``.
    removed : (n,) bool
    """
    if not any(n_changed(analysis, labels, removed)):
        st.markdown("No training point is relabelled or removed yet: nothing to measure.")
        return
    found = known(analysis, labels, removed)
    if found is None:
        _offer(analysis, labels, removed)
        return
    st.markdown(messages.plain(measured_on(found, analysis)))
    st.dataframe(effect_table(found.effect), hide_index=True, width="content")
    st.markdown("\n".join(f"- {messages.plain(said)}" for said in sentences(found, analysis)))


def known(analysis: Analysis, labels: AnyArray, removed: NDArray[np.bool_]) -> Measured | None:
    """Return what was measured of exactly these decisions; None if nothing was."""
    found = review_kept.measured().get(effect_key(analysis, labels, removed))
    return found if isinstance(found, Measured) else None


def _offer(analysis: Analysis, labels: AnyArray, removed: NDArray[np.bool_]) -> None:
    st.markdown(
        "Likelihood and accuracy of the nearest neighbours before and after your decisions, "
        "next to as many random changes."
    )
    if st.button("Measure the effect", key="measure-effect", icon=":material/balance:"):
        with messages.guarded(), st.spinner("Measuring ..."):
            found = measure(analysis, labels, removed)
            review_kept.measured().put(effect_key(analysis, labels, removed), found)
            st.rerun()  # the report, offered elsewhere on the page, holds it from now on
