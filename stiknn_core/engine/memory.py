"""Rankings kept small, so that many questions about one problem rank only once."""

from __future__ import annotations

import numpy as np

from stiknn_core._kernels.ranking import expand
from stiknn_core.engine.neighbors import NeighborRanker, Ranking
from stiknn_core.types import AnyArray
from stiknn_core.validation import Problem


class RememberingRanker:
    """Ranks as a `NeighborRanker` does, and keeps what it has ranked if all fits ``max_bytes``.

    A kept ranking takes 2 bytes a training point below 65,536 of them, else 4, and one bit
    more that says whether it is tied with the next one. Safe to call from several threads, as
    long as no two of them ask for one block at a time.
    """

    def __init__(self, problem: Problem, max_bytes: int) -> None:
        self._problem = problem
        self._ranker = NeighborRanker(problem)
        n, t = problem.n_train, problem.n_test
        kind = np.uint16 if n <= 2**16 else np.uint32
        packed = -(-n // 8)
        self.keeps = t * (n * np.dtype(kind).itemsize + packed) <= max_bytes
        rows = t if self.keeps else 0
        self._order: AnyArray = np.empty((rows, n), dtype=kind)
        self._joined: AnyArray = np.empty((rows, packed), dtype=np.uint8)
        self._tied_pairs = np.zeros(rows, dtype=np.int64)
        self._mixed = np.zeros(rows, dtype=np.bool_)
        self._known: AnyArray = np.zeros(rows, dtype=np.bool_)

    @property
    def nbytes(self) -> int:
        """Bytes that the kept rankings take."""
        return self._order.nbytes + self._joined.nbytes

    def rank(self, start: int, stop: int) -> Ranking:
        """Rank all training points for the test points start..stop, or remember how."""
        if self.keeps and self._known[start:stop].all():
            return self._recall(start, stop)
        ranking = self._ranker.rank(start, stop)
        if self.keeps:
            self._keep(ranking)
        return ranking

    def _keep(self, ranking: Ranking) -> None:
        n = self._problem.n_train
        rows = slice(ranking.start, ranking.stop)
        joined = ranking.ends != np.arange(1, n + 1)
        joined[:, self._problem.n_ranked :] = False  # these belong to no group
        self._order[rows] = ranking.order
        self._joined[rows] = np.packbits(joined, axis=1)
        self._tied_pairs[rows] = ranking.tied_pairs
        self._mixed[rows] = ranking.mixed
        self._known[rows] = True

    def _recall(self, start: int, stop: int) -> Ranking:
        n = self._problem.n_train
        order = np.empty((stop - start, n), dtype=np.int64)
        ends = np.empty_like(order)
        joined = np.unpackbits(self._joined[start:stop], axis=1, count=n)
        expand(self._order[start:stop], joined, self._problem.n_ranked, order, ends)
        return Ranking(
            start,
            stop,
            order,
            ends,
            self._tied_pairs[start:stop],
            self._mixed[start:stop],
            self._ranker.gains(start, stop),
        )
