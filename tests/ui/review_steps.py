"""Small steps for the tests of the journal."""

from __future__ import annotations

from stiknn_ui.review.decisions import Change, Decision, Record
from stiknn_ui.review.journal import Journal

ZERO, ONE, KEEP = Decision("relabel", "0"), Decision("relabel", "1"), Decision("keep")


def change(row: int, after: Decision | None, before: Decision | None = None) -> Change:
    """Return the change of one row of a source."""
    return Change(("s" * 64, row), f"P{row:02d}", "1", before, after)


def reopened(journal: Journal) -> Journal:
    """Return the same file as another server finds it."""
    journal.close()
    return Journal(journal.path)


def record_of(journal: Journal, token: str, known: Record | None = None) -> Record:
    """Return the record of a review that is there."""
    found = journal.record(token, known)
    assert found is not None
    return found
