"""Runs on worker processes: the same numbers, also when one of them is killed."""

from __future__ import annotations

import os
import signal

import dask
import numpy as np
import pytest
from distributed import Client, LocalCluster
from zarr.storage import MemoryStore

from stiknn_core.distributed import (
    block_sum_array,
    interaction_array,
    interactions_to_zarr,
    open_store,
)
from tests.core.distributed_cases import cases, close, local, local_block_sums, table

pytestmark = pytest.mark.slow

CASE = cases()["ties"]
small = {"tile": 9, "test_chunk": 4}
BLOCKS = np.arange(41) % 3


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    with (
        # A local cluster gives up a killed worker that has not come back within 15 seconds, which
        # a busy machine needs for starting one.
        dask.config.set({"distributed.deploy.lost-worker-timeout": "5 minutes"}),
        LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",
            local_directory=tmp_path_factory.mktemp("workers"),
        ) as cluster,
        Client(cluster, set_as_default=False) as client,
    ):
        yield client


def worker_processes(client: Client) -> set[int]:
    return set(client.run(os.getpid).values())


def test_a_run_has_the_same_bits_as_on_threads(client, tmp_path):
    told = []
    comp = interactions_to_zarr(
        tmp_path / "run",
        **CASE,
        **small,
        blocks=BLOCKS,
        client=client,
        progress=lambda *step: told.append(step),
    )
    assert told == [(done, 21) for done in range(22)]  # 6 parts and 15 tiles
    ref = interactions_to_zarr(MemoryStore(), **CASE, **small, blocks=BLOCKS, n_jobs=1)
    assert np.array_equal(comp.rows(range(41)), ref.rows(range(41)))
    assert np.array_equal(comp.block_sums, ref.block_sums)
    np.testing.assert_allclose(comp.rows(range(41)), local(CASE).matrix, **close)


def test_lazy_arrays(client):
    with client.as_current():
        matrix = interaction_array(**CASE, tile=11, test_chunk=6).compute()
        sums = block_sum_array(**CASE, blocks=BLOCKS, test_chunk=6).compute()
    np.testing.assert_allclose(matrix, local(CASE).matrix, **close)
    np.testing.assert_allclose(sums, local_block_sums(CASE, BLOCKS), **close)


def test_an_interrupted_run_goes_on_elsewhere(client, tmp_path):
    def stop(done, total):
        if done == 10:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interactions_to_zarr(tmp_path / "run", **CASE, **small, client=client, progress=stop)
    assert not open_store(tmp_path / "run").complete
    told = []
    comp = interactions_to_zarr(
        tmp_path / "run", **CASE, **small, progress=lambda *step: told.append(step)
    )
    assert told[0] == (10, 21)
    np.testing.assert_allclose(comp.rows(range(41)), local(CASE).matrix, **close)


def test_killing_workers_changes_nothing(client, tmp_path):
    first, second = worker_processes(client)

    def kill(done, total):
        # One while test points are ranked, the other while tiles are filled.
        if done in (2, 12):
            os.kill(first if done == 2 else second, signal.SIGKILL)

    case = CASE | {"k": 2}
    comp = interactions_to_zarr(tmp_path / "run", **case, **small, client=client, progress=kill)
    assert not worker_processes(client) & {first, second}, "a worker was not killed"
    assert comp.complete
    ref = interactions_to_zarr(MemoryStore(), **case, **small)
    assert np.array_equal(comp.rows(range(41)), ref.rows(range(41)))
    np.testing.assert_allclose(comp.rows(range(41)), local(case).matrix, **close)


def test_a_lazy_array_survives_a_killed_worker(client):
    client.wait_for_workers(2, timeout=120)
    X, y = table(300)
    victim = min(worker_processes(client))
    with client.as_current():
        matrix = interaction_array(X, y, tile=40, test_chunk=20).persist()
        os.kill(victim, signal.SIGKILL)
        comp = matrix.compute()
    np.testing.assert_allclose(comp, local({"X": X, "y": y}).matrix, **close)
    assert victim not in worker_processes(client), "the worker was not killed"
