"""From a ranking to numbers: the coefficients of pairs, and what single points are worth."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from stiknn_core._kernels import coefficients
from stiknn_core.engine.dividing import Change, change_of_values
from stiknn_core.engine.neighbors import NeighborRanker, Ranking
from stiknn_core.engine.passes import Sum
from stiknn_core.errors import ParameterError
from stiknn_core.games import SII, PairIndex
from stiknn_core.games.gains import ByClass, ByPoint, Nearness, Weighted
from stiknn_core.types import FloatArray, IntArray
from stiknn_core.validation import Problem


def fill_coefficients(
    problem: Problem,
    ranking: Ranking,
    w: FloatArray,
    farther: FloatArray,
    same: FloatArray,
    rank: FloatArray,
    first: int = 0,
) -> None:
    """Fill the columns from ``first`` on, one per test point, of three (n, m) arrays.

    What they hold is told in `_kernels.coefficients.pair_coefficients`; ``w`` are pair weights.
    """
    coefficients.pair_coefficients(
        ranking.order,
        ranking.ends,
        problem.n_ranked,
        ranking.gains,
        problem.weights[ranking.tests],
        first,
        problem.unit,
        w,
        farther,
        same,
        rank,
    )


def coefficients_of_each(
    problem: Problem, ranking: Ranking, w: FloatArray
) -> Iterator[tuple[Ranking, FloatArray, FloatArray, FloatArray]]:
    """Yield the ranking of each test point and its three coefficients, (n,) and soon overwritten.

    One column at a time stays in the caches where n is large.
    """
    shape = (problem.n_train, 1)
    farther, same, rank = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    for one in ranking.single():
        fill_coefficients(problem, one, w, farther, same, rank)
        yield one, farther[:, 0], same[:, 0], rank[:, 0]


class Values(NamedTuple):
    """What values need of their index: weights over ranks, and the change of a divided utility."""

    g: FloatArray
    change: Change | None


def values_of(problem: Problem, index: PairIndex) -> Values:
    """Return what the values of an index need for a problem. O(n)."""
    g = index.value_weights(problem.n_ranked, problem.voters)
    return Values(g, change_of_values(problem, index) if problem.score.divided_by_size else None)


def add_values(problem: Problem, ranking: Ranking, values: Values, out: FloatArray) -> float:
    """Add the values of all points, (n,), over some test points; return their likelihood."""
    found = float(
        coefficients.point_values(
            ranking.order,
            ranking.ends,
            problem.n_ranked,
            ranking.gains,
            problem.weights[ranking.tests],
            problem.voters,
            problem.unit,
            values.g,
            out,
        )
    )
    if values.change is None:
        return found
    each, once = values.change.of(problem, ranking)
    out += each.sum(axis=0) + once.sum()
    if problem.leave_one_out:
        out[problem.own[ranking.tests]] -= once
    return found * problem.k / problem.voters


def value_sum(problem: Problem, index: PairIndex) -> Sum:
    """Return the sum over test points, (n,), that gives the values of an index."""
    values = values_of(problem, index)
    return Sum(lambda ranking, out: add_values(problem, ranking, values, out), (problem.n_train,))


def support_sum(problem: Problem) -> Sum:
    """Return the sum over test points, (n_train, n_classes), that gives the support."""
    gains = problem.gains
    if not (gains.plain or isinstance(gains, ByPoint)):
        return _scored_support(problem)
    g = SII.value_weights(problem.n_ranked, problem.voters)

    def columns(ranking: Ranking) -> IntArray:
        codes = problem.test_codes[ranking.tests]
        return np.unique(codes[codes >= 0])

    def add(ranking: Ranking, out: FloatArray) -> None:
        codes = problem.test_codes[ranking.tests]
        coefficients.label_support(
            ranking.order,
            ranking.ends,
            problem.n_ranked,
            np.where(codes < 0, codes, np.searchsorted(columns(ranking), codes)),
            problem.weights[ranking.tests],
            g,
            out,
        )

    return Sum(add, (problem.n_train, len(problem.classes)), columns)


def _scored_support(problem: Problem) -> Sum:
    """Return the same where a point of another class would not bring just one place or none."""
    gains = problem.gains
    ranker = NeighborRanker(problem)
    g = SII.value_weights(problem.n_ranked, problem.voters)

    def add(ranking: Ranking, out: FloatArray) -> None:
        tests, b = ranking.tests, ranking.stop - ranking.start
        earned = np.zeros((problem.n_train, b), order="F")  # as the loop is compiled
        coefficients.label_support(
            ranking.order,
            ranking.ends,
            problem.n_ranked,
            np.arange(b),
            problem.weights[tests],
            g,
            earned,
        )
        if isinstance(gains, ByClass):
            out += earned @ gains.table[tests]
            return
        earned *= ranker.gains(ranking.start, ranking.stop, as_tested=True).T
        for column, code in zip(earned.T, problem.test_codes[tests].tolist(), strict=True):
            if code >= 0:
                out[:, code] += column

    return Sum(add, (problem.n_train, len(problem.classes)))


def has_support(problem: Problem) -> bool:
    """Whether a score says what a point would bring in another class."""
    gains = problem.gains
    known = gains.plain or isinstance(gains, ByClass | ByPoint | Nearness | Weighted)
    return known and not problem.score.divided_by_size


def check_supported(problem: Problem) -> None:
    """Refuse label support where a row has no class that could be another."""
    if not has_support(problem):
        raise ParameterError(
            f"Label support asks what a point would bring in another class; score="
            f"{problem.score.name} does not say that. Choose another score, or ask for values."
        )


def class_shares(problem: Problem) -> FloatArray:
    """Return the share of each class among the test points, (n_classes,), by their weights."""
    if isinstance(problem.gains, ByClass):
        return np.asarray(problem.weights @ problem.gains.table)
    return problem.class_weights


def singletons(problem: Problem) -> FloatArray:
    """Return what each point earns alone: 1/k from each test point of its class but itself."""
    own = np.zeros(problem.n_train)
    own[problem.own] = problem.weights if problem.leave_one_out else 0.0
    return np.asarray((problem.class_weights[problem.codes] - own) * problem.unit)
