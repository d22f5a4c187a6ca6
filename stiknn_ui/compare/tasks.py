"""What is made of results when it is asked for: in line with all else, with progress and Stop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

from stiknn_ui.page.life import Task
from stiknn_ui.work import shelves
from stiknn_ui.work.progress import Progress

Made = TypeVar("Made")

_AT_ONCE: Final = 2.0
"""What takes less seconds starts by itself."""


def task(
    slot: str, key: str, make: Callable[[Progress], Made], seconds: float, title: str
) -> Task[Made]:
    """Return something to be made of results; see `Task`."""
    due = seconds < _AT_ONCE
    return Task(slot, key, make, shelves.derived, title, seconds, due=due, name=title)
