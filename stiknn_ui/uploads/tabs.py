"""Files that a browser tab finds again after a reload, on the server and for that tab alone.

What names an entry is a secret that only the tab holds. Whoever has a link, or another tab, has
no secret. Pure: no streamlit.
"""

from __future__ import annotations

import hashlib
import threading
import time
import weakref
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from stiknn_ui.asked.links import Settings
from stiknn_ui.uploads.build import Upload
from stiknn_ui.uploads.files import ReadFile
from stiknn_ui.work.sizes import size_of

MINUTES_AFTER: Final = 15
"""For so long a file outlives its visit."""
MOST_HOURS: Final = 12
"""For so long it is kept at most."""
_MOST_BYTES: Final = 1_000_000_000


@dataclass(frozen=True, eq=False)
class Snapshot:
    """What is needed to go on where a tab was.

    Attributes
    ----------
    upload : Upload
        The table in use.
    test : ReadFile or None
    settings : Settings
    chosen : frozenset of str
        Settings that the person has chosen; see `Session.chosen`.
    """

    upload: Upload
    test: ReadFile | None
    settings: Settings
    chosen: frozenset[str]


@dataclass
class _Entry:
    snapshot: Snapshot
    bytes: int
    since: float
    visit: weakref.ref[Any]
    left: float | None = field(default=None)


class TabFiles:
    """Keep one snapshot for each tab: while its visit lives, and for a while after.

    Visits that live hold their file themselves, so only what is left of others takes room, and
    is bounded in bytes: what was left first goes first.

    Parameters
    ----------
    most_bytes : int
    seconds_after, most_seconds : float
        How long an entry outlives its visit, and how long it is kept at most.
    clock : callable
        Seconds that never run backwards; replaceable for tests.
    """

    def __init__(
        self,
        *,
        most_bytes: int = _MOST_BYTES,
        seconds_after: float = 60.0 * MINUTES_AFTER,
        most_seconds: float = 3600.0 * MOST_HOURS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._most_bytes = most_bytes
        self._after = seconds_after
        self._most_seconds = most_seconds
        self._clock = clock
        self._entries: dict[str, _Entry] = {}
        self._lock = threading.RLock()

    def put(self, secret: str, visit: object, snapshot: Snapshot) -> None:
        """Keep what a tab shows now, in the place of what it showed before."""
        name, now = _name(secret), self._clock()
        with self._lock:
            self._sweep(now)
            old = self._entries.get(name)
            if old is not None and old.snapshot.upload is snapshot.upload:
                old.snapshot = snapshot
                return
            gone = weakref.ref(visit, lambda _: self._leave(name))
            self._entries[name] = _Entry(snapshot, size_of(snapshot), now, gone)

    def take(self, secret: str, visit: object) -> Snapshot | None:
        """Return what a tab showed, which belongs to this visit from now on."""
        name, now = _name(secret), self._clock()
        with self._lock:
            self._sweep(now)
            entry = self._entries.get(name)
            if entry is None:
                return None
            entry.visit = weakref.ref(visit, lambda _: self._leave(name))
            entry.left = None
            return entry.snapshot

    def drop(self, secret: str) -> None:
        """Forget what a tab showed."""
        with self._lock:
            self._entries.pop(_name(secret), None)

    def __len__(self) -> int:
        """Return how many tabs have something kept."""
        with self._lock:
            self._sweep(self._clock())
            return len(self._entries)

    def _leave(self, name: str) -> None:
        """Take note that a visit has ended, and see to it that its file goes in time."""
        with self._lock:
            entry = self._entries.get(name)
            if entry is None or entry.visit() is not None:
                return  # taken over by the next visit of its tab
            now = self._clock()
            entry.left = now
            self._sweep(now)
        later = threading.Timer(self._after + 1.0, self.__len__)
        later.daemon = True
        later.start()

    def _sweep(self, now: float) -> None:
        for name, entry in list(self._entries.items()):
            over = entry.left is not None and now - entry.left > self._after
            if over or now - entry.since > self._most_seconds:
                self._entries.pop(name, None)
        left = sorted(
            (
                (entry.left, entry.bytes, name)
                for name, entry in list(self._entries.items())
                if entry.left is not None
            ),
            reverse=True,
        )
        room = self._most_bytes
        for _, taken, name in left:
            room -= taken
            if room < 0:
                self._entries.pop(name, None)


def _name(secret: str) -> str:
    # What is looked up is no secret any more: nothing can be learnt from how long that takes.
    return hashlib.sha256(secret.encode()).hexdigest()
