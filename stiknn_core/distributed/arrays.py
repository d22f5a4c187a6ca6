"""The matrix and block sums as lazy Dask arrays."""

from __future__ import annotations

import uuid
from typing import Any, cast

import dask.array as da
import numpy as np
from dask.typing import Key

from stiknn_core.distributed._coefficients import (
    Coefficients,
    PointSums,
    TestPoints,
    diagonal_is_summed,
)
from stiknn_core.distributed._layout import TILE, Layout, lay_out
from stiknn_core.distributed._tiles import add_to_tile, finish_diagonal
from stiknn_core.engine.coefficients import singletons
from stiknn_core.engine.dividing import refuse_divided
from stiknn_core.games import AnyIndex, AnyScore, PairIndex, index_of
from stiknn_core.types import FloatArray, IntArray, Metric, Ties
from stiknn_core.validation import Problem, check_problem
from stiknn_core.validation.positions import number_blocks

_Graph = dict[Key, Any]


def interaction_array(
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
    tile: int = TILE,
    test_chunk: int | None = None,
) -> da.Array:
    """Return the interaction matrix as a lazy Dask array.

    Nothing is computed before ``compute``, ``store`` or the like is called, on whatever
    scheduler is in use: threads of this process, or the cluster of the current Client.

    Parameters
    ----------
    X, y, X_test, y_test
        As in `stiknn_core.interactions`; without a test set, leave-one-out testing. They become
        part of the graph once. For large data `interactions_to_zarr` is lighter.
    k, index, score, metric, ties, sample_weight
        As in `stiknn_core.interactions`.
    tile : int, default 1024
        Side of a chunk of the result.
    test_chunk : int, optional
        Test points ranked by one task; at most 256 by default, fewer for many training points.

    Returns
    -------
    (n, n) dask.array.Array of float64
        ``interactions(...).matrix``, the diagonal included, to rounding.

    Raises
    ------
    StiknnError
        As `stiknn_core.interactions`; or if ``tile`` or ``test_chunk`` is no whole number.

    Notes
    -----
    Ranking is a map over test points, whose results, 20 bytes for every training and test point
    (12 are enough on disk, see `interactions_to_zarr`), wait in the memory of the workers. The
    pair rule is a contraction of two bands of them, over one chunk of test points after the
    other, always in the same order. Only tiles on and above the diagonal are computed.
    """
    game = index_of(index)
    problem = check_problem(
        X,
        y,
        X_test,
        y_test,
        k=k,
        metric=metric,
        ties=ties,
        sample_weight=sample_weight,
        score=score,
    )
    refuse_divided(problem, "A lazy array")
    cuts = lay_out(problem.n_train, problem.n_test, tile, test_chunk, matrix=True)
    name = f"stiknn-tile-{uuid.uuid4().hex}"
    graph = _ranking_graph(name, problem, game, cuts)
    for i, j in cuts.tiles():
        size = cuts.band(i).stop - cuts.band(i).start, cuts.band(j).stop - cuts.band(j).start
        so_far: Any = None
        for part in range(cuts.n_parts):
            whole = i != j and part == cuts.n_parts - 1
            key = (name, i, j) if whole else (f"{name}-sum", i, j, part)
            bands = ((f"{name}-band", part, i), (f"{name}-band", part, j))
            graph[key] = (_add_part, so_far, *bands, *size, i == j)
            so_far = key
        if i == j:
            graph[(name, i, i)] = (_on_diagonal, so_far, f"{name}-diagonal", cuts.band(i))
        else:
            graph[(name, j, i)] = (np.transpose, (name, i, j))
    sizes = cuts.band_sizes()
    return da.Array(graph, name, chunks=(sizes, sizes), dtype=np.float64)


