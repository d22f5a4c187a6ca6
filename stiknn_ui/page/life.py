"""One life of everything that is computed: due, in line, at work, stopped, failed, or there.

A page says what it wants as a `Task` and gets the result, or None while there is none; then what
is to be said about it is on the page already: how far it is, why it failed, or a button.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, Generic, Literal, TypeVar

import streamlit as st

from stiknn_core.cost import describe_seconds
from stiknn_core.errors import StiknnError
from stiknn_ui.visit import state
from stiknn_ui.words import messages
from stiknn_ui.work.jobs import Job
from stiknn_ui.work.progress import Progress
from stiknn_ui.work.queue import BusyError, ComputeQueue, describe_place
from stiknn_ui.work.shelves import Shelf, computations
from stiknn_ui.work.speed import speed

Made = TypeVar("Made")

POLL: Final = 0.25
"""Seconds from one look at what is under way to the next."""
UNASKED: Final = 10.0
"""What is expected to take at most so many seconds starts by itself."""


@dataclass(frozen=True)
class Task(Generic[Made]):
    """Something to be made.

    Attributes
    ----------
    slot : str
        What it is for, also the key of its button: a new task takes the place of the one before.
    key : str
        Equal keys, equal results.
    make : callable
        ``make(progress)`` returns the result; see `jobs.Job`.
    shelf : Shelf
        Where the result goes.
    button : str
        What the button says that starts it.
    seconds : float
        About how long it takes on the machine that the estimates were made on.
    due : bool or None
        Whether it starts by itself; None leaves that to how long it takes here.
    wait : float
        Seconds for which the page waits for it rather than show its progress.
    alike : str
        What takes as many times its estimate as this does; the slot by default.
    needs : str
        What it needs beside time, for the text beside its button.
    name : str
        What it is called, where a page may wait for more than one.
    told : str
        What stands beside its button; by default how long it takes.
    doing : str
        What stands beside its progress as long as nobody knows how far it is.
    kind : {"primary", "secondary"}
        How much the button stands out.
    line : callable
        Returns the line it waits in; that of the computations by default.
    """

    slot: str
    key: str
    make: Callable[[Progress], Made]
    shelf: Shelf[Made]
    button: str
    seconds: float = 0.0
    due: bool | None = None
    wait: float = 0.6
    alike: str = ""
    needs: str = ""
    name: str = ""
    told: str | None = None
    doing: str = "Starting ..."
    kind: Literal["primary", "secondary"] = "primary"
    line: Callable[[], ComputeQueue] = computations

    @property
    def said(self) -> str:
        """What its sentences begin with."""
        return f"{self.name}: " if self.name else ""

    @property
    def expected(self) -> float:
        """Seconds it will take on this machine, as far as is known."""
        return speed().expected(self.alike or self.slot, self.seconds)

    @property
    def cost(self) -> str:
        """What it will take, in a few words."""
        needs = f" and {self.needs}" if self.needs else ""
        return f"about {describe_seconds(self.expected)}{needs}"

    @property
    def starts(self) -> bool:
        """Whether it starts without being asked for."""
        return self.expected <= UNASKED if self.due is None else self.due


@dataclass
class Slot:
    """What one visitor waits for, or has asked for.

    Attributes
    ----------
    job : Job or None
        The computation that runs, or the last one if it failed or was stopped.
    requested : str
        Key of what was asked for by a button.
    """

    job: Job[Any] | None = None
    requested: str = ""


@dataclass
class Slots:
    """Everything that one visitor waits for, by what it is for."""

    by_name: dict[str, Slot] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Slot:
        return self.by_name.setdefault(name, Slot())

    @property
    def jobs(self) -> list[Job[Any]]:
        """What is under way, or has ended without a look at it."""
        return [slot.job for slot in self.by_name.values() if slot.job is not None]

    def left(self) -> None:
        """Let everyone who waits go first: the visitor's connection is lost."""
        for job in self.jobs:
            job.look_away()

    def ended(self) -> None:
        """Let go of everything: the visit is over."""
        for job in self.jobs:
            job.stop()


