"""Run blocks of test points on threads, in chunks, with progress and cancelling."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

Progress = Callable[[int, int], object]
Item = TypeVar("Item")
Out = TypeVar("Out")


#: Test points between two calls of ``progress``, and the length of the inner loop of the
#: kernels over pairs: long enough to fill the vector units, short enough for the caches.
CHUNK = 256


class ThreadMap:
    """A ``map`` on the threads of a pool, or on the caller's own, that keeps order."""

    def __init__(self, pool: ThreadPoolExecutor | None) -> None:
        self._pool = pool

    def __call__(self, work: Callable[[Item], Out], items: Iterable[Item]) -> list[Out]:
        """Return ``work`` of each item."""
        return self.start(work, items)()

    def start(self, work: Callable[[Item], Out], items: Iterable[Item]) -> Callable[[], list[Out]]:
        """Queue ``work`` of each item; what comes back waits for the results.

        Items that are started first are done first, so that what a caller waits for next may
        be started behind what is needed later, and no thread runs dry in between.
        """
        if self._pool is None:
            return lambda: [work(item) for item in items]
        queued = [self._pool.submit(work, item) for item in items]
        return lambda: [one.result() for one in queued]


@contextmanager
def thread_map(n_jobs: int) -> Iterator[ThreadMap]:
    """Give a map on ``n_jobs`` threads (on the caller's own for one).

    Leaving early, by an exception, drops what is queued and waits for what has begun.
    """
    if n_jobs == 1:
        yield ThreadMap(None)
        return
    pool = ThreadPoolExecutor(n_jobs, thread_name_prefix="stiknn")
    try:
        yield ThreadMap(pool)
    finally:
        pool.shutdown(cancel_futures=True)


def cut(start: int, stop: int, step: int) -> list[tuple[int, int]]:
    """Cut start..stop into pieces of ``step``, of which the last may be shorter."""
    return [(first, min(first + step, stop)) for first in range(start, stop, step)]


def spans(n_test: int) -> list[tuple[int, int]]:
    """Cut the test points into chunks."""
    return cut(0, n_test, CHUNK)


def silent(done: int, total: int) -> None:
    """Stand in for the progress that nobody asked for."""


def chunks(n_test: int, progress: Progress | None) -> Iterator[tuple[int, int]]:
    """Yield the chunks of test points, telling ``progress`` before, between and after."""
    report = progress or silent
    report(0, n_test)
    for start, stop in spans(n_test):
        yield start, stop
        report(stop, n_test)
