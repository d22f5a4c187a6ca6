"""Where all that visitors share is kept between reruns. The only user of cache decorators.

Each shelf is declared by the module that fills it, is bounded in bytes, and forgets after two
hours at the latest. Every key is a text made of small frozen specs, or holds a SHA-256 digest:
Streamlit hashes only a sample of large arrays. What is kept is read-only. The result of an upload,
which holds the table, can be reached only by someone who has the same bytes.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Final, Generic, TypeVar

import streamlit as st

from stiknn_ui.work.queue import ComputeQueue
from stiknn_ui.work.sizes import size_of
from stiknn_ui.work.store import BoundedStore

Value = TypeVar("Value")

_TTL: Final = 2 * 3600.0
_MB: Final = 1_000_000


@st.cache_resource(show_spinner=False)
def _made() -> dict[str, Any]:
    """Return what there is one of on this server, by name."""
    return {}


_making: Final = threading.RLock()
_declared: Final[dict[str, Shelf[Any]]] = {}


def one(name: str, make: Callable[[], Value]) -> Value:
    """Return what there is one of per server, made when it is first asked for.

    Parameters
    ----------
    name : str
    make : callable
        Whatever it raises is raised, and asked for again next time.
    """
    made = _made()
    if name not in made:  # nobody waits for what is there
        with _making:
            if name not in made:
                made[name] = make()
    found: Value = made[name]
    return found


class Shelf(Generic[Value]):
    """A bounded store of which there is one per server; call it to get it.

    Parameters
    ----------
    name : str
        What it is called where someone asks how full it is.
    entries, megabytes : int
        Limits.
    ttl : float
        Seconds after which a value is forgotten.
    size : callable
        Bytes a value takes.
    keep_larger : bool
        Whether a value is kept that alone is larger than the shelf.
    """

    def __init__(
        self,
        name: str,
        *,
        entries: int,
        megabytes: int,
        ttl: float = _TTL,
        size: Callable[[Value], int] = size_of,
        keep_larger: bool = True,
    ) -> None:
        self._name = name
        _declared[name] = self
        self._make: Callable[[], BoundedStore[Value]] = lambda: BoundedStore(
            max_entries=entries,
            max_bytes=megabytes * _MB,
            ttl=ttl,
            size=size,
            keep_larger=keep_larger,
        )

    def __call__(self) -> BoundedStore[Value]:
        """Return the store."""
        return one(self._name, self._make)


derived: Final = Shelf[Any]("derived", entries=1000, megabytes=200)
"""What is made of results and data: pictures, orders, scores, planes.

Some of it holds on to its result, which counts with it.
"""


def computations() -> ComputeQueue:
    """Return the line that all computations of this server wait in."""
    return one("line", ComputeQueue)


def all_shelves() -> dict[str, BoundedStore[Any]]:
    """Return all shelves by name, for telling how full they are."""
    return {name: shelf() for name, shelf in _declared.items()}


def clear() -> None:
    """Forget everything that is shared; for tests."""
    _made.clear()
