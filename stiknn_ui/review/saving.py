"""Decisions of all reviews: on the disk, and in memory for as long as the disk refuses them.

What was refused is written in the order it was decided: with the next decision, and every few
seconds whether a page is open or not. Until then it counts as if it were written, in all windows.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from stiknn_ui.review.database import JournalBusy
from stiknn_ui.review.decisions import Change, Operation, Record, ReviewError, Step
from stiknn_ui.review.journal import Journal, new_token
from stiknn_ui.review.layout import JournalError

PAUSE: Final = 10.0
"""Seconds from one attempt to write what is held to the next."""
_MOST_HELD: Final = 200

_Work = Callable[[Journal, Mapping[int, int]], Step | None]
"""What a person did, on any journal; steps made since have other numbers there."""


@dataclass(frozen=True)
class Unsaved:
    """What of a review is in memory only.

    Attributes
    ----------
    steps : tuple of Step
        Oldest first, as they stand now.
    trouble : str
        Why they are not on the disk.
    """

    steps: tuple[Step, ...]
    trouble: str

    @property
    def count(self) -> int:
        """How many rows hold something else than on the disk, as far as anyone here knows."""
        return len({change.key for step in self.steps for change in step.changes})


@dataclass
class _Held:
    """One review in memory, and what was done to it that the disk does not know."""

    memory: Journal
    trouble: str
    waiting: deque[tuple[_Work, Step]] = field(default_factory=deque)
    numbers: dict[int, int] = field(default_factory=dict)


class Saving:
    """Reviews in a journal, for all visits of a server; nothing decided waits for the disk.

    Parameters
    ----------
    journal : Journal
        The file of decisions.
    pause : float
        Seconds, see `PAUSE`.
    """

    def __init__(self, journal: Journal, pause: float = PAUSE) -> None:
        self.journal = journal
        self._pause = pause
        self._held: dict[str, _Held] = {}
        self._refused: dict[str, list[str]] = {}
        self._timer: threading.Timer | None = None
        self._lock = threading.RLock()

    def begin(self) -> str:
        """Begin a review and return its token.

        Raises
        ------
        JournalBusy
            As by all that writes: whoever is asked to try again has nothing to be held.
        """
        token = new_token()
        with self._lock:
            try:
                self.journal.new_review(token)
            except JournalBusy:
                raise
            except JournalError as error:
                self._hold(token, Record(), error)
        return token

    def record(self, token: str, known: Record | None = None) -> Record | None:
        """Return all decisions of a review, unsaved ones too; None if there is no such review."""
        return self._now(token).record(token, known)

    def step_of(self, token: str, operation: Operation) -> int | None:
        """Return the number of the step that an operation made; None if it made none."""
        return self._now(token).step_of(token, operation)

    def about(self, token: str) -> str:
        """Return what was noted about the data of a review; see `Journal.about`."""
        return self._now(token).about(token)

    def write(
        self,
        token: str,
        known: Record,
        changes: Sequence[Change],
        what: str = "",
        about: str | None = None,
        operation: Operation | None = None,
    ) -> Step | None:
        """Write a step; see `Journal.write`. ``known`` is what was read of the review last."""
        at = None

        def work(on: Journal, _: Mapping[int, int]) -> Step | None:
            nonlocal at  # a step that is written late was made when it was made
            step = on.write(token, changes, what, about, operation, at)
            at = step.at if step is not None else at
            return step

        return self._do(token, known, work)

    def undo(
        self, token: str, known: Record, number: int, operation: Operation | None = None
    ) -> Step | None:
        """Take a step back; see `Journal.undo`."""
        return self._do(
            token, known, lambda on, now: on.undo(token, now.get(number, number), operation)
        )

    def redo(
        self, token: str, known: Record, number: int, operation: Operation | None = None
    ) -> Step | None:
        """Make a step again; see `Journal.redo`."""
        return self._do(
            token, known, lambda on, now: on.redo(token, now.get(number, number), operation)
        )

    def pass_over(self, token: str, known: Record, operation: Operation) -> None:
        """Note that an operation changes nothing; see `Journal.pass_over`."""
        self._do(token, known, lambda on, _: on.pass_over(token, operation))

    def unsaved(self, token: str) -> Unsaved | None:
        """Return what of a review is not on the disk; None if all of it is."""
        held = self._held.get(token)
        if held is None:
            return None
        with self._lock:
            numbers = {step.number for _, step in held.waiting}
            record = held.memory.record(token) or Record()
            steps = tuple(step for step in record.steps if step.number in numbers)
            return Unsaved(steps, held.trouble) if steps else None

    def refused(self, token: str) -> str:
        """Return, once, what became impossible before it could be saved; empty if nothing did."""
        return " ".join(dict.fromkeys(self._refused.pop(token, ())))

    def forget(self, token: str) -> None:
        """Delete a review with everything in it.

        Raises
        ------
        JournalError
        """
        with self._lock:
            self.journal.forget(token)
            self._held.pop(token, None)

    def try_again(self) -> None:
        """Write what is held, of all reviews."""
        with self._lock:
            self._timer = None
            for token in list(self._held):
                if not self._save(token):
                    break  # what the disk refuses of one it refuses of all

    def close(self) -> None:
        """Close the file, which is opened again when needed."""
        self.journal.close()

    def _now(self, token: str) -> Journal:
        held = self._held.get(token)
        return self.journal if held is None else held.memory

    def _do(self, token: str, known: Record, work: _Work) -> Step | None:
        with self._lock:
            held = self._held.get(token)
            if held is None:
                try:
                    return work(self.journal, {})
                except JournalBusy:
                    raise
                except JournalError as error:
                    held = self._hold(token, known, error)
            step = work(held.memory, {})
            if step is not None:
                held.waiting.append((work, step))
            self._save(token)
            return step

    def _hold(self, token: str, known: Record, error: JournalError) -> _Held:
        """Go on in memory with what the file holds, or else with what was read of it last."""
        about = ""
        with suppress(JournalError):
            known = self.journal.record(token, known) or known
            about = self.journal.about(token)
        memory = Journal(None)
        memory.adopt(known, token, about)
        held = self._held[token] = _Held(memory, str(error))
        while len(self._held) > _MOST_HELD:
            del self._held[next(iter(self._held))]
        return held

    def _save(self, token: str) -> bool:
        """Write what is held of a review, as far as that is possible; tell whether all of it is."""
        held = self._held[token]
        try:
            if self.journal.exists(token):
                self._catch_up(token, held)
            else:  # it was never written, or the file is another one
                record = held.memory.record(token)
                assert record is not None
                self.journal.adopt(record, token, held.memory.about(token))
        except JournalError as error:
            held.trouble = str(error)
            if self._timer is None:
                self._timer = threading.Timer(self._pause, self.try_again)
                self._timer.daemon = True
                self._timer.start()
            return False
        del self._held[token]
        return True

    def _catch_up(self, token: str, held: _Held) -> None:
        while held.waiting:
            work, step = held.waiting[0]
            try:
                made = work(self.journal, held.numbers)
                if made is not None:
                    held.numbers[step.number] = made.number
            except JournalError:
                raise
            except ReviewError as error:
                self._refused.setdefault(token, []).append(str(error))
            held.waiting.popleft()
