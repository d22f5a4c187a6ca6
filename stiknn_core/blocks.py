"""Exact sums over blocks of the matrix, and single rows of it, without the matrix."""

from __future__ import annotations

from typing import Any

from stiknn_core.engine.threads import Progress
from stiknn_core.ranked import RankedNeighbors
from stiknn_core.results import BlockInteractions
from stiknn_core.types import FloatArray, Index, Metric, Ties


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
    return RankedNeighbors(
        X,
        y,
        X_test,
        y_test,
        k=k,
        index=index,
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
    return RankedNeighbors(
        X,
        y,
        X_test,
        y_test,
        k=k,
        index=index,
        metric=metric,
        ties=ties,
        sample_weight=sample_weight,
        n_jobs=n_jobs,
        max_bytes=0,
    ).rows(rows, progress)
