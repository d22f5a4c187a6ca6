"""Everything the browser needs to know about one result, as one block of bytes.

Layout (little endian)::

    4 bytes   magic "STK1"
    4 bytes   uint32, length of the header
    16 bytes  content id, ASCII: the start of the SHA-256 of all that follows
    header    UTF-8 JSON, padded with blanks to a multiple of 8 bytes
    sections  raw arrays at the offsets the header names, each padded to 8 bytes

The matrix travels as its strict upper triangle in int16 *codes* ``q``, read as
``scale * q * |q|``. The square spends the 16 bits evenly over magnitudes: a cell a
million times weaker than the strongest one still keeps 3 % accuracy, where plain
fixed point would make it zero. Exact zeros stay exact, and the sign never changes
except to zero.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stiknn_core.errors import ShapeError

MAGIC = b"STK1"
PREAMBLE = struct.Struct("<4sI16s")
CODE_LIMIT = 32_767
MAX_POINTS = 4_000
"""Most points one view takes: 16 MB of payload, 32 MB in the browser."""

_ALIGN = 8


@dataclass(frozen=True, eq=False)
class ViewContent:
    """What one linked view shows, ready to be sent.

    Attributes
    ----------
    payload : bytes
        The block described at the top of this module. Sent once, never changed.
    content_id : str
        Names the payload; equal inputs give equal ids.
    points_id : str
        Names the points alone (ids, places, classes): equal for two results on the same
        data, so that zoom and selection outlive a change of k.
    n : int
        Number of points.
    """

    payload: bytes
    content_id: str
    points_id: str
    n: int


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
    changed: ArrayLike | Sequence[int] = (),
    axis_titles: tuple[str, str] = ("x1", "x2"),
    name: str = "",
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
    changed : positions, optional
        0-based rows whose label is known to be flipped.
    axis_titles : pair of str
        Names of the two coordinates.
    name : str
        Name of the data set, used for the name of the downloaded picture.

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
    upper = cells[np.triu_indices(n, k=1)]
    matrix_codes, scale = encode_cells(upper)
    sections: dict[str, NDArray[Any]] = {
        "cells": matrix_codes,
        "diagonal": np.diagonal(cells).astype("<f4"),
        "xy": _vector("xy", xy, (n, 2)).astype("<f4"),
        "values": _vector("values", values, (n,)).astype("<f4"),
        "quality": _vector("quality", quality, (n,)).astype("<f4"),
        "codes": _indices("codes", codes, n, len(classes)),
        "suggested": _indices("suggested", suggested, n, len(classes)),
        "changed": _indices("changed", changed, None, n),
    }
    if len(ids) != n:
        raise ShapeError(f"ids must name each of the {n} points; got {len(ids)} names.")
    header: dict[str, Any] = {
        "n": n,
        "name": str(name),
        "classes": [str(item) for item in classes],
        "ids": [str(item) for item in ids],
        "axisTitles": [str(item) for item in axis_titles],
        "scale": scale,
    }
    points = hashlib.sha256(json.dumps([header["name"], header["ids"], header["classes"]]).encode())
    for section in ("xy", "codes"):
        points.update(sections[section].tobytes())
    header["points"] = points.hexdigest()[:16]
    payload, content_id = _pack(header, sections)
    return ViewContent(payload, content_id, header["points"], n)


def encode_cells(cells: NDArray[np.float64]) -> tuple[NDArray[np.int16], float]:
    """Return int16 codes ``q`` and the scale with ``cells ~ scale * q * |q|``.

    The error is at most ``|cell| / |q|``, and zero for a zero cell.
    """
    magnitude = np.abs(cells)
    largest = float(magnitude.max(initial=0.0))
    scale = largest / CODE_LIMIT**2
    if scale == 0.0:  # all zero, or too small for a float to hold the scale
        return np.zeros(cells.shape, dtype="<i2"), 0.0
    steps = np.rint(np.sqrt(magnitude / scale))
    return np.copysign(np.minimum(steps, CODE_LIMIT), cells).astype("<i2"), scale


def decode_cells(codes: NDArray[np.int16], scale: float) -> NDArray[np.float64]:
    """Undo :func:`encode_cells`; what the browser does, written again for tests."""
    wide = codes.astype(np.float64)
    return scale * wide * np.abs(wide)


def _checked_matrix(matrix: ArrayLike) -> NDArray[np.float64]:
    cells = np.asarray(matrix, dtype=np.float64)
    if cells.ndim != 2 or cells.shape[0] != cells.shape[1] or cells.shape[0] == 0:
        raise ShapeError(f"matrix must be square with at least one point; got {cells.shape}.")
    if len(cells) > MAX_POINTS:
        raise ShapeError(
            f"The picture takes at most {MAX_POINTS:,} points; got {len(cells):,}. "
            "Draw a stratified subsample, or look at block means."
        )
    if not np.isfinite(cells).all():
        raise ShapeError("matrix must hold finite numbers only; got NaN or infinity.")
    if not np.array_equal(cells, cells.T):
        raise ShapeError("matrix must be symmetric; got one that differs from its transpose.")
    return cells


def _vector(name: str, given: ArrayLike, shape: tuple[int, ...]) -> NDArray[np.float64]:
    array = np.asarray(given, dtype=np.float64)
    if array.shape != shape:
        raise ShapeError(f"{name} must have shape {shape} to fit the matrix; got {array.shape}.")
    return array


def _indices(name: str, given: Any, n: int | None, bound: int) -> NDArray[np.int32]:
    array = np.asarray(given).astype(np.int64).reshape(-1)
    if n is not None and len(array) != n:
        raise ShapeError(f"{name} must have one entry for each of {n} points; got {len(array)}.")
    if array.size and not (0 <= array.min() and array.max() < bound):
        raise ShapeError(f"{name} must lie in 0..{bound - 1}; got {array.min()}..{array.max()}.")
    return array.astype("<i4")


def _pack(header: dict[str, Any], sections: dict[str, NDArray[Any]]) -> tuple[bytes, str]:
    blocks: list[bytes] = []
    table: dict[str, list[int]] = {}
    offset = 0
    for name, array in sections.items():
        block = _padded(np.ascontiguousarray(array).tobytes(), b"\0")
        table[name] = [offset, array.size]
        offset += len(block)
        blocks.append(block)
    text = json.dumps(header | {"sections": table}, ensure_ascii=False)
    head = _padded(text.encode(), b" ")
    digest = hashlib.sha256(head)
    for block in blocks:
        digest.update(block)
    content_id = digest.hexdigest()[:16]
    preamble = PREAMBLE.pack(MAGIC, len(head), content_id.encode())
    return b"".join([preamble, head, *blocks]), content_id


def _padded(block: bytes, filler: bytes) -> bytes:
    return block + filler * (-len(block) % _ALIGN)
