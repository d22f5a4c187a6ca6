"""Things about the data and the result that deserve a look, as plain sentences."""

from __future__ import annotations

import numpy as np

from stiknn_core import Interactions
from stiknn_core.preparation import spread_notice
from stiknn_core.types import Dataset, FloatArray, IntArray
from stiknn_ui.spec import ComputeSpec


def data_notices(
    dataset: Dataset, train: IntArray, test: IntArray | None, compute: ComputeSpec
) -> list[str]:
    """Return what should be known about the rows before trusting the numbers.

    Parameters
    ----------
    dataset : Dataset
    train : (n,) int64
        Rows that are explained.
    test : (t,) int64 or None
        Rows that judge them.
    compute : ComputeSpec
    """
    notices = []
    classes = np.unique(dataset.y[train])
    if len(classes) == 1:
        notices.append(f"There is one class only ({classes[0]}), so no label can be doubted.")
    conflicts = conflicting_places(dataset.X[train], dataset.y[train])
    if conflicts:
        places = "place holds" if conflicts == 1 else "places hold"
        notices.append(f"{conflicts} {places} identical points with different labels.")
    if compute.scaling == "none" and compute.metric != "cosine":
        uneven = spread_notice(dataset.X[train], dataset.feature_names)
        if uneven:
            notices.append(uneven)
    if test is not None:
        repeated = repeated_rows(dataset.X[train], dataset.X[test])
        if repeated:
            rows = "row repeats" if repeated == 1 else "rows repeat"
            notices.append(f"{repeated} held-out {rows} a training row.")
    return notices


def result_notices(result: Interactions) -> list[str]:
    """Return what should be known about a result."""
    notices = []
    if result.tied_test_points:
        tests = "test point has" if result.tied_test_points == 1 else "test points have"
        notices.append(
            f"{result.tied_test_points} of {result.n_test} {tests} neighbours with different "
            "labels at equal distance."
        )
    if result.absent_classes:
        names = ", ".join(str(name) for name in result.absent_classes)
        notices.append(f"No training rows of class {names}, which is held out only.")
    return notices


def conflicting_places(X: FloatArray, y: np.ndarray) -> int:
    """Count places in feature space where rows are equal and labels are not; O(n d log n)."""
    _, place = np.unique(X, axis=0, return_inverse=True)
    _, label = np.unique(y, return_inverse=True)
    pairs = np.unique(np.column_stack([place.ravel(), label.ravel()]), axis=0)
    _, labels_at = np.unique(pairs[:, 0], return_counts=True)
    return int((labels_at > 1).sum())


def repeated_rows(X_train: FloatArray, X_test: FloatArray) -> int:
    """Count test rows that equal a training row exactly; O((n + t) d log(n + t))."""
    both = np.concatenate([X_train, X_test])
    _, place = np.unique(both, axis=0, return_inverse=True)
    place = place.ravel()
    return int(np.isin(place[len(X_train) :], place[: len(X_train)]).sum())
