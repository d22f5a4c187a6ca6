"""What is made of results when it is asked for: in line with all else, with progress and Stop."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from stiknn_ui.page.life import Task
from stiknn_ui.results import kept
from stiknn_ui.results.analysis import Analysis
from stiknn_ui.results.inputs import Keep
from stiknn_ui.work import shelves
from stiknn_ui.work.progress import Progress

Made = TypeVar("Made")


def task(
    slot: str, key: str, make: Callable[[Progress], Made], seconds: float, title: str
) -> Task[Made]:
    """Return something to be made of results; see `Task`."""
    return Task(slot, key, make, shelves.derived, title, seconds, name=title)


def task_of_side(
    slot: str,
    key: str,
    one: Analysis,
    make: Callable[[Progress, Keep], Made],
    seconds: float,
    title: str,
) -> Task[Made]:
    """Return something to be computed anew of the data of one side, on its kept forest if any."""
    keep = kept.kept_forest(one.data, one.compute)
    seconds += kept.growing_seconds(one.dataset, one.data, one.compute)
    return task(slot, key, lambda progress: make(progress, keep), seconds, title)
