"""Things about the data and the result that deserve a look, as plain sentences."""

from __future__ import annotations

from typing import Final

import numpy as np

from stiknn_core import Interactions
from stiknn_core.phrases import listed
from stiknn_core.preparation import repeats_notice, spread_notice
from stiknn_core.types import AnyArray, Dataset, IntArray
from stiknn_ui.asked.game import least_asked
from stiknn_ui.asked.spec import ComputeSpec
from stiknn_ui.results.inputs import Inputs

_EVEN_PLANE: Final = (
    "Principal components are drawn of standardised columns, where all count alike, so points that "
    "are near in the picture need not be near for the neighbours."
)


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
        Rows of the test points.
    compute : ComputeSpec
    """
    notices = []
    classes = np.unique(dataset.y[train])
    if len(classes) == 1 and not dataset.measured:  # of targets the table says it
        notices.append(f"There is one class only ({classes[0]}), so no label can be doubted.")
    size_counts = compute.space == "features" and compute.metric != "cosine"
    if compute.scaling == "none" and size_counts:
        uneven = spread_notice(dataset.X[train], dataset.feature_names, dataset.blocks)
        if uneven and dataset.X.shape[1] > 2 and not dataset.blocks:
            uneven += f" {_EVEN_PLANE}"
        if uneven:
            notices.append(uneven)
    if test is not None:
        repeated = repeats_notice(dataset.X[train], dataset.X[test])
        if repeated:
            notices.append(repeated)
        if not dataset.measured and dataset.votes is None and compute.evaluation != "hold-out":
            notices += _untested(classes, dataset.y[test])
    return notices


def _untested(classes: AnyArray, tested: AnyArray) -> list[str]:
    """Name the classes that no test point has; a hold-out says it as it draws the rows."""
    missing = np.setdiff1d(classes, tested).tolist()
    if not missing:
        return []
    which = (
        f"class {missing[0]}" if len(missing) == 1 else f"any of these classes: {listed(missing)}"
    )
    return [
        f"No test point has {which}. Points of such a class bring nothing, so that their values "
        "are 0 or below."
    ]


def game_notices(given: Inputs) -> list[str]:
    """Return what was fitted to the data: the least size of sets, where none is so large."""
    asked = least_asked(given.compute.index, given.parts.usable_k(given.compute.k)[0])
    if asked is None or asked <= given.index.parameters[0]:
        return []
    there = int(given.index.parameters[0])
    return [
        f"Sets of at least {asked:,} others are asked for, but beside a pair there are only "
        f"{there:,}: T = {there:,} is used."
    ]


def result_notices(result: Interactions, compute: ComputeSpec) -> list[str]:
    """Return what should be known about a result.

    Parameters
    ----------
    result : Interactions
    compute : ComputeSpec
        In a forest's space ties are the rule, since distances count trees, and need no word.
    """
    notices = []
    measured = result.score.startswith("measured")
    if result.tied_test_points and compute.space == "features" and not measured:
        have = "has" if result.tied_test_points == 1 else "have"
        notices.append(
            f"{result.tied_test_points:,} of {result.n_test:,} test points {have} neighbours with "
            "different labels at equal distance."
        )
    if result.absent_classes and not measured:
        names = ", ".join(str(name) for name in result.absent_classes)
        notices.append(f"No training rows of class {names}, which only test rows have.")
    return notices
