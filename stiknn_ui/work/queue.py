"""The line that computations of one server wait in. Pure: no streamlit.

The kernels fill all cores by themselves, so few computations run at once and the rest wait,
in *lanes* by how long they will take: what is done in a second never waits for what takes
minutes. Within a lane owners take turns, and each one's come in the order they were asked for.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import Any, Final, TypeVar

from stiknn_core.errors import StiknnError
from stiknn_ui.work.jobs import Computation, Job

Result = TypeVar("Result")


class BusyError(StiknnError):
    """The line is full."""


@dataclass(frozen=True)
class Lane:
    """Computations of one size.

    Attributes
    ----------
    seconds : float
        Those that will take less belong here, unless a lane before takes them.
    slots : int
        How many of them run at once.
    """

    seconds: float
    slots: int


LANES: Final = (Lane(2.0, 2), Lane(20.0, 1), Lane(float("inf"), 1))
MOST_WAITING: Final = 50
"""Longest line, over all lanes."""
LEASE: Final = 180.0
"""Seconds after which a computation that nobody looks at gives way to one that is waited for.

A browser wakes a page that is out of sight once a minute.
"""


@dataclass(eq=False)
class _Entry:
    key: str
    lane: Lane
    computation: Computation[Any]
    stamp: int
    running: bool = False

    @property
    def owners(self) -> set[str]:
        return {job.owner for job in list(self.computation.holders)}


class ComputeQueue:
    """Let few computations run at once, and the others wait in a line that everyone sees.

    All methods may be called from any thread.

    Parameters
    ----------
    lanes : sequence of Lane
        By ascending ``seconds``; the last takes whatever is left.
    most_waiting : int
        Longest line.
    lease : float
        Seconds, see `LEASE`.
    what : str
        What waits in it, said of one.
    clock : callable
        Seconds that never run backwards; replaceable for tests. The jobs' must be the same.
    """

    def __init__(
        self,
        lanes: Sequence[Lane] = LANES,
        *,
        most_waiting: int = MOST_WAITING,
        lease: float = LEASE,
        what: str = "computation",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._lanes = tuple(lanes)
        self._most_waiting = most_waiting
        self._lease = lease
        self._what = what
        self._clock = clock
        self._entries: list[_Entry] = []  # under way or in line, in the order they came
        self._stamps = count()
        self._lock = threading.RLock()

    def submit(self, job: Job[Result], *, seconds: float = 0.0) -> Job[Result]:
        """Start a job as soon as it is its turn, and return it.

        Where a computation with an equal key is under way or in line, the job holds that one.

        Parameters
        ----------
        job : Job
            Not started.
        seconds : float
            About how long it will take once it runs; decides the lane.

        Raises
        ------
        BusyError
            If the line is full.
        """
        with self._lock:
            if any(one.key == job.key and job.share(one.computation) for one in self._entries):
                return job
            lane = next((one for one in self._lanes if seconds < one.seconds), self._lanes[-1])
            entry = _Entry(job.key, lane, job.computation, next(self._stamps))
            if self._full(lane):
                self._put_out_abandoned(lane)
            if self._full(lane) and self.waiting >= self._most_waiting:
                self._put_out_abandoned(*self._lanes)
            if self._full(lane) and self.waiting >= self._most_waiting:
                raise BusyError(
                    f"{self.waiting} {self._what}s are in line on this server, and it takes no "
                    "more at present; try again in a minute. Nothing of yours is lost."
                )
            job.computation.line_up(partial(self._place, entry), partial(self._ended, entry))
            self._entries.append(entry)
            self._fill()
        return job

    @property
    def waiting(self) -> int:
        """How many computations are in line."""
        with self._lock:
            return sum(not entry.running for entry in self._entries)

    @property
    def running(self) -> int:
        """How many computations run."""
        with self._lock:
            return sum(entry.running for entry in self._entries)

    def _full(self, lane: Lane) -> bool:
        """Whether whoever comes to this lane now has to wait."""
        return sum(entry.lane is lane for entry in self._entries) >= lane.slots

    def _running_in(self, lane: Lane) -> int:
        return sum(entry.running for entry in self._entries if entry.lane is lane)

    def _line(self, lane: Lane) -> list[_Entry]:
        """Return who waits in a lane, next one first."""
        return [entry for _, _, entry in sorted(self._ranked(lane), key=lambda one: one[:2])]

    def _ranked(self, lane: Lane) -> list[tuple[int, int, _Entry]]:
        """Return (turn, stamp, entry) of who waits in a lane: the lower, the sooner.

        The turn counts what runs or waits before of the same owner, so an owner's second comes
        after everybody's first. Of two held by several owners the better turn counts.
        """
        mine = [entry for entry in self._entries if entry.lane is lane]
        turns = Counter(owner for entry in mine if entry.running for owner in entry.owners)
        ranked = []
        for entry in mine:
            if not entry.running:
                owners = entry.owners
                turn = min((turns[owner] for owner in owners), default=0)
                ranked.append((turn, entry.stamp, entry))
                turns.update(owners)
        return ranked

    def _fill(self) -> None:
        """Start whatever may start."""
        for lane in self._lanes:
            while self._running_in(lane) < lane.slots and (line := self._line(lane)):
                line[0].running = True
                if not line[0].computation.begin():
                    self._remove(line[0])

    def _place(self, entry: _Entry) -> int | None:
        with self._lock:
            # Asked by whoever waits, so this is when a place is needed; no timer is.
            self._put_out_abandoned(entry.lane)
            line = self._line(entry.lane)
            return line.index(entry) + 1 if entry in line else None

    def _put_out_abandoned(self, *lanes: Lane) -> None:
        """End what nobody has looked at for long, where somebody may be waiting for it."""
        since = self._clock() - self._lease
        for entry in list(self._entries):
            if entry.lane in lanes and entry.computation.looked < since:
                entry.computation.stop(put_out=True)

    def _ended(self, entry: _Entry) -> None:
        with self._lock:
            self._remove(entry)
            self._fill()

    def _remove(self, entry: _Entry) -> None:
        if entry not in self._entries:
            return
        behind = {one for turn, _, one in self._ranked(entry.lane) if turn > 0}
        self._entries.remove(entry)
        # Whose turn has come goes behind all who had theirs before, and before all who come.
        for turn, _, one in self._ranked(entry.lane):
            if turn == 0 and one in behind:
                one.stamp = next(self._stamps)


def describe_place(place: int, what: str = "computation") -> str:
    """Say in a few words where in line something is; 1 = next."""
    if place == 1:
        return "Waiting, yours is next"
    others = place - 1
    return f"Waiting, {others} {what}{'' if others == 1 else 's'} before yours"
