"""Rank once, then ask for block sums, values and single pairs as often as wanted.

For data whose matrix would be too large: 100,000 points and 1,000 test points keep their
rankings in 0.4 GB, after which the interactions of any part follow exactly in a second or two.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from stiknn_core.engine.bands import TASK_ROWS, Bands
from stiknn_core.engine.blocks import block_half_sum, rows_sum
from stiknn_core.engine.coefficients import check_supported, singletons, support_sum, value_sum
from stiknn_core.engine.dividing import refuse_divided
from stiknn_core.engine.memory import RememberingRanker
from stiknn_core.engine.neighbors import blocks as cut_into_blocks
from stiknn_core.engine.pairs import mirror
from stiknn_core.engine.parts import pair_parts_of, places_of, value_parts_of
from stiknn_core.engine.passes import Sum, sums_over_test_points
from stiknn_core.engine.threads import Progress, chunks, thread_map
from stiknn_core.errors import ParameterError
from stiknn_core.games import AnyIndex, AnyScore, PairIndex, index_of, leave_two_out
from stiknn_core.games.indices import value_of
from stiknn_core.labels.overview import Overview
from stiknn_core.labels.support import judged
from stiknn_core.labels.targets import said_in, usual_weights
from stiknn_core.results import BlockInteractions
from stiknn_core.results.showing import Viewable
from stiknn_core.types import (
    FloatArray,
    IntArray,
    Metric,
    Ties,
    ValueKind,
    read_only,
)
from stiknn_core.validation import Problem, check_problem
from stiknn_core.validation.positions import (
    block_counts,
    check_pair,
    check_position,
    check_positions,
    number_blocks,
)

KEEP_BYTES = 1_000_000_000
"""Rankings are kept up to this size unless the caller says otherwise."""


class RankedNeighbors(Viewable):
    """One problem, ranked once and kept, to be asked about parts of its matrix.

    Every answer is exact: all training points stay players of the game, whatever part of them
    is asked about. Rankings are made by the first question, and kept if they fit.

    Parameters
    ----------
    X, y, X_test, y_test, k, index, score, metric, ties, sample_weight, test_rows, n_jobs
        As in `stiknn_core.interactions`; no score that is `normalised`.
    max_bytes : int, default 1 GB
        Most bytes of rankings to keep: n_test * n_train * 2.1 below 65,536 training points,
        4.1 above. Where they do not fit, each question ranks anew.

    Raises
    ------
    StiknnError
        As `stiknn_core.interactions`.
    """

    def __init__(
        self,
        X: Any,
        y: Any,
        X_test: Any = None,
        y_test: Any = None,
        *,
        k: int = 5,
        index: AnyIndex = "STII",
        score: AnyScore = "plain",
        metric: Metric = "euclidean",
        ties: Ties = "expected",
        sample_weight: Any = None,
        test_rows: Any = None,
        n_jobs: int | None = None,
        max_bytes: int = KEEP_BYTES,
    ) -> None:
        self._game = index_of(index)
        self._problem = check_problem(
            X,
            y,
            X_test,
            y_test,
            k=k,
            metric=metric,
            ties=ties,
            sample_weight=sample_weight,
            test_rows=test_rows,
            n_jobs=n_jobs,
            score=score,
        )
        refuse_divided(self._problem, "A part of the matrix")
        self._ranker = RememberingRanker(self._problem, max_bytes)
        self._w = self._game.pair_weights(self._problem.n_ranked, self._problem.voters)
        self._own: FloatArray | None = None

    @property
    def problem(self) -> Problem:
        """What came in, checked: features, labels, test points, settings."""
        return self._problem

    @property
    def n_train(self) -> int:
        """Number of training points."""
        return self._problem.n_train

    @property
    def n_test(self) -> int:
        """Number of test points; that of the training points in leave-one-out testing."""
        return self._problem.n_test

    @property
    def k(self) -> int:
        """Neighbours that vote."""
        return self._problem.k

    @property
    def index(self) -> str:
        """Name of the index."""
        return self._game.name

    @property
    def score(self) -> str:
        """Name of the score."""
        return self._problem.score.name

    @property
    def keeps(self) -> bool:
        """Whether rankings are kept, so that only the first question ranks."""
        return self._ranker.keeps

    @property
    def nbytes(self) -> int:
        """Bytes that the kept rankings take."""
        return self._ranker.nbytes

    def overview(self, blocks: Any = None, progress: Progress | None = None) -> Overview:
        """Compute both values, label support and, if asked for, block sums in one pass.

        Parameters
        ----------
        blocks : (n,) array, optional
            As in `block_sums`.
        progress : callable, optional
            As in `stiknn_core.interactions`.

        Returns
        -------
        Overview

        Raises
        ------
        ShapeError, ParameterError
            As `block_sums`; or if the score has no label support.

        Notes
        -----
        O(t n (d + log n + B)) time for B blocks where nothing is kept yet, O(t n B) after.
        """
        problem = self._problem
        check_supported(problem)
        kinds = self._game, leave_two_out()
        sums = [*(value_sum(problem, kind) for kind in kinds), support_sum(problem)]
        if blocks is not None:
            names, block_of = number_blocks(blocks, problem.n_train)
            sums.append(block_half_sum(problem, self._w, block_of, len(names)))
        found = sums_over_test_points(problem, self._ranker, sums, progress)
        values, removal, support, *half = found
        values = read_only(values)
        if self._game.diagonal is self._game:
            self._own = values
        return Overview(
            values=values,
            leave_one_out=read_only(removal),
            support=judged(problem, support),
            blocks=self._blocks(names, block_of, half[0]) if blocks is not None else None,
        )

    def values(self, progress: Progress | None = None) -> FloatArray:
        """Return the values of the training points that belong to the index, (n,). O(t n)."""
        return read_only(self._sum(value_sum(self._problem, self._game), progress))

    def block_sums(self, blocks: Any, progress: Progress | None = None) -> BlockInteractions:
        """Compute the sums of all interactions between blocks of training points.

        Parameters
        ----------
        blocks : (n,) array
            The block of each training point: numbers or names of any one kind. Rows and
            columns follow their sorted order. Negative whole numbers leave a point out of all
            sums; it stays a player. (Where they are names, as of the classes -1 and 1, pass them
            as text.)
        progress : callable, optional
            As in `stiknn_core.interactions`.

        Returns
        -------
        BlockInteractions

        Raises
        ------
        ShapeError
            If there is not one block per training point.
        ParameterError
            If blocks are of mixed kinds or missing, or all points are left out.
        """
        names, block_of = number_blocks(blocks, self.n_train)
        half = self._sum(block_half_sum(self._problem, self._w, block_of, len(names)), progress)
        return self._blocks(names, block_of, half)

    def pairs(self, points: Any, progress: Progress | None = None) -> FloatArray:
        """Compute all interactions among some of the training points.

        Parameters
        ----------
        points : (m,) array of int
            Different positions of training points, 0..n-1, in the order of the result.
        progress : callable, optional
            As in `stiknn_core.interactions`.

        Returns
        -------
        (m, m) float64
            ``interactions(...).matrix[points][:, points]``, the diagonal included.

        Raises
        ------
        ParameterError
            If ``points`` are not different positions of training points, at least one.

        Notes
        -----
        O(t (n + m²)) time once rankings are kept, O(m² + 256 m) memory.
        """
        chosen = check_positions("points", points, self.n_train)
        if len(chosen) == 0 or len(np.unique(chosen)) < len(chosen):
            raise ParameterError(
                "points must be different positions of training points, at least one; got "
                f"{len(chosen):,} of which {len(np.unique(chosen)):,} are different."
            )
        problem = self._problem
        m = len(chosen)
        matrix = np.zeros((m, m))
        with thread_map(problem.n_jobs) as run:
            for start, stop in chunks(problem.n_test, progress):
                bands = Bands(problem, self._w, start, stop, chosen)
                run(partial(bands.fill, self._ranker), cut_into_blocks(start, stop))
                run(partial(bands.add_pairs, out=matrix), range(0, m, TASK_ROWS))
            mirror(matrix, run)
        np.fill_diagonal(matrix, self._diagonal()[chosen])
        return matrix

    def rows(self, rows: Any, progress: Progress | None = None) -> FloatArray:
        """Compute single rows of the matrix, as `stiknn_core.interaction_rows`.

        Parameters
        ----------
        rows : (m,) array of int
            Positions of training points, 0..n-1.
        progress : callable, optional
            As in `stiknn_core.interactions`.

        Returns
        -------
        (m, n) float64
            ``interactions(...).matrix[rows]``, the diagonal included. O(t n m) once rankings
            are kept; the first call with an index other than STII computes the values too.

        Raises
        ------
        ParameterError
            If ``rows`` are not positions of training points.
        """
        wanted = check_positions("rows", rows, self.n_train)
        found = self._sum(rows_sum(self._problem, self._w, wanted), progress)
        found[np.arange(len(wanted)), wanted] = self._diagonal()[wanted]
        return found

    def value_parts(
        self,
        point: int,
        progress: Progress | None = None,
        *,
        kind: ValueKind | PairIndex | None = None,
    ) -> FloatArray:
        """Return `stiknn_core.value_parts` of a point, (t,): their mean is its value. O(t n).

        Without ``kind``, of the value that belongs to the index.
        """
        point = check_position("point", point, self.n_train)
        index = self._game if kind is None else value_of(kind)
        return value_parts_of(self._problem, self._ranker, index, point, progress)

    def pair_parts(self, first: int, second: int, progress: Progress | None = None) -> FloatArray:
        """Return `stiknn_core.pair_parts` of two points, (t,): their mean is the pair. O(t n)."""
        first, second = check_pair(first, second, self.n_train)
        return pair_parts_of(self._problem, self._ranker, self._w, first, second, progress)

    def places(self, point: int) -> IntArray:
        """Return how near a point is to each test point, (t,): 1 = nearest. O(t n).

        Equally distant points share the first of their places; 0 where it takes no part, in its
        own test.
        """
        point = check_position("point", point, self.n_train)
        return places_of(self._problem, self._ranker, point)

    def target_weights(self, point: int) -> FloatArray:
        """Return with which weight each test point says what target a point should have, (t,).

        As in `stiknn_core.target_support`: value weights of ``games.calibrated(4 * k)``. O(t n).

        Raises
        ------
        ParameterError
            If the position is none, or targets are not measured.
        """
        problem = self._problem
        point = check_position("point", point, self.n_train)
        if problem.score.kind != "measured":
            raise ParameterError(
                "target_weights asks about measured targets; give score=games.measured()."
            )
        g = usual_weights(problem)
        parts = [
            said_in(problem, self._ranker.rank(*block), g)[point].copy()
            for block in cut_into_blocks(0, problem.n_test)
        ]
        return read_only(np.concatenate(parts))

    def _sum(self, one: Sum, progress: Progress | None) -> FloatArray:
        return sums_over_test_points(self._problem, self._ranker, [one], progress)[0]

    def _diagonal(self) -> FloatArray:
        """Return the diagonal of the matrix, (n,); it may take a pass over the test points."""
        diagonal = self._game.diagonal
        if diagonal is not self._game and self._problem.gains.plain:
            return singletons(self._problem)
        if self._own is None:
            self._own = read_only(self._sum(value_sum(self._problem, diagonal), None))
        return self._own

    def _blocks(self, names: tuple[Any, ...], of: IntArray, half: FloatArray) -> BlockInteractions:
        problem = self._problem
        return BlockInteractions(
            sums=read_only(half + half.T),
            counts=read_only(block_counts(of, len(names))),
            names=names,
            k=problem.k,
            index=self.index,
            metric=problem.metric,
            ties=problem.ties,
            n_train=problem.n_train,
            n_test=problem.n_test,
            score=self.score,
        )
