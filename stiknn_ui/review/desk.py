"""What the pages do with a review: look, decide, undo, redo.

A person decides on what was on screen. So the record that was read for the last draw is kept
in the session, and what is written or undone is compared with what the review holds by then.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from stiknn_core.types import AnyArray
from stiknn_ui.results.doubt import label_told
from stiknn_ui.results.result import Result
from stiknn_ui.review import home
from stiknn_ui.review import kept as review_kept
from stiknn_ui.review.about import About
from stiknn_ui.review.database import JournalBusy
from stiknn_ui.review.decided import Decided
from stiknn_ui.review.decisions import (
    Change,
    Decision,
    Operation,
    Record,
    ReviewError,
    Step,
    checked,
)
from stiknn_ui.review.journal import GONE, Journal, UnknownReview
from stiknn_ui.review.layout import JournalError
from stiknn_ui.review.remembered import ReviewDesk
from stiknn_ui.review.saving import Saving, Unsaved
from stiknn_ui.uploads.desk import UploadDesk
from stiknn_ui.visit import state


def record() -> Record:
    """Return this visit's decisions as they are now, whichever window made them."""
    here = state.desk(ReviewDesk)
    if not here.token:
        return here.seen
    try:
        found = _saving().record(here.token, here.seen)
    except JournalBusy:
        return here.seen
    except JournalError as error:
        here.notice = str(error)
        return here.seen
    if found is None:
        _lose(GONE)
    else:
        here.seen = found
    return here.seen


def decided(analysis: Result) -> Decided:
    """Return the decisions by row of ``analysis.dataset``."""
    here, now = state.desk(ReviewDesk), record()
    if here.decided_of != analysis.scope:
        here.decided_of, here.decided_at = analysis.scope, Record()
        here.decided = Decided(np.zeros(analysis.dataset.n, dtype=np.int64))
    if here.decided_at is not now:
        places = review_kept.places_of(analysis)
        here.decided = here.decided.after(here.decided_at, now, places)
        here.decided_at = now
    return here.decided


def corrected(analysis: Result) -> tuple[AnyArray, NDArray[np.bool_]]:
    """Return the data set's labels with the decisions applied, and which rows they remove.

    Returns
    -------
    (n,) array
        Of the same kind as ``analysis.dataset.y``, or of text and given labels together where
        a new label is none of the data's classes.
    (n,) bool
        True for rows to leave out; their label is the given one.
    """
    given, found = analysis.dataset.y, decided(analysis)
    if analysis.dataset.measured:
        return _corrected_targets(given, found)
    classes = review_kept.labels_of(analysis)
    relabels = found.where(lambda one: one.action == "relabel")
    rows = np.flatnonzero(relabels)
    new = np.empty(len(found.kinds), dtype=object)
    new[:] = [classes.get(kind.label, kind.label) for kind in found.kinds]
    taken = new[found.codes[rows] - 1]
    known = all(str(label) in classes for label in set(taken.tolist()))
    labels = given.copy() if known else given.astype(object)
    labels[rows] = taken
    return labels, found.where(lambda one: one.action == "remove")


def _corrected_targets(given: AnyArray, found: Decided) -> tuple[AnyArray, NDArray[np.bool_]]:
    rows = np.flatnonzero(found.where(lambda one: one.action == "relabel"))
    labels = given.copy()
    labels[rows] = [float(found.kinds[code - 1].label) for code in found.codes[rows].tolist()]
    return labels, found.where(lambda one: one.action == "remove")


def changes_of(analysis: Result, wanted: Mapping[int, Decision | None]) -> tuple[Change, ...]:
    """Return the changes from what a person last saw to what is wanted, by row of the data set.

    None takes a decision back.
    """
    dataset, places = analysis.dataset, review_kept.places_of(analysis)
    seen, rows = state.desk(ReviewDesk).seen.decisions, list(wanted)
    names, given = (column[rows].tolist() for column in (dataset.ids, dataset.y))
    by_key = {}
    for row, name, label in zip(rows, names, given, strict=True):
        key = places[row]
        by_key[key] = Change(key, str(name), label_told(label), seen.get(key), wanted[row])
    return tuple(change for change in by_key.values() if change.before != change.after)


def change_of(
    analysis: Result, row: int, before: Decision | None, after: Decision | None
) -> Change:
    """Return the change of a row of the data set from what a person saw to what is wanted."""
    dataset, key = analysis.dataset, review_kept.places_of(analysis)[row]
    return Change(key, str(dataset.ids[row]), label_told(dataset.y[row].item()), before, after)


