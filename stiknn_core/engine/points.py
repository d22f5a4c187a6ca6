"""What is known of single points: by whole rankings, or by lists of near rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from stiknn_core.cost import check_memory, free_bytes
from stiknn_core.engine.coefficients import check_supported, support_sum, value_sum
from stiknn_core.engine.near import near_sums
from stiknn_core.engine.neighbors import NeighborRanker
from stiknn_core.engine.passes import sums_over_test_points
from stiknn_core.engine.threads import Progress
from stiknn_core.errors import ParameterError
from stiknn_core.games import SII, PairIndex
from stiknn_core.types import FloatArray
from stiknn_core.validation import Problem, check_whole
from stiknn_core.validation.nearby import DistanceRows, NearRows

MOST_RANKED = 50_000
"""Training points that are ranked whole by each test point, unless the caller says otherwise."""

USUAL_NEAREST = 500
"""Nearest rows of a test point that are told apart beyond that."""


class PointSums(NamedTuple):
    """Sums over all test points.

    Attributes
    ----------
    values : list of (n,) float64
        One for each kind that was asked for.
    support : (n, n_classes) float64
        Of no class where it was not asked for.
    bound : float
        No entry of the support is off by more; 0 where it is exact.
    """

    values: list[FloatArray]
    support: FloatArray
    bound: float


def near_of(problem: Problem, nearest: int | None) -> NearRows | None:
    """Return who knows the near rows of test points; None where all are ranked.

    Raises
    ------
    ParameterError
        If ``nearest`` is no such number, or does not go with the metric or with ties.
    """
    if nearest is not None:
        nearest = check_whole("nearest", nearest, least=1)
        if problem.metric == "precomputed":
            raise ParameterError(
                "nearest is for features: distances that are there already are used, all of them. "
                "Leave it out."
            )
    if not problem.gains.plain or problem.score.divided_by_size:
        if nearest is not None:
            raise ParameterError(
                f"nearest takes far points for tied, which score={problem.score.name} does not "
                "allow: what they bring differs. Leave nearest out; all points are ranked then."
            )
        return None
    if isinstance(problem.distances, DistanceRows):
        # In the order of the table, whatever is not near has ranks of its own.
        return problem.distances if problem.ties == "expected" else None
    if nearest is None and (problem.X is None or problem.n_train <= MOST_RANKED):
        return None
    # Loaded when needed: finding nearest rows takes half a second to import.
    from stiknn_core.engine.nearest import NearestRows

    if problem.ties == "index":
        raise ParameterError(
            "ties='index' ranks all training points, and goes up to "
            f"{MOST_RANKED:,} of them; got {problem.n_train:,}. Use ties='expected'."
        )
    return NearestRows(problem, USUAL_NEAREST if nearest is None else nearest)


def point_sums(
    problem: Problem,
    indices: Sequence[PairIndex],
    *,
    support: bool = True,
    nearest: int | None = None,
    progress: Progress | None = None,
) -> PointSums:
    """Return the values of some indices and the label support, in one pass."""
    near = near_of(problem, nearest)
    if support:
        check_supported(problem)
        _check_room(problem)
    if near is None:
        sums = [value_sum(problem, index) for index in indices]
        sums += [support_sum(problem)] if support else []
        found = sums_over_test_points(problem, NeighborRanker(problem), sums, progress)
        nothing = np.empty((problem.n_train, 0))
        return PointSums(found[: len(indices)], found[-1] if support else nothing, 0.0)
    values, total, least = near_sums(problem, near, indices, support=support, progress=progress)
    return PointSums(values, total, 0.0 if near is problem.distances else _bound(problem, least))


def _check_room(problem: Problem) -> None:
    """Refuse more classes than there is memory for: one number for each point and class, twice."""
    n, n_classes = problem.n_train, len(problem.classes)
    check_memory(
        f"The label support of {n:,} points in {n_classes:,} classes",
        16.0 * n * n_classes,
        f"Some {int(free_bytes() / 16 / n_classes):,} rows would fit.",
    )


def _bound(problem: Problem, listed: int) -> float:
    """Return how far an entry of the support can be off, since far points are taken for tied.

    A point that is not among the m nearest rows has one of the ranks behind them, and gets the
    mean over these; at the worst it is the first of them to every test point of a class.
    """
    if listed >= problem.n_ranked:
        return 0.0
    g = SII.value_weights(problem.n_ranked, problem.voters)[listed + 1 :]
    mean = float(g.mean())
    return float(max(g[0] - mean, mean - g[-1]) * np.max(problem.class_weights))
