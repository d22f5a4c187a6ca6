"""What each test point gives to a value and to an interaction: the parts that their means hide."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Integral
from typing import Any

import numpy as np

from stiknn_core._kernels import loops as _kernels
from stiknn_core.engine.indices import INDICES, pair_weights, value_weights
from stiknn_core.engine.neighbors import NeighborRanker, Ranking
from stiknn_core.engine.passes import Ranker
from stiknn_core.engine.threads import Progress, chunks, thread_map
from stiknn_core.errors import ParameterError
from stiknn_core.types import FloatArray, Index, IntArray, Metric, Ties, ValueKind
from stiknn_core.validation import Problem, check_choice, check_problem
from stiknn_core.validation.settings import plain
from stiknn_core.values import VALUE_KINDS

#: Parts are what a point is worth to a test point that counts once, whatever its weight.
_ONE = np.ones(1)


def value_parts(
    X: Any,
    y: Any,
    X_test: Any = None,
    y_test: Any = None,
    *,
    point: int,
    k: int = 5,
    kind: ValueKind = "shapley",
    metric: Metric = "euclidean",
    ties: Ties = "expected",
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> FloatArray:
    """Compute what one training point is worth to each single test point, exactly.

    Parameters
    ----------
    X, y, X_test, y_test
        As in `stiknn_core.interactions`; without a test set, leave-one-out.
    point : int
        Position of the training point, 0..n-1.
    k : int, default 5
        Neighbours that vote, at least 1.
    kind : {"shapley", "banzhaf"}
        Which value.
    metric, ties, n_jobs, progress
        As in `stiknn_core.interactions`.

    Returns
    -------
    (t,) float64
        The value of the point in the game of each test point alone, in units of likelihood, in
        [-1/k, 1/k]; positive = it pulls the answer towards the label of that test point. Their
        mean, weighted as by ``sample_weight``, is the point's entry of `stiknn_core.values`. In
        leave-one-out a point has no part in its own test: 0.

    Raises
    ------
    ParameterError
        If ``point`` is not the position of a training point.
    StiknnError
        As `stiknn_core.interactions`.

    Notes
    -----
    O(t n (d + log n)) time and O(t + n) memory beside the input. The part of the point of rank
    m is ``g[m] u[m] + sum over l > m of (g[l] - g[l-1]) u[l]``, as in `stiknn_core.engine.indices`.

    References
    ----------
    Jia et al. (2019), "Efficient task-specific data valuation for nearest neighbor
    algorithms", Theorem 1; the mean over tied orders is our own.
    """
    kind = check_choice("kind", kind, VALUE_KINDS)
    problem = check_problem(
        X, y, X_test, y_test, k=k, metric=metric, ties=ties, sample_weight=None, n_jobs=n_jobs
    )
    point = check_point("point", point, problem.n_train)
    return value_parts_of(problem, NeighborRanker(problem), kind, point, progress)


def pair_parts(
    X: Any,
    y: Any,
    X_test: Any = None,
    y_test: Any = None,
    *,
    first: int,
    second: int,
    k: int = 5,
    index: Index = "STII",
    metric: Metric = "euclidean",
    ties: Ties = "expected",
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> FloatArray:
    """Compute the interaction of two training points for each single test point, exactly.

    Parameters
    ----------
    X, y, X_test, y_test
        As in `stiknn_core.interactions`; without a test set, leave-one-out.
    first, second : int
        Positions of two different training points, 0..n-1.
    k, index, metric, ties, n_jobs, progress
        As in `stiknn_core.interactions`.

    Returns
    -------
    (t,) float64
        The interaction in the game of each test point alone, in units of likelihood; negative =
        redundant for it. Their mean, weighted as by ``sample_weight``, is
        ``interactions(...).matrix[first, second]``. In leave-one-out the two points' own tests
        give 0.

    Raises
    ------
    ParameterError
        If the two are not different positions of training points.
    StiknnError
        As `stiknn_core.interactions`.

    Notes
    -----
    O(t n (d + log n)) time and O(t + n) memory beside the input: for one test point the
    interaction depends only on the farther of the two, as in `stiknn_core.engine.indices`.

    References
    ----------
    STI-KNN: Algorithm 1 of the paper, in the closed form of `stiknn_core.engine.indices`.
    """
    index = check_choice("index", index, INDICES)
    problem = check_problem(
        X, y, X_test, y_test, k=k, metric=metric, ties=ties, sample_weight=None, n_jobs=n_jobs
    )
    first, second = check_pair(first, second, problem.n_train)
    w = pair_weights(index, problem.n_ranked, problem.voters)
    return pair_parts_of(problem, NeighborRanker(problem), w, first, second, progress)


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
            _kernels.point_values(
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
            _kernels.pair_coefficients(
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


def check_point(name: str, value: Any, n: int) -> int:
    """Return a position among ``n`` training points; ParameterError if it is none."""
    whole = isinstance(value, Integral) and not isinstance(value, bool | np.bool_)
    if not whole or not 0 <= value < n:
        raise ParameterError(
            f"{name} must be the position of a training point, a whole number from 0 to "
            f"{n - 1:,}; got {plain(value)!r}."
        )
    return int(value)


def check_pair(first: Any, second: Any, n: int) -> tuple[int, int]:
    """Return two different positions; ParameterError if they are not."""
    pair = check_point("first", first, n), check_point("second", second, n)
    if pair[0] == pair[1]:
        raise ParameterError(
            f"first and second must be two different training points; got {pair[0]:,} twice."
        )
    return pair


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
