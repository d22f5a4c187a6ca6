"""Write into a new run what is known from the start, and make room for the rest."""

from __future__ import annotations

from typing import Any

import numpy as np
import zarr

from stiknn_core.distributed._format import make_array, put, put_ids
from stiknn_core.distributed._inputs import write_inputs
from stiknn_core.distributed._layout import cell_of
from stiknn_core.distributed._request import Request
from stiknn_core.distributed._tasks import make_work_arrays
from stiknn_core.engine.coefficients import has_support
from stiknn_core.errors import ShapeError
from stiknn_core.types import AnyArray
from stiknn_core.validation import Problem
from stiknn_core.validation.features import check_features
from stiknn_core.validation.positions import block_counts


def prepare(group: zarr.Group, asked: Request, plane: tuple[AnyArray, list[str]] | None) -> None:
    """Fill a new run so far that its tasks can begin; the last thing written says so."""
    problem, cuts = asked.problem, asked.cuts
    n = problem.n_train
    put(group, "codes", problem.codes)
    put_ids(group, problem.ids)
    order = np.arange(n)
    if asked.blocks is not None:
        names, block_of = asked.blocks
        put(group, "block_of", block_of)
        put(group, "block_counts", block_counts(block_of, len(names)))
        order = np.argsort(block_of, kind="stable")
    put(group, "order", order.astype(np.int64))
    if plane is not None:
        put(group, "xy", plane[0])
        group.attrs["xy_titles"] = plane[1]
    if asked.matrix:
        cell = cell_of(cuts.tile)
        shard = (cuts.tile, cuts.tile) if cell < cuts.tile else None
        stored = {"float64": "f8", "float32": "f4"}[asked.dtype]
        make_array(group, "upper", (n, n), stored, (cell, cell), shard=shard, fill=np.nan)
        bands = cuts.n_bands
        make_array(group, "tiles_written", (bands, bands), "u1", (1, bands))
    work = group.require_group("work")
    write_inputs(work, problem)
    make_array(work, "parts_ranked", (cuts.n_parts,), "u1", (cuts.n_parts,))
    n_blocks = 0 if asked.blocks is None else len(asked.blocks[0])
    n_classes = len(problem.classes) if has_support(problem) else 0
    make_work_arrays(work, cuts, n_classes, n_blocks, asked.matrix)
    group.attrs["prepared"] = True


def points_of(xy: Any, n: int) -> AnyArray | None:
    """Return given coordinates as float64, if any were given."""
    if xy is None or (isinstance(xy, str) and xy == "auto"):
        return None
    try:
        points = np.asarray(xy, dtype=np.float64)
    except (TypeError, ValueError):
        points = np.empty(0)
    if points.shape != (n, 2) or not np.isfinite(points).all():
        raise ShapeError(
            f"xy must be 'auto', None, or two finite coordinates for each of the {n:,} training "
            f"points; got {xy!r}."
        )
    return points


def plane_of(xy: Any, X: Any, problem: Problem) -> tuple[AnyArray, list[str]] | None:
    """Return the coordinates to store, and what their axes are called."""
    points = points_of(xy, problem.n_train)
    if points is not None:
        return points, ["x", "y"]
    if xy is None or problem.X is None:
        return None
    from stiknn_core.plane import project_2d  # brings scikit-learn along, 2 s that few runs need

    names = check_features(X, "X").columns or [
        f"feature {i + 1}" for i in range(problem.X.shape[1])
    ]
    plane = project_2d(problem.X, [str(name) for name in names])
    return plane.xy, list(plane.axis_titles)
