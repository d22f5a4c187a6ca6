"""What can be done with the point in view: buttons, keys, and what they write."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import streamlit as st

from stiknn_ui.review import desk
from stiknn_ui.review.decisions import MAX_NOTE, Action, Decision, Step, shown
from stiknn_ui.review.queue import Queue
from stiknn_ui.review.remembered import ReviewDesk, close_dialog, show_dialog
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
_ACTIONS: Final[tuple[tuple[Action, str, str], ...]] = (
    ("keep", "K", "The given label is right."),
    ("remove", "X", "Leave this row out of the corrected data."),
    ("skip", "S", "Leave it open and go on."),
)


@dataclass(frozen=True, eq=False)
class Desk:
    """The point in view, by its position in the subject, and what decides which one is next.

    Decisions are by row of the data set.
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
        return self.decision_on(self.point)

    def decision_on(self, point: int) -> Decision | None:
        """Return what was decided about any point."""
        return self.decided.get(int(self.subject.rows[point]))

    def decided_points(self) -> set[int]:
        """Return the points of the subject that have a decision."""
        return {
            point for point, row in enumerate(self.subject.rows.tolist()) if row in self.decided
        }


def cursor_name(subject: Subject) -> str:
    """Return under which name the point in view is remembered."""
    return f"{subject.side}|{subject.analysis.scope}"


def at_desk(subject: Subject, queue: Queue, decided: Mapping[int, Decision]) -> Desk:
    """Return the point that was in view, or after a reload the first one that is still open."""
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


def go_on(at: Desk, points: Iterable[int]) -> None:
    """Bring the next open point into view, now that these are decided."""
    look_at(at.subject, at.queue.next_open(at.point, at.decided_points() | set(points)))


def buttons(at: Desk) -> None:
    """Draw the buttons of the point in view; each carries its key."""
    subject, point = at.subject, at.point
    suggested, given = str(subject.suggested[point]), subject.given[point]
    with st.container(horizontal=True, key="review-actions"):
        _button(
            "accept",
            "A",
            partial(_decide, at, "relabel", suggested),
            label=f"Accept: {_told(suggested)}",
            type="primary",
            disabled=suggested == given,
            help="Give it the suggested class."
            if suggested != given
            else "The given class is backed best, so there is nothing to accept.",
        )
        for action, key, told in _ACTIONS:
            _button(action, key, partial(_decide, at, action), help=told)
    _classes(at)
    with st.container(horizontal=True, key="review-moves"):
        for name, key, by in (("back", "B", -1), ("next", "N", 1)):
            target = at.queue.step(point, by)
            look = partial(look_at, subject, target)
            _button(name, key, look, disabled=target == point, help="Changes nothing.")
        _button(
            "note",
            "M",
            partial(show_dialog, "note"),
            label="Note ✓" if at.decision is not None and at.decision.note else "Note",
            help="A remark that goes into the exports.",
        )
        record = desk.record()
        for name, key, step, turn in (
            ("undo", "U", record.undoable, desk.undo),
            ("redo", "Y", record.redoable, desk.redo),
        ):
            told = f"Nothing to {name}." if step is None else messages.plain(step.what)
            _button(name, key, partial(_turn, at, turn), disabled=step is None, help=told)
    if state.desk(ReviewDesk).dialog == "note":
        _note_dialog(at)


def _button(
    name: str, key: str, then: Callable[[], None], *, label: str = "", **options: Any
) -> None:
    """Draw a button that a key presses too, unless a dialog has the keyboard for itself."""
    live = None if state.desk(ReviewDesk).dialog else key
    st.button(label or name.capitalize(), key=name, shortcut=live, on_click=then, **options)


def _classes(at: Desk) -> None:
    """Offer every class: a few as buttons with figures as their keys, many as a list."""
    classes = at.subject.analysis.classes
    if len(classes) <= MOST_CLASS_KEYS:
        with st.container(horizontal=True, vertical_alignment="center", key="review-classes"):
            st.markdown("Its class is", width="content")
            keys = class_keys(classes)
            for place, name in enumerate(classes):
                choose = partial(_decide, at, "relabel", name)
                _button(f"class-{place}", keys[place], choose, label=_told(name))
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


@messages.guarded()
def _decide(at: Desk, action: Action, label: str = "") -> None:
    """Write a decision for the point in view, and its copies where wished, and go on."""
    subject, points = at.subject, [at.point]
    if state.desk(ReviewDesk).copies_together:
        points = subject.group(at.point).tolist()
    wanted = {}
    for point in points:
        old = at.decision_on(point)
        note = old.note if old is not None else ""
        kept = action == "relabel" and label == subject.given[point]
        decision = Decision("keep", "", note) if kept else Decision(action, label, note)
        wanted[int(subject.rows[point])] = decision
    changes = desk.changes_of(subject.analysis, wanted)
    # Deciding the same again changes nothing, but whoever does it wants to go on.
    if not changes or desk.decide(changes) is not None:
        go_on(at, points)


def _decide_listed(at: Desk, key: str) -> None:
    label = state.widget_value(key)
    if label is not None:
        _decide(at, "relabel", str(label))


@messages.guarded()
def _turn(at: Desk, turn: Callable[[], Step | None]) -> None:
    """Undo or redo, and bring the first point that this changed into view, if it is one of these.

    Of a group of copies that is the one in the queue, so that Next goes on from there.
    """
    step = turn()
    if step is None:
        return
    keys = desk.keys_of(at.subject.analysis)
    place = {keys[row]: point for point, row in enumerate(at.subject.rows.tolist())}
    points = [place[change.key] for change in step.changes if change.key in place]
    queued = [point for point in points if at.queue.place(point) is not None]
    if points:
        look_at(at.subject, (queued or points)[0])


@st.dialog("Note", on_dismiss=show_dialog)
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
            close_dialog()
    st.caption("Enter saves, Esc closes. A point without a decision counts as skipped then.")
    focus(key)


def class_keys(classes: Sequence[str]) -> tuple[str, ...]:
    """Return the key of each class: its own name where that is a figure, else the next free one.

    No class has a key that is the name of another: of 3, 7 and 10, key 3 means class 3. Where
    none is a figure, ten classes have the keys from 1 to 9, then 0.
    """
    own = {name for name in classes if len(name) == 1 and name in _FIGURES}
    free = (figure for figure in _FIGURES[1:] + _FIGURES[0] if figure not in own)
    return tuple(name if name in own else next(free) for name in classes)


def _told(name: str) -> str:
    return messages.plain(shown(name))
