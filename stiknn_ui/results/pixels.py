"""Rows of data that may be the pixels of small square pictures. Pure."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from stiknn_core.types import Dataset

IMAGE_SIZES: Final = (64, 784)
"""Numbers of features that may be the pixels of a square picture."""
_ZOOM: Final = {64: 16, 784: 5}
_FEW_VALUES: Final = 2


def picture_of(dataset: Dataset, row: int) -> NDArray[np.uint8] | None:
    """Return a row as a square picture, if the features may be pixels.

    Parameters
    ----------
    dataset : Dataset
    row : int
        Row of the data set.

    Returns
    -------
    (side, side) uint8 or None
        Grey, 0 = the least of all values; None where the number of features is not that of
        a small square picture, or the values are only two.
    """
    ends = range_of(dataset)
    if ends is None:
        return None
    X, (low, high) = dataset.X, ends
    side = round(X.shape[1] ** 0.5)
    grey = np.round(255 * (X[row] - low) / (high - low)).astype(np.uint8).reshape(side, side)
    zoom = _ZOOM[X.shape[1]]
    return np.kron(grey, np.ones((zoom, zoom), dtype=np.uint8))


def range_of(dataset: Dataset) -> tuple[float, float] | None:
    """Return the least and the largest of all values, if they may be pixels; else None."""
    X = dataset.X
    if X.shape[1] not in IMAGE_SIZES:
        return None
    low, high = float(X.min()), float(X.max())
    if high <= low or low < 0 or len(np.unique(X[:50])) <= _FEW_VALUES:
        return None
    return low, high
