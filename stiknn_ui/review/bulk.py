"""Accept the suggestions of flagged points at once, after a look at what would change."""

from __future__ import annotations

from typing import Final, Literal

import numpy as np
import pandas as pd
import streamlit as st

from stiknn_core.phrases import counted
from stiknn_core.types import IntArray
from stiknn_ui.asked.spec import RankBy
from stiknn_ui.results.suspects import score_info
from stiknn_ui.review import desk
from stiknn_ui.review.decided import Decided
from stiknn_ui.review.decisions import Decision, shown
from stiknn_ui.review.flags import Flags
from stiknn_ui.review.remembered import ReviewDesk, close_dialog, show_dialog
from stiknn_ui.review.subject import Subject
from stiknn_ui.visit import state
from stiknn_ui.words import messages

Limit = Literal["none", "number", "share"]

_LIMITS: Final[dict[Limit, str]] = {
    "none": "No limit",
    "number": "At most so many of each class",
    "share": "At most so many per cent of each class",
}
_TABLE_HEIGHT: Final = 260
_FEW_ROWS: Final = 6
_MOST_NAMED: Final = 8
_MOST_LISTED: Final = 1_000


def open_points(subject: Subject, by: RankBy, flags: Flags, decided: Decided) -> IntArray:
    """Return the flagged points nobody has decided or skipped, with another class suggested.

    Most suspicious first; decisions are by row of the data set.
    """
    order = subject.order(by)
    settled = decided.where(lambda one: bool(one.action))[subject.rows]
    wanted = flags.of(subject.scores[by]) & subject.doubted & ~settled
    return order[wanted[order]]


def by_class(subject: Subject, points: IntArray) -> dict[str, tuple[int, int]]:
    """Return how many of each given class would change, and how many it has; most first."""
    sizes = np.bincount(subject.given_codes, minlength=len(subject.labels))
    changing = np.bincount(subject.given_codes[points], minlength=len(subject.labels))
    codes = np.argsort(-changing, kind="stable")[: np.count_nonzero(changing)].tolist()
    return {subject.labels[code]: (int(changing[code]), int(sizes[code])) for code in codes}


def limited(subject: Subject, points: IntArray, limit: Limit, most: int) -> IntArray:
    """Return the most suspicious points of each given class: so many, or so many per cent of it."""
    if limit == "none":
        return points
    if subject.said is None:
        codes, sizes = subject.given_codes[points], np.bincount(subject.given_codes)
    else:  # bands of targets stand for classes
        codes, sizes = subject.analysis.codes[points], np.bincount(subject.analysis.codes)
    left = np.full(len(sizes), most) if limit == "number" else sizes * most // 100
    turn = pd.Series(codes).groupby(codes).cumcount().to_numpy()  # of each among its class
    return points[turn < left[codes]]


def counts_line(subject: Subject, points: IntArray) -> str:
    """Say how many of each class would change: "147 of 237 Yes, 72 of 1,233 No"."""
    if subject.said is not None:
        return counted(len(points), "target") if len(points) else ""
    classes = by_class(subject, points)
    # A name that begins with a figure would read as one number more.
    between = " of class " if any(name[:1].isdigit() for name in classes) else " "
    told = [f"{count:,} of {of:,}{between}{shown(name)}" for name, (count, of) in classes.items()]
    more = len(told) - _MOST_NAMED
    return ", ".join(told[:_MOST_NAMED]) + (f", and of {more:,} more classes" if more > 0 else "")


def preview(subject: Subject, points: IntArray, by: RankBy) -> pd.DataFrame:
    """Return what would change, most suspicious first; of very many the first."""
    points = points[:_MOST_LISTED]
    return pd.DataFrame(
        {
            "id": subject.names(points),
            "given": subject.given[points],
            "suggested": subject.suggested[points],
            score_info(subject.analysis, by).title: subject.scores[by][points],
        }
    )


def offer(subject: Subject, by: RankBy, flags: Flags) -> None:
    """Draw the button that opens the preview of what the score ``by`` flags."""
    points = open_points(subject, by, flags, desk.decided(subject.analysis))
    st.button(
        f"Accept {counted(len(points), 'suggestion')} …",
        key="bulk",
        disabled=not len(points),
        on_click=show_dialog,
        args=("bulk",),
        help="Shows first what would change: all flagged points that are still open and for which "
        "another class is suggested.",
    )
    if state.desk(ReviewDesk).dialog == "bulk":
        _dialog(subject, points, by, f"{by} below {flags.threshold:.{flags.decimals}f}")


@st.dialog("Accept suggestions", width="large", on_dismiss=show_dialog)
def _dialog(subject: Subject, points: IntArray, by: RankBy, line: str) -> None:
    counts = st.container()
    group = "class" if subject.said is None else "band of targets"
    with st.container(horizontal=True, vertical_alignment="bottom"):
        limit: Limit = st.selectbox(
            "Limit",
            list(_LIMITS),
            format_func=lambda one: _LIMITS[one].replace("class", group),
            key="bulk-limit",
            width=310,
        )
        most = 0
        if limit != "none":
            unit = "Points" if limit == "number" else "Per cent"
            top = None if limit == "number" else 100
            most = int(st.number_input(unit, 1, top, 10, key=f"bulk-most-{limit}", width=140))
    chosen = limited(subject, points, limit, most)
    with counts:
        told = counts_line(subject, chosen) or "Nothing"
        st.markdown(f"**{messages.plain(told)}** would change.")
        st.caption(
            "As one step, which Undo takes back as a whole. The most suspicious of each "
            f"{group} come first; points that are decided or skipped stay as they are."
        )
    height: int | Literal["content"] = _TABLE_HEIGHT if len(chosen) > _FEW_ROWS else "content"
    st.dataframe(preview(subject, chosen, by), hide_index=True, height=height)
    if len(chosen) > _MOST_LISTED:
        st.caption(f"The {_MOST_LISTED:,} most suspicious of {len(chosen):,} are listed.")
    if st.button(
        f"Accept {len(chosen):,}", type="primary", key="bulk-accept", disabled=not len(chosen)
    ):
        with messages.guarded():
            accept(subject, chosen, line)
            close_dialog()


def accept(subject: Subject, points: IntArray, line: str) -> None:
    """Give points the suggested class as one step; what was noted of them stays."""
    decided = desk.decided(subject.analysis)
    wanted: dict[int, Decision | None] = {}
    rows, suggested = subject.rows[points].tolist(), subject.suggested[points].tolist()
    made: dict[tuple[str, str], Decision] = {}
    for row, label in zip(rows, suggested, strict=True):
        before = decided.get(row)
        note = "" if before is None else before.note
        wanted[row] = made.setdefault((label, note), Decision("relabel", label, note))
    told = f"{len(points):,} suggestions accepted ({line})"
    desk.decide(desk.changes_of(subject.analysis, wanted), told)
