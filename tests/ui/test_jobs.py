"""A job reports, stops, fails and finishes in its own thread."""

from __future__ import annotations

import gc
import threading
import time
import weakref

import numpy as np
import pytest

from stiknn_core.errors import ParameterError
from stiknn_ui.work.jobs import Job
from stiknn_ui.work.progress import Progress
from tests.patience import PATIENCE


def test_a_result_arrives() -> None:
    job = Job("key", lambda progress: 42).start()
    assert job.wait(PATIENCE)
    assert (job.state, job.result, job.error) == ("done", 42, None)


def test_stopping_ends_the_work_at_its_next_report() -> None:
    reached = threading.Event()
    steps: list[int] = []

    def endless(progress: Progress) -> int:
        for step in range(100_000):
            progress(step, 100_000)
            steps.append(step)
            reached.set()
            time.sleep(0.001)
        return 1

    job = Job("key", endless).start()
    assert reached.wait(PATIENCE)
    job.stop()
    assert job.wait(PATIENCE)
    assert (job.state, job.result) == ("stopped", None)
    assert len(steps) < 100_000


def test_a_result_that_comes_after_stop_is_not_taken() -> None:
    go = threading.Event()
    job = Job("key", lambda progress: go.wait(PATIENCE)).start()
    job.stop()
    go.set()
    assert job.wait(PATIENCE)
    assert job.state == "stopped"


def test_an_error_is_kept_for_the_page() -> None:
    def broken(progress: Progress) -> int:
        raise ValueError("no")

    job = Job("key", broken).start()
    assert job.wait(PATIENCE)
    assert job.state == "failed"
    assert str(job.error) == "no"


def test_progress_never_goes_back_and_time_left_follows_from_it() -> None:
    now = 100.0
    seen = threading.Event()
    go = threading.Event()

    def work(progress: Progress) -> int:
        nonlocal now
        now += 20
        progress(50, 100)
        progress(20, 100)
        seen.set()
        go.wait(PATIENCE)
        return 1

    job = Job("key", work, clock=lambda: now).start()
    assert seen.wait(PATIENCE)
    assert job.fraction == 0.5
    assert job.seconds_left == 20  # half is done: as long again
    now += 5
    assert job.seconds_left == 15
    now += 25
    assert job.seconds_left == 0
    go.set()
    assert job.wait(PATIENCE)
    assert job.seconds_left is None


def test_time_left_is_not_promised_at_the_start() -> None:
    go = threading.Event()
    job = Job("key", lambda progress: go.wait(PATIENCE)).start()
    assert job.seconds_left is None
    go.set()
    assert job.wait(PATIENCE)


@pytest.mark.parametrize("fails", [False, True])
def test_a_job_that_has_ended_keeps_nothing_of_what_it_worked_on(fails: bool) -> None:
    def work_on(given: np.ndarray) -> Job[int]:
        def work(progress: Progress) -> int:
            scratch = given * 2
            left.append(weakref.ref(scratch))
            if fails:
                raise ParameterError("no")  # others are logged, and pytest keeps what is logged
            return int(scratch[0])

        left.append(weakref.ref(given))
        return Job("key", work)

    left: list[weakref.ref[np.ndarray]] = []
    job = work_on(np.ones(1000)).start()
    assert job.wait(PATIENCE)
    gc.collect()
    assert job.state == ("failed" if fails else "done")
    assert [reference() for reference in left] == [None, None]


def test_one_who_lets_go_does_not_stop_the_other() -> None:
    go = threading.Event()
    one = Job("key", lambda progress: go.wait(PATIENCE)).start()
    two = Job("key", lambda progress: False)
    assert two.share(one.computation)
    one.stop()
    assert (one.state, two.state) == ("stopped", "running")
    go.set()
    assert two.wait(PATIENCE)
    assert (one.result, two.result) == (None, True)
    assert not Job("key", lambda progress: False).share(two.computation)
