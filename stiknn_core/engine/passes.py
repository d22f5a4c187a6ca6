"""One pass over all test points whose parts simply add up."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from stiknn_core.engine.neighbors import BLOCK, NeighborRanker, Ranking, blocks
from stiknn_core.engine.threads import CHUNK, Progress, silent, thread_map
from stiknn_core.types import FloatArray, IntArray
from stiknn_core.validation import Problem

# Numbers that the parts of blocks may hold between them before they are added up.
_WAITING = 4_000_000

Add = Callable[[Ranking, FloatArray], object]


class Ranker(Protocol):
    """What a pass asks for rankings: a `NeighborRanker`, or one that remembers."""

    def rank(self, start: int, stop: int) -> Ranking:
        """Rank all training points for one block of test points."""


@dataclass(frozen=True)
class Sum:
    """One of the sums of a pass.

    Attributes
    ----------
    add : callable
        ``add(ranking, out)`` adds what one block of test points gives to ``out``.
    shape : tuple of int
        Of the sum.
    columns : callable or None
        ``columns(ranking)`` tells which columns one block fills, where these are few: then ``out``
        has no others.
    """

    add: Add
    shape: tuple[int, ...]
    columns: Callable[[Ranking], IntArray] | None = None

    def zeros(self) -> FloatArray:
        """Return the sum of nothing; a column in one piece where blocks fill few of them."""
        return np.zeros(self.shape, order="C" if self.columns is None else "F")

    @property
    def size_of_part(self) -> int:
        """Most numbers that a part can hold."""
        few = self.shape if self.columns is None else (self.shape[0], min(self.shape[1], BLOCK))
        return math.prod(few)

    def part(self, ranking: Ranking) -> FloatArray:
        """Return what one block of test points gives, in its columns alone."""
        if self.columns is None:
            out = np.zeros(self.shape)
        else:
            out = np.zeros((self.shape[0], len(self.columns(ranking))), order="F")
        self.add(ranking, out)
        return out

    def put(self, ranking: Ranking, part: FloatArray, total: FloatArray) -> None:
        """Add a part to the whole."""
        if self.columns is None:
            total += part
            return
        for place, column in enumerate(self.columns(ranking).tolist()):
            total[:, column] += part[:, place]


def sum_over_test_points(problem: Problem, one: Sum, progress: Progress | None) -> FloatArray:
    """Return a sum of a pass that ranks for it alone."""
    return sums_over_test_points(problem, NeighborRanker(problem), [one], progress)[0]


def sums_over_test_points(
    problem: Problem, ranker: Ranker, sums: Sequence[Sum], progress: Progress | None
) -> list[FloatArray]:
    """Return several sums of one pass.

    Blocks are ranked on threads and added in their own order, so that the number of
    threads cannot change a sum. Where sums are large (a million points) only a few blocks
    are under way at a time, and progress is told as often.
    """
    totals = [one.zeros() for one in sums]
    size = max(1, sum(one.size_of_part for one in sums))
    at_once = max(2 * problem.n_jobs, min(CHUNK // BLOCK, _WAITING // size))

    def parts(block: tuple[int, int]) -> tuple[Ranking, list[FloatArray]]:
        ranking = ranker.rank(*block)
        return ranking, [one.part(ranking) for one in sums]

    report = progress or silent
    waiting = blocks(0, problem.n_test)
    report(0, problem.n_test)
    with thread_map(problem.n_jobs) as run:
        for first in range(0, len(waiting), at_once):
            now = waiting[first : first + at_once]
            for ranking, found in run(parts, now):
                for one, part, total in zip(sums, found, totals, strict=True):
                    one.put(ranking, part, total)
            report(now[-1][1], problem.n_test)
    return totals