def obtain(task: Task[Made], offer: Callable[[Slot], None] | None = None) -> Made | None:
    """Return what was made; until then draw its progress, why it failed, and what starts it.

    Parameters
    ----------
    task : Task
    offer : callable, optional
        Draws what there is to choose where nothing is under way, in place of one button;
        ``request`` is what its button has to call.
    """
    slot = let_go(task.slot, task.key)
    found = made(task)
    if found is None:
        _start_if_due(task, slot)
        found = made(task)
    if found is not None:
        slot.job, slot.requested = None, ""  # a job would hold on to its result
    elif slot.job is not None and slot.job.running:
        _show_progress(task, slot.job)
    else:
        _show_error(slot.job)
        (offer or _Offer(task))(slot)
    return found


def made(task: Task[Made]) -> Made | None:
    """Return what was made, if it is there; nothing is started or drawn."""
    job: Job[Made] | None = state.desk(Slots)[task.slot].job
    if job is not None and job.key == task.key and job.state == "done":
        return job.result
    return task.shelf().get(task.key)


def let_go(name: str, key: str) -> Slot:
    """Stop what a slot is making, unless it is this, and return the slot."""
    slot = state.desk(Slots)[name]
    if slot.job is not None and slot.job.key != key:
        slot.job.stop()
        slot.job = None
    return slot


def request(slot: str, key: str) -> None:
    """Ask for what a slot is for, even where it was stopped or failed before."""
    asked = state.desk(Slots)[slot]
    asked.requested = key
    if asked.job is not None and not asked.job.running:
        asked.job = None


def swap(one: str, other: str) -> None:
    """Let two slots change places."""
    slots = state.desk(Slots)
    slots.by_name[one], slots.by_name[other] = slots[other], slots[one]


def _start_if_due(task: Task[Made], slot: Slot) -> None:
    if slot.job is not None and slot.job.put_out:
        slot.job, slot.requested = None, task.key  # nobody stopped it, and the visitor is back
    if slot.job is None and (task.starts or slot.requested == task.key):
        slot.requested = ""
        try:
            slot.job = _start(task)
        except BusyError as error:
            messages.show_error(error)
    if slot.job is not None and slot.job.running:
        slot.job.wait(task.wait)


def _start(task: Task[Made]) -> Job[Made]:
    shelf, make, key = task.shelf(), task.make, task.key
    alike, seconds, learnt = task.alike or task.slot, task.seconds, speed()

    def work(progress: Progress) -> Made:
        began = time.monotonic()
        found = make(progress)
        learnt.learn(alike, seconds, time.monotonic() - began)
        shelf.put(key, found)
        return found

    job = Job(key, work, state.session().visitor)
    return task.line().submit(job, seconds=task.expected)


@st.fragment(run_every=POLL)
def _show_progress(task: Task[Any], job: Job[Any]) -> None:
    """Show how far the work or the line is; the whole page runs again when it has ended."""
    if not job.running:
        st.rerun()
    place, left = job.place, job.seconds_left
    rest = f", {describe_seconds(left)} left" if left is not None else ""
    text = f"Computing, {job.fraction:.0%} done{rest}" if job.fraction else task.doing
    text = text if place is None else describe_place(place)
    row = f"{task.slot}-progress"
    with st.container(horizontal=True, vertical_alignment="center", key=row):
        st.progress(job.fraction, text=messages.plain(f"{task.said}{text}"))
        st.button("Stop", key=f"{task.slot}-stop", icon=":material/stop:", on_click=job.stop)


def _show_error(job: Job[Any] | None) -> None:
    if job is not None and isinstance(job.error, StiknnError):
        messages.show_error(job.error)
    elif job is not None and job.error is not None:
        messages.show_unexpected(job.error)


@dataclass(frozen=True)
class _Offer:
    """The button that starts a task, and how long it will take."""

    task: Task[Any]

    def __call__(self, slot: Slot) -> None:
        task = self.task
        with st.container(horizontal=True, vertical_alignment="center", key=f"{task.slot}-row"):
            st.button(
                task.button,
                key=task.slot,
                type=task.kind,
                icon=":material/play_arrow:",
                on_click=request,
                args=(task.slot, task.key),
            )
            stopped = "Stopped. " if slot.job is not None and slot.job.state == "stopped" else ""
            told = task.told
            if told is None:
                told = f"It will take {task.cost}."
            text = f"{task.said}{stopped}{told}"
            st.markdown(messages.plain(text), width="content")
