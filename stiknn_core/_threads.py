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


#: Test points between two calls of ``progress``, and the length of the inner loop of the
#: kernels over pairs: long enough to fill the vector units, short enough for the caches.
CHUNK = 256


@contextmanager
def thread_map(n_jobs: int) -> Iterator[ThreadMap]:
    """Give a map on ``n_jobs`` threads (on the caller's own for one)."""
    if n_jobs == 1:
        yield lambda work, items: [work(item) for item in items]
        return
    with ThreadPoolExecutor(n_jobs, thread_name_prefix="stiknn") as pool:
        yield lambda work, items: list(pool.map(work, items))


def chunks(n_test: int, progress: Progress | None) -> Iterator[tuple[int, int]]:
    """Yield the chunks of test points, telling ``progress`` before, between and after."""
    if progress is not None:
        progress(0, n_test)
    for start in range(0, n_test, CHUNK):
        stop = min(start + CHUNK, n_test)
        yield start, stop
        if progress is not None:
            progress(stop, n_test)
