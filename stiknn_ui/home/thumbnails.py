"""A matrix as a picture of a few pixels. Pure."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import ImageColor

from stiknn_core.plotting.figures import color_limit
from stiknn_core.plotting.palette import DIVERGING
from stiknn_core.types import FloatArray, IntArray

_GREY: Final = (128, 128, 128)


def thumbnail(
    matrix: FloatArray, positions: IntArray, edges: tuple[int, ...], quantile: float, *,
    cells: int = 150, zoom: int = 2,
) -> NDArray[np.uint8]:  # fmt: skip
    """Return a matrix in an order as a picture, (s, s, 3): means of pairs in the usual colours.

    Parameters
    ----------
    matrix : (n, n) float64
        Interactions; the diagonal plays no part.
    positions : (n,) int64
        Point at each place.
    edges : tuple of int
        Places where a new block begins; a thin line is drawn there.
    quantile : float
        Share of the pairs that the colours cover, in (0, 1].
    cells : int
        Cells along a side at most.
    zoom : int
        Pixels along the side of a cell.
    """
    n = len(matrix)
    shown = matrix[np.ix_(positions, positions)].astype(np.float64)
    np.fill_diagonal(shown, 0.0)
    starts = np.unique(np.linspace(0, n, min(n, cells) + 1).astype(np.int64))[:-1]
    sizes = np.diff([*starts, n]).astype(np.float64)
    sums = np.add.reduceat(np.add.reduceat(shown, starts, 0), starts, 1)
    pairs = np.outer(sizes, sizes) - np.diag(sizes)
    means = np.divide(sums, pairs, out=np.zeros_like(sums), where=pairs > 0)
    # Means are weaker than single pairs, so the range is that of what is drawn.
    limit = color_limit(means, quantile)
    stops = [stop for stop, _ in DIVERGING]
    colors = np.array([ImageColor.getrgb(color)[:3] for _, color in DIVERGING], dtype=np.float64)
    share = np.clip((means / limit + 1.0) / 2.0, 0.0, 1.0)
    mixed = np.stack([np.interp(share, stops, colors[:, one]) for one in range(3)], axis=-1)
    dots = np.repeat(np.repeat(np.round(mixed), zoom, axis=0), zoom, axis=1)
    picture: NDArray[np.uint8] = dots.astype(np.uint8)
    for edge in edges:
        at = zoom * int(np.searchsorted(starts, edge))
        if 0 < at < len(picture):
            picture[at, :] = picture[:, at] = _GREY
    return picture
