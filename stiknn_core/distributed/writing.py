"""Compute a run into a Zarr store: on threads or a cluster, piece by piece, resumable."""

from __future__ import annotations

import contextlib
from functools import partial
from typing import Any

import numpy as np
import zarr
from distributed import Client
from zarr.storage import MemoryStore

from stiknn_core.distributed import _inputs
from stiknn_core.distributed._format import (
    Target,
    array_of,
    as_target,
    create_group,
    open_for_writing,
    read_group,
)
from stiknn_core.distributed._layout import TILE, lay_out
from stiknn_core.distributed._preparing import plane_of, points_of, prepare
from stiknn_core.distributed._request import Request, StoredType
from stiknn_core.distributed._running import run_tasks
from stiknn_core.distributed._summary import summarise
from stiknn_core.distributed._tasks import fill_tile, rank_part
from stiknn_core.distributed.store import InteractionStore, open_store
from stiknn_core.engine.dividing import refuse_divided
from stiknn_core.engine.threads import Progress, silent
from stiknn_core.errors import ParameterError
from stiknn_core.games import AnyIndex, AnyScore, index_of
from stiknn_core.types import Metric, Ties
from stiknn_core.validation import check_choice, check_n_jobs, check_problem
from stiknn_core.validation.positions import number_blocks

STORED_TYPES: tuple[StoredType, ...] = ("float64", "float32")


def interactions_to_zarr(
    path: Any,
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
    blocks: Any = None,
    matrix: bool = True,
    dtype: StoredType = "float64",
    xy: Any = "auto",
    tile: int = TILE,
    test_chunk: int | None = None,
    client: Client | None = None,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> InteractionStore:
    """Compute all interactions into a Zarr store, or go on where a run was interrupted.

    Called again with the same data and settings it computes only what is missing; a complete
    run is just opened. A worker that dies costs the tasks it had in hand.

    Parameters
    ----------
    path : path, URL or zarr store
        Where to write. Workers on other machines must reach it under the same name: a shared
        file system or an object store. A folder that holds anything else is refused.
    X, y, X_test, y_test
        As in `stiknn_core.interactions`; without a test set, leave-one-out testing. Kept in the
        store until the run is complete, and read from there once by every process.
    k, index, score, metric, ties, sample_weight
        As in `stiknn_core.interactions`.
    blocks : (n,) array, optional
        The block of each training point, as in `stiknn_core.block_interactions`. Their exact
        sums are stored too, and the matrix is stored block after block, so that looking into
        a block later reads few tiles.
    matrix : bool, default True
        False leaves the matrix out, for sizes where it cannot be stored: 8 n² bytes, halved by
        symmetry.
    dtype : {"float64", "float32"}
        In which the matrix is stored. Everything is computed in float64.
    xy : "auto", (n, 2) array or None
        Coordinates for a scatter plot: those of `stiknn_core.plane.project_2d` (none with
        precomputed distances), given ones, or none.
    tile : int, default 1024
        Side of a tile; one file of at most 8 tile² bytes each.
    test_chunk : int, optional
        Test points ranked by one task; at most 256 by default, fewer for many training points.
    client : distributed.Client, optional
        The cluster to compute on. Threads of this process without one.
    n_jobs : int, optional
        Threads, where there is no client; all by default.
    progress : callable, optional
        Called as ``progress(done, total)`` in tasks. An exception that it raises stops the run,
        which can be resumed.

    Returns
    -------
    InteractionStore

    Raises
    ------
    ParameterError
        If the store holds a run of other data or settings; or a setting is impossible.
    FileError
        If ``path`` holds anything else, or cannot be read.
    StiknnError
        As `stiknn_core.interactions`.

    Notes
    -----
    First all test points are ranked, O(t n (d + log n)), 12 bytes stored for every training and
    test point (20 with ties) until the run is complete; then tiles are filled, O(t n²). A task
    holds no more than one part or one tile. Sums are formed in an order that depends on the
    sizes alone, so numbers do not depend on who computed them, to the last bit.
    """
    target = as_target(path)
    if client is not None and isinstance(target, MemoryStore):
        raise ParameterError(
            "A store in memory cannot be reached by the workers of a client; got a MemoryStore. "
            "Pass a path, or leave client out."
        )
    game = index_of(index)
    dtype = check_choice("dtype", dtype, STORED_TYPES)
    n_jobs = check_n_jobs(n_jobs)
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
    refuse_divided(problem, "A store")
    if not matrix and blocks is None:
        raise ParameterError(
            "Without the matrix there must be blocks to sum over; got matrix=False and no "
            "blocks. Pass blocks, or call stiknn_core.values for the values alone."
        )
    numbered = None if blocks is None else number_blocks(blocks, problem.n_train)
    cuts = lay_out(problem.n_train, problem.n_test, tile, test_chunk, matrix=bool(matrix))
    asked = Request(
        problem, game, cuts, bool(matrix), dtype, numbered, points_of(xy, problem.n_train)
    )
    run = asked.known_by()
    group = read_group(target)
    if group is None:
        create_group(target, asked.attributes(run))
    elif group.attrs["fingerprint"] != run:
        raise ParameterError(
            f"The store at {target} holds a run of other data or settings. Give the same ones to "
            "go on with it, or another path to begin anew."
        )
    group = open_for_writing(target)
    if not group.attrs["prepared"]:
        prepare(group, asked, plane_of(xy, X, problem))
    report = progress or silent
    if not group.attrs["complete"]:
        try:
            _compute(group, target, run, asked, client, n_jobs, report)
        finally:
            _inputs.forget(target, run)
            if client is not None:
                # Workers that are gone, or are going, have nothing to forget.
                with contextlib.suppress(Exception):
                    client.run(_inputs.forget, target, run, on_error="ignore")
    else:
        report(asked.n_tasks, asked.n_tasks)
    if "work" in group:
        del group["work"]
    return open_store(path)


def _compute(
    group: zarr.Group,
    target: Target,
    run: str,
    asked: Request,
    client: Client | None,
    n_jobs: int,
    progress: Progress,
) -> None:
    """Rank what is not ranked, fill the tiles that are missing, and clear up."""
    cuts = asked.cuts
    ranked_flags = array_of(group, "work/parts_ranked")
    filled_flags = array_of(group, "tiles_written") if asked.matrix else None
    ranked = np.array(ranked_flags[...])
    filled = np.zeros((0, 0)) if filled_flags is None else np.array(filled_flags[...])

    def tell() -> None:
        progress(int(ranked.sum() + filled.sum()), asked.n_tasks)

    # Only this process sets the flags, after the worker has stored what they stand for.
    def part_ranked(part: int) -> None:
        ranked[part] = 1
        ranked_flags[...] = ranked
        tell()

    def tile_filled(tile: tuple[int, int]) -> None:
        assert filled_flags is not None
        filled[tile] = 1
        filled_flags[tile[0]] = filled[tile[0]]
        tell()

    tell()
    missing = np.flatnonzero(ranked == 0).tolist()
    ranking = partial(rank_part, target, run, asked.matrix)
    run_tasks(ranking, missing, part_ranked, client=client, n_jobs=n_jobs)
    if not group.attrs["summarised"]:
        summarise(group, asked.problem, asked.index)
    if asked.matrix:
        tiles = [tile for tile in cuts.tiles() if not filled[tile]]
        filling = partial(fill_tile, target, run)
        run_tasks(filling, tiles, tile_filled, client=client, n_jobs=n_jobs)
    group.attrs["complete"] = True
