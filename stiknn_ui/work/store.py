"""A shelf for results that is bounded by number, bytes and age, and safe for threads."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

from stiknn_ui.work.sizes import size_of

Value = TypeVar("Value")


class BoundedStore(Generic[Value]):
    """Keep values by key; drop what is too old, then what was used longest ago.

    Unlike a caching decorator it is bounded in bytes, and can be filled from a background
    thread.

    Parameters
    ----------
    max_entries, max_bytes : int
        Limits; the newest value always stays, even if it alone is larger, but see below.
    ttl : float
        Seconds after which a value is forgotten.
    size : callable
        Bytes a value takes; by default all that it holds on to counts.
    keep_larger : bool
        Whether a value that alone is larger than ``max_bytes`` is kept.
    clock : callable
        Seconds that never run backwards; replaceable for tests.
    """

    def __init__(
        self,
        *,
        max_entries: int,
        max_bytes: int,
        ttl: float,
        size: Callable[[Value], int] = size_of,
        keep_larger: bool = True,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.max_bytes = max_bytes
        self._max_entries = max_entries
        self._ttl = ttl
        self._size = size
        self._keep_larger = keep_larger
        self._clock = clock
        self._lock = threading.Lock()
        self._entries: OrderedDict[str, tuple[float, int, Value]] = OrderedDict()
        self._making: dict[str, threading.Lock] = {}

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
        size = self._size(value)
        if size > self.max_bytes and not self._keep_larger:
            return
        with self._lock:
            self._entries[key] = (self._clock(), size, value)
            self._entries.move_to_end(key)
            self._drop_old()
            while len(self._entries) > 1 and self._too_full():
                self._entries.popitem(last=False)

    def obtain(self, key: str, make: Callable[[], Value]) -> Value:
        """Return the value, made and kept if there is none; once for all who ask meanwhile.

        Parameters
        ----------
        key : str
        make : callable
            Must not ask for the same key. What it raises passes through, and nothing is kept.
        """
        found = self.get(key)
        if found is not None:
            return found
        with self._lock:
            making = self._making.setdefault(key, threading.Lock())
        try:
            with making:
                found = self.get(key)
                if found is None:
                    found = make()
                    self.put(key, found)
                return found
        finally:
            with self._lock:
                self._making.pop(key, None)

    @property
    def bytes(self) -> int:
        """Bytes of all that is kept, as far as ``size`` knows."""
        with self._lock:
            self._drop_old()
            return self._total()

    def __len__(self) -> int:
        """Return how many values are kept."""
        with self._lock:
            self._drop_old()
            return len(self._entries)

    def _total(self) -> int:
        return sum(size for _, size, _ in self._entries.values())

    def _too_full(self) -> bool:
        return len(self._entries) > self._max_entries or self._total() > self.max_bytes

    def _drop_old(self) -> None:
        oldest = self._clock() - self._ttl
        for key in [key for key, (made, _, _) in self._entries.items() if made < oldest]:
            del self._entries[key]
