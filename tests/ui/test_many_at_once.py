"""Eight who compute at once get what each would get alone, to the last bit."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from stiknn_core import interactions, label_support
from stiknn_ui.asked.spec import ComputeSpec, DataSpec
from stiknn_ui.results import drawing, kept
from stiknn_ui.results.analysis import analyse
from stiknn_ui.results.sources import build
from stiknn_ui.work import shelves
from tests.patience import PATIENCE

VISITORS = 8


def at_once(work: Callable[[int], Any]) -> list[Any]:
    """Return ``work`` of each visitor's number, begun at one moment in a thread each."""
    ready = threading.Barrier(VISITORS)
    found: list[Any] = [None] * VISITORS
    errors: list[BaseException] = []

    def visitor(number: int) -> None:
        try:
            ready.wait(PATIENCE)
            found[number] = work(number)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=visitor, args=(number,)) for number in range(VISITORS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert not errors
    assert not any(thread.is_alive() for thread in threads)
    return found


def table(number: int) -> tuple[np.ndarray, np.ndarray, dict[str, Any]]:
    """Return data and settings of one visitor: of all indices and metrics, half of them tied."""
    rng = np.random.default_rng(number)
    X = rng.normal(size=(120 + 20 * number, 2 + number))
    if number % 2:
        X = np.round(X)
    settings = {
        "k": 1 + number,
        "index": ("STII", "SII", "BII")[number % 3],
        "metric": ("euclidean", "manhattan", "chebyshev", "cosine")[number % 4],
    }
    return X, rng.integers(0, 3, len(X)), settings


def test_the_engine_serves_eight_threads_with_different_data() -> None:
    def compute(number: int) -> tuple[Any, Any]:
        X, y, settings = table(number)
        support = label_support(X, y, k=settings["k"], metric=settings["metric"])
        return interactions(X, y, n_jobs=2, **settings), support

    together = at_once(compute)
    alone = [compute(number) for number in range(VISITORS)]
    for (ours, support), (same, same_support) in zip(together, alone, strict=True):
        assert np.array_equal(ours.matrix, same.matrix)
        assert np.array_equal(ours.values, same.values)
        assert np.array_equal(support.support, same_support.support)
        assert ours.fingerprint == same.fingerprint
    assert len({ours.fingerprint for ours, _ in together}) == VISITORS


@pytest.mark.usefixtures("empty_shelves")
def test_the_server_gives_each_of_eight_visitors_their_own_result() -> None:
    def specs(number: int) -> tuple[DataSpec, ComputeSpec]:
        # Two of each: equal wishes share one computation.
        return DataSpec(n=100 + number // 2, seed=number // 2), ComputeSpec(k=3 + number // 2)

    def visit(number: int) -> Any:
        data, compute = specs(number)
        dataset = kept.public_dataset(data)
        seconds = (0.5, 5.0, 50.0)[number % 3]
        job = kept.start_job(dataset, data, compute, seconds=seconds, owner=str(number))
        assert job.wait(PATIENCE)
        assert job.result is not None, job.error
        return job.result, drawing.content_of(job.result), kept.scores_of(job.result)

    together = at_once(visit)
    for number, (result, content, scores) in enumerate(together):
        data, compute = specs(number)
        alone = analyse(build(data), data, compute)
        assert (result.data, result.compute) == (data, compute)
        assert np.array_equal(result.interactions.matrix, alone.interactions.matrix)
        assert np.array_equal(result.support.quality, alone.support.quality)
        assert np.array_equal(scores["quality"], alone.support.quality)
        assert content is together[number ^ 1][1]
    assert len({content.content_id for _, content, _ in together}) == VISITORS // 2
    assert (shelves.computations().running, shelves.computations().waiting) == (0, 0)
