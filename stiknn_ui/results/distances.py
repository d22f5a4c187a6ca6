"""Distances from a few points to all, for pictures and lists of neighbours. Pure: no streamlit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from scipy.spatial.distance import cdist

from stiknn_core.types import FloatArray, Metric

_NAMES: Final[Mapping[Metric, Any]] = {"manhattan": "cityblock"}
"""Where SciPy has another name for a metric."""


def distances_to_all(points: FloatArray, X: FloatArray, metric: Metric) -> FloatArray:
    """Return the distance of every row of ``X`` from each of ``points``, (m, n) float64."""
    return np.asarray(cdist(points, X, _NAMES.get(metric, metric)))
