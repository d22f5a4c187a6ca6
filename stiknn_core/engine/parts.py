"""What each test point gives to a value and to a pair, and how near it has a point."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from stiknn_core._kernels import coefficients
from stiknn_core.engine.indices import value_weights
from stiknn_core.engine.neighbors import Ranking
from stiknn_core.engine.passes import Ranker
from stiknn_core.engine.threads import Progress, chunks, thread_map
from stiknn_core.types import FloatArray, IntArray, ValueKind
from stiknn_core.validation import Problem

#: Parts are what a point is worth to a test point that counts once, whatever its weight.
_ONE = np.ones(1)


def value_parts_of(
    problem: Problem, ranker: Ranker, kind: ValueKind, point: int, progress: Progress | None
) -> FloatArray:
    """Return `value_parts` of a problem that was checked, with rankings from ``ranker``."""
    g = value_weights(kind, problem.n_ranked, problem.voters)
    parts = np.empty(problem.n_test)

    def fill(ranking: Ranking) -> None:
        values = np.zeros(problem.n_train)
        for p in range(ranking.stop - ranking.start):
            test = ranking.start + p
            values[point] = 0.0
            coefficients.point_values(
                ranking.order[p : p + 1],
                ranking.ends[p : p + 1],
                problem.n_ranked,
                problem.codes,
                problem.test_codes[test : test + 1],
                _ONE,
                problem.voters,
                problem.unit,
                g,
                values,
            )
            parts[test] = values[point]

    _over_blocks(problem, ranker, fill, progress)
    return parts


def pair_parts_of(
    problem: Problem,
    ranker: Ranker,
    w: FloatArray,
    first: int,
    second: int,
    progress: Progress | None,
) -> FloatArray:
    """Return `pair_parts` of a problem that was checked, with rankings from ``ranker``."""
    parts = np.empty(problem.n_test)

    def fill(ranking: Ranking) -> None:
        shape = (problem.n_train, 1)
        farther, same, rank = np.zeros(shape), np.zeros(shape), np.zeros(shape)
        for p in range(ranking.stop - ranking.start):
            test = ranking.start + p
            coefficients.pair_coefficients(
                ranking.order[p : p + 1],
                ranking.ends[p : p + 1],
                problem.n_ranked,
                problem.codes,
                problem.test_codes[test : test + 1],
                _ONE,
                0,
                problem.unit,
                w,
                farther,
                same,
                rank,
            )
            if rank[first, 0] == rank[second, 0]:
                parts[test] = same[first, 0] + same[second, 0]
            else:
                far = first if rank[first, 0] > rank[second, 0] else second
                parts[test] = farther[far, 0]

    _over_blocks(problem, ranker, fill, progress)
    return parts


def places_of(problem: Problem, ranker: Ranker, point: int) -> IntArray:
    """Return how near a training point is to each test point, (t,) int64.

    1 = the nearest. Equally distant points share the first place of their group; 0 where the
    point takes no part, in its own test. O(t n) beside the ranking.
    """
    places = np.zeros(problem.n_test, dtype=np.int64)
    last = problem.n_ranked

    def fill(ranking: Ranking) -> None:
        for p, (order, ends) in enumerate(zip(ranking.order, ranking.ends, strict=True)):
            found = np.flatnonzero(order[:last] == point)
            if len(found):
                group = ends[: int(found[0]) + 1] == ends[found[0]]
                places[ranking.start + p] = 1 + int(np.argmax(group))

    _over_blocks(problem, ranker, fill, None)
    return places


def _over_blocks(
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
            run(work, ranker.blocks(start, stop))
