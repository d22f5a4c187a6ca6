"""What each test point gives to a value and to a pair, and how near it has a point."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from stiknn_core.engine.coefficients import add_values, coefficients_of_each, values_of
from stiknn_core.engine.neighbors import Ranking, blocks
from stiknn_core.engine.passes import Ranker
from stiknn_core.engine.threads import Progress, chunks, thread_map
from stiknn_core.games import PairIndex
from stiknn_core.types import FloatArray, IntArray
from stiknn_core.validation import Problem


def value_parts_of(
    problem: Problem, ranker: Ranker, index: PairIndex, point: int, progress: Progress | None
) -> FloatArray:
    """Return the value of a point to each test point, (t,). O(t n) beside the ranking."""
    weights = values_of(problem, index)
    once = problem.unweighted()
    parts = np.empty(problem.n_test)

    def fill(ranking: Ranking) -> None:
        values = np.zeros(problem.n_train)
        for one in ranking.single():
            values[point] = 0.0
            add_values(once, one, weights, values)
            parts[one.start] = values[point]

    over_blocks(problem, ranker, fill, progress)
    return parts


def pair_parts_of(
    problem: Problem,
    ranker: Ranker,
    w: FloatArray,
    first: int,
    second: int,
    progress: Progress | None,
) -> FloatArray:
    """Return the interaction of two points for each test point, (t,). O(t n) beside the ranking."""
    once = problem.unweighted()
    parts = np.empty(problem.n_test)

    def fill(ranking: Ranking) -> None:
        for one, farther, same, rank in coefficients_of_each(once, ranking, w):
            if rank[first] == rank[second]:
                parts[one.start] = same[first] + same[second]
            else:
                parts[one.start] = farther[first if rank[first] > rank[second] else second]

    over_blocks(problem, ranker, fill, progress)
    return parts


def places_of(problem: Problem, ranker: Ranker, point: int) -> IntArray:
    """Return how near a training point is to each test point, (t,) int64.

    1 = the nearest. Equally distant points share the first place of their group; 0 where the
    point takes no part, in its own test. O(t n) beside the ranking.
    """
    places = np.zeros(problem.n_test, dtype=np.int64)
    last = problem.n_ranked

    def fill(ranking: Ranking) -> None:
        tests = range(ranking.start, ranking.stop)
        for test, order, ends in zip(tests, ranking.order, ranking.ends, strict=True):
            found = np.flatnonzero(order[:last] == point)
            if len(found):
                group = ends[: int(found[0]) + 1] == ends[found[0]]
                places[test] = 1 + int(np.argmax(group))

    over_blocks(problem, ranker, fill, None)
    return places


def over_blocks(
    problem: Problem,
    ranker: Ranker,
    fill: Callable[[Ranking], None],
    progress: Progress | None,
) -> None:
    """Call ``fill`` with the ranking of each block of test points, on threads.

    Each call writes the places of its own test points, so threads cannot change a result.
    """

    def work(block: tuple[int, int]) -> None:
        fill(ranker.rank(*block))

    with thread_map(problem.n_jobs) as run:
        for start, stop in chunks(problem.n_test, progress):
            run(work, blocks(start, stop))
