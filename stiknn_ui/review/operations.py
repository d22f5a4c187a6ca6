"""What a browser asks for: decisions, undo and redo, each with a number of its own.

The browser shows them at once and asks until it hears that they are done, so everything here may
come twice, and late: from a page that was loaded again, or after the connection was lost.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from stiknn_ui.review import desk
from stiknn_ui.review.decisions import Change, Decision, Operation
from stiknn_ui.review.remembered import ReviewDesk
from stiknn_ui.review.subject import Subject
from stiknn_ui.visit import state

_MOST: Final = 5_000
_LONGEST_NAME: Final = 64
_NOT_WRITTEN: Final = "Nothing was changed, since that step was not made: look again."


class _Asked(NamedTuple):
    """One operation: changes to make as one step, or a step to undo or redo."""

    operation: Operation
    kind: str
    changes: tuple[Change, ...]
    step: int | None
    made_by: Operation | None


def apply(subject: Subject, message: Any) -> None:
    """Do what a browser asks for, in its order, and nothing that was done or refused before.

    Parameters
    ----------
    subject : Subject
        Whose points the message names; one about others is left alone.
    message : mapping
        ``scope``, ``review`` and ``operations`` as `frontend/review/outbox.js` writes them.
    """
    here = state.desk(ReviewDesk)
    if not isinstance(message, Mapping) or message.get("scope") != scope_of(subject):
        return
    told: list[str] = []
    for asked in _read(subject, message):
        client, number = asked.operation.client, asked.operation.number
        heard = desk.record().heard.get(client, 0)
        told.append(here.notice)
        if number <= heard:
            continue
        if not _is_ours(str(message.get("review", "")), client):
            break
        review, here.notice = desk.name(), ""
        _do(asked)
        told.append(here.notice)
        if here.busy or (review and desk.name() != review):
            break  # it is sent again; or there is no such review any more
        if desk.record().heard.get(client, 0) < number:
            desk.pass_over(asked.operation)
    said = " ".join(dict.fromkeys(filter(None, told)))
    if said:
        here.told, here.notice = (here.told[0] + 1, said), ""


def scope_of(subject: Subject) -> str:
    """Return text that is the same exactly where points mean the same rows."""
    told = f"{subject.side}|{subject.analysis.scope}"
    return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _is_ours(review: str, client: str) -> bool:
    """Whether operations that were made for a review are for the one that is open.

    The first ones are made before there is a review. They are for the one that this visit began
    since, or that has heard of the same page before; never for one that a link opened meanwhile.
    """
    here = state.desk(ReviewDesk)
    if review == desk.name():
        return True
    return not review and (here.begun or client in here.seen.heard)


def _do(asked: _Asked) -> None:
    if asked.kind == "set":
        desk.decide(asked.changes, operation=asked.operation)
        return
    number = asked.step if asked.made_by is None else desk.step_of(asked.made_by)
    if number is None:
        state.desk(ReviewDesk).notice = _NOT_WRITTEN
        return
    turn = desk.undo if asked.kind == "undo" else desk.redo
    turn(number, asked.operation)


def _read(subject: Subject, message: Mapping[str, Any]) -> list[_Asked]:
    """Return the operations of a message; what does not have their form is left out."""
    found = []
    asked_for = message.get("operations")
    for told in asked_for[:_MOST] if isinstance(asked_for, list) else ():
        try:
            operation = _operation(told["client"], told["number"])
            kind = told["kind"]
            changes = tuple(_change(subject, *one) for one in told.get("changes", ()))
            step = told.get("step")
            made_by = _operation(*told["of"]) if step is None and kind != "set" else None
        except (KeyError, TypeError, ValueError, IndexError):
            continue
        if kind in ("set", "undo", "redo") and (step is None or type(step) is int):
            found.append(_Asked(operation, kind, changes, step, made_by))
    return found


def _operation(client: Any, number: Any) -> Operation:
    if type(client) is not str or not 0 < len(client) <= _LONGEST_NAME:
        raise ValueError(client)
    if type(number) is not int or not 0 < number < 2**53:
        raise ValueError(number)
    return Operation(client, number)


def _change(subject: Subject, point: Any, before: Any, after: Any) -> Change:
    if type(point) is not int or not 0 <= point < len(subject):
        raise ValueError(point)
    row = int(subject.rows[point])
    wanted = _decision(after)
    label = wanted.label if wanted is not None else ""
    if subject.said is not None:
        known = not label or math.isfinite(float(label))  # no number is a ValueError
    else:
        known = not label or label in subject.analysis.classes
    if not known:
        raise ValueError(label)
    return desk.change_of(subject.analysis, row, _decision(before), wanted)


def _decision(told: Any) -> Decision | None:
    if told is None:
        return None
    action, label, note = told
    if not all(type(one) is str for one in (action, label, note)):
        raise ValueError(told)
    return Decision(action, label, note)
