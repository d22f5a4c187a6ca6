"""What a person decided about rows, and the steps that led there. Pure.

A decision belongs to a row of a source, never to a position in what happens to be computed
now, so that another k, other test points or another sample keep it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Final, Literal

from stiknn_core.errors import StiknnError

Action = Literal["relabel", "keep", "remove", "skip", ""]
Key = tuple[str, int]
"""SHA-256 of the source as 64 hexadecimal digits, and the 0-based row in it."""

DONE: Final[Mapping[Action, str]] = {
    "relabel": "relabelled",
    "keep": "kept",
    "remove": "removed",
    "skip": "skipped",
    "": "with a note alone",
}
"""What is said of a row after each action."""
MAX_NOTE: Final = 2_000
"""Most characters of a note."""

_LONGEST: Final = 40
_MOST_NAMED: Final = 3


class ReviewError(StiknnError):
    """Something asked of a review cannot be done."""


class DecidedElsewhere(ReviewError):  # noqa: N818  # it says what happened; nothing is broken
    """A row holds another decision than the one a person was looking at."""


@dataclass(frozen=True)
class Decision:
    """What is to become of one row.

    "keep" says that the label is right, "skip" that it was looked at and left open; with "" there
    is a note and nothing else. Only "relabel" has a label, the new class as text. A note has at
    most ``MAX_NOTE`` characters.
    """

    action: Action
    label: str = ""
    note: str = ""

    @property
    def decides(self) -> bool:
        """Whether it settles what becomes of the row."""
        return self.action not in ("skip", "")


@dataclass(frozen=True)
class Change:
    """One row from one decision to another, with its name and its label in the data."""

    key: Key
    name: str
    given: str
    before: Decision | None
    after: Decision | None


@dataclass(frozen=True)
class Step:
    """What is done and undone as one: all that one press of a key or button changed.

    Attributes
    ----------
    number : int
        From 1, in the order they were made; never used twice.
    at : str
        When it was made, UTC: "2026-11-28T10:00:00Z".
    what : str
        One phrase for the list of changes.
    changes : tuple of Change
    undone : bool
    replaced : bool
        Undone, and something else was done since, so that it cannot be redone.
    turn : int
        Version of the record at which it was last made, undone or redone.
    """

    number: int
    at: str
    what: str
    changes: tuple[Change, ...]
    undone: bool = False
    replaced: bool = False
    turn: int = 0


@dataclass(frozen=True)
class Operation:
    """What a browser calls one of its operations: its own name, and a number from 1 without gaps.

    So what is sent twice, after a lost connection or a reload, is done once.
    """

    client: str
    number: int


@dataclass(frozen=True)
class Record:
    """All decisions of a review at one moment.

    Attributes
    ----------
    decisions : read-only mapping of Key to Decision
        Those that hold now.
    steps : tuple of Step
        Oldest first, undone ones included.
    version : int
        Grows with every step, undo and redo.
    heard : read-only mapping of str to int
        The last operation of each browser that was done or refused.
    read_of : int
        Which journal it was read of: versions of another one count differently.
    reads : tuple of (int, tuple of Key)
        The last times it was read: the version before, and which rows changed since.
    """

    decisions: Mapping[Key, Decision] = field(default_factory=lambda: MappingProxyType({}))
    steps: tuple[Step, ...] = ()
    version: int = 0
    heard: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    read_of: int = field(default=0, compare=False)
    reads: tuple[tuple[int, tuple[Key, ...]], ...] = field(default=(), compare=False, repr=False)

    def changed_since(self, older: Record) -> Iterable[Key]:
        """Return all rows that may hold another decision than in a record read before."""
        if older.read_of == self.read_of:
            if older.version == self.version:
                return ()
            since = [keys for version, keys in self.reads if version >= older.version]
            if since and any(version == older.version for version, _ in self.reads):
                return dict.fromkeys(key for keys in since for key in keys)
        return older.decisions.keys() | self.decisions.keys()

    @cached_property
    def undoable(self) -> Step | None:
        """The step that undo would take back."""
        return _latest(step for step in self.steps if not step.undone)

    @cached_property
    def redoable(self) -> Step | None:
        """The step that redo would make again."""
        return _latest(step for step in self.steps if step.undone and not step.replaced)


def describe(change: Change) -> str:
    """Return a change in words: "P04: 1 → 0"."""
    name, before, after = shown(change.name), change.before, change.after
    if _only_notes_differ(before, after):
        done = "changed" if before is not None and before.note else "written"
        return f"{name}: note {done if after is not None and after.note else 'removed'}"
    if after is None:
        return f"{name}: decision taken back"
    return f"{name}: {describe_decision(after, change.given)}"


def describe_decision(decision: Decision | None, given: str) -> str:
    """Return what becomes of a row, in words: "1 → 0", "1 kept", "removed", "skipped"."""
    if decision is None or not decision.action:
        return "not decided"
    if decision.action == "relabel":
        return f"{shown(given)} → {shown(decision.label)}"
    done = DONE[decision.action]
    return f"{shown(given)} {done}" if decision.action == "keep" else done


def phrase(changes: Sequence[Change]) -> str:
    """Return one phrase for all changes of a step: "12 rows relabelled"."""
    if len(changes) == 1:
        return describe(changes[0])
    words = {"taken back" if c.after is None else DONE[c.after.action] for c in changes}
    return f"{len(changes):,} rows {words.pop() if len(words) == 1 else 'decided'}"


def checked(changes: Iterable[Change]) -> tuple[Change, ...]:
    """Return the changes that change something.

    Raises
    ------
    ReviewError
        If a row is named twice, a note is too long, or a new label is missing.
    """
    wanted = tuple(change for change in changes if change.before != change.after)
    if len({change.key for change in wanted}) < len(wanted):
        raise ReviewError("Each row can be changed once in a step; a row is named twice.")
    for after in (change.after for change in wanted if change.after is not None):
        if after.action not in DONE:
            raise ReviewError(f"action must be one of {tuple(DONE)}; not {shown(after.action)!r}.")
        if after.action == "relabel" and not after.label:
            raise ReviewError("A new label is needed: choose a class.")
        if not after.action and not after.note:
            raise ReviewError("Nothing was decided and nothing noted.")
        if len(after.note) > MAX_NOTE:
            raise ReviewError(
                f"A note can have {MAX_NOTE:,} characters; this one has {len(after.note):,}: "
                "shorten it."
            )
    return wanted


def refusal(others: Sequence[tuple[Change, Decision | None, Decision | None]]) -> str:
    """Return the sentence for rows that should hold one decision and hold another now."""
    named = [
        f"{shown(change.name)} (now: {describe_decision(now, change.given)}"
        f"{', with another note' if _only_notes_differ(expected, now) else ''})"
        for change, expected, now in others[:_MOST_NAMED]
    ]
    more = f" and {len(others) - _MOST_NAMED:,} more" if len(others) > _MOST_NAMED else ""
    return (
        f"Nothing was changed, since another window decided meanwhile on {', '.join(named)}{more}: "
        "look again and decide anew."
    )


def shown(text: str) -> str:
    """Return a name or label for a sentence: on one line, printable, not too long."""
    clean = "".join(sign if sign.isprintable() else "�" for sign in " ".join(text.split()))
    return clean if len(clean) <= _LONGEST else clean[: _LONGEST - 1] + "…"


def _latest(steps: Iterable[Step]) -> Step | None:
    return max(steps, key=lambda step: step.turn, default=None)


def _only_notes_differ(before: Decision | None, now: Decision | None) -> bool:
    held = [("", "") if one is None else (one.action, one.label) for one in (before, now)]
    return held[0] == held[1]
