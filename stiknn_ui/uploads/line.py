"""The line of files to be read, and one visitor's file in it.

As many files are read at once as there are cores, each in a process of its own
(`stiknn_core.tables.apart`); the others wait, and visitors take turns.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Final, Literal

from stiknn_ui.uploads.files import NO_OVERRIDES, ReadFile, digest_of, read_file
from stiknn_ui.work import shelves
from stiknn_ui.work.jobs import Job
from stiknn_ui.work.progress import Progress
from stiknn_ui.work.queue import ComputeQueue, Lane

Use = Literal["data", "test"]
"""What a file is for: the table itself, or the test points."""

_MOST_WAITING: Final = 200
_STEPS: Final = 1000


class Reading:
    """One file that is being read for a visitor, or waits for it.

    Attributes
    ----------
    name : str
    content : bytes
    overrides : mapping
        Decisions of a person, for ``read_table``.
    wanted : str
        Name of the file that a link needs, where this one is to take its place.
    page : str
        The page it was added on.
    job : Job
    """

    def __init__(
        self,
        name: str,
        content: bytes,
        overrides: Mapping[str, Any] = NO_OVERRIDES,
        *,
        wanted: str = "",
        page: str = "",
    ) -> None:
        self.name = name
        self.content = content
        self.overrides = overrides
        self.wanted = wanted
        self.page = page

    def begin(self, owner: str) -> Job[ReadFile]:
        """Enter the line, where owners take turns.

        Raises
        ------
        BusyError
            If the line is full.
        """
        name, content, overrides = self.name, self.content, self.overrides
        key = f"{name} {digest_of(content, overrides)}"
        stages = _stages()

        def work(progress: Progress) -> ReadFile:
            def told(stage: str, share: float) -> None:
                stages[key] = stage
                progress(round(_STEPS * share), _STEPS)

            try:
                return read_file(name, content, overrides, told)
            finally:
                stages.pop(key, None)

        self.job = readings().submit(Job(key, work, owner))
        return self.job

    @property
    def stage(self) -> str:
        """What is being done to the file at present; empty as long as nobody says."""
        return _stages().get(self.job.key, "")


def read_in_turn(
    name: str, content: bytes, overrides: Mapping[str, Any] = NO_OVERRIDES
) -> ReadFile:
    """Read a file when it is its turn, and wait for that.

    Raises
    ------
    StiknnError
        If it cannot be read, or the line is full.
    """
    job = Reading(name, content, overrides).begin("")
    while not job.wait(1.0):
        pass
    if job.result is None:
        raise job.error or RuntimeError(f"reading {name!r} was stopped by nobody")
    return job.result


def readings() -> ComputeQueue:
    """Return the line that all files of this server wait in."""
    lane = Lane(float("inf"), os.cpu_count() or 1)
    return shelves.one(
        "readings", lambda: ComputeQueue((lane,), most_waiting=_MOST_WAITING, what="file")
    )


def _stages() -> dict[str, str]:
    """Return what is being done to files at present, by their keys in the line."""
    return shelves.one("stages of readings", dict[str, str])
