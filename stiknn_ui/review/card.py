"""The card and its queue: one part of the page, drawn by the browser; see `frontend/review/`.

What is the same for all runs is a content of its own, packed once and sent once. What the cards
of a few points show is asked for by the browser, in a fragment of its own that runs in
milliseconds and keeps no decision waiting.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import streamlit as st

from stiknn_core.plane import Plane
from stiknn_core.types import IntArray
from stiknn_ui.asked.spec import RankBy, ViewSpec
from stiknn_ui.frontend.parts import part, send_code
from stiknn_ui.results import drawing
from stiknn_ui.results.contents import Contents
from stiknn_ui.results.suspects import score_info
from stiknn_ui.review import desk, payload, standing, threshold
from stiknn_ui.review import kept as review_kept
from stiknn_ui.review.decisions import MAX_NOTE, Record, Step, shown
from stiknn_ui.review.file_row import in_file, uploaded_rows
from stiknn_ui.review.flags import Flags
from stiknn_ui.review.operations import scope_of
from stiknn_ui.review.remembered import ReviewDesk
from stiknn_ui.review.standing import told
from stiknn_ui.review.subject import Subject
from stiknn_ui.uploads.desk import UploadDesk
from stiknn_ui.uploads.shown import contents_of as shown_of
from stiknn_ui.visit import state
from stiknn_ui.words import cutting
from stiknn_ui.work import shelves
from stiknn_view.packing import ViewContent

KEY: Final = "review-card"
WINDOW: Final = f"{KEY}-window"
_HEIGHT: Final = 270  # of what stands there until the code has come, less 150
_MOST_STEPS: Final = 60
_MOST_CHANGES: Final = 500  # of all steps that are told
# One component per kind of message, so that each changes only with its own content.
_CONTENTS = {
    name: part(f"review_{name}", f"review/{name}.js") for name in ("points", "order", "decided")
}
_WINDOW = part("review_window", "review/windows.js")
_CARD = part("review", "review/review.js", "Loading the card…")


def reported(name: str, key: str = KEY) -> Any:
    """Return what the browser said last under a name; None if it has not."""
    held = state.widget_value(key)
    return held.get(name) if isinstance(held, Mapping) else None


def draw(subject: Subject, by: RankBy, flags: Flags, view: ViewSpec) -> None:
    """Draw queue and card; what a person does there is reported as outbox, line and ask."""
    drawn, here = drawing.drawn_of(subject.analysis, view.plane), state.desk(ReviewDesk)
    contents = contents_of(subject, by, drawn)
    here.standing, changed = standing.since(subject, desk.decided(subject.analysis), here.standing)
    contents["decided"] = here.standing.content
    with st.container(gap=None, key=f"{KEY}-frame"):
        send_code()
        for name, content in contents.items():
            _CONTENTS[name](data=content.payload, key=f"{KEY}-{name}")
        _window(subject, by, drawn.plane, contents["points"].content_id)
        _CARD(
            data=message(subject, contents, changed, by, flags),
            key=KEY,
            on_outbox_change=_nothing,
            on_line_change=_nothing,
            on_ask_change=_nothing,
        )


def contents_of(subject: Subject, by: RankBy, drawn: drawing.Drawn) -> dict[str, ViewContent]:
    """Return what stays the same while a person decides, made once."""
    shelf, name = shelves.derived(), subject.key

    def points() -> ViewContent:
        with st.spinner("Making the queue ready ..."):  # seconds for a million rows
            return payload.points(subject, drawn.plane, shown_of(subject.analysis))

    return {
        "points": shelf.obtain(f"review|{drawn.text}|{name}", points),
        "order": shelf.obtain(f"review by {by}|{name}", lambda: payload.order(subject, by)),
    }


@st.fragment
def _window(subject: Subject, by: RankBy, plane: Plane, content: str) -> None:
    """Send what the cards of those points show that the browser asks for."""
    ask, here = reported("ask", WINDOW), state.desk(ReviewDesk)
    held = shown_of(subject.analysis)
    points = _asked(subject, ask, content, held)
    if points is None:
        points = subject.order(by)[: payload.affordable(subject, held)]
    upload = state.desk(UploadDesk).upload
    wants_cells, whole = (
        isinstance(ask, Mapping) and ask.get(wish) is True for wish in ("cells", "whole")
    )
    name = f"{content}|{wants_cells}|{whole}|{points.tobytes().hex()}"
    if here.window is None or here.window[0] != name:
        cells = uploaded_rows(subject, points, upload) if wants_cells else None
        asked = points.astype(np.int64)
        made = payload.window(subject, plane, asked, content, cells, held, whole=whole)
        here.window = name, made
    _WINDOW(data=here.window[1].payload, key=WINDOW, on_ask_change=_nothing)


def _asked(subject: Subject, ask: Any, content: str, held: Contents) -> IntArray | None:
    """Return the points that a browser asks for, as many as can be had at once."""
    if not isinstance(ask, Mapping) or ask.get("content") != content:
        return None
    told = ask.get("points")
    if not isinstance(told, list) or not told:
        return None
    # A whole text may be long, and only one is read at a time.
    told = told[: 1 if ask.get("whole") is True else payload.affordable(subject, held)]
    if not all(type(one) is int and 0 <= one < len(subject) for one in told):
        return None
    return np.array(told, dtype=np.int32)


def message(
    subject: Subject,
    contents: Mapping[str, ViewContent],
    changed: list[list[Any]],
    by: RankBy,
    flags: Flags,
) -> dict[str, Any]:
    """Return what changes: the line, the newest decisions and steps, and what was heard."""
    record, here, unsaved = desk.record(), state.desk(ReviewDesk), desk.unsaved()
    return {
        "contents": {name: one.content_id for name, one in contents.items()},
        "decisions": changed,
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
            "help": threshold.help_of(subject, by),
            "meaning": score_info(subject.analysis, by).meaning,
            "expected": threshold.expected_line(subject, by, flags),
            "sure": cutting.HOW_SURE,
        },
        "found": threshold.found_line(subject, desk.decided(subject.analysis)),
        **_steps(subject, record),
        "told": list(here.told),
        "mostNote": MAX_NOTE,
        "inFile": in_file(subject, state.desk(UploadDesk).upload),
        "options": {"height": _HEIGHT},
    }


def _steps(subject: Subject, record: Record) -> dict[str, Any]:
    """Return the steps that can be undone and redone next, newest last."""
    by_turn = sorted(record.steps, key=lambda step: step.turn)
    done = [step for step in by_turn if not step.undone][-_MOST_STEPS:]
    undone = [step for step in by_turn if step.undone and not step.replaced][-_MOST_STEPS:]
    left, whole = _MOST_CHANGES, []
    for step in (*reversed(done), *reversed(undone)):
        if len(step.changes) <= left:
            left -= len(step.changes)
            whole.append(step)
    changes = [(step.number, change) for step in whole for change in step.changes]
    which, rows = review_kept.places_of(subject.analysis).find([one.key for _, one in changes])
    points = subject.point_at[rows]
    found: dict[int, list[Any]] = {step.number: [] for step in whole}
    for place, point in zip(which.tolist(), points.tolist(), strict=True):
        number, change = changes[place]
        if point >= 0:
            found[number].append([point, told(change.before), told(change.after)])

    def say(step: Step) -> dict[str, Any]:
        what, here = shown(step.what), found.get(step.number)
        return {"step": step.number, "what": what, "changes": here}

    return {"undoable": [say(step) for step in done], "redoable": [say(step) for step in undone]}


def _nothing() -> None:
    """Make what the browser reports a state value; Streamlit asks for a callback."""
