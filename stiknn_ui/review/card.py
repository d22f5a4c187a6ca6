"""One point and everything that is known about it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
import streamlit as st

from stiknn_core.types import IntArray
from stiknn_ui.asked.selection import Selection
from stiknn_ui.asked.spec import ViewSpec
from stiknn_ui.page import panels
from stiknn_ui.page.closely import closely_button
from stiknn_ui.results.pixels import picture_of
from stiknn_ui.review import actions, evidence
from stiknn_ui.review.actions import Desk
from stiknn_ui.review.decisions import describe_decision, shown
from stiknn_ui.review.remembered import ReviewDesk
from stiknn_ui.review.subject import Subject
from stiknn_ui.uploads.desk import UploadDesk
from stiknn_ui.visit import state
from stiknn_ui.words import messages

_FEW_ROWS = 5
_TABLE_HEIGHT = 213  # of a header and five rows
_PICTURES = 5


def draw(at: Desk, view: ViewSpec) -> None:
    """Draw the point in view: what to do with it, the evidence, and its place in the picture."""
    with st.container(border=True, key="review-card"):
        _head(at)
        _copies(at)
        actions.buttons(at)
        st.markdown(messages.plain(evidence.reason(at.subject, at.point)))
        _evidence(at)
        if at.subject.side == "train":
            name = shown(at.subject.names[at.point])
            closely_button(at.subject.analysis.scope, at.point, name, key="review-look-closely")
    _place(at, view)


def _head(at: Desk) -> None:
    subject, point = at.subject, at.point
    name = messages.plain(shown(subject.names[point]))
    given = messages.plain(shown(subject.given[point]))
    suggested = messages.plain(shown(str(subject.suggested[point])))
    place = at.queue.place(point)
    if place is None:
        where = "A copy of a point in the queue"
    elif place < at.queue.n_flagged_items:
        where = f"Suspect {place + 1:,} of {at.queue.n_flagged_items:,}"
    else:
        where = f"Not flagged; {place + 1:,} of {len(at.queue.items):,} in the ranking"
    now = describe_decision(at.decision, subject.given[point])
    st.markdown(f"#### {name}: given {given}, suggested {suggested}")
    state_of = f"**{messages.plain(now)}**" if at.decision is not None else "not decided yet"
    st.markdown(f"{where} · {state_of}")
    if at.decision is not None and at.decision.note:
        st.caption(f"Note: {messages.plain(at.decision.note)}")


def _copies(at: Desk) -> None:
    """Show the whole group where the point has copies, and ask whether to decide for all."""
    members = at.subject.group(at.point)
    if len(members) < 2:
        return
    labels = sorted({at.subject.given[point] for point in members})
    told = "with different labels" if len(labels) > 1 else "with the same label"
    listed = ", ".join(
        f"{shown(at.subject.names[point])} ({shown(at.subject.given[point])})"
        for point in members[:_PICTURES]
    )
    more = f" and {len(members) - _PICTURES:,} more" if len(members) > _PICTURES else ""
    st.markdown(messages.plain(f"{len(members):,} identical rows {told}: {listed}{more}."))
    st.checkbox(
        f"Decide for all {len(members):,} together",
        key=state.pinned("copies-together", state.desk(ReviewDesk).copies_together),
        on_change=_choose_together,
    )


def _choose_together() -> None:
    state.desk(ReviewDesk).copies_together = bool(state.widget_value("copies-together"))


def _evidence(at: Desk) -> None:
    subject, point = at.subject, at.point
    near = subject.nearest(point)
    _pictures(at, near)
    left, middle, right = st.columns([2, 2, 3])
    with left:
        _table(
            evidence.backing_table(subject, point).assign(
                backing=lambda table: 100 * table["backing"]
            ),
            {
                "backing": st.column_config.ProgressColumn(
                    # Not "percent", which would follow the browser's language: 0,5 beside 0.5.
                    format="%.1f%%",
                    min_value=0,
                    max_value=100,
                    help="Share of the backing that the point would get with this class.",
                )
            },
        )
    with middle:
        nearest = st.column_config.TextColumn("nearest", help="Nearest points first.")
        _table(evidence.nearest_table(subject, near), {"id": nearest})
    with right:
        feature = st.column_config.TextColumn(help="Its row of data, feature by feature.")
        _table(evidence.feature_table(subject, point), {"feature": feature})
    whole = evidence.uploaded_row(subject, at.row, state.desk(UploadDesk).upload)
    if whole is not None:
        with st.expander("The row as it stands in the file", key="review-row"):
            _table(whole, {})
    st.markdown(_score_lines(subject, point))


def _table(table: pd.DataFrame, columns: Mapping[str, Any]) -> None:
    height: Any = "content" if len(table) <= _FEW_ROWS else _TABLE_HEIGHT
    st.dataframe(table, hide_index=True, height=height, column_config=dict(columns))


def _score_lines(subject: Subject, point: int) -> str:
    """Return a small table whose sentences wrap, which the cells of a data frame do not."""
    lines = ["| score | value | rank | what it means |", "|---|--:|--:|---|"]
    for line in evidence.score_table(subject, point).itertuples():
        cells = (line.score, line.value, f"{line.rank:,}", line.meaning)
        lines.append(f"| {' | '.join(messages.plain(cell) for cell in cells)} |")
    return "\n".join(lines)


def _pictures(at: Desk, near: IntArray) -> None:
    analysis = at.subject.analysis
    own = picture_of(analysis.dataset, at.row)
    if own is None:
        return
    with st.container(horizontal=True, gap="small", key="review-pictures"):
        st.image(own, width=112, caption="this point", alt="Picture of the point in view")
        for point in near[:_PICTURES]:
            other = picture_of(analysis.dataset, int(analysis.rows[point]))
            if other is not None:
                label = shown(analysis.classes[analysis.codes[point]])
                alt = f"Picture of a near point, label {label}"
                st.image(other, width=56, caption=messages.plain(label), alt=alt)


def _place(at: Desk, view: ViewSpec) -> None:
    """Draw matrix and scatter with the point and its nearest selected."""
    subject = at.subject
    near = tuple(sorted(int(one) for one in subject.nearest(at.point)))
    rows = near if subject.side == "test" else (at.point,)
    scope = subject.analysis.scope
    mark = f"{subject.side}-{at.point}"
    if state.desk(ReviewDesk).reviewed_in.get(scope) != mark:
        # Only when another point comes into view: what is selected meanwhile stays.
        state.desk(ReviewDesk).reviewed_in[scope] = mark
        state.take(scope, Selection(rows, near, "table", state.next_seq()))
    told = "The nearest training points of this test point are" if subject.side == "test" else (
        "The point and those nearest to it are"
    )  # fmt: skip
    st.caption(f"{told} selected in both pictures.")
    panels.picture(subject.analysis, view, name="review-view", height=360)
