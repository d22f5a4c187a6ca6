"""One computation in a background thread, and each person's hold on it. No streamlit here.

A `Computation` is the work; a `Job` is what one person holds of it. Several may hold the same
one: whoever stops lets go, and the work itself ends when nobody is left. The page polls a job
and draws; the thread never touches the page.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Generic, Literal, TypeVar

from stiknn_core.errors import StiknnError
from stiknn_ui.work.progress import Progress

Result = TypeVar("Result")
State = Literal["waiting", "running", "done", "failed", "stopped"]

# Before this much of the work is done the rate says too little to promise a time.
_ENOUGH_TO_TELL = 0.03

_logger = logging.getLogger(__name__)


class _StopRequestedError(Exception):
    """Raised by the progress callback to make the engine give up."""


def _without_frames(error: Exception) -> Exception:
    """Drop what leads to the arrays an error came from: it is kept for as long as its job."""
    if not isinstance(error, StiknnError):
        _logger.error("a computation failed", exc_info=error)  # its frames are lost below
    one: BaseException | None = error
    while one is not None:
        one.__traceback__ = None
        one = one.__cause__ or one.__context__
    return error


class Computation(Generic[Result]):
    """Work that waits for its turn, runs in a thread of its own, and ends in one way or another.

    Parameters
    ----------
    work : callable
        See `Job`.
    clock : callable
        Seconds that never run backwards.

    Attributes
    ----------
    holders : list of Job
        Who wants the result; change it through `join` and `leave` only.
    put_out : bool
        Whether it was ended because nobody looked at it any more.
    """

    def __init__(
        self, work: Callable[[Progress], Result], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.holders: list[Job[Result]] = []
        self.result: Result | None = None
        self.error: Exception | None = None
        self.state: State = "waiting"
        self.fraction = 0.0
        self.put_out = False
        self.place: Callable[[], int | None] = lambda: None
        self.finished = threading.Event()
        self._work: Callable[[Progress], Result] | None = work
        self._clock = clock
        self._started = self._reported = clock()
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._on_end: Callable[[], None] = lambda: None

    @property
    def ended(self) -> bool:
        """Whether nothing will change any more."""
        return self.state not in ("waiting", "running")

    @property
    def looked(self) -> float:
        """When any of the holders looked at it last, by the clock."""
        with self._lock:
            return max((job.looked for job in self.holders), default=-float("inf"))

    def line_up(self, place: Callable[[], int | None], on_end: Callable[[], None]) -> None:
        """Say where it waits and who is told when it ends, before it is begun."""
        self.place, self._on_end = place, on_end

    def join(self, job: Job[Result]) -> bool:
        """Add a holder; False if it is too late."""
        with self._lock:
            if self.ended or self._stop.is_set():
                return False
            self.holders.append(job)
            return True

    def leave(self, job: Job[Result]) -> None:
        """Take a holder away; the work ends with the last one."""
        with self._lock:
            if job in self.holders:
                self.holders.remove(job)
            if self.holders:
                return
            self._stop.set()  # from here on nobody can join
        self.stop()

    def stop(self, *, put_out: bool = False) -> None:
        """End it: at once while it waits, else at its next progress report."""
        with self._lock:
            self._stop.set()
            self.put_out |= put_out and not self.ended
            waiting = self.state == "waiting"
            if waiting:
                self.state = "stopped"
        if waiting:
            self._end()

    def begin(self) -> bool:
        """Start the thread; False if it was stopped before, or there is no thread to be had."""
        with self._lock:
            if self.state != "waiting":
                return False
            self.state = "running"
            self._started = self._reported = self._clock()
        try:
            threading.Thread(target=self._run, name="stiknn-job", daemon=True).start()
        except RuntimeError as error:
            self.error, self.state = error, "failed"
            self._end()
            return False
        return True

    @property
    def seconds_left(self) -> float | None:
        """See `Job.seconds_left`."""
        if self.state != "running" or self.fraction < _ENOUGH_TO_TELL:
            return None
        # The rate up to the last report, less the time since: it must not grow in between.
        expected = (self._reported - self._started) * (1 - self.fraction) / self.fraction
        return max(0.0, expected - (self._clock() - self._reported))

    def _progress(self, done: int, total: int) -> None:
        if self._stop.is_set():
            raise _StopRequestedError
        if total > 0:
            self._reported = self._clock()
            self.fraction = min(1.0, max(self.fraction, done / total))

    def _run(self) -> None:
        assert self._work is not None
        state: State = "failed"
        try:
            self.result = self._work(self._progress)
            # Someone who pressed Stop wants the old result, even if the new one came first.
            state = "stopped" if self._stop.is_set() else "done"
        except _StopRequestedError:
            state = "stopped"
        except Exception as error:
            self.error = _without_frames(error)
        finally:
            with self._lock:
                self.state = state
            self._end()

    def _end(self) -> None:
        # A job may be kept long after its end, and must not keep what the work was done on.
        self._work = None
        try:
            self._on_end()
        finally:
            self.finished.set()


class Job(Generic[Result]):
    """One person's hold on ``work(progress)``, done in a thread.

    Start it at once with `start`, or hand it to a queue, where it may turn out to be the same
    as one that is under way.

    Parameters
    ----------
    key : str
        What is being computed; equal keys mean equal results.
    work : callable
        Gets ``progress(done, total)`` and returns the result. Whatever ``progress`` raises
        must pass through it.
    owner : str
        Whose it is: a queue takes turns between owners.
    clock : callable
        Seconds that never run backwards; replaceable for tests.

    Attributes
    ----------
    looked : float
        When the job was looked at last: by ``state``, ``running`` or ``wait``. A queue may give
        up a computation that nobody looks at.
    """

    def __init__(
        self,
        key: str,
        work: Callable[[Progress], Result],
        owner: str = "",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.key = key
        self.owner = owner
        self.looked = clock()
        self._clock = clock
        self._left = False
        self.computation = Computation(work, clock)
        self.computation.join(self)

    def start(self) -> Job[Result]:
        """Start without waiting in any line, and return the job."""
        self.computation.begin()
        return self

    def share(self, computation: Computation[Result]) -> bool:
        """Hold another computation of the same in place of the own one; False if it is over."""
        if not computation.join(self):
            return False
        self.computation = computation
        return True

    @property
    def state(self) -> State:
        """``"waiting"`` in line, ``"running"``, then how it ended for this holder."""
        self.looked = self._clock()
        return "stopped" if self._left else self.computation.state

    @property
    def running(self) -> bool:
        """Whether its end is still to come: it is at work, or in line for it."""
        return self.state in ("waiting", "running")

    @property
    def place(self) -> int | None:
        """Place in line, 1 = next; None when it does not wait."""
        return self.computation.place() if self.state == "waiting" else None

    @property
    def put_out(self) -> bool:
        """Whether it was stopped because nobody looked at it while others waited."""
        return self.state == "stopped" and self.computation.put_out and not self._left

    @property
    def result(self) -> Result | None:
        """What came of it; None before the end, and for whoever pressed Stop."""
        return None if self._left else self.computation.result

    @property
    def error(self) -> Exception | None:
        """Why it failed; None if it did not."""
        return None if self._left else self.computation.error

    @property
    def fraction(self) -> float:
        """Share of the work that is done, in [0, 1]."""
        return self.computation.fraction

    @property
    def seconds_left(self) -> float | None:
        """Expected seconds until the end, from the rate so far; None while unknown."""
        return self.computation.seconds_left if self.running else None

    def look_away(self) -> None:
        """Count as if it had not been looked at for long, until it is looked at again."""
        self.looked = -float("inf")

    def stop(self) -> None:
        """Let go of it; the work ends if nobody else holds it. Nothing happens after the end."""
        if self.computation.ended:
            return
        self._left = True
        self.computation.leave(self)

    def wait(self, seconds: float) -> bool:
        """Wait for the end, at most so long; True if it has ended."""
        self.looked = self._clock()
        ended = self._left or self.computation.finished.wait(seconds)
        self.looked = self._clock()
        return ended
