"""Measure runs on Dask workers and print one table: `python -m benchmarks.distributed`.

About a minute. Clusters are started and warmed before anything is timed; a run then includes
everything from the checks to the last byte in the store. The constants of the cost model in
docs/scale.md come from `python -m benchmarks.distributed_costs`.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import dask
import numpy as np
from distributed import Client, LocalCluster

from benchmarks.data import problem
from benchmarks.growth import peak_mb
from benchmarks.report import Row, available_cores, best_of, print_table, speedup
from stiknn_core import interactions
from stiknn_core.distributed import InteractionStore, interactions_to_zarr

SIZE = (6000, 1000)
TILE = 750  # eight bands: 36 tiles to share out
ROUNDS = 3
TARGET = 1.5
SMALL = (300, 40)

# Let workers keep what memory they free for the next tile (see docs/scale.md).
WORKER_SETTINGS = {
    "distributed.nanny.pre-spawn-environ.MALLOC_TRIM_THRESHOLD_": 2**28,
    "distributed.nanny.pre-spawn-environ.MALLOC_MMAP_THRESHOLD_": 2**25,
}


def measure() -> list[Row]:
    """Return two workers beside one, Dask beside the local engine, bytes, and peak memory."""
    n, t = SIZE
    with tempfile.TemporaryDirectory() as folder, cluster(1) as one, cluster(2) as two:
        path = Path(folder, "run")
        for client in (one, two):
            run(client, path, SMALL)
        sent = _sent(two)
        # All take turns, so that a busy moment of the machine touches all of them.
        alone, threads, single, double = best_of(
            ROUNDS,
            partial(_local, 1),
            partial(_local, None),
            partial(run, one, path),
            partial(run, two, path),
        )
        sent = (_sent(two) - sent) / ROUNDS
        peak = max(two.run(peak_mb).values())
        _compare(run(one, path))
        written = bytes_in(path)
    what = f"n = {n:,}, t = {t:,}"
    scaling = speedup(
        f"Dask into Zarr, {what}, 2 workers over 1", double, single, (">=", TARGET), digits=2
    )
    if available_cores() < 2:
        scaling = scaling._replace(target="needs 2 cores", reached=None)
    one_thread = "1 Dask worker into Zarr over 1 thread into memory"
    all_threads = "2 Dask workers into Zarr over all threads into memory"
    return [
        scaling,
        speedup(one_thread, single, alone, digits=2),
        speedup(all_threads, double, threads, digits=2),
        Row(
            f"size of the store, {what}, over half a matrix",
            f"{written / 1e6:.0f} MB",
            f"{4 * n * n / 1e6:.0f} MB",
            f"{written / (4 * n * n):.2f} x",
        ),
        Row("sent between 2 workers by Dask itself", f"{sent / 1e6:.1f} MB"),
        Row("most memory of a worker, imports included", f"{peak:.0f} MB"),
    ]


def run(client: Client, path: Path, size: tuple[int, int] = SIZE) -> InteractionStore:
    """Compute a problem of this size anew."""
    shutil.rmtree(path, ignore_errors=True)
    train, test = problem(*size)
    return interactions_to_zarr(path, *train, *test, tile=min(TILE, size[0]), client=client)


@contextmanager
def cluster(workers: int) -> Iterator[Client]:
    """Start worker processes of one thread each on this machine."""
    with (
        dask.config.set(WORKER_SETTINGS),
        LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",
        ) as local,
        Client(local, set_as_default=False) as client,
    ):
        yield client


def bytes_in(folder: Path) -> int:
    """Return how much all files of a store take on the disk."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def _local(n_jobs: int | None) -> Any:
    train, test = problem(*SIZE)
    return interactions(*train, *test, n_jobs=n_jobs)


def _compare(store: InteractionStore) -> None:
    points = np.arange(0, SIZE[0], 97)
    ref = _local(None).matrix[np.ix_(points, points)]
    np.testing.assert_allclose(store.submatrix(points), ref, rtol=0, atol=1e-12)


def _sent(client: Client) -> float:
    """Return how many bytes all workers together have sent."""
    by_worker = client.run(lambda dask_worker: dask_worker.transfer_outgoing_bytes_total)
    return float(sum(by_worker.values()))


if __name__ == "__main__":
    print_table(measure)
