"""Until the core has them: a forest that answers for itself, and everything of single points."""

from __future__ import annotations

from typing import Any

import numpy as np

import stiknn_core
from stiknn_core.ranked import Overview, RankedNeighbors
from stiknn_core.types import FloatArray, IntArray


class Forest(np.ndarray[Any, Any]):
    """Distances with a face of a forest."""

    @property
    def nearest(self) -> Any:
        """Return what finds nearest points."""

        def nearest(points: IntArray, m: int) -> tuple[IntArray, FloatArray]:
            far = np.array(self)[points]
            if self.shape[0] == self.shape[1]:
                far[np.arange(len(points)), points] = np.inf
            near = np.argsort(far, axis=1, kind="stable")[:, :m].astype(np.int64)
            return near, np.take_along_axis(far, near, axis=1)

        return nearest


def grow_forest(X: Any, y: Any, X_test: Any = None, *, progress: Any = None) -> Forest:
    """Return a forest."""
    return stiknn_core.forest_distances(X, y, X_test, progress=progress).view(Forest)


def overview(*, progress: Any = None, **arguments: Any) -> Overview:
    """Return everything that is known of single points."""
    return RankedNeighbors(**arguments, max_bytes=0).overview(progress=progress)


def at_tests(arguments: dict[str, Any], tests: Any) -> dict[str, Any]:
    """Return arguments with the rows of distances that test points have."""
    if tests is None or arguments["metric"] != "precomputed":
        return arguments
    return {**arguments, "X": np.asarray(arguments["X"])[tests]}
