"""A shelf for results that is bounded by number, bytes and age, and safe for threads."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

Value = TypeVar("Value")


class BoundedStore(Generic[Value]):
    """Keep values by key; drop what is too old, then what was used longest ago.

    Unlike a caching decorator it can be filled from a background thread.

    Parameters
    ----------
    max_entries, max_bytes : int
        Limits; the newest value always stays, even if it alone is larger.
    ttl : float
        Seconds after which a value is forgotten.
    size : callable
        Bytes a value takes.
    clock : callable
        Seconds that never run backwards; replaceable for tests.
    """

    def __init__(
        self,
        *,
        max_entries: int,
        max_bytes: int,
        ttl: float,
        size: Callable[[Value], int],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._max_entries = max_entries
        self._max_bytes = max_bytes
        self._ttl = ttl
        self._size = size
        self._clock = clock
        self._lock = threading.Lock()
        self._entries: OrderedDict[str, tuple[float, int, Value]] = OrderedDict()

    def get(self, key: str) -> Value | None:
        """Return the value, or None if there is none (any more)."""
        with self._lock:
            self._drop_old()
            entry = self._entries.get(key)
            if entry is None:
                return None
            self._entries.move_to_end(key)
            return entry[2]

    def put(self, key: str, value: Value) -> None:
        """Keep ``value``, making room for it."""
        with self._lock:
            self._entries[key] = (self._clock(), self._size(value), value)
            self._entries.move_to_end(key)
            self._drop_old()
            while len(self._entries) > 1 and self._too_full():
                self._entries.popitem(last=False)

    def __len__(self) -> int:
        """Return how many values are kept."""
        with self._lock:
            self._drop_old()
            return len(self._entries)

    def _too_full(self) -> bool:
        total = sum(size for _, size, _ in self._entries.values())
        return len(self._entries) > self._max_entries or total > self._max_bytes

    def _drop_old(self) -> None:
        oldest = self._clock() - self._ttl
        for key in [key for key, (made, _, _) in self._entries.items() if made < oldest]:
            del self._entries[key]
