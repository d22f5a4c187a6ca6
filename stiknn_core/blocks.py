"""Exact sums over blocks of the matrix, and single rows of it, without the matrix."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from stiknn_core._kernels import blocks as _kernels_blocks
from stiknn_core._kernels import loops as _kernels
from stiknn_core.engine.indices import INDICES, VALUE_OF_INDEX, pair_weights
from stiknn_core.engine.neighbors import NeighborRanker, Ranking
from stiknn_core.engine.passes import Sum, sums_over_test_points
from stiknn_core.engine.threads import Progress
from stiknn_core.errors import ParameterError, ShapeError
from stiknn_core.interactions import singletons
from stiknn_core.types import AnyArray, FloatArray, Index, IntArray, Metric, Ties, read_only
from stiknn_core.validation import Problem, check_choice, check_problem
from stiknn_core.values import values


@dataclass(frozen=True, eq=False)
class BlockInteractions:
    """Sums and means of the interactions between blocks of training points.

    Attributes
    ----------
    sums : (B, B) float64, read-only, symmetric
        Sum over ordered pairs of different points, the first of the row's block and the second
        of the column's, in units of likelihood; negative = redundant. The diagonal of the
        matrix, what points earn alone, is no part of it.
    counts : (B,) int64, read-only
        Points of each block.
    names : tuple
        What the blocks are called, in the order of rows and columns.
    k, index, metric, ties, n_train, n_test
        As in `stiknn_core.Interactions`.
    """

    sums: FloatArray
    counts: IntArray
    names: tuple[Any, ...]
    k: int
    index: Index
    metric: Metric
    ties: Ties
    n_train: int
    n_test: int

    @property
    def pairs(self) -> IntArray:
        """(B, B) int64, read-only: ordered pairs of different points behind each sum."""
        return read_only(np.outer(self.counts, self.counts) - np.diag(self.counts))

    @property
    def means(self) -> FloatArray:
        """(B, B) float64, read-only: mean interaction of a pair; NaN where there is no pair."""
        mean = np.full(self.sums.shape, np.nan)
        np.divide(self.sums, self.pairs, out=mean, where=self.pairs > 0)
        return read_only(mean)


def block_interactions(
    X: Any,
    y: Any,
    X_test: Any = None,
    y_test: Any = None,
    *,
    blocks: Any,
    k: int = 5,
    index: Index = "STII",
    metric: Metric = "euclidean",
    ties: Ties = "expected",
    sample_weight: Any = None,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> BlockInteractions:
    """Compute the exact sums of all interactions between blocks of training points.

    Parameters
    ----------
    X, y, X_test, y_test
        As in `stiknn_core.interactions`; without a test set, leave-one-out.
    blocks : (n,) array
        The block of each training point: numbers or names of any one kind. Rows and columns
        follow their sorted order. Negative whole numbers leave a point out of all sums; it stays
        a player. (Where they are names, as of the classes -1 and 1, pass them as text.)
    k, index, metric, ties, sample_weight, n_jobs, progress
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
    StiknnError
        As `stiknn_core.interactions`.

    Notes
    -----
    O(t n (d + log n + B)) time and O(n + B²) memory for B blocks, besides the distances of a
    few test points at a time. From near to far, a point has one and the same interaction with
    all nearer points, so counting these by block is enough.
    """
    index = check_choice("index", index, INDICES)
    problem = check_problem(
        X,
        y,
        X_test,
        y_test,
        k=k,
        metric=metric,
        ties=ties,
        sample_weight=sample_weight,
        n_jobs=n_jobs,
    )
    names, block_of = number_blocks(blocks, problem.n_train)
    w = pair_weights(index, problem.n_ranked, problem.voters)
    half_sum = block_half_sum(problem, w, block_of, len(names))
    half = sums_over_test_points(problem, NeighborRanker(problem), [half_sum], progress)[0]
    return BlockInteractions(
        sums=read_only(half + half.T),
        counts=read_only(np.bincount(block_of[block_of >= 0], minlength=len(names))),
        names=names,
        k=problem.k,
        index=index,
        metric=problem.metric,
        ties=problem.ties,
        n_train=problem.n_train,
        n_test=problem.n_test,
    )


def block_half_sum(problem: Problem, w: FloatArray, block_of: IntArray, n_blocks: int) -> Sum:
    """Return the sum over test points, (B, B), that with its mirror gives the block sums.

    ``block_of`` holds 0..B-1, or -1 for points whose pairs are left out; they stay players.
    """

    def add(ranking: Ranking, tests: slice, out: FloatArray) -> None:
        for p, farther, same, _ in coefficients(problem, ranking, w):
            _kernels_blocks.add_block_pairs(
                ranking.order[p], ranking.ends[p], problem.n_ranked, block_of, farther, same, out
            )

    return Sum(add, (n_blocks, n_blocks))


def interaction_rows(
    X: Any,
    y: Any,
    X_test: Any = None,
    y_test: Any = None,
    *,
    rows: Any,
    k: int = 5,
    index: Index = "STII",
    metric: Metric = "euclidean",
    ties: Ties = "expected",
    sample_weight: Any = None,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> FloatArray:
    """Compute single rows of the interaction matrix, exactly.

    Parameters
    ----------
    X, y, X_test, y_test
        As in `stiknn_core.interactions`.
    rows : (m,) array of int
        Positions of training points, 0..n-1; a row may be asked for twice.
    k, index, metric, ties, sample_weight, n_jobs, progress
        As in `stiknn_core.interactions`.

    Returns
    -------
    (m, n) float64
        ``interactions(...).matrix[rows]``, the diagonal included.

    Raises
    ------
    ParameterError
        If ``rows`` are not positions of training points.
    StiknnError
        As `stiknn_core.interactions`.

    Notes
    -----
    O(t n (d + log n + m)) time, O(m n) memory.
    """
    index = check_choice("index", index, INDICES)
    given: dict[str, Any] = {"k": k, "metric": metric, "ties": ties, "n_jobs": n_jobs}
    problem = check_problem(X, y, X_test, y_test, sample_weight=sample_weight, **given)
    wanted = check_rows(rows, problem.n_train, "rows")
    w = pair_weights(index, problem.n_ranked, problem.voters)
    off = rows_sum(problem, w, wanted)
    found = sums_over_test_points(problem, NeighborRanker(problem), [off], progress)[0]
    if index == "STII":
        own = singletons(problem)
    else:
        kind = VALUE_OF_INDEX[index]
        own = values(X, y, X_test, y_test, kind=kind, sample_weight=sample_weight, **given)
    found[np.arange(len(wanted)), wanted] = own[wanted]
    return found


def rows_sum(problem: Problem, w: FloatArray, wanted: IntArray) -> Sum:
    """Return the sum over test points, (m, n), that gives rows of the matrix but its diagonal."""

    def add(ranking: Ranking, tests: slice, out: FloatArray) -> None:
        for p, farther, same, rank in coefficients(problem, ranking, w):
            order, ends = ranking.order[p], ranking.ends[p]
            for place, point in enumerate(wanted.tolist()):
                _kernels_blocks.add_row(
                    order, ends, problem.n_ranked, point, farther, same, rank, out[place]
                )

    return Sum(add, (len(wanted), problem.n_train))


def coefficients(
    problem: Problem, ranking: Ranking, w: FloatArray
) -> Iterator[tuple[int, FloatArray, FloatArray, FloatArray]]:
    """Yield, test point by test point, its place in the block and its three coefficients."""
    shape = (problem.n_train, 1)
    farther, same, rank = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    for p in range(ranking.stop - ranking.start):
        test = slice(ranking.start + p, ranking.start + p + 1)
        _kernels.pair_coefficients(
            ranking.order[p : p + 1],
            ranking.ends[p : p + 1],
            problem.n_ranked,
            problem.codes,
            problem.test_codes[test],
            problem.weights[test],
            0,
            problem.unit,
            w,
            farther,
            same,
            rank,
        )
        yield p, farther[:, 0], same[:, 0], rank[:, 0]


def number_blocks(blocks: Any, n: int) -> tuple[tuple[Any, ...], IntArray]:
    """Return the names of the blocks, sorted, and the number of each point's among them.

    The number is -1 where the name is a negative whole number: such points are in no block.
    """
    array: AnyArray = np.asarray(blocks)
    if array.shape != (n,):
        raise ShapeError(
            f"blocks must name one block for each of the {n:,} training points; got the shape "
            f"{array.shape}."
        )
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise ParameterError("blocks must not be missing; got NaN or infinity among them.")
    wanted = array >= 0 if array.dtype.kind == "i" else np.ones(n, dtype=np.bool_)
    if not wanted.any():
        raise ParameterError("blocks must name a block for some point; all are left out.")
    try:
        names, codes = np.unique(array[wanted], return_inverse=True)
    except TypeError:
        raise ParameterError(
            "blocks must be numbers or names of one kind; got several kinds."
        ) from None
    block_of: IntArray = np.full(n, -1, dtype=np.int64)
    block_of[wanted] = codes.ravel()
    return tuple(names.tolist()), block_of


def check_rows(rows: Any, n: int, name: str) -> IntArray:
    """Return positions of training points as int64; ParameterError if they are none."""
    array: AnyArray = np.asarray(rows)
    whole = array.ndim == 1 and (array.dtype.kind in "iu" or array.size == 0)
    if not whole or (array.size and not (0 <= array.min() and array.max() < n)):
        raise ParameterError(
            f"{name} must be positions of training points, whole numbers from 0 to {n - 1:,}; got "
            f"{rows!r}."
        )
    return array.astype(np.int64)
