"""The utility divided by min(k, |S|) in place of k: what that changes.

Only sets smaller than k are worth another number, by h(|S|) = 1 / |S| - 1 / k times the sum of
what their points bring, and the empty one by what nobody is worth. All of their points have a
place, so ranks do not come into it: what changes is one number for a point itself, one for each
other point, and one for nobody (``docs/games.md``).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from stiknn_core.engine.neighbors import Ranking
from stiknn_core.errors import ParameterError
from stiknn_core.games import PairIndex
from stiknn_core.types import FloatArray, IntArray
from stiknn_core.validation import Problem


class Change(NamedTuple):
    """What is added to a value or a pair, for one test point, of gains a in places.

    Attributes
    ----------
    own : float
        Times the gain of the point, or of each of the two.
    others : float
        Times the gain of every other point.
    nobody : float
        In any case.
    """

    own: float
    others: float
    nobody: float

    def of(self, problem: Problem, ranking: Ranking) -> tuple[FloatArray, FloatArray]:
        """Return what points add, (b, n), and what is added once, (b,), by weighted test points."""
        weights = problem.weights[ranking.tests]
        once = self.others * ranking.gains.sum(axis=1) + self.nobody
        return (self.own - self.others) * weights[:, None] * ranking.gains, weights * once


def change_of_values(problem: Problem, index: PairIndex) -> Change:
    """Return the change of values; O(k)."""
    n, k = problem.n_ranked, problem.k
    Q = index.value_sizes(n, k)
    s = np.arange(len(Q), dtype=np.float64)
    behind = s[1:] * (_share(s[1:] + 1, k) - _share(s[1:], k))
    return Change(
        own=float(Q @ _share(s + 1, k)),
        others=float(Q[1:] @ behind) / max(1, n - 1),
        nobody=-float(Q[0]) * problem.score.empty,
    )


def change_of_pairs(problem: Problem, index: PairIndex) -> Change:
    """Return the change of pairs; O(k)."""
    n, k = problem.n_ranked, problem.k
    if n < 2:
        return Change(0.0, 0.0, 0.0)
    P = index.pair_sizes(n, k)
    s = np.arange(len(P), dtype=np.float64)
    after = _share(s + 2, k) - _share(s + 1, k)
    behind = s[1:] * (after[1:] - (_share(s[1:] + 1, k) - _share(s[1:], k)))
    return Change(
        own=float(P @ after),
        others=float(P[1:] @ behind) / max(1, n - 2),
        nobody=float(P[0]) * problem.score.empty,
    )


def _share(s: FloatArray, k: int) -> FloatArray:
    """Return h: what one point of a set of s is worth more than 1 / k."""
    return np.where(s < k, 1.0 / np.minimum(s, k) - 1.0 / k, 0.0)


class PairChange:
    """Adds up the change of all pairs over test points, and puts it into the upper triangle."""

    def __init__(self, problem: Problem, index: PairIndex, matrix: FloatArray) -> None:
        self._problem = problem
        self._change = change_of_pairs(problem, index)
        self._matrix = matrix
        self._own = np.zeros(problem.n_train)
        self._once = 0.0

    def add(self, ranking: Ranking) -> None:
        """Add what some test points say; of pairs with the test point itself nothing. O(b n)."""
        each, once = self._change.of(self._problem, ranking)
        self._own += each.sum(axis=0)
        self._once += float(once.sum())
        if self._problem.leave_one_out:
            own: IntArray = self._problem.own[ranking.tests]
            for point, row in zip(own.tolist(), each + once[:, None], strict=True):
                self._matrix[point, point + 1 :] -= row[point + 1 :]
                self._matrix[:point, point] -= row[:point]

    def finish(self) -> None:
        """Add what is the same in every row."""
        for i, row in enumerate(self._matrix):
            row[i + 1 :] += self._own[i] + self._own[i + 1 :] + self._once


def refuse_divided(problem: Problem, what: str) -> None:
    """Say that something is not there for utilities divided by min(k, |S|)."""
    if problem.score.divided_by_size:
        raise ParameterError(
            f"{what} cannot be had with score=games.normalised(...), whose pairs depend on both "
            "points; interactions and values can. Choose another score."
        )
