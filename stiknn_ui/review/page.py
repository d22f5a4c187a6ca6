"""The review page: one row of choices, queue and card below it, and the rest at the end.

All of it is one fragment: what the browser reports runs this part and nothing else of the page.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, get_args

import streamlit as st

from stiknn_ui.asked import links
from stiknn_ui.asked.spec import RankBy, ViewSpec
from stiknn_ui.page import address, closely, opinion
from stiknn_ui.results.result import Result
from stiknn_ui.results.suspects import usable
from stiknn_ui.review import (
    below,
    bulk,
    card,
    desk,
    exports_panel,
    operations,
    threshold,
    unsaved_panel,
)
from stiknn_ui.review import kept as review_kept
from stiknn_ui.review.flags import Flags
from stiknn_ui.review.remembered import ReviewDesk
from stiknn_ui.review.subject import Side, Subject
from stiknn_ui.visit import state
from stiknn_ui.words import messages, wording

_SIDES: Final[dict[Side, str]] = {"train": "Training points", "test": "Test points"}
FILES: Final = "review-files"
MORE: Final = "review-more"


@st.fragment
def show(analysis: Result, view: ViewSpec) -> None:
    """Draw the whole review of one result."""
    with messages.guarded():
        # A fragment keeps what it was called with, and the score is chosen in it.
        _draw(analysis, replace(view, rank_by=state.settings().view.rank_by))
    params = links.to_private_params(state.settings(), state.desk(ReviewDesk).token, "review")
    address.write(params)


def _draw(analysis: Result, view: ViewSpec) -> None:
    place = st.container()
    with st.container(horizontal=True, vertical_alignment="center", key="review-bar"):
        subject = _subject(analysis)
        if not len(subject):
            st.info("There are no points to review.")
            return
        by = _score(subject, view)
        if subject.side == "train":
            with place:
                opinion.obtain(analysis, by)
            subject = review_kept.training_points_of(analysis, by)
        by = usable(by, subject.scores)
        operations.apply(subject, card.reported("outbox"))
        threshold.keep_line(card.reported("line"))
        flags = threshold.flags_of(subject, by)
        _look_closely(subject)
        bulk.offer(subject, by, flags)
        _files(subject, view, by, flags)
    with place:
        unsaved_panel.warn()
    card.draw(subject, by, flags, view)
    more = st.expander(
        "Changes, effect, and where this review is kept",
        key=MORE,
        on_change="rerun",
        icon=":material/history:",
    )
    if more.open:
        with more:
            below.draw(subject, by, flags)


def awaited() -> None:
    """Say which file the decisions of this review wait for, if they do."""
    waiting = desk.awaited()
    if waiting:
        st.info(messages.plain(waiting), icon=":material/upload_file:")


def _subject(analysis: Result) -> Subject:
    """Choose between training and test points, where there are test points at all."""
    train = review_kept.training_points_of(analysis)
    if analysis.judged_by_itself or analysis.targets is not None:
        return train
    side = st.segmented_control(
        "Review",
        list(_SIDES),
        format_func=lambda one: _SIDES[one],
        required=True,
        key=state.pinned("review-side", state.desk(ReviewDesk).side),
        on_change=_choose_side,
        persist_state="session",
        label_visibility="collapsed",
        help="Test labels may be wrong too. Training points around them support a class.",
    )
    if side != "test":
        return train
    return review_kept.test_points_of(analysis) or train


def _choose_side() -> None:
    side = state.widget_value("review-side")
    if side in _SIDES:
        state.desk(ReviewDesk).side = side


def _score(subject: Subject, view: ViewSpec) -> RankBy:
    """Choose the score that ranks; test points have fewer."""
    more = subject.side == "train" and subject.said is None
    there = {*subject.scores, *(["confusion"] if more else [])}
    names: list[RankBy] = [name for name in get_args(RankBy) if name in there]
    by = usable(view.rank_by, dict.fromkeys(names, subject.scores[next(iter(subject.scores))]))
    st.selectbox(
        "Rank by",
        names,
        format_func=lambda name: f"Rank by {wording.RANK_BY[name]}",
        label_visibility="collapsed",
        width=330,
        **state.bound("view", "rank_by", shown=lambda _: by, options=names),
    )
    return by


def _files(subject: Subject, view: ViewSpec, by: RankBy, flags: Flags) -> None:
    """Offer what comes of the review; it is made ready when the list of files is opened."""
    files = st.popover("Take away", icon=":material/download:", key=FILES, on_change="rerun")
    if files.open:
        with files, messages.guarded():
            exports_panel.downloads(subject, view, by, flags)


def _look_closely(subject: Subject) -> None:
    """Go to the page of one point, where the browser asks for that."""
    ask, here = card.reported("ask"), state.desk(ReviewDesk)
    if subject.side != "train" or not isinstance(ask, Mapping):
        return
    point, wish = ask.get("look"), ask.get("wish")
    if not isinstance(point, int) or not isinstance(wish, int):
        return
    if 0 <= point < len(subject) and wish != here.looked:
        here.looked = wish
        closely.look_at(subject.analysis.scope, point)
        st.switch_page(closely.SCRIPT)
