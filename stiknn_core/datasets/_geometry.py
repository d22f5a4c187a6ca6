"""Where rows lie: the nearest other class, and places far from everyone."""

from __future__ import annotations

import numpy as np
from sklearn.neighbors import NearestNeighbors

from stiknn_core.errors import FeatureError
from stiknn_core.types import FloatArray, IntArray


def nearest_other_class(X: FloatArray, codes: IntArray) -> tuple[FloatArray, IntArray]:
    """Find the nearest row of another class, on standardised features.

    Returns
    -------
    distance : (n,) float64
    code : (n,) int64
        The class of that row.

    Raises
    ------
    FeatureError
        If features are missing or infinite.
    """
    if not np.isfinite(X).all():
        raise FeatureError("nearest flips need finite features; fill in or drop missing cells.")
    spread = _spread(X)
    scaled = (X - X.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    distance = np.empty(len(codes))
    code = np.empty(len(codes), dtype=np.int64)
    for own in np.unique(codes):
        inside = codes == own
        others = np.flatnonzero(~inside)
        search = NearestNeighbors(n_neighbors=1).fit(scaled[others])
        far, found = search.kneighbors(scaled[inside])
        distance[inside] = far[:, 0]
        code[inside] = codes[others[found[:, 0]]]
    return distance, code


def far_rows(X: FloatArray, count: int, rng: np.random.Generator) -> FloatArray:
    """Draw rows 1.5 to 2 times as far from the centre as the farthest row of X.

    Distances are in units of each column's standard deviation; constant columns keep
    their value. See ``add_outliers``.

    Raises
    ------
    FeatureError
        If features are missing or infinite, or too large to go further out.
    """
    if not np.isfinite(X).all():
        raise FeatureError("outliers need finite features; fill in or drop missing cells first.")
    with np.errstate(over="ignore", invalid="ignore"):
        center = X.mean(axis=0)
        spread = _spread(X)
        if not spread.any():  # a single row, or only copies of one
            spread = np.ones_like(spread)
        varies = spread > 0
        scaled = (X[:, varies] - center[varies]) / spread[varies]
        reach = max(1.0, float(np.sqrt((scaled**2).sum(axis=1)).max()))
        direction = rng.standard_normal((count, int(varies.sum())))
        direction /= np.sqrt((direction**2).sum(axis=1, keepdims=True))
        radius = reach * rng.uniform(1.5, 2.0, size=(count, 1))
        rows = np.tile(center, (count, 1))
        rows[:, varies] += radius * direction * spread[varies]
    if not np.isfinite(rows).all():
        raise FeatureError("features are too large to add outliers; rescale the columns first.")
    rows[:, ~varies] = X[0, ~varies]  # the mean of equal numbers may differ in the last digit
    return rows


def _spread(X: FloatArray) -> FloatArray:
    """Return each column's standard deviation, exactly 0 for constant columns."""
    spread: FloatArray = X.std(axis=0)
    return np.where(np.ptp(X, axis=0) > 0, spread, 0.0)
