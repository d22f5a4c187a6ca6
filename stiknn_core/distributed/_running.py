"""Run independent tasks on threads or on a cluster, a few at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any, TypeVar

from distributed import Client, as_completed

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
        _on_threads(work, items, finished, n_jobs)
    else:
        _on_cluster(work, items, finished, client)


def _on_threads(
    work: Callable[[Item], object],
    items: Sequence[Item],
    finished: Callable[[Item], object],
    n_jobs: int,
) -> None:
    waiting = iter(items)
    running: dict[Future[object], Item] = {}
    pool = ThreadPoolExecutor(n_jobs, thread_name_prefix="stiknn")
    try:
        while True:
            while len(running) < _AHEAD * n_jobs:
                try:
                    item = next(waiting)
                except StopIteration:
                    break
                running[pool.submit(work, item)] = item
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                item = running.pop(future)
                future.result()
                finished(item)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _on_cluster(
    work: Callable[[Item], object],
    items: Sequence[Item],
    finished: Callable[[Item], object],
    client: Client,
) -> None:
    waiting = iter(items)
    running: dict[Any, Item] = {}
    results = as_completed(loop=client.loop)

    def hand_out() -> None:
        # Workers may come and go, so they are counted each time.
        threads = sum(client.nthreads().values())
        while len(running) < _AHEAD * max(2, threads):
            try:
                item = next(waiting)
            except StopIteration:
                return
            future = client.submit(work, item, pure=False)
            running[future] = item
            results.add(future)

    try:
        hand_out()
        for future in results:
            future.result()
            item = running.pop(future)
            finished(item)
            hand_out()
    finally:
        client.cancel(list(running))
