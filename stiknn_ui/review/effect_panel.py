"""The effect of the decisions on screen: measured when asked for, kept while nothing changes."""

from __future__ import annotations

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from stiknn_core.types import AnyArray
from stiknn_ui.page import life
from stiknn_ui.page.life import Task
from stiknn_ui.results.result import Result
from stiknn_ui.review import effect
from stiknn_ui.review import kept as review_kept
from stiknn_ui.review.effect import Measured
from stiknn_ui.review.target_effect import target_effect
from stiknn_ui.words import messages


def show(analysis: Result, labels: AnyArray, removed: NDArray[np.bool_]) -> None:
    """Draw the button that measures the decisions from ``desk.corrected``, and what it found."""
    if not any(effect.n_changed(analysis, labels, removed)):
        st.markdown("No training point is relabelled or removed yet: nothing to measure.")
        return
    if analysis.dataset.measured:
        st.markdown(messages.plain(target_effect(analysis, labels, removed)))
        return
    before = known(analysis, labels, removed)
    if before is None:
        st.markdown(
            "Likelihood and accuracy of the nearest neighbours before and after your decisions, "
            "next to as many random changes."
        )
    found = life.obtain(
        Task(
            slot="measure-effect",
            key=effect.effect_key(analysis, labels, removed),
            make=lambda progress: effect.measure(analysis, labels, removed, progress),
            shelf=review_kept.measured,
            button="Measure the effect",
            due=False,
            seconds=effect.effect_seconds(analysis),
            kind="secondary",
        )
    )
    if found is None:
        return
    if before is None:
        st.rerun()  # the report, offered elsewhere on the page, holds it from now on
    st.markdown(messages.plain(effect.measured_on(found, analysis)))
    st.dataframe(effect.effect_table(found.effect), hide_index=True, width="content")
    told = effect.sentences(found, analysis)
    st.markdown("\n".join(f"- {messages.plain(said)}" for said in told))


def known(analysis: Result, labels: AnyArray, removed: NDArray[np.bool_]) -> Measured | None:
    """Return what was measured of exactly these decisions; None if nothing was."""
    key = effect.effect_key(analysis, labels, removed)
    found: Measured | None = review_kept.measured().get(key)
    return found
