"""One pass over all test points whose parts simply add up."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from stiknn_core.engine.neighbors import BLOCK, NeighborRanker, Ranking, blocks
from stiknn_core.engine.threads import CHUNK, Progress, silent, thread_map
from stiknn_core.types import FloatArray
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
    by_column : bool
        Whether a block of test points fills few columns: then each lies in one piece.
    """

    add: Add
    shape: tuple[int, ...]
    by_column: bool = False

    def zeros(self) -> FloatArray:
        """Return the sum of nothing."""
        return np.zeros(self.shape, order="F" if self.by_column else "C")


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
    size = max(1, sum(math.prod(one.shape) for one in sums))
    at_once = max(2 * problem.n_jobs, min(CHUNK // BLOCK, _WAITING // size))

    def parts(block: tuple[int, int]) -> list[FloatArray]:
        ranking = ranker.rank(*block)
        found = []
        for one in sums:
            out = one.zeros()
            one.add(ranking, out)
            found.append(out)
        return found

    report = progress or silent
    waiting = blocks(0, problem.n_test)
    report(0, problem.n_test)
    with thread_map(problem.n_jobs) as run:
        for first in range(0, len(waiting), at_once):
            now = waiting[first : first + at_once]
            for found in run(parts, now):
                for total, out in zip(totals, found, strict=True):
                    total += out
            report(now[-1][1], problem.n_test)
    return totals
