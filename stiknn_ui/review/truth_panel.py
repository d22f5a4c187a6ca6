"""Where wrong labels are known: how well the threshold and the ranking find them."""

from __future__ import annotations

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from stiknn_core.preparation import scale_features
from stiknn_core.types import FloatArray
from stiknn_ui.asked.spec import RankBy
from stiknn_ui.page import life
from stiknn_ui.page.life import Task
from stiknn_ui.results.result import Result
from stiknn_ui.results.suspects import SCORE_INFO, score_info
from stiknn_ui.review import kept as review_kept
from stiknn_ui.review.subject import Subject
from stiknn_ui.review.truth import (
    FOLDS,
    baseline_seconds,
    baselines,
    curves_of,
    hits_of,
    precision_recall_figure,
    roc_figure,
)
from stiknn_ui.words import messages
from stiknn_ui.work.progress import Progress

Baselines = dict[str, FloatArray]


def show(subject: Subject, by: RankBy, flagged: NDArray[np.bool_]) -> None:
    """Draw precision and recall at the threshold, and on a button the curves.

    Parameters
    ----------
    subject : Subject
        The training points.
    by : str
        The chosen score.
    flagged : (n,) bool
        Which of them lie below the threshold.
    """
    if not subject.analysis.truth_known:
        return
    wrong = subject.wrong
    st.markdown(
        messages.plain(f"Truth known: {hits_of(flagged, wrong).sentence}"),
        help="Precision: share of the flagged points whose label is wrong. Recall: share of the "
        "wrong labels that are flagged. In most real data nobody knows which labels are wrong.",
    )
    if subject.said is not None or not wrong.any() or wrong.all():
        return
    others = life.obtain(_task(subject.analysis))
    if others is not None:
        _curves(subject, by, others)


def _curves(subject: Subject, by: RankBy, others: Baselines) -> None:
    wrong = subject.wrong
    ours = {score_info(subject.analysis, by).title: subject.scores[by]}
    # Rarity comes last, unless it is the chosen score.
    alone = {SCORE_INFO["rarity"].title: subject.scores["rarity"]}
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


def _task(analysis: Result) -> Task[Baselines]:
    # Its job must not hold the matrix.
    given, rows, scaling = analysis.dataset.X, analysis.rows, analysis.compute.scaling
    codes, k, blocks = analysis.codes, analysis.k, analysis.dataset.blocks

    def make(progress: Progress) -> Baselines:
        X, _ = scale_features(given[rows], None, scaling, blocks)
        return baselines(X, codes, k, progress)

    return Task(
        slot="baselines",
        key=f"{analysis.key}|baselines",
        make=make,
        shelf=review_kept.measured,
        button="Compare with other methods",
        due=False,
        seconds=baseline_seconds(analysis.n, given.shape[1]),
        kind="secondary",
    )
