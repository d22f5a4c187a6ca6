"""What is made of results when it is asked for: in line with all else, with progress and Stop."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

import streamlit as st

from stiknn_core.cost import describe_seconds
from stiknn_core.errors import StiknnError
from stiknn_ui import caching, messages, runner, state
from stiknn_ui.jobs import Job
from stiknn_ui.progress import Progress
from stiknn_ui.queue import BusyError

Made = TypeVar("Made")

_AT_ONCE: Final = 2.0
"""What takes less seconds starts by itself."""
_WAIT: Final = 1.5


@dataclass(frozen=True)
class Task(Generic[Made]):
    """Something to be made.

    Attributes
    ----------
    slot : str
        What it is for: a new task takes the place of the one before.
    key : str
        Equal keys, equal results.
    make : callable
        ``make(progress)`` returns the result; see `jobs.Job`.
    seconds : float
        About how long it takes.
    title : str
        What its button says.
    """

    slot: str
    key: str
    make: Callable[[Progress], Made]
    seconds: float
    title: str


def obtain(task: Task[Made]) -> Made | None:
    """Return what was made; until then draw its progress, or the button that starts it."""
    desk = state.session().compare
    job: Job[Any] | None = desk.tasks.get(task.slot)
    if job is not None and job.key != task.key:
        job.stop()
        job = None
        del desk.tasks[task.slot]
    found: Made | None = caching.derived().get(task.key)
    if found is not None:
        return found
    wanted = desk.wanted.get(task.slot) == task.key
    if job is not None and job.put_out:
        job, wanted = None, True  # nobody stopped it, and the visitor is back
    if job is None and (task.seconds < _AT_ONCE or wanted):
        desk.wanted.pop(task.slot, None)
        try:
            job = _start(task)
        except BusyError as error:
            messages.show_error(error)
        else:
            desk.tasks[task.slot] = job
            job.wait(_WAIT)
    if job is not None and job.running:
        runner.show_progress(job, task.title)
        return None
    if job is not None and job.result is not None:
        made: Made = job.result
        return made
    _offer(task, job)
    return None


def made(slot: str, key: str) -> Any:
    """Return what was made under a key, if it is there; nothing is started or drawn."""
    job = state.session().compare.tasks.get(slot)
    if job is not None and job.key == key and job.result is not None:
        return job.result
    return caching.derived().get(key)


def _start(task: Task[Made]) -> Job[Made]:
    shelf = caching.derived()

    def work(progress: Progress) -> Made:
        found = task.make(progress)
        shelf.put(task.key, found)
        return found

    job: Job[Made] = Job(task.key, work, state.session().visitor)
    return caching.computations().submit(job, seconds=task.seconds)


def _offer(task: Task[Any], job: Job[Any] | None) -> None:
    if job is not None and isinstance(job.error, StiknnError):
        messages.show_error(job.error)
    elif job is not None and job.error is not None:
        messages.show_unexpected(job.error)
    with st.container(horizontal=True, vertical_alignment="center", key=f"{task.slot}-row"):
        st.button(
            task.title,
            key=f"{task.slot}-start",
            type="primary",
            icon=":material/play_arrow:",
            on_click=_ask,
            args=(task.slot, task.key),
        )
        stopped = "Stopped. " if job is not None and job.state == "stopped" else ""
        told = f"{stopped}It will take about {describe_seconds(task.seconds)}."
        st.markdown(messages.plain(told), width="content")


def _ask(slot: str, key: str) -> None:
    desk = state.session().compare
    desk.wanted[slot] = key
    desk.tasks.pop(slot, None)
