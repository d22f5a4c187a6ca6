"""The contraction: two bands of coefficients into one tile of the matrix."""

from __future__ import annotations

import math
import threading
from typing import Any

import numpy as np

from stiknn_core._kernels import pairs
from stiknn_core.distributed._coefficients import Coefficients
from stiknn_core.types import AnyArray, FloatArray, IntArray

#: Columns are filled up with zeros to a multiple of this, or the last few test points would
#: take a slow remainder loop.
_COLUMNS = 8


class Desk(threading.local):
    """Arrays that a thread uses again and again.

    Dask's workers give memory back to the system at once, and getting it anew for every tile
    took as long as half the pairs of it.
    """

    def __init__(self) -> None:
        self._flat: dict[str, AnyArray] = {}

    def take(self, name: str, shape: tuple[int, ...], dtype: Any = np.float64) -> AnyArray:
        """Return the array of this name in this shape, with anything in it."""
        size = math.prod(shape)
        if name not in self._flat or len(self._flat[name]) < size:
            self._flat[name] = np.empty(size, dtype)
        return self._flat[name][:size].reshape(shape)


_desk = Desk()


def add_to_tile(tile: FloatArray, a: Coefficients, b: Coefficients, diagonal: bool) -> None:
    """Add the pairs of rows ``a`` and columns ``b`` over their test points, in place.

    On the diagonal only the cells on and above it are filled; see `finish_diagonal`.
    """
    for ties in (False, True):
        picked = np.flatnonzero(a.tied == ties)
        if not len(picked):
            continue
        rows = _filled("a", a, picked, ties)
        columns = rows if diagonal else _filled("b", b, picked, ties)
        pairs.add_tile(*rows, *columns, diagonal, tile)


def finish_diagonal(tile: FloatArray, diagonal: FloatArray) -> FloatArray:
    """Return a tile of the matrix's diagonal made symmetric, with the diagonal filled in."""
    tile = tile.copy()
    pairs.mirror(tile, 0, len(tile))
    np.fill_diagonal(tile, diagonal)
    return tile


def _filled(
    side: str, band: Coefficients, columns: IntArray, ties: bool
) -> tuple[FloatArray, FloatArray | None, FloatArray]:
    """Return what the kernel asks for of some columns: farther, same, rank."""
    return (
        _packed("farther" + side, band.farther, columns),
        _packed("same" + side, band.same, columns) if ties else None,
        _packed("rank" + side, band.rank, columns),
    )


def _packed(name: str, band: AnyArray, columns: IntArray) -> FloatArray:
    """Copy some columns into what the kernel asks for: even rows, full groups of columns."""
    n, m = len(band), len(columns)
    packed = _desk.take(name, (n + n % 2, -(-m // _COLUMNS) * _COLUMNS))
    packed[:n, :m] = band if m == band.shape[1] else band[:, columns]
    packed[:n, m:] = 0.0
    packed[n:] = 0.0
    return packed
