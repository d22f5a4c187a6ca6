"""One computation in a background thread, with progress, time left and a way to stop it.

No streamlit here: the page polls ``state`` and draws. The thread never touches the page.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Generic, Literal, TypeVar

Result = TypeVar("Result")
Progress = Callable[[int, int], None]
State = Literal["running", "done", "failed", "stopped"]

# Before this much of the work is done the rate says too little to promise a time.
_ENOUGH_TO_JUDGE = 0.03


class _StopRequestedError(Exception):
    """Raised by the progress callback to make the engine give up."""


class Job(Generic[Result]):
    """Run ``work(progress)`` in a thread.

    Parameters
    ----------
    key : str
        What is being computed; equal keys mean equal results.
    work : callable
        Gets ``progress(done, total)`` and returns the result. Whatever ``progress`` raises
        must pass through it.
    """

    def __init__(self, key: str, work: Callable[[Progress], Result]) -> None:
        self.key = key
        self.result: Result | None = None
        self.error: Exception | None = None
        self._work = work
        self._state: State = "running"
        self._fraction = 0.0
        self._stop = threading.Event()
        self._finished = threading.Event()
        self._started = self._reported = time.monotonic()
        self._thread = threading.Thread(target=self._run, name="stiknn-job", daemon=True)

    def start(self) -> Job[Result]:
        """Start the thread and return the job."""
        self._started = time.monotonic()
        self._thread.start()
        return self

    @property
    def state(self) -> State:
        """``"running"`` until the thread has ended."""
        return self._state

    @property
    def running(self) -> bool:
        """Whether the thread is still at work."""
        return self._state == "running"

    @property
    def fraction(self) -> float:
        """Share of the work that is done, in [0, 1]."""
        return self._fraction

    @property
    def seconds_left(self) -> float | None:
        """Expected seconds until the end, from the rate so far; None while unknown."""
        if not self.running or self._fraction < _ENOUGH_TO_JUDGE:
            return None
        # The rate up to the last report, less the time since: it must not grow in between.
        expected = (self._reported - self._started) * (1 - self._fraction) / self._fraction
        return max(0.0, expected - (time.monotonic() - self._reported))

    def stop(self) -> None:
        """Ask the work to end; it does at its next progress report."""
        self._stop.set()

    def wait(self, seconds: float) -> bool:
        """Wait for the end, at most so long; True if it has ended."""
        return self._finished.wait(seconds)

    def _progress(self, done: int, total: int) -> None:
        if self._stop.is_set():
            raise _StopRequestedError
        if total > 0:
            self._reported = time.monotonic()
            self._fraction = min(1.0, max(self._fraction, done / total))

    def _run(self) -> None:
        try:
            self.result = self._work(self._progress)
            # Someone who pressed Stop wants the old result, even if the new one came first.
            self._state = "stopped" if self._stop.is_set() else "done"
        except _StopRequestedError:
            self._state = "stopped"
        except Exception as error:
            self.error = error
            self._state = "failed"
        finally:
            self._finished.set()
