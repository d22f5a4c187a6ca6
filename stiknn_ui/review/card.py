"""The card and its queue: one part of the page, drawn by the browser; see `frontend/review/`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import streamlit as st

from stiknn_core.scores import SCORES
from stiknn_ui.asked.spec import RankBy, ViewSpec
from stiknn_ui.frontend.parts import part, send_code
from stiknn_ui.linked_view.packing import ViewContent
from stiknn_ui.results import drawing
from stiknn_ui.review import desk, payload, threshold
from stiknn_ui.review import kept as review_kept
from stiknn_ui.review.decisions import MAX_NOTE, Decision, Record, Step, shown
from stiknn_ui.review.file_row import uploaded_row
from stiknn_ui.review.flags import Flags
from stiknn_ui.review.operations import scope_of
from stiknn_ui.review.remembered import ReviewDesk
from stiknn_ui.review.subject import Subject
from stiknn_ui.uploads.desk import UploadDesk
from stiknn_ui.visit import state
from stiknn_ui.work import shelves

KEY: Final = "review-card"
_HEIGHT: Final = 270  # of what stands there until the code has come, less 150
_MOST_STEPS: Final = 60
_MOST_CHANGES: Final = 500
# One component per kind of message, so that each changes only with its own content.
_CONTENT = part("review_content", "review/contents.js")
_CARD = part("review", "review/review.js", "Loading the card…")


def reported(name: str) -> Any:
    """Return what the browser said last under a name; None if it has not."""
    held = state.widget_value(KEY)
    return held.get(name) if isinstance(held, Mapping) else None


def draw(subject: Subject, by: RankBy, flags: Flags, view: ViewSpec) -> None:
    """Draw queue and card; what a person does there is reported as outbox, line and ask."""
    content = content_of(subject, view)
    with st.container(gap=None, key=f"{KEY}-frame"):
        send_code()
        _CONTENT(data=content.payload, key=f"{KEY}-content")
        _CARD(
            data=message(subject, content, by, flags),
            key=KEY,
            on_outbox_change=_nothing,
            on_line_change=_nothing,
            on_ask_change=_nothing,
        )


def content_of(subject: Subject, view: ViewSpec) -> ViewContent:
    """Return what stays the same while a person decides, made once."""
    drawn = drawing.drawn_of(subject.analysis, view.plane)
    found: ViewContent = shelves.derived().obtain(
        f"review|{subject.side}|{drawn.text}|{subject.analysis.key}",
        lambda: payload.build(subject, drawn.plane),
    )
    return found


def message(subject: Subject, content: ViewContent, by: RankBy, flags: Flags) -> dict[str, Any]:
    """Return what changes: the line, all decisions, the newest steps, and what was heard."""
    record, here, unsaved = desk.record(), state.desk(ReviewDesk), desk.unsaved()
    decided = desk.decided(subject.analysis)
    place = subject.point_of
    return {
        "content": content.content_id,
        "scope": scope_of(subject),
        "review": desk.name(),
        "begun": here.begun or not here.token,
        "heard": dict(record.heard),
        "unsaved": 0 if unsaved is None else unsaved.count,
        "by": by,
        "line": {
            "name": threshold.line_name(subject, by),
            "low": flags.low,
            "high": flags.high,
            "step": flags.step,
            "decimals": flags.decimals,
            "value": flags.threshold,
            "help": threshold.HELP[by],
            "meaning": SCORES[by].meaning,
        },
        "decisions": [
            [place[row], _told(decision)] for row, decision in decided.items() if row in place
        ],
        **_steps(subject, record),
        "told": list(here.told),
        "mostNote": MAX_NOTE,
        "file": _file_row(subject),
        "options": {"height": _HEIGHT},
    }


def _steps(subject: Subject, record: Record) -> dict[str, Any]:
    """Return the steps that can be undone and redone next, newest last."""
    rows = review_kept.places_of(subject.analysis).rows
    place = subject.point_of

    def told(step: Step) -> dict[str, Any]:
        changes = [
            [place[row], _told(change.before), _told(change.after)]
            for change in step.changes[:_MOST_CHANGES]
            for row in rows.get(change.key, ())
            if row in place
        ]
        whole = len(step.changes) <= _MOST_CHANGES
        return {
            "step": step.number,
            "what": shown(step.what),
            "changes": changes if whole else None,
        }

    by_turn = sorted(record.steps, key=lambda step: step.turn)
    done = [step for step in by_turn if not step.undone]
    undone = [step for step in by_turn if step.undone and not step.replaced]
    return {
        "undoable": [told(step) for step in done[-_MOST_STEPS:]],
        "redoable": [told(step) for step in undone[-_MOST_STEPS:]],
    }


def _file_row(subject: Subject) -> dict[str, Any] | None:
    """Return the row as it stands in the file of the point that the browser asks about.

    None where points come from no file; without one asked for, there are no cells.
    """
    upload = state.desk(UploadDesk).upload
    if uploaded_row(subject, int(subject.rows[0]), upload) is None:
        return None
    ask = reported("ask")
    point = ask.get("row") if isinstance(ask, Mapping) else None
    if type(point) is not int or not 0 <= point < len(subject):
        return {"point": None, "cells": []}
    table = uploaded_row(subject, int(subject.rows[point]), upload)
    cells = [] if table is None else table[["column", "cell"]].to_numpy(dtype=object).tolist()
    return {"point": point, "cells": cells}


def _told(decision: Decision | None) -> list[str] | None:
    return None if decision is None else [decision.action, decision.label, decision.note]


def _nothing() -> None:
    """Make what the browser reports a state value; Streamlit asks for a callback."""
