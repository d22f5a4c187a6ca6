"""How long things really take on this machine, learnt from what has run on it. Pure."""

from __future__ import annotations

import threading
from typing import Final

from stiknn_ui.work import shelves

# A short run tells more of the loading of code, and of whoever else is at work, than of speed.
_LEAST: Final = 0.2
_BOUNDS: Final = (0.1, 20.0)


class Speed:
    """By kind of work, how many times the estimated seconds it takes here."""

    def __init__(self) -> None:
        self._factors: dict[str, float] = {}
        self._lock = threading.Lock()

    def expected(self, kind: str, estimated: float) -> float:
        """Return the seconds to promise for what is estimated to take so many."""
        return estimated * self._factors.get(kind, 1.0)

    def learn(self, kind: str, estimated: float, took: float) -> None:
        """Take in how long something took; half of what is believed comes from the last time."""
        if min(estimated, took) < _LEAST:
            return
        low, high = _BOUNDS
        seen = min(max(took / estimated, low), high)
        with self._lock:
            before = self._factors.get(kind)
            self._factors[kind] = seen if before is None else (before * seen) ** 0.5


def speed() -> Speed:
    """Return what this server has learnt."""
    return shelves.one("speed", Speed)
