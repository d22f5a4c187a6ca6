"""What can be done with the point in view: buttons, keys, and what they write."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import streamlit as st

from stiknn_ui.review import desk
from stiknn_ui.review.decisions import MAX_NOTE, Action, Decision, Record, Step, shown
from stiknn_ui.review.queue import Queue
from stiknn_ui.review.remembered import ReviewDesk, show_dialog
from stiknn_ui.review.subject import Subject
from stiknn_ui.visit import state
from stiknn_ui.words import messages
from stiknn_ui.words.focus import focus

MOST_CLASS_KEYS: Final = 10
_FIGURES: Final = "0123456789"
KEYS: Final = {
    "A": "accept the suggestion",
    "K": "keep the given label",
    "0 to 9": "choose the class that shows this figure",
    "X": "remove the row",
    "S": "skip",
    "N": "next",
    "B": "back",
    "U": "undo",
    "Y": "redo",
    "M": "write a note",
}
"""Every key of the page; C and R are taken by Streamlit itself."""


@dataclass(frozen=True, eq=False)
class Desk:
    """The point in view and all that decides what comes after it.

    Attributes
    ----------
    subject : Subject
    queue : Queue
    point : int
        Position in the subject.
    decided : mapping of int to Decision
        By row of the data set.
    """

    subject: Subject
    queue: Queue
    point: int
    decided: Mapping[int, Decision]

    @property
    def row(self) -> int:
        """Row of the data set of the point in view."""
        return int(self.subject.rows[self.point])

    @property
    def decision(self) -> Decision | None:
        """What was decided about it."""
        return self.decided.get(self.row)

    def decided_points(self) -> set[int]:
        """Return the points of the subject that have a decision."""
        return {
            point for point, row in enumerate(self.subject.rows.tolist()) if row in self.decided
        }


def cursor_name(subject: Subject) -> str:
    """Return under which name the point in view is remembered."""
    return f"{subject.side}|{subject.analysis.scope}"


def at_desk(subject: Subject, queue: Queue, decided: Mapping[int, Decision]) -> Desk:
    """Return the point that was in view, or after a reload the first one that is still open.

    Parameters
    ----------
    subject : Subject
    queue : Queue
    decided : mapping of int to Decision
        By row of the data set.
    """
    point = state.desk(ReviewDesk).cursor.get(cursor_name(subject))
    if point is None:
        first = Desk(subject, queue, int(queue.items[0]), decided)
        point = first.point
        if first.decision is not None:
            point = queue.next_open(point, first.decided_points())
        look_at(subject, point)
    return Desk(subject, queue, point, decided)


def look_at(subject: Subject, point: int) -> None:
    """Bring a point into view."""
    state.desk(ReviewDesk).cursor[cursor_name(subject)] = int(point)


def buttons(at: Desk) -> None:
    """Draw the buttons of the point in view; each carries its key."""
    subject, point = at.subject, at.point
    suggested, given = str(subject.suggested[point]), subject.given[point]
    with st.container(horizontal=True, key="review-actions"):
        st.button(
            f"Accept: {_told(suggested)}",
            key="accept",
            type="primary",
            shortcut=_live("A"),
            disabled=suggested == given,
            on_click=_decide,
            args=(at, "relabel", suggested),
            help="Give it the suggested class."
            if suggested != given
            else "The given class is backed best, so there is nothing to accept.",
        )
        _button("Keep", "keep", "K", at, "The given label is right.")
        _button("Remove", "remove", "X", at, "Leave this row out of the corrected data.")
        _button("Skip", "skip", "S", at, "Leave it open and go on.")
    _classes(at)
    with st.container(horizontal=True, key="review-moves"):
        _move("Back", "B", at, -1)
        _move("Next", "N", at, 1)
        note = at.decision.note if at.decision is not None else ""
        st.button(
            "Note" if not note else "Note ✓",
            key="note",
            shortcut=_live("M"),
            on_click=show_dialog,
            args=("note",),
            help="A remark that goes into the exports.",
        )
        record = desk.record()
        _history("Undo", "U", at, record)
        _history("Redo", "Y", at, record)
    if state.desk(ReviewDesk).dialog == "note":
        _note_dialog(at)


def _button(label: str, action: Action, key: str, at: Desk, told: str) -> None:
    st.button(
        label, key=action, shortcut=_live(key), help=told, on_click=_decide, args=(at, action, "")
    )


def _classes(at: Desk) -> None:
    """Offer every class: a few as buttons with figures as their keys, many as a list."""
    classes = at.subject.analysis.classes
    if len(classes) <= MOST_CLASS_KEYS:
        with st.container(horizontal=True, vertical_alignment="center", key="review-classes"):
            st.markdown("Its class is", width="content")
            keys = class_keys(classes)
            for place, name in enumerate(classes):
                st.button(
                    _told(name),
                    key=f"class-{place}",
                    shortcut=_live(keys[place]),
                    on_click=_decide,
                    args=(at, "relabel", name),
                )
        return
    key = f"class-list-{at.subject.side}-{at.row}"
    st.selectbox(
        "It is",
        list(classes),
        index=None,
        placeholder="another class",
        key=key,
        on_change=_decide_listed,
        args=(at, key),
        width=260,
    )


def _move(label: str, key: str, at: Desk, by: int) -> None:
    target = at.queue.step(at.point, by)
    st.button(
        label,
        key=label.lower(),
        shortcut=_live(key),
        disabled=target == at.point,
        on_click=look_at,
        args=(at.subject, target),
        help="Changes nothing.",
    )


def _history(label: str, key: str, at: Desk, record: Record) -> None:
    step = record.undoable if label == "Undo" else record.redoable
    st.button(
        label,
        key=label.lower(),
        shortcut=_live(key),
        disabled=step is None,
        on_click=_go_back if label == "Undo" else _go_forth,
        args=(at,),
        help=messages.plain(step.what) if step is not None else f"Nothing to {label.lower()}.",
    )


@messages.guarded()
def _decide(at: Desk, action: Action, label: str) -> None:
    """Write a decision for the point in view, and its copies where wished, and go on."""
    subject, members = at.subject, at.subject.group(at.point).tolist()
    together = state.desk(ReviewDesk).copies_together
    wanted: dict[int, Decision | None] = {}
    for point in members if together else [at.point]:
        row = int(subject.rows[point])
        old = at.decided.get(row)
        kept = action == "relabel" and label == subject.given[point]
        wanted[row] = Decision(
            "keep" if kept else action,
            "" if kept else label,
            old.note if old is not None else "",
        )
    changes = desk.changes_of(subject.analysis, wanted)
    # Deciding the same again changes nothing, but whoever does it wants to go on.
    if not changes or desk.decide(changes) is not None:
        done = at.decided_points() | set(members if together else [at.point])
        look_at(subject, at.queue.next_open(at.point, done))


def _decide_listed(at: Desk, key: str) -> None:
    label = state.widget_value(key)
    if label is not None:
        _decide(at, "relabel", str(label))


@messages.guarded()
def _go_back(at: Desk) -> None:
    _show_step(at, desk.undo())


@messages.guarded()
def _go_forth(at: Desk) -> None:
    _show_step(at, desk.redo())


def _show_step(at: Desk, step: Step | None) -> None:
    """Bring the first point that a step changed into view, where it is one of these.

    Of a group of copies that is the one in the queue, so that Next goes on from there.
    """
    if step is None:
        return
    keys = desk.keys_of(at.subject.analysis)
    place = {keys[row]: point for point, row in enumerate(at.subject.rows.tolist())}
    points = [place[change.key] for change in step.changes if change.key in place]
    queued = [point for point in points if at.queue.place(point) is not None]
    if points:
        look_at(at.subject, (queued or points)[0])


@st.dialog("Note", on_dismiss=partial(show_dialog, ""))
def _note_dialog(at: Desk) -> None:
    old = at.decision
    key = f"note-text-{at.row}"
    with st.form(f"note-form-{at.row}", border=False):
        st.text_input(
            f"About {messages.plain(shown(at.subject.names[at.point]))}",
            value=old.note if old is not None else "",
            key=key,
            max_chars=MAX_NOTE,
        )
        if st.form_submit_button("Save", type="primary"):
            text = str(state.widget_value(key) or "").strip()
            after = Decision("skip", "", text) if text else None
            if old is not None:
                after = Decision(old.action, old.label, text)
            desk.decide(desk.changes_of(at.subject.analysis, {at.row: after}))
            show_dialog("")
            st.rerun()
    st.caption("Enter saves, Esc closes. A point without a decision counts as skipped then.")
    focus(key)


def class_keys(classes: Sequence[str]) -> tuple[str, ...]:
    """Return the key of each class: its own name where that is a figure, else the next free one.

    No class has a key that is the name of another: of 3, 7 and 10, key 3 means class 3.

    Parameters
    ----------
    classes : sequence of at most ten str
        From 1 to 9, then 0, where none is a figure.
    """
    own = {name for name in classes if len(name) == 1 and name in _FIGURES}
    free = (figure for figure in _FIGURES[1:] + _FIGURES[0] if figure not in own)
    return tuple(name if name in own else next(free) for name in classes)


def _live(key: str) -> str | None:
    """Return a key unless a dialog is open, which has the keyboard for itself."""
    return None if state.desk(ReviewDesk).dialog else key


def accept_all(subject: Subject, points: Iterable[int], line: str) -> None:
    """Accept the suggestion for many points as one step."""
    wanted: dict[int, Decision | None] = {}
    for point in points:
        wanted[int(subject.rows[point])] = Decision("relabel", str(subject.suggested[point]))
    desk.decide(
        desk.changes_of(subject.analysis, wanted),
        f"{len(wanted):,} suggestions accepted ({line})",
    )


def _told(name: str) -> str:
    return messages.plain(shown(name))
