"""The content of a view whose matrix has one row for each point."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stiknn_core.errors import ShapeError
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

MAX_POINTS = 4_000
"""Most points one view takes: 16 MB of payload, 32 MB in the browser."""


def build_content(
    *,
    matrix: ArrayLike,
    xy: ArrayLike,
    codes: ArrayLike,
    classes: Sequence[Any],
    ids: Sequence[Any],
    values: ArrayLike,
    quality: ArrayLike,
    suggested: ArrayLike,
    targets: ArrayLike | None = None,
    proposed: ArrayLike | None = None,
    changed: ArrayLike | Sequence[int] = (),
    axis_titles: tuple[str, str] = ("x1", "x2"),
    name: str = "",
    limit: int = CODE_LIMIT,
) -> ViewContent:
    """Pack one result for the browser.

    Nothing given is kept or changed. All arrays are in the order of the data set,
    never in a display order.

    Parameters
    ----------
    matrix : (n, n) float64
        Symmetric interactions; the diagonal holds the main terms.
    xy : (n, 2) float64
        Where each point is drawn, in the units of ``axis_titles``.
    codes : (n,) int
        Class of each point, an index into ``classes``.
    classes : sequence of str
        Class names, in legend order.
    ids : sequence of n str
        What a person calls each point.
    values : (n,) float64
        KNN-Shapley (or Banzhaf) value; low = suspicious.
    quality : (n,) float64 in [0, 1]
        Label quality; low = suspicious.
    suggested : (n,) int
        Suggested class, an index into ``classes``.
    targets : (n,) float64, optional
        Measured targets; then classes are bands of them.
    proposed : (n,) float64, optional
        Suggested targets; NaN where nothing is known.
    changed : positions, optional
        0-based rows whose label is known to be flipped.
    axis_titles : pair of str
        Names of the two coordinates.
    name : str
        Name of the data set, used for the name of the downloaded picture.
    limit : int
        Largest code of a cell, at most 32,767: fewer take less on the way, and the browser then
        shows fewer digits.

    Returns
    -------
    ViewContent

    Raises
    ------
    ShapeError
        If a size does not fit the matrix, the matrix is not square, symmetric and
        finite, an index is out of range, or there are more than ``MAX_POINTS`` points.

    Notes
    -----
    Time and memory O(n^2); ``n (n - 1)`` bytes are sent for the matrix.
    """
    cells = _checked_matrix(matrix)
    n = len(cells)
    matrix_codes, scale = encode_cells(cells[np.triu_indices(n, k=1)], limit)
    sections: dict[str, NDArray[Any]] = {
        "cells": matrix_codes,
        "diagonal": np.diagonal(cells).astype("<f4"),
        "xy": floats("xy", xy, (n, 2)),
        "values": floats("values", values, (n,)),
        "quality": floats("quality", quality, (n,)),
        "codes": indices("codes", codes, n, len(classes)),
        "suggested": indices("suggested", suggested, n, len(classes)),
        "changed": indices("changed", changed, None, n),
        **target_sections(targets, proposed, n, "the matrix"),
    }
    header: dict[str, Any] = {
        "kind": "points",
        "n": n,
        "name": str(name),
        "classes": texts("classes", classes),
        "ids": texts("ids", ids, n),
        "axisTitles": texts("axis_titles", axis_titles),
        "scale": scale,
        "limit": limit,
    }
    return pack(header, sections, ("name", "ids", "classes"), ("xy", "codes"))


def _checked_matrix(matrix: ArrayLike) -> NDArray[np.float64]:
    cells = square("matrix", matrix, "point")
    if len(cells) > MAX_POINTS:
        raise ShapeError(
            f"The picture takes at most {MAX_POINTS:,} points; got {len(cells):,}. "
            "Draw a stratified subsample, or look at block means."
        )
    symmetric("matrix", cells)
    return cells
