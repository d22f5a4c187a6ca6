"""Run independent tasks on threads or on a cluster, a few at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent import futures
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import islice
from typing import Any, TypeVar

from distributed import Client, wait

Item = TypeVar("Item")

#: Tasks handed out for every thread, so that none waits for the next and few are lost when
#: the run is stopped.
_AHEAD = 3


def run_tasks(
    work: Callable[[Item], object],
    items: Sequence[Item],
    finished: Callable[[Item], object],
    *,
    client: Client | None,
    n_jobs: int,
) -> None:
    """Call ``work(item)`` for all items somewhere, and ``finished(item)`` here after each.

    Items are begun in their order and finish in any. An exception from either stops the rest.
    On a cluster, a task whose worker died is given to another one.
    """
    if client is None:
        pool = ThreadPoolExecutor(n_jobs, thread_name_prefix="stiknn")
        with pool:
            _run(
                lambda item: pool.submit(work, item), items, finished, futures.wait, lambda: n_jobs
            )
    else:
        submit = partial(client.submit, work, pure=False)
        # Workers may come and go, so they are counted each time.
        with client.as_current():
            _run(submit, items, finished, wait, lambda: max(2, sum(client.nthreads().values())))


def _run(
    submit: Callable[[Item], Any],
    items: Sequence[Item],
    finished: Callable[[Item], object],
    wait_for: Callable[..., Any],
    n_threads: Callable[[], int],
) -> None:
    """Hand out items a few at a time, whichever kind of futures ``submit`` gives."""
    waiting = iter(items)
    running: dict[Any, Item] = {}
    try:
        while True:
            room = _AHEAD * n_threads() - len(running)
            for item in islice(waiting, max(0, room)):
                running[submit(item)] = item
            if not running:
                return
            for future in wait_for(list(running), return_when="FIRST_COMPLETED").done:
                item = running.pop(future)
                future.result()
                finished(item)
    finally:
        for future in running:
            future.cancel()
