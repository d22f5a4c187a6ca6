"""From a ranking to numbers: the coefficients of pairs, and what single points are worth."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from stiknn_core._kernels import coefficients
from stiknn_core.engine.indices import value_weights
from stiknn_core.engine.neighbors import Ranking
from stiknn_core.engine.passes import Sum
from stiknn_core.types import FloatArray, IntArray, ValueKind
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
        problem.codes,
        problem.test_codes[ranking.tests],
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


def add_values(problem: Problem, ranking: Ranking, g: FloatArray, out: FloatArray) -> float:
    """Add the values of all points, (n,), over some test points; return their likelihood."""
    return float(
        coefficients.point_values(
            ranking.order,
            ranking.ends,
            problem.n_ranked,
            problem.codes,
            problem.test_codes[ranking.tests],
            problem.weights[ranking.tests],
            problem.voters,
            problem.unit,
            g,
            out,
        )
    )


def value_sum(problem: Problem, kind: ValueKind) -> Sum:
    """Return the sum over test points, (n,), that gives the values."""
    g = value_weights(kind, problem.n_ranked, problem.voters)
    return Sum(lambda ranking, out: add_values(problem, ranking, g, out), (problem.n_train,))


def support_sum(problem: Problem) -> Sum:
    """Return the sum over test points, (n_train, n_classes), that gives the support."""
    g = value_weights("shapley", problem.n_ranked, problem.voters)

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


def singletons(problem: Problem) -> FloatArray:
    """Return what each point earns alone: 1/k from each test point of its class but itself."""
    own = np.zeros(problem.n_train)
    own[problem.own] = problem.weights if problem.leave_one_out else 0.0
    return np.asarray((problem.class_weights[problem.codes] - own) * problem.unit)
