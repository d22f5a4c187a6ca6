"""Accept the suggestions of flagged points at once, after a look at what would change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

import numpy as np
import pandas as pd
import streamlit as st

from stiknn_core.phrases import counted
from stiknn_core.scores import SCORES
from stiknn_ui.asked.spec import RankBy
from stiknn_ui.results.suspects import ranking
from stiknn_ui.review import desk
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


def open_points(
    subject: Subject, by: RankBy, flags: Flags, decided: Mapping[int, Decision]
) -> list[int]:
    """Return the flagged points nobody has decided or skipped, with another class suggested.

    Most suspicious first; decisions are by row of the data set.
    """
    order = ranking(subject.scores, by)
    rows, given, suggested = subject.rows.tolist(), subject.given, subject.suggested
    return [
        point
        for point in order[flags.of(subject.scores[by][order])].tolist()
        if not (rows[point] in decided and decided[rows[point]].action)
        and str(suggested[point]) != given[point]
    ]


def by_class(subject: Subject, points: list[int]) -> dict[str, tuple[int, int]]:
    """Return how many of each given class would change, and how many it has; most first."""
    names, sizes = np.unique(np.array(subject.given, dtype=object), return_counts=True)
    of = dict(zip(names.tolist(), sizes.tolist(), strict=True))
    changing = pd.Series([subject.given[point] for point in points], dtype=object).value_counts()
    return {str(name): (int(count), of[name]) for name, count in changing.items()}


def limited(subject: Subject, points: list[int], limit: Limit, most: int) -> list[int]:
    """Return the most suspicious points of each given class: so many, or so many per cent of it."""
    if limit == "none":
        return points
    left = {
        name: most if limit == "number" else of * most // 100
        for name, (_, of) in by_class(subject, points).items()
    }
    found = []
    for point in points:
        if left[subject.given[point]] > 0:
            left[subject.given[point]] -= 1
            found.append(point)
    return found


def counts_line(subject: Subject, points: list[int]) -> str:
    """Say how many of each class would change: "147 of 237 Yes, 72 of 1,233 No"."""
    classes = by_class(subject, points)
    # A name that begins with a figure would read as one number more.
    between = " of class " if any(name[:1].isdigit() for name in classes) else " "
    told = [f"{count:,} of {of:,}{between}{shown(name)}" for name, (count, of) in classes.items()]
    more = len(told) - _MOST_NAMED
    return ", ".join(told[:_MOST_NAMED]) + (f", and of {more:,} more classes" if more > 0 else "")


def preview(subject: Subject, points: list[int], by: RankBy) -> pd.DataFrame:
    """Return what would change, most suspicious first."""
    return pd.DataFrame(
        {
            "id": [subject.names[point] for point in points],
            "given": [subject.given[point] for point in points],
            "suggested": [str(subject.suggested[point]) for point in points],
            SCORES[by].title: subject.scores[by][points],
        }
    )


def offer(subject: Subject, by: RankBy, flags: Flags) -> None:
    """Draw the button that opens the preview of what the score ``by`` flags."""
    points = open_points(subject, by, flags, desk.decided(subject.analysis))
    st.button(
        f"Accept {counted(len(points), 'suggestion')} …",
        key="bulk",
        disabled=not points,
        on_click=show_dialog,
        args=("bulk",),
        help="Shows first what would change: all flagged points that are still open and for which "
        "another class is suggested.",
    )
    if state.desk(ReviewDesk).dialog == "bulk":
        _dialog(subject, points, by, f"{by} below {flags.threshold:.{flags.decimals}f}")


@st.dialog("Accept suggestions", width="large", on_dismiss=show_dialog)
def _dialog(subject: Subject, points: list[int], by: RankBy, line: str) -> None:
    counts = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        limit: Limit = st.selectbox(
            "Limit",
            list(_LIMITS),
            format_func=lambda one: _LIMITS[one],
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
            "As one step, which Undo takes back as a whole. The most suspicious of each class come "
            "first; points that are decided or skipped stay as they are."
        )
    height: int | Literal["content"] = _TABLE_HEIGHT if len(chosen) > _FEW_ROWS else "content"
    st.dataframe(preview(subject, chosen, by), hide_index=True, height=height)
    if st.button(f"Accept {len(chosen):,}", type="primary", key="bulk-accept", disabled=not chosen):
        with messages.guarded():
            accept(subject, chosen, line)
            close_dialog()


def accept(subject: Subject, points: list[int], line: str) -> None:
    """Give points the suggested class as one step; what was noted of them stays."""
    decided = desk.decided(subject.analysis)
    wanted: dict[int, Decision | None] = {}
    for point in points:
        row = int(subject.rows[point])
        note = decided[row].note if row in decided else ""
        wanted[row] = Decision("relabel", str(subject.suggested[point]), note)
    told = f"{len(points):,} suggestions accepted ({line})"
    desk.decide(desk.changes_of(subject.analysis, wanted), told)
