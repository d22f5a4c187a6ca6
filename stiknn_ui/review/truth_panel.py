"""Where wrong labels are known: how well the threshold and the ranking find them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from stiknn_core.preparation import scale_features
from stiknn_core.scores import SCORES
from stiknn_core.types import FloatArray
from stiknn_ui.results.analysis import Analysis
from stiknn_ui.review import kept as review_kept
from stiknn_ui.review.truth import (
    FOLDS,
    baseline_seconds,
    baselines,
    curves_of,
    hits_of,
    precision_recall_figure,
    roc_figure,
    wrong_points,
)
from stiknn_ui.visit import state
from stiknn_ui.words import messages
from stiknn_ui.work import shelves
from stiknn_ui.work.jobs import Job
from stiknn_ui.work.progress import Progress
from stiknn_ui.work.queue import BusyError, describe_place

Baselines = dict[str, FloatArray]

_WAIT: Final = 2.0
_POLL: Final = 0.5


def show(
    analysis: Analysis, scores: Mapping[str, FloatArray], by: str, flagged: NDArray[np.bool_]
) -> None:
    """Draw precision and recall at the threshold, and on a button the curves.

    Parameters
    ----------
    analysis : Analysis
    scores : mapping of name to (n,) float64
        Of the training points, low = suspicious.
    by : str
        The chosen score.
    flagged : (n,) bool
        Which training points lie below the threshold.
    """
    if not analysis.truth_known:
        return
    wrong = wrong_points(analysis)
    st.markdown(
        messages.plain(f"Truth known: {hits_of(flagged, wrong).sentence}"),
        help="Precision: share of the flagged points whose label is wrong. Recall: share of the "
        "wrong labels that are flagged. In most real data nobody knows which labels are wrong.",
    )
    if not wrong.any() or wrong.all():
        return
    others = review_kept.measured().get(_key(analysis))
    job = others if isinstance(others, Job) else None
    if others is None or (job is not None and job.state in ("failed", "stopped")):
        if job is not None and job.error is not None:
            messages.show_unexpected(job.error)
        if not st.button("Compare with other methods", key="compare", icon=":material/show_chart:"):
            return
        try:
            others = _start(analysis)
        except BusyError as error:
            messages.show_error(error)
            return
    if isinstance(others, Job):
        if not others.wait(_WAIT):
            _waiting(others)
            return
        others = others.result
    if others is not None:
        _curves(scores, by, others, wrong)


def _curves(
    scores: Mapping[str, FloatArray], by: str, others: Baselines, wrong: NDArray[np.bool_]
) -> None:
    titles = {name: info.title for name, info in SCORES.items()}
    ours = {titles.get(by, by): scores[by]}  # type: ignore[call-overload]
    alone = {titles["rarity"]: scores["rarity"]} if "rarity" in scores and by != "rarity" else {}
    found = curves_of({**ours, **others, **alone}, wrong)
    left, right = st.columns(2)
    for column, figure, key in (
        (left, roc_figure(found), "truth-roc"),
        (right, precision_recall_figure(found, float(wrong.mean())), "truth-pr"),
    ):
        with column:
            st.plotly_chart(figure, width="stretch", config={"displaylogo": False}, key=key)
    best = max(found, key=lambda curve: curve.average_precision)
    st.markdown(
        messages.plain(
            f"Average precision {found[0].average_precision:.3f} by {found[0].name}; the highest "
            f"here is {best.average_precision:.3f} by {best.name}; chance is {wrong.mean():.3f}. "
            "This speaks for these data only."
        )
    )
    if others:
        st.caption(
            f"The other methods rank by the probability of the given label from {FOLDS}-fold "
            "cross-validation over the same training points: each model has not seen the point."
        )
    else:
        st.caption("The other methods need two classes, and one of them with two points or more.")


def _key(analysis: Analysis) -> str:
    return f"{analysis.key}|baselines"


def _start(analysis: Analysis) -> Job[Baselines]:
    key, shelf = _key(analysis), review_kept.measured()
    # The job is kept until it has ended: it must not hold the matrix.
    X, _ = scale_features(analysis.dataset.X[analysis.rows], None, analysis.compute.scaling)
    codes, k = analysis.codes, analysis.interactions.k

    def work(progress: Progress) -> Baselines:
        found = baselines(X, codes, k, progress)
        shelf.put(key, found)
        return found

    job = Job(key, work, state.session().visitor)
    shelves.computations().submit(job, seconds=baseline_seconds(*X.shape))
    shelf.put(key, job)
    return job


@st.fragment(run_every=_POLL)
def _waiting(job: Job[Baselines]) -> None:
    """Say what is going on; the whole page runs again when it has ended."""
    if not job.running:
        st.rerun()
    place = job.place
    text = "Fitting three models five times each ..." if place is None else describe_place(place)
    st.progress(job.fraction, text)
