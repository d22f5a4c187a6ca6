"""What the engine is given for one way to compute, for questions beside the matrix. Pure."""

from __future__ import annotations

from typing import Any

import stiknn_core
from stiknn_core.preparation import scale_features
from stiknn_core.types import Dataset
from stiknn_ui.analysis import Progress, parts_of
from stiknn_ui.spec import ComputeSpec


def engine_inputs(
    dataset: Dataset, compute: ComputeSpec, progress: Progress | None = None
) -> dict[str, Any]:
    """Return the arguments of the engine's functions that ask for no k: data, metric, ties, index.

    Parameters
    ----------
    dataset : Dataset
    compute : ComputeSpec
    progress : callable or None
        Told of the forest, where one is grown.

    Raises
    ------
    StiknnError
        If the data do not fit the settings.
    """
    parts = parts_of(dataset, compute)
    train, test = parts.train, parts.test
    X, X_test = scale_features(
        dataset.X[train], None if test is None else dataset.X[test], compute.scaling
    )
    y, y_test = dataset.y[train], None if test is None else dataset.y[test]
    where: dict[str, Any] = {"X": X, "X_test": X_test, "metric": compute.metric}
    if compute.space == "forest":
        # The forest that the matrix was computed in: it grows from a fixed seed.
        far = stiknn_core.forest_distances(X, y, X_test, progress=progress)
        where = {"X": far, "metric": "precomputed"}
    return where | {"y": y, "y_test": y_test, "ties": compute.ties, "index": compute.index}
