"""One pass over all test points whose parts simply add up."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from stiknn_core._threads import Progress, chunks, thread_map
from stiknn_core.neighbors import NeighborRanker, Ranking
from stiknn_core.types import FloatArray
from stiknn_core.validation import Problem


def sum_over_test_points(
    problem: Problem,
    add: Callable[[Ranking, slice, FloatArray], object],
    shape: tuple[int, ...],
    progress: Progress | None,
) -> FloatArray:
    """Return the sum of what ``add(ranking, test points, out)`` adds for each block.

    Blocks are ranked on threads and added in their own order, so that the number of
    threads cannot change the sum.
    """
    ranker = NeighborRanker(problem)
    total = np.zeros(shape)

    def part(block: tuple[int, int]) -> FloatArray:
        out = np.zeros(shape)
        add(ranker.rank(*block), slice(*block), out)
        return out

    with thread_map(problem.n_jobs) as run:
        for start, stop in chunks(problem.n_test, progress):
            for out in run(part, ranker.blocks(start, stop)):
                total += out
    return total
