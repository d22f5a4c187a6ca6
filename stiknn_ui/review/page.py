"""The review page: the queue on the left, the point in view on the right, the rest below."""

from __future__ import annotations

from typing import Final

import pandas as pd
import streamlit as st

from stiknn_core.scores import SCORES
from stiknn_ui.asked.spec import RankBy, ViewSpec
from stiknn_ui.results import kept
from stiknn_ui.results.analysis import Analysis
from stiknn_ui.review import actions, below, bulk, card, desk, threshold
from stiknn_ui.review import kept as review_kept
from stiknn_ui.review.actions import Desk
from stiknn_ui.review.decisions import describe_decision
from stiknn_ui.review.queue import build_queue
from stiknn_ui.review.remembered import ReviewDesk
from stiknn_ui.review.subject import Side, Subject, training_points
from stiknn_ui.visit import state
from stiknn_ui.words import messages, wording

_SIDES: Final[dict[Side, str]] = {"train": "Training points", "test": "Test points"}
_LIST_HEIGHT: Final = 300
_MOST_LISTED: Final = 500


def show(analysis: Analysis, view: ViewSpec) -> None:
    """Draw the whole review of one result."""
    subject = _subject(analysis)
    if not len(subject):
        st.info("There are no points to review.")
        return
    queue_side, card_side = st.columns([1, 3], gap="medium")
    with queue_side:
        by = _score(subject, view)
        flags = threshold.draw(subject, by)
        together = state.desk(ReviewDesk).copies_together
        queue = build_queue(subject.scores, by, flags, subject.copies if together else None)
        decided = desk.decided(analysis)
        at = actions.at_desk(subject, queue, decided)
        _progress(at)
        bulk.offer(at, by, flags)
        _list(at, by)
        _keys(len(analysis.classes))
    with card_side:
        card.draw(at, view)
    below.draw(subject, view, by, flags)


def awaited() -> None:
    """Say which file the decisions of this review wait for, if they do."""
    waiting = desk.awaited()
    if waiting:
        st.info(messages.plain(waiting), icon=":material/upload_file:")


def _subject(analysis: Analysis) -> Subject:
    """Choose between training and test points, where there are test points at all."""
    train = training_points(analysis, kept.scores_of(analysis))
    if analysis.judged_by_itself:
        return train
    side = st.segmented_control(
        "Review",
        list(_SIDES),
        format_func=lambda one: _SIDES[one],
        required=True,
        key=state.pinned("review-side", state.desk(ReviewDesk).side),
        on_change=_choose_side,
        persist_state="session",
        help="Test labels may be wrong too. They are judged by the training points around them.",
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
    names = [name for name in wording.RANK_BY if name in subject.scores]
    by = view.rank_by if view.rank_by in names else "quality"
    st.selectbox(
        "Rank by",
        names,
        format_func=lambda name: wording.RANK_BY[name],
        **state.bound("view", "rank_by", shown=lambda _: by, options=names),
    )
    st.caption(messages.plain(SCORES[by].meaning))
    return by


def _progress(at: Desk) -> None:
    flagged = set(at.queue.flagged.tolist())
    done = len(flagged & at.decided_points())
    if flagged:
        text = f"{done:,} of {len(flagged):,} flagged decided"
        st.progress(done / len(flagged), text=text)


def _list(at: Desk, by: RankBy) -> None:
    """Draw the queue; a ticked row comes into view."""
    table = queue_table(at, by)
    listed = at.queue.items[: len(table)].tolist()
    key = f"review-queue-{at.subject.side}-{by}-{at.subject.analysis.digest}"
    state.pin_rows(key, [listed.index(at.point)] if at.point in listed else [])
    st.dataframe(
        table,
        key=key,
        hide_index=True,
        height=_LIST_HEIGHT,
        selection_mode="single-row",
        on_select=lambda: _pick(key, at, listed),
        column_config={
            by: st.column_config.NumberColumn("score", format="%.3g", help=SCORES[by].meaning),
            "decision": st.column_config.TextColumn(help="What you decided."),
        },
    )
    if at.queue.n_flagged_items > len(table):
        st.caption(f"The first {len(table):,} of {at.queue.n_flagged_items:,} suspects.")


def queue_table(at: Desk, by: RankBy) -> pd.DataFrame:
    """Return the suspects in their order; the first of the ranking where none is flagged."""
    items = at.queue.items[: min(max(at.queue.n_flagged_items, 1), _MOST_LISTED)].tolist()
    decisions = [at.decision_on(point) for point in items]
    return pd.DataFrame(
        {
            "id": [at.subject.names[point] for point in items],
            "decision": [
                describe_decision(one, at.subject.given[point]) if one is not None else ""
                for one, point in zip(decisions, items, strict=True)
            ],
            by: [float(at.subject.scores[by][point]) for point in items],
        }
    )


def _pick(key: str, at: Desk, listed: list[int]) -> None:
    rows = state.ticked_rows(key)
    if rows and 0 <= rows[0] < len(listed):
        actions.look_at(at.subject, listed[rows[0]])


def _keys(n_classes: int) -> None:
    told = dict(actions.KEYS)
    if n_classes > actions.MOST_CLASS_KEYS:
        del told["0 to 9"]  # there is a list instead
    with st.expander("Keys", icon=":material/keyboard:", expanded=False):
        st.markdown("\n".join(f"- **{key}** {does}" for key, does in told.items()))
