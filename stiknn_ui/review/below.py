"""What belongs to the review as a whole: changes, effect, truth, and where it is kept."""

from __future__ import annotations

from urllib.parse import urlencode

import pandas as pd
import streamlit as st

from stiknn_ui.asked import links
from stiknn_ui.asked.spec import RankBy
from stiknn_ui.page.address import address
from stiknn_ui.results.result import Result
from stiknn_ui.review import desk, effect_panel, keeping, truth_panel
from stiknn_ui.review.decisions import Record
from stiknn_ui.review.flags import Flags
from stiknn_ui.review.remembered import ReviewDesk, close_dialog, show_dialog
from stiknn_ui.review.subject import Subject
from stiknn_ui.visit import state
from stiknn_ui.words import messages

_LIST_HEIGHT = 300


def draw(subject: Subject, by: RankBy, flags: Flags) -> None:
    """Draw the parts below the point in view, one tab each; the score ``by`` ranks."""
    analysis = subject.analysis
    names = ["Changes", "Effect", "This review"]
    if analysis.truth_known and subject.side == "train":
        names.insert(2, "Against the truth")
    tabs = dict(zip(names, st.tabs(names), strict=True))
    with tabs["Changes"], messages.guarded():
        _changes(desk.record())
    with tabs["Effect"], messages.guarded():
        effect_panel.show(analysis, *desk.corrected(analysis))
        st.caption(
            "Test labels may be wrong too. With a hold-out or a test file, choose Test points at "
            "the top of this page and review them in the same way."
        )
    if "Against the truth" in tabs:
        with tabs["Against the truth"], messages.guarded():
            flagged = flags.of(subject.scores[by])
            truth_panel.show(subject, by, flagged)
    with tabs["This review"], messages.guarded():
        _keeping(analysis)


def _changes(record: Record) -> None:
    """List the steps, newest first."""
    if not record.steps:
        st.markdown("Nothing is decided yet. Every step will be listed here, undone ones too.")
        return
    steps = [(step.number, step.at, step.what, step.undone) for step in reversed(record.steps)]
    st.dataframe(
        pd.DataFrame(steps, columns=["step", "when", "what", "undone"]),
        hide_index=True,
        height=_LIST_HEIGHT if len(record.steps) > 7 else "content",
        column_config={
            "step": st.column_config.NumberColumn(width=60),
            "when": st.column_config.TextColumn(help="Time in UTC."),
            "undone": st.column_config.CheckboxColumn(help="Taken back by Undo."),
        },
    )


def _keeping(analysis: Result) -> None:
    """Say where decisions are, and offer to keep the upload, to share, and to forget."""
    st.markdown(messages.plain(desk.where_kept()))
    if analysis.data.source == "upload":
        st.checkbox(
            "Keep the uploaded file with this review",
            key=state.pinned("keep-upload", keeping.kept()),
            on_change=_keep_or_drop,
            help=messages.plain(keeping.where_stored()),
        )
    link = _link()
    if link:
        with st.popover("Link to this review", icon=":material/key:", width="content"):
            st.markdown("Whoever has this link can see and change your decisions.")
            st.code(link, language=None, wrap_lines=True)
        st.button(
            "Forget this review …",
            key="forget",
            icon=":material/delete:",
            on_click=show_dialog,
            args=("forget",),
        )
        if state.desk(ReviewDesk).dialog == "forget":
            _forget_dialog()


def _link() -> str:
    """Return the link that lets anyone see and change the review; empty without one."""
    token = state.desk(ReviewDesk).token
    return address(urlencode(links.to_private_params(state.settings(), token))) if token else ""


@messages.guarded()
def _keep_or_drop() -> None:
    if state.widget_value("keep-upload"):
        keeping.keep()
    else:
        keeping.drop()


@st.dialog("Forget this review", on_dismiss=show_dialog)
def _forget_dialog() -> None:
    st.markdown(
        "All decisions, notes and steps of this review are deleted, and a kept upload with them. "
        "This cannot be undone."
    )
    if st.button("Forget it", type="primary", key="forget-now"):
        desk.forget()
        close_dialog()