def decide(
    changes: Iterable[Change], what: str = "", operation: Operation | None = None
) -> Step | None:
    """Write changes as one step at once; the first one begins a review.

    ``what`` is one phrase for the list of changes; see `Journal.write`. Returns None if nothing
    was written; where something was in the way, the notice says it.
    """
    wanted = tuple(changes)
    memory = state.desk(ReviewDesk)
    told = About.of(state.settings(), state.desk(UploadDesk).upload).to_json()
    # As long as the disk refuses, nobody knows whether what was noted is there.
    about = told if told != memory.about or unsaved() is not None else None
    try:
        if not checked(wanted):
            return None
    except ReviewError as error:
        memory.notice = str(error)
        return None
    step = _do(lambda on, *known: on.write(*known, wanted, what, about, operation))
    if step is not None:
        memory.about = told
    return step


def undo(number: int, operation: Operation | None = None) -> Step | None:
    """Take a step back that a person saw as the newest."""
    return _do(lambda on, *known: on.undo(*known, number, operation))


def redo(number: int, operation: Operation | None = None) -> Step | None:
    """Make a step again that a person saw as the last one undone."""
    return _do(lambda on, *known: on.redo(*known, number, operation))


def pass_over(operation: Operation) -> None:
    """Note that an operation changes nothing, so that it is not asked for again."""
    _do(lambda on, *known: on.pass_over(*known, operation))


def step_of(operation: Operation) -> int | None:
    """Return the number of the step that an operation made; None if it made none."""
    try:
        return _saving().step_of(state.desk(ReviewDesk).token, operation)
    except JournalError:
        return None


def name() -> str:
    """Return what the browser calls this review, which does not open it; empty without one."""
    token = state.desk(ReviewDesk).token
    return hashlib.sha256(token.encode()).hexdigest()[:12] if token else ""


def unsaved() -> Unsaved | None:
    """Return what of this review is not on the disk; None if all of it is."""
    token = state.desk(ReviewDesk).token
    return _saving().unsaved(token) if token else None


def where_kept() -> str:
    """Return one sentence about where decisions are kept."""
    return (
        f"Every decision is written at once to {home.where()} on the machine that runs this app; "
        "whoever has the address of this page can see and change them."
    )


def awaited() -> str:
    """Return one sentence about the file that decisions wait for; empty if there is none."""
    about = About.from_json(state.desk(ReviewDesk).about)
    return "" if about is None else about.awaits(state.desk(UploadDesk).upload)


def begin_review() -> str:
    """Begin a review, unless there is one, and return its token; empty if that has to wait."""
    here = state.desk(ReviewDesk)
    if not here.token:
        try:
            here.token = _saving().begin()
            here.begun = True
        except JournalBusy as error:
            here.notice, here.busy = str(error), True
    return here.token


def arrive(token: str) -> None:
    """Take up the review that a link names, at the beginning of a visit."""
    here = state.desk(ReviewDesk)
    here.token, here.begun = token, False
    record()
    if here.token:
        try:
            here.about = _saving().about(token)
        except JournalError as error:
            here.notice = str(error)


def forget() -> None:
    """Delete the review with everything in it: decisions, notes, steps, kept files."""
    here = state.desk(ReviewDesk)
    try:
        if here.token:
            _saving().forget(here.token)
    except JournalError as error:
        here.notice = f"The review could not be deleted. {error}"
        return
    _lose("")


def journal() -> Journal:
    """Return the file of decisions."""
    return _saving().journal


def _do(work: Callable[[Saving, str, Record], Step | None]) -> Step | None:
    """Write something and read the result; a reason against it becomes a notice."""
    here = state.desk(ReviewDesk)
    here.notice, here.busy = "", False
    step = None
    try:
        if not begin_review():
            return None
        step = work(_saving(), here.token, here.seen)
        here.notice = _saving().refused(here.token)
    except UnknownReview as error:
        _lose(str(error))
    except JournalBusy as error:
        here.notice, here.busy = str(error), True
    except ReviewError as error:
        here.notice = str(error)
    record()
    return step


def _saving() -> Saving:
    return review_kept.saving(str(home.database_path()))


def _lose(sentence: str) -> None:
    here = state.desk(ReviewDesk)
    here.token, here.about, here.kept = "", "", None
    here.seen = Record()
    here.notice = sentence
