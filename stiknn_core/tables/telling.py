"""How reading a table tells how far it is, to whoever listens; to nobody as a rule."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Listener = Callable[[str, float], None]
"""Called with what is being done and the share of all work that is behind, in [0, 1]."""

_LISTENER: ContextVar[Listener | None] = ContextVar("stiknn_listener", default=None)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Within it, reading in this thread tells ``listener`` how far it is."""
    before = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(before)


def tell(stage: str, share: float) -> None:
    """Say what is being done, and how much of all work is behind; cheap where nobody listens."""
    listener = _LISTENER.get()
    if listener is not None:
        listener(stage, share)
