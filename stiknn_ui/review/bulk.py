"""Accept the suggestions of all flagged points at once, after a look at them."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from stiknn_core.phrases import counted
from stiknn_core.scores import SCORES
from stiknn_ui.asked.spec import RankBy
from stiknn_ui.review import actions, desk
from stiknn_ui.review.actions import Desk
from stiknn_ui.review.decisions import Decision
from stiknn_ui.review.queue import Flags
from stiknn_ui.review.remembered import ReviewDesk, close_dialog, show_dialog
from stiknn_ui.visit import state
from stiknn_ui.words import messages

_TABLE_HEIGHT = 320


def open_points(at: Desk) -> list[int]:
    """Return the flagged points that have no decision and another class suggested."""
    subject = at.subject
    return [
        point
        for point in at.queue.flagged.tolist()
        if at.decision_on(point) is None and str(subject.suggested[point]) != subject.given[point]
    ]


def preview(at: Desk, points: list[int], by: RankBy) -> pd.DataFrame:
    """Return what would change, most suspicious first."""
    subject = at.subject
    return pd.DataFrame(
        {
            "id": [subject.names[point] for point in points],
            "given": [subject.given[point] for point in points],
            "suggested": [str(subject.suggested[point]) for point in points],
            SCORES[by].title: subject.scores[by][points],
        }
    )


def offer(at: Desk, by: RankBy, flags: Flags) -> None:
    """Draw the button that opens the preview of what the score ``by`` flags."""
    points = open_points(at)
    st.button(
        f"Accept {counted(len(points), 'suggestion')} …",
        key="bulk",
        disabled=not points,
        on_click=show_dialog,
        args=("bulk",),
        help="Shows first what would change: all flagged points without a decision for which "
        "another class is suggested.",
    )
    if state.desk(ReviewDesk).dialog == "bulk":
        _dialog(at, points, by, f"{by} below {flags.threshold:.{flags.decimals}f}")


@st.dialog("Accept suggestions", width="large", on_dismiss=show_dialog)
def _dialog(at: Desk, points: list[int], by: RankBy, line: str) -> None:
    st.markdown(
        messages.plain(
            f"{len(points):,} labels would change, as one step that Undo takes back as a whole. "
            "Points that have a decision already stay as they are."
        )
    )
    st.dataframe(preview(at, points, by), hide_index=True, height=_TABLE_HEIGHT)
    if st.button(f"Accept all {len(points):,}", type="primary", key="bulk-accept"):
        with messages.guarded():
            subject, told = at.subject, f"{len(points):,} suggestions accepted ({line})"
            wanted = {
                int(subject.rows[point]): Decision("relabel", str(subject.suggested[point]))
                for point in points
            }
            desk.decide(desk.changes_of(subject.analysis, wanted), told)
            actions.go_on(at, points)
            close_dialog()
