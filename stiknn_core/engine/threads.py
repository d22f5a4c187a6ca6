"""Run blocks of test points on threads, in chunks, with progress and cancelling."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Protocol, TypeVar

Progress = Callable[[int, int], object]
Item = TypeVar("Item")
Out = TypeVar("Out")


class ThreadMap(Protocol):
    """A ``map`` that keeps order and returns a list."""

    def __call__(self, work: Callable[[Item], Out], items: Iterable[Item], /) -> list[Out]:
        """Return ``work`` of each item."""

    def start(
        self, work: Callable[[Item], Out], items: Iterable[Item], /
    ) -> Callable[[], list[Out]]:
        """Queue ``work`` of each item; what comes back waits for the results.

        Items that are started first are done first, so that what a caller waits for next may
        be started behind what is needed later, and no thread runs dry in between.
        """


#: Test points between two calls of ``progress``, and the length of the inner loop of the
#: kernels over pairs: long enough to fill the vector units, short enough for the caches.
CHUNK = 256


class _Alone:
    """The map on the caller's own thread."""

    def __call__(self, work: Callable[[Item], Out], items: Iterable[Item], /) -> list[Out]:
        return [work(item) for item in items]

    def start(
        self, work: Callable[[Item], Out], items: Iterable[Item], /
    ) -> Callable[[], list[Out]]:
        return lambda: self(work, items)


class _Pooled:
    """The map on the threads of a pool."""

    def __init__(self, pool: ThreadPoolExecutor) -> None:
        self._pool = pool

    def __call__(self, work: Callable[[Item], Out], items: Iterable[Item], /) -> list[Out]:
        return list(self._pool.map(work, items))

    def start(
        self, work: Callable[[Item], Out], items: Iterable[Item], /
    ) -> Callable[[], list[Out]]:
        queued = [self._pool.submit(work, item) for item in items]
        return lambda: [one.result() for one in queued]


@contextmanager
def thread_map(n_jobs: int) -> Iterator[ThreadMap]:
    """Give a map on ``n_jobs`` threads (on the caller's own for one).

    Leaving early, by an exception, drops what is queued and waits for what has begun.
    """
    if n_jobs == 1:
        yield _Alone()
        return
    pool = ThreadPoolExecutor(n_jobs, thread_name_prefix="stiknn")
    try:
        yield _Pooled(pool)
    finally:
        pool.shutdown(cancel_futures=True)


def spans(n_test: int) -> list[tuple[int, int]]:
    """Cut the test points into chunks."""
    return [(start, min(start + CHUNK, n_test)) for start in range(0, n_test, CHUNK)]


def chunks(n_test: int, progress: Progress | None) -> Iterator[tuple[int, int]]:
    """Yield the chunks of test points, telling ``progress`` before, between and after."""
    if progress is not None:
        progress(0, n_test)
    for start, stop in spans(n_test):
        yield start, stop
        if progress is not None:
            progress(stop, n_test)
