"""A matrix as a picture of a few pixels. Pure."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from stiknn_core.plotting.figures import color_limit
from stiknn_core.types import FloatArray, IntArray

# Substitutes, complements, and a border. Of medium lightness: what is weak lets the ground show
# through, so that one picture is right in both themes.
_BLUE: Final = (61, 134, 198)
_ORANGE: Final = (224, 123, 26)
_GREY: Final = (128, 128, 128, 255)


def thumbnail(
    matrix: FloatArray, positions: IntArray, edges: tuple[int, ...], quantile: float, *,
    cells: int = 150,
) -> NDArray[np.uint8]:  # fmt: skip
    """Return a matrix in an order as a picture, (s, s, 4): means of pairs, the weaker the clearer.

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
    share = np.clip(means / limit, -1.0, 1.0)
    picture = np.empty((*share.shape, 4), dtype=np.uint8)
    picture[..., :3] = np.where((share < 0)[..., None], _BLUE, _ORANGE)
    picture[..., 3] = np.round(255 * np.abs(share))
    for edge in edges:
        at = int(np.searchsorted(starts, edge))
        if 0 < at < len(picture):
            picture[at, :] = picture[:, at] = _GREY
    return picture
