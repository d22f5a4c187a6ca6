"""Wait for what a page has started, in pages that run without a browser."""

from __future__ import annotations

from typing import Any

from streamlit.testing.v1 import AppTest

from stiknn_ui.page.life import Slots
from stiknn_ui.work.jobs import Job
from tests.patience import PATIENCE


def wait_for(at: AppTest, job: Job[Any] | None) -> AppTest:
    """Wait for a job and let the page tell how it ended.

    Also where it has ended already: that may have been after the page looked at it for the last
    time. A browser would run the page again.
    """
    if job is not None:
        assert job.wait(PATIENCE)
        at.run()
    return at


def job_of(at: AppTest, slot: str = "compute") -> Job[Any] | None:
    """Return what the page waits for, by what it is for."""
    return at.session_state["stiknn"].desk(Slots)[slot].job


def wait_for_page(at: AppTest) -> AppTest:
    """Wait for all that the page asks for: a result, or rankings and then a part, an effect."""
    seen: list[Job[Any]] = []
    while new := [job for job in at.session_state["stiknn"].desk(Slots).jobs if job not in seen]:
        assert all(job.wait(PATIENCE) for job in new)
        seen += new
        at.run()
    return at
