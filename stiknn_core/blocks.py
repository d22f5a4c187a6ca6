"""Parts of the matrix without the matrix: blocks, rows, and what each test point gives to them."""

from __future__ import annotations

from typing import Any

from stiknn_core.engine.threads import Progress
from stiknn_core.games import AnyIndex, AnyScore, PairIndex
from stiknn_core.ranked import RankedNeighbors
from stiknn_core.results import BlockInteractions
from stiknn_core.types import FloatArray, Metric, Ties, ValueKind


def block_interactions(
    X: Any,
    y: Any,
    X_test: Any = None,
    y_test: Any = None,
    *,
    blocks: Any,
    k: int = 5,
    index: AnyIndex = "STII",
    score: AnyScore = "plain",
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
        As in `stiknn_core.interactions`; without a test set, leave-one-out testing.
    blocks : (n,) array
        The block of each training point: numbers or names of any one kind. Rows and columns
        follow their sorted order. Negative whole numbers leave a point out of all sums; it stays
        a player. (Where they are names, as of the classes -1 and 1, pass them as text.)
    k, index, score, metric, ties, sample_weight, n_jobs, progress
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
    return RankedNeighbors(
        X,
        y,
        X_test,
        y_test,
        k=k,
        index=index,
        score=score,
        metric=metric,
        ties=ties,
        sample_weight=sample_weight,
        n_jobs=n_jobs,
        max_bytes=0,
    ).block_sums(blocks, progress)


def interaction_rows(
    X: Any,
    y: Any,
    X_test: Any = None,
    y_test: Any = None,
    *,
    rows: Any,
    k: int = 5,
    index: AnyIndex = "STII",
    score: AnyScore = "plain",
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
    k, index, score, metric, ties, sample_weight, n_jobs, progress
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
    return RankedNeighbors(
        X,
        y,
        X_test,
        y_test,
        k=k,
        index=index,
        score=score,
        metric=metric,
        ties=ties,
        sample_weight=sample_weight,
        n_jobs=n_jobs,
        max_bytes=0,
    ).rows(rows, progress)


def value_parts(
    X: Any,
    y: Any,
    X_test: Any = None,
    y_test: Any = None,
    *,
    point: int,
    k: int = 5,
    kind: ValueKind | PairIndex = "shapley",
    score: AnyScore = "plain",
    metric: Metric = "euclidean",
    ties: Ties = "expected",
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> FloatArray:
    """Compute what one training point is worth to each single test point, exactly.

    Parameters
    ----------
    X, y, X_test, y_test
        As in `stiknn_core.interactions`; without a test set, leave-one-out testing.
    point : int
        Position of the training point, 0..n-1.
    k : int, default 5
        Neighbours that vote, at least 1.
    kind : {"shapley", "banzhaf", "leave_one_out"} or games.PairIndex
        Which value, as in `stiknn_core.values`.
    score, metric, ties, n_jobs, progress
        As in `stiknn_core.interactions`.

    Returns
    -------
    (t,) float64
        The value of the point in the game of each test point alone, in units of utility, in
        [-1/k, 1/k] for the plain score; positive = it pulls the answer towards the label of that
        test point. Their mean, weighted as by ``sample_weight``, is the point's entry of
        `stiknn_core.values`. In leave-one-out testing a point has no part in its own test: 0.

    Raises
    ------
    ParameterError
        If ``point`` is not the position of a training point.
    StiknnError
        As `stiknn_core.interactions`.

    Notes
    -----
    O(t n (d + log n)) time and O(t + n) memory beside the input. The part of the point of rank
    m is ``g[m] u[m] + sum over l > m of (g[l] - g[l-1]) u[l]``, as in `stiknn_core.games`.

    References
    ----------
    Jia et al. (2019), "Efficient task-specific data valuation for nearest neighbor
    algorithms", Theorem 1; the mean over tied orders is our own.
    """
    return RankedNeighbors(
        X,
        y,
        X_test,
        y_test,
        k=k,
        score=score,
        metric=metric,
        ties=ties,
        n_jobs=n_jobs,
        max_bytes=0,
    ).value_parts(point, progress, kind=kind)


def pair_parts(
    X: Any,
    y: Any,
    X_test: Any = None,
    y_test: Any = None,
    *,
    first: int,
    second: int,
    k: int = 5,
    index: AnyIndex = "STII",
    score: AnyScore = "plain",
    metric: Metric = "euclidean",
    ties: Ties = "expected",
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> FloatArray:
    """Compute the interaction of two training points for each single test point, exactly.

    Parameters
    ----------
    X, y, X_test, y_test
        As in `stiknn_core.interactions`; without a test set, leave-one-out testing.
    first, second : int
        Positions of two different training points, 0..n-1.
    k, index, score, metric, ties, n_jobs, progress
        As in `stiknn_core.interactions`.

    Returns
    -------
    (t,) float64
        The interaction in the game of each test point alone, in units of utility; negative =
        substitutes for it. Their mean, weighted as by ``sample_weight``, is
        ``interactions(...).matrix[first, second]``. In leave-one-out testing the two points' own
        tests give 0.

    Raises
    ------
    ParameterError
        If the two are not different positions of training points.
    StiknnError
        As `stiknn_core.interactions`.

    Notes
    -----
    O(t n (d + log n)) time and O(t + n) memory beside the input: for one test point the
    interaction depends only on the farther of the two, as in `stiknn_core.games`.

    References
    ----------
    STI-KNN: Algorithm 1 of the paper, in the closed form of `stiknn_core.games`.
    """
    return RankedNeighbors(
        X,
        y,
        X_test,
        y_test,
        k=k,
        index=index,
        score=score,
        metric=metric,
        ties=ties,
        n_jobs=n_jobs,
        max_bytes=0,
    ).pair_parts(first, second, progress)
