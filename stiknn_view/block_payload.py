"""The content of a view whose matrix has one row for each *block* of many points.

The scatter draws points (*dots*), all or a sample of them, each of which belongs to one
block. What is selected are blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stiknn_core.errors import ShapeError
from stiknn_core.sampling import stratified_positions
from stiknn_core.types import FloatArray, IntArray
from stiknn_core.units import Units
from stiknn_view.packing import (
    CODE_LIMIT,
    ViewContent,
    encode_cells,
    floats,
    indices,
    pack,
    square,
    symmetric,
    target_sections,
    texts,
)

MAX_UNITS = 512
"""Most blocks one view takes. The browser's picture holds as many cells, so it never has to
average cells, whose means would need weights by numbers of pairs."""

MAX_DOTS = 50_000
"""Most points the scatter draws."""

USUAL_DOTS = 30_000
"""Points that are drawn at most without asking; of more, a sample with the shares of classes."""


def build_block_content(
    *,
    means: ArrayLike,
    sizes: ArrayLike,
    codes: ArrayLike,
    classes: Sequence[Any],
    names: Sequence[Any],
    values: ArrayLike,
    quality: ArrayLike,
    dot_xy: ArrayLike,
    dot_units: ArrayLike,
    dot_values: ArrayLike,
    dot_quality: ArrayLike,
    dot_codes: ArrayLike,
    dot_ids: Sequence[Any],
    dot_targets: ArrayLike | None = None,
    dot_proposed: ArrayLike | None = None,
    changed_dots: ArrayLike | Sequence[int] = (),
    n_points: int,
    axis_titles: tuple[str, str] = ("x1", "x2"),
    name: str = "",
) -> ViewContent:
    """Pack the block means of one result, and the points to draw, for the browser.

    Nothing given is kept or changed. All arrays are in the order of the blocks or of the
    points given, never in a display order. U is the number of blocks, m that of dots.

    Parameters
    ----------
    means : (U, U) float64
        Symmetric mean interactions between two blocks, on the diagonal between different
        points of one block. The diagonal cell of a block of one point is not read (NaN).
    sizes : (U,) int
        Points in each block, at least 1.
    codes : (U,) int
        Class of each block, an index into ``classes``.
    classes : sequence of str
        Class names, in legend order.
    names : sequence of U str
        What a person calls each block.
    values : (U,) float64
        Mean value of the block's points; low = suspicious.
    quality : (U,) float64 in [0, 1]
        Mean label quality of the block's points; low = suspicious.
    dot_xy : (m, 2) float64
        Where each dot is drawn, in the units of ``axis_titles``.
    dot_units : (m,) int
        Block of each dot, ``0..U - 1``.
    dot_values, dot_quality : (m,) float64
        Value and label quality of each dot; low = suspicious.
    dot_codes : (m,) int
        Class of each dot, an index into ``classes``.
    dot_ids : sequence of m str
        What a person calls each dot.
    dot_targets, dot_proposed : (m,) float64, optional
        Measured targets and suggested ones; then classes are bands of targets.
    changed_dots : positions, optional
        0-based dots whose label is known to be flipped.
    n_points : int
        All points, of which m are drawn and ``sum(sizes)`` are in a block.
    axis_titles : pair of str
        Names of the two coordinates.
    name : str
        Name of the data set, used for the name of the downloaded picture.

    Returns
    -------
    ViewContent
        With ``n`` = U. Its ``points_id`` names blocks and dots.

    Raises
    ------
    ShapeError
        If a size does not fit, the means are not square, symmetric and finite, an index is
        out of range, a block is empty, or there are more than ``MAX_UNITS`` blocks,
        ``MAX_DOTS`` dots, or more of either than points.

    Notes
    -----
    Time and memory O(U^2 + m); ``U (U + 1)`` bytes are sent for the means, 24 bytes and an id
    for each dot.
    """
    counts = _checked_sizes(sizes, len(names))
    cells = _checked_means(means, counts)
    n, m = len(cells), len(dot_ids)
    _check_numbers(counts, m, n_points)
    plane = floats("dot_xy", dot_xy, (m, 2), "dot_ids")
    if not np.isfinite(plane).all():
        raise ShapeError("dot_xy must hold finite numbers only; got NaN or infinity.")
    upper = cells[np.triu_indices(n, k=1)]
    matrix_codes, scale = encode_cells(np.concatenate([upper, np.diagonal(cells)]))
    sections: dict[str, NDArray[Any]] = {
        "cells": matrix_codes[: len(upper)],
        "inside": matrix_codes[len(upper) :],
        "diagonal": np.where(counts > 1, np.diagonal(cells), np.nan).astype("<f4"),
        "sizes": counts.astype("<i4"),
        "codes": indices("codes", codes, n, len(classes), "blocks"),
        "values": floats("values", values, (n,)),
        "quality": floats("quality", quality, (n,)),
        "dotXy": plane,
        "dotUnits": indices("dot_units", dot_units, m, n, "dots"),
        "dotCodes": indices("dot_codes", dot_codes, m, len(classes), "dots"),
        "dotValues": floats("dot_values", dot_values, (m,), "dot_ids"),
        "dotQuality": floats("dot_quality", dot_quality, (m,), "dot_ids"),
        "changed": indices("changed_dots", changed_dots, None, m),
        **target_sections(dot_targets, dot_proposed, m, "dot_ids", "dot"),
    }
    header: dict[str, Any] = {
        "kind": "blocks",
        "n": n,
        "name": str(name),
        "classes": texts("classes", classes),
        "ids": texts("names", names, n, "blocks"),
        "dotIds": texts("dot_ids", dot_ids, m, "dots"),
        "total": int(n_points),
        "axisTitles": texts("axis_titles", axis_titles),
        "scale": scale,
        "limit": CODE_LIMIT,
    }
    named = ("kind", "name", "ids", "classes", "total")
    return pack(header, sections, named, ("sizes", "codes", "dotXy", "dotUnits"))


def build_units_content(
    units: Units,
    firsts: IntArray,
    means: FloatArray,
    *,
    xy: FloatArray,
    codes: IntArray,
    classes: Sequence[Any],
    values: FloatArray,
    quality: FloatArray,
    names: Callable[[IntArray], Sequence[Any]],
    targets: FloatArray | None = None,
    proposed: FloatArray | None = None,
    changed: IntArray | None = None,
    axis_titles: tuple[str, str],
    name: str,
) -> ViewContent:
    """Pack units of an order, and the points themselves or a sample of them.

    Parameters
    ----------
    units : Units
        Of n points.
    firsts : (U,) int64
        The first point of each unit.
    means : (U, U) float64
        As in `build_block_content`.
    xy : (n, 2) float64
    codes : (n,) int64
    classes, axis_titles, name
        As in `build_block_content`.
    values, quality : (n,) float64
    names : callable
        Returns what a person calls some points, given their positions.
    targets, proposed : (n,) float64, optional
        Measured targets and suggested ones.
    changed : (m,) int64, optional
        Points whose label is known to be flipped.
    """
    dots = drawn_points(codes)
    return build_block_content(
        means=means,
        sizes=units.sizes,
        codes=codes[firsts],
        classes=classes,
        names=[unit.label for unit in units.blocks],
        values=unit_means(units, values),
        quality=unit_means(units, quality),
        dot_xy=xy[dots],
        dot_units=units.unit_of[dots],
        dot_values=values[dots],
        dot_quality=quality[dots],
        dot_codes=codes[dots],
        dot_ids=names(dots),
        dot_targets=None if targets is None else targets[dots],
        dot_proposed=None if proposed is None else proposed[dots],
        changed_dots=() if changed is None else np.flatnonzero(np.isin(dots, changed)),
        n_points=len(codes),
        axis_titles=axis_titles,
        name=name,
    )


def drawn_points(codes: IntArray) -> IntArray:
    """Return the positions of the points that the scatter draws, sorted."""
    if len(codes) <= USUAL_DOTS:
        return np.arange(len(codes), dtype=np.int64)
    return stratified_positions(codes, USUAL_DOTS, seed=0)


def unit_means(units: Units, numbers: FloatArray) -> FloatArray:
    """Return the mean of some numbers, one for each point, in each unit."""
    sizes = units.sizes
    total = np.bincount(units.unit_of, numbers, minlength=len(sizes))
    return np.asarray(total / sizes)


def _checked_sizes(sizes: ArrayLike, n: int) -> NDArray[np.int64]:
    counts = np.asarray(sizes).astype(np.int64).reshape(-1)
    if len(counts) != n:
        raise ShapeError(f"sizes must have one entry for each of the {n} names; got {len(counts)}.")
    if counts.size and counts.min() < 1:
        raise ShapeError(f"Each block must have at least 1 point; got one of {counts.min()}.")
    return counts


def _checked_means(means: ArrayLike, counts: NDArray[np.int64]) -> NDArray[np.float64]:
    cells = square("means", means, "block").copy()
    n = len(cells)
    if n > MAX_UNITS:
        raise ShapeError(
            f"The picture takes at most {MAX_UNITS} blocks; got {n:,}. Make fewer, larger blocks."
        )
    if len(counts) != n:
        raise ShapeError(f"means must have a row for each of {len(counts)} blocks; got {n}.")
    single = np.flatnonzero(counts == 1)
    cells[single, single] = 0.0  # no pair inside
    symmetric("means", cells)
    return cells


def _check_numbers(counts: NDArray[np.int64], m: int, n_points: int) -> None:
    if m == 0:
        raise ShapeError("There must be at least 1 dot to draw; got none.")
    if m > MAX_DOTS:
        raise ShapeError(
            f"The scatter draws at most {MAX_DOTS:,} dots; got {m:,}. Draw a stratified sample."
        )
    most = max(m, int(counts.sum()))
    if most > n_points:
        raise ShapeError(
            f"n_points must count all points, at least {most:,} here; got {n_points:,}."
        )
