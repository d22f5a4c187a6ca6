"""What the engine is given for one way to compute. Pure: no streamlit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import stiknn_core
from stiknn_core.preparation import scale_features
from stiknn_core.types import AnyArray, Dataset, FloatArray, read_only
from stiknn_ui.asked.spec import ComputeSpec
from stiknn_ui.results.parts import Parts, parts_of
from stiknn_ui.work.progress import Progress

Keep = Callable[[Callable[[], FloatArray]], FloatArray]
"""Called with what makes the forest's distances; returns them, made now or before."""


@dataclass(frozen=True, eq=False)
class Inputs:
    """The data as the engine takes them.

    Attributes
    ----------
    parts : Parts
        Which rows of the data set are training points and which test points.
    X, X_test : (n, d) and (t, d) float64
        Features as scaled; ``X_test`` is None for leave-one-out.
    y, y_test : (n,) and (t,)
        Labels.
    far : (t, n) float64 or None
        Distances as the random forest sees them; None in the space of the features.
    compute : ComputeSpec
    """

    parts: Parts
    X: FloatArray
    y: AnyArray
    X_test: FloatArray | None
    y_test: AnyArray | None
    far: FloatArray | None
    compute: ComputeSpec

    @property
    def arguments(self) -> dict[str, Any]:
        """Arguments that every function of the engine takes: data, metric and ties."""
        where: dict[str, Any] = {
            "X": self.X,
            "X_test": self.X_test,
            "metric": self.compute.metric,
        }
        if self.far is not None:
            where = {"X": self.far, "metric": "precomputed"}
        return {**where, "y": self.y, "y_test": self.y_test, "ties": self.compute.ties}


def prepare(
    dataset: Dataset,
    compute: ComputeSpec,
    *,
    keep: Keep | None = None,
    progress: Progress | None = None,
) -> Inputs:
    """Return what the engine is given.

    Parameters
    ----------
    dataset : Dataset
    compute : ComputeSpec
    keep : callable or None
        See `Keep`; None grows the forest anew, from a fixed seed.
    progress : callable or None
        Told of the forest, where one is grown.

    Raises
    ------
    StiknnError
        If the data do not fit the settings.
    """
    parts = parts_of(dataset, compute)
    train, test = parts.train, parts.test
    X_test = None if test is None else dataset.X[test]
    y, y_test = dataset.y[train], None if test is None else dataset.y[test]

    def grow() -> FloatArray:
        # On features as they are: they count by rank. Taken from the package at this moment,
        # so that nothing loads forests that needs none.
        return read_only(
            stiknn_core.forest_distances(dataset.X[train], y, X_test, progress=progress)
        )

    far = None
    if compute.space == "forest":
        far = grow() if keep is None else keep(grow)
    X, scaled_test = scale_features(dataset.X[train], X_test, compute.scaling)
    return Inputs(parts, X, y, scaled_test, y_test, far, compute)
