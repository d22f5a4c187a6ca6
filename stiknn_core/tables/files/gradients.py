"""The histogram of oriented gradients of a small grey picture.

Of our own, since scikit-image, which has one, brings 55 MB of packages and takes several times as
long. After N. Dalal and B. Triggs, "Histograms of oriented gradients for human detection", CVPR
2005: nine orientations of half a turn, weighted by the strength of the gradient and shared out
between the next two bins and the next cells, then brought to the contrast of the neighbourhood,
0.2 at most. Where they keep a cell once for each of its four blocks, those four are summed, after
P. Felzenszwalb et al., "Object detection with discriminatively trained part-based models", TPAMI
2010: a quarter of the numbers.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

SIDE: Final = 64
"""Pixels of the picture that is measured, in width and height."""
_CELL: Final = 8
_CELLS: Final = SIDE // _CELL
_BINS: Final = 9
WIDTH: Final = _CELLS * _CELLS * _BINS
"""Numbers of one histogram."""
_MOST: Final = np.float32(0.2)
# The square of a strength of one grey level all over a cell: fainter noise stays faint.
_FAINT: Final = np.float32((_CELL * _CELL) ** 2)


def _shares() -> NDArray[np.float32]:
    """Return (cells, pixels): how much of a pixel each cell gets, falling to its neighbours."""
    pixels = np.arange(SIDE)
    centres = (np.arange(_CELLS) + 0.5) * _CELL - 0.5
    away = np.abs(pixels - np.clip(centres[:, None], 0, SIDE))
    shares = np.maximum(1 - away / _CELL, 0)
    # Pixels of the edge have but one cell: it gets all of them.
    return np.asarray(shares / shares.sum(axis=0), dtype=np.float32)


_SHARES: Final = _shares()
_PIXELS: Final = np.arange(SIDE * SIDE)


def gradients_of(grey: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return the histogram of a (64, 64) picture: (576,), cell by cell, in [0, 0.4]."""
    padded = np.pad(grey.astype(np.float32), 1, mode="edge")
    across = padded[1:-1, 2:] - padded[1:-1, :-2]
    down = padded[2:, 1:-1] - padded[:-2, 1:-1]
    strength = np.sqrt(across * across + down * down).ravel()
    place = (np.arctan2(down, across).ravel() * np.float32(_BINS / np.pi)) % _BINS
    lower = np.minimum(place.astype(np.intp), _BINS - 1)
    rest = place - lower
    spread = np.zeros((_BINS, SIDE * SIDE), dtype=np.float32)
    spread[lower, _PIXELS] = strength * (1 - rest)
    spread[(lower + 1) % _BINS, _PIXELS] = strength * rest
    planes = spread.reshape(_BINS, SIDE, SIDE)
    cells = np.asarray(_SHARES @ planes @ _SHARES.T, dtype=np.float32)
    return _normalised(cells).transpose(1, 2, 0).ravel()


def _normalised(cells: NDArray[np.float32]) -> NDArray[np.float32]:
    """Sum what each cell is beside each of the four blocks of two by two cells that it is in."""
    energy = np.pad((cells * cells).sum(axis=0), 1, mode="edge")
    blocks = energy[:-1, :-1] + energy[1:, :-1] + energy[:-1, 1:] + energy[1:, 1:]
    size = np.sqrt(blocks + _FAINT)
    total: NDArray[np.float32] = np.zeros_like(cells)
    for down in (0, 1):
        for across in (0, 1):
            block = size[down : down + _CELLS, across : across + _CELLS]
            total += np.minimum(cells / block, _MOST)
    return np.asarray(total / 2, dtype=np.float32)
