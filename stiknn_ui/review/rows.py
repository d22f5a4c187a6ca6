"""Between the rows of the file of decisions and the values of a review.

Every function works inside a transaction that its caller began; every statement finds its
rows by an index, so that a long review is as quick as a short one.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from stiknn_ui.review.cells import DamagedError, Decisions, exactly, words, written
from stiknn_ui.review.decisions import (
    Change,
    DecidedElsewhere,
    Decision,
    Key,
    Operation,
    Record,
    Step,
    refusal,
)

DONE, UNDONE, REPLACED = range(3)
"""States of a step; a replaced one was undone and can no longer be redone."""

VERSION_OF: Final = "SELECT version FROM reviews WHERE id = ?"
STEPS_SINCE: Final = (
    "SELECT number, at, what, state, version FROM steps WHERE review = ? AND version > ?"
)
DECISIONS_SINCE: Final = (
    "SELECT source, row, decision FROM decisions WHERE review = ? AND version > ?"
)
HEARD_SINCE: Final = "SELECT client, number FROM operations WHERE review = ? AND version > ?"
HEARD_OF: Final = "SELECT max(number) FROM operations WHERE review = ? AND client = ?"
HEAR: Final = "INSERT INTO operations VALUES (?, ?, ?, ?, ?)"
STEP_OF: Final = "SELECT step FROM operations WHERE review = ? AND client = ? AND number = ?"
DECISION_OF: Final = "SELECT decision FROM decisions WHERE review = ? AND source = ? AND row = ?"
DECISIONS_OF: Final = "SELECT source, row, decision FROM decisions WHERE review = ?"
NEWEST: Final = (
    "SELECT number FROM steps WHERE review = ? AND state = ? ORDER BY version DESC LIMIT 1"
)
STEP: Final = "SELECT at, what, state FROM steps WHERE review = ? AND number = ?"
_CHANGES: Final = "SELECT step, source, row, name, given, before, after FROM changes "
CHANGES_OF: Final = f"{_CHANGES} WHERE review = ? AND step = ? ORDER BY place"
CHANGES_SINCE: Final = f"{_CHANGES} WHERE review = ? AND step > ? ORDER BY step, place"
REPLACE: Final = "UPDATE steps SET state = ?, version = ? WHERE review = ? AND state = ?"
TURN: Final = "UPDATE steps SET state = ?, version = ? WHERE review = ? AND number = ?"
PUT: Final = (
    "INSERT INTO decisions VALUES (?, ?, ?, ?, ?) ON CONFLICT (review, source, row) "
    "DO UPDATE SET decision = excluded.decision, version = excluded.version"
)

_READS: Final = 100
_MANY: Final = 500  # rows from which on reading all decisions is quicker than asking for each


def next_version(on: sqlite3.Connection, review: int) -> int:
    """Count one change of a review and return its number."""
    on.execute("UPDATE reviews SET version = version + 1 WHERE id = ?", (review,))
    return int(on.execute(VERSION_OF, (review,)).fetchone()[0])


def read(
    on: sqlite3.Connection, review: int, version: int, known: Record, made: Step | None = None
) -> Record:
    """Return the record of a review; O(what changed since ``known``), apart from two copies.

    ``made`` is a step of which the changes are known, so that they are not read again.
    """
    read_decision = Decisions().value
    last = known.steps[-1].number if known.steps else 0
    found = on.execute(STEPS_SINCE, (review, known.version)).fetchall()
    new: dict[int, Sequence[Change]] = {}
    next_ = made is not None and made.number == last + 1
    if made is not None and next_ and any(is_step(made, *one[:3]) for one in found):
        last, new = made.number, {made.number: made.changes}
    new.update(_by_step(on.execute(CHANGES_SINCE, (review, last))))
    steps = {step.number: step for step in known.steps}
    for number, at, what, state, turn in found:
        changes = steps[number].changes if number in steps else tuple(new.get(number, ()))
        if state not in (DONE, UNDONE, REPLACED):
            raise DamagedError("a step in a state that there is not")
        steps[exactly(int, number)] = Step(
            number,
            exactly(str, at),
            words(what),
            changes,
            state != DONE,
            state == REPLACED,
            exactly(int, turn),
        )
    decisions, changed = dict(known.decisions), []
    for source, row, text in on.execute(DECISIONS_SINCE, (review, known.version)):
        decision, key = read_decision(text), (exactly(str, source), exactly(int, row))
        changed.append(key)
        if decision is None:
            decisions.pop(key, None)
        else:
            decisions[key] = decision
    heard = dict(known.heard)
    for client, number in on.execute(HEARD_SINCE, (review, known.version)):
        heard[exactly(str, client)] = max(exactly(int, number), heard.get(client, 0))
    ordered = tuple(steps[number] for number in sorted(steps))
    return Record(
        MappingProxyType(decisions),
        ordered,
        version,
        MappingProxyType(heard),
        known.read_of,
        (*known.reads, (known.version, tuple(changed)))[-_READS:],
    )


def is_step(step: Step, number: object, at: object, what: object) -> bool:
    """Tell whether a step is the one that the file holds under a number."""
    return (step.number, step.at, written(step.what)) == (number, at, what)


def changes_of(on: sqlite3.Connection, review: int, number: int) -> tuple[Change, ...]:
    """Return the changes of one step."""
    return tuple(_by_step(on.execute(CHANGES_OF, (review, number))).get(number, ()))


def is_done(on: sqlite3.Connection, review: int, operation: Operation | None) -> bool:
    """Tell whether an operation of a browser was done, or refused, before."""
    if operation is None:
        return False
    (last,) = on.execute(HEARD_OF, (review, operation.client)).fetchone()
    return last is not None and operation.number <= int(last)


def hear(
    on: sqlite3.Connection,
    review: int,
    version: int,
    operation: Operation | None,
    step: int | None = None,
) -> None:
    """Note that an operation is done, and the step that it made."""
    if operation is not None:
        on.execute(HEAR, (review, operation.client, operation.number, step, version))


def newest(on: sqlite3.Connection, review: int, state: int) -> int | None:
    """Return the step that came into a state last; None if no step is in it."""
    row = on.execute(NEWEST, (review, state)).fetchone()
    return None if row is None else int(row[0])


def require(
    on: sqlite3.Connection, review: int, expected: Sequence[tuple[Change, Decision | None]]
) -> None:
    """Refuse to go on where a row holds another decision than expected.

    Raises
    ------
    DecidedElsewhere
    """
    read_decision = Decisions().value
    held: Mapping[Key, object] = {}
    if len(expected) > _MANY:
        found = on.execute(DECISIONS_OF, (review,))
        held = {(source, row): text for source, row, text in found}
    else:
        asked = ((change.key, (review, *change.key)) for change, _ in expected)
        rows = ((key, on.execute(DECISION_OF, one).fetchone()) for key, one in asked)
        held = {key: row[0] for key, row in rows if row is not None}
    others = []
    for change, decision in expected:
        now = read_decision(held.get(change.key))
        if now != decision:
            others.append((change, decision, now))
    if others:
        raise DecidedElsewhere(refusal(others))


def put(
    on: sqlite3.Connection,
    review: int,
    version: int,
    decisions: Sequence[tuple[Key, Decision | None]],
) -> None:
    """Write what rows hold now; a row without a decision keeps its place, for other windows."""
    text = Decisions().text
    on.executemany(PUT, [(review, *key, text(value), version) for key, value in decisions])


def add_step(on: sqlite3.Connection, review: int, step: Step) -> None:
    """Add a step to the list of changes."""
    state = REPLACED if step.replaced else UNDONE if step.undone else DONE
    text = Decisions().text
    on.execute(
        "INSERT INTO steps VALUES (?, ?, ?, ?, ?, ?)",
        (review, step.number, step.at, written(step.what), state, step.turn),
    )
    on.executemany(
        "INSERT INTO changes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                *(review, step.number, place, *change.key),
                *(written(change.name), written(change.given)),
                *(text(change.before), text(change.after)),
            )
            for place, change in enumerate(step.changes)
        ],
    )


def _by_step(found: sqlite3.Cursor) -> dict[int, list[Change]]:
    read_decision = Decisions().value
    steps: dict[int, list[Change]] = {}
    for number, source, row, name, given, before, after in found:
        change = Change(
            (exactly(str, source), exactly(int, row)),
            words(name),
            words(given),
            read_decision(before),
            read_decision(after),
        )
        steps.setdefault(number, []).append(change)
    return steps