def block_sum_array(
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
    test_chunk: int | None = None,
) -> da.Array:
    """Return the exact sums over blocks of the matrix as a lazy Dask array.

    Parameters
    ----------
    X, y, X_test, y_test
        As in `stiknn_core.interactions`; without a test set, leave-one-out testing.
    blocks : (n,) array
        The block of each training point, as in `stiknn_core.block_interactions`.
    k, index, score, metric, ties, sample_weight
        As in `stiknn_core.interactions`.
    test_chunk : int, optional
        Test points per task.

    Returns
    -------
    (B, B) dask.array.Array of float64
        ``block_interactions(...).sums``, to rounding; rows and columns in the sorted order of
        the blocks.

    Raises
    ------
    StiknnError
        As `stiknn_core.block_interactions`; or if ``test_chunk`` is no whole number.

    Notes
    -----
    A map over test points and a sum: O(t n (d + log n + B)) time, and O(n d + B²) memory in
    every task.
    """
    game = index_of(index)
    problem = check_problem(
        X,
        y,
        X_test,
        y_test,
        k=k,
        metric=metric,
        ties=ties,
        sample_weight=sample_weight,
        score=score,
    )
    refuse_divided(problem, "A lazy array")
    names, block_of = number_blocks(blocks, problem.n_train)
    cuts = lay_out(problem.n_train, problem.n_test, TILE, test_chunk, matrix=False)
    name = f"stiknn-blocks-{uuid.uuid4().hex}"
    graph: _Graph = {f"{name}-problem": problem, f"{name}-of": block_of}
    for part in range(cuts.n_parts):
        given = (f"{name}-problem", game, *cuts.tests(part), f"{name}-of", len(names))
        graph[(name, part, 0, 0)] = (_block_half, *given)
    chunks = ((1,) * cuts.n_parts, (len(names),), (len(names),))
    half: da.Array = da.Array(graph, name, chunks=chunks, dtype=np.float64).sum(axis=0)
    return cast(da.Array, half + half.T)


def _ranking_graph(name: str, problem: Problem, index: PairIndex, cuts: Layout) -> _Graph:
    """Return the tasks that rank, cut into bands, and give the diagonal."""
    graph: _Graph = {f"{name}-problem": problem}
    parts = range(cuts.n_parts)
    for part in parts:
        ranked = f"{name}-ranked-{part}"
        graph[ranked] = (_rank, f"{name}-problem", index, *cuts.tests(part))
        for i in range(cuts.n_bands):
            graph[(f"{name}-band", part, i)] = (_band, ranked, cuts.band(i))
        graph[f"{name}-own-{part}"] = (_own, ranked, index.diagonal is index)
    if index.diagonal is not index and not diagonal_is_summed(problem, index):
        graph[f"{name}-diagonal"] = (singletons, f"{name}-problem")
    else:
        graph[f"{name}-diagonal"] = (sum, [f"{name}-own-{part}" for part in parts])
    return graph


_Ranked = tuple[Coefficients, PointSums]


def _rank(problem: Problem, index: PairIndex, start: int, stop: int) -> _Ranked:
    found, sums, _ = TestPoints(problem, index).everything(start, stop, True, None)
    return found, sums


def _own(ranked: _Ranked, values: bool) -> FloatArray:
    return ranked[1].values if values else ranked[1].diagonal


def _band(ranked: _Ranked, band: slice) -> Coefficients:
    return ranked[0].rows(band)


def _add_part(
    so_far: FloatArray | None,
    a: Coefficients,
    b: Coefficients,
    n_rows: int,
    n_columns: int,
    diagonal: bool,
) -> FloatArray:
    # A result of another task must not be changed: the scheduler may hand it out again.
    tile = np.zeros((n_rows, n_columns)) if so_far is None else so_far.copy()
    add_to_tile(tile, a, b, diagonal)
    return tile


def _on_diagonal(tile: FloatArray, diagonal: FloatArray, band: slice) -> FloatArray:
    return finish_diagonal(tile, diagonal[band])


def _block_half(
    problem: Problem, index: PairIndex, start: int, stop: int, block_of: IntArray, n_blocks: int
) -> FloatArray:
    blocks = (block_of, n_blocks)
    return TestPoints(problem, index).everything(start, stop, False, blocks, points=False)[2][None]
