"""Many data sets one after the other: what the server keeps grows to its bounds, then no more."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from stiknn_ui.asked.plane_choice import columns_text
from stiknn_ui.asked.spec import ComputeSpec, DataSpec
from stiknn_ui.results import drawing, kept
from stiknn_ui.results.analysis import Analysis
from stiknn_ui.review import kept as review_kept
from stiknn_ui.work import shelves
from stiknn_ui.work.store import BoundedStore
from tests.patience import PATIENCE

N = 400
SETS = 25
ROOM = 8_000_000  # bytes on each shelf: less than a third of what SETS results take
MATRIX = 8 * N * N
MOST_ROUNDS = 4


@pytest.fixture
def small_shelves() -> Iterator[dict[str, BoundedStore]]:
    """The server's own shelves with less room, so that they are full after a few data sets."""
    shelves.clear()
    small = shelves.all_shelves()
    for shelf in small.values():
        shelf.max_bytes = ROOM
    yield small
    shelves.clear()


def visit(seed: int) -> Analysis:
    """Do what the pages do for a visitor of their own who looks at data of their own."""
    data, compute = DataSpec(n=N, seed=seed), ComputeSpec(evaluation="hold-out", share=0.1)
    dataset = kept.public_dataset(data)
    job = kept.start_job(dataset, data, compute, owner=str(seed))
    assert job.wait(PATIENCE)
    assert job.result is not None, job.error
    analysis = job.result
    for drawn in (None, drawing.drawn_of(analysis, columns_text("x1", "x2"))):
        drawing.content_of(analysis, drawn)
        drawing.order_of(analysis, "class", drawn)
    for name in ("value", "cluster"):
        drawing.order_of(analysis, name)
    kept.scores_of(analysis)
    review_kept.places_of(analysis)
    review_kept.training_points_of(analysis)
    review_kept.test_points_of(analysis)
    kept.duplicates_of(dataset, data, compute)
    kept.tied_rows_of(dataset, data, compute)
    return analysis


def resident() -> int:
    """Bytes of this process that are in memory."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc, which Linux has")
def test_the_memory_of_the_process_levels_off(small_shelves: dict[str, BoundedStore]) -> None:
    # Before it is level, the allocator may still spread out, the more so after other tests.
    grown, at = [], 0
    for round_ in range(MOST_ROUNDS):
        for seed in range(round_ * SETS, (round_ + 1) * SETS):
            visit(seed)
        before, at = at, resident()
        if round_:
            grown.append(at - before)
            # Without bounds it is a matrix for each data set, and what is made of it besides.
            if grown[-1] < SETS * MATRIX / 2:
                return
    pytest.fail(f"after each {SETS} data sets more, {grown} bytes more")


@pytest.mark.slow
def test_fifty_data_sets_in_a_row_leave_no_more_than_the_bounds(
    small_shelves: dict[str, BoundedStore],
) -> None:
    for seed in range(2 * SETS):
        visit(seed)
        for name, shelf in small_shelves.items():
            assert shelf.bytes <= ROOM, f"{name} after {seed + 1} data sets"
    # The bounds were reached, or nothing would be shown by this.
    for name in ("results", "derived"):
        assert small_shelves[name].bytes > ROOM - 3 * MATRIX, name
    assert len(kept.results()) < SETS
