"""What a neighbour brings to a test point, for one way to compute. Pure: no streamlit."""

from __future__ import annotations

from typing import Final

import numpy as np

from stiknn_core import games
from stiknn_core.games import Score
from stiknn_core.types import AnyArray, Dataset, FloatArray, IntArray
from stiknn_ui.asked.spec import ComputeSpec, ScoreName
from stiknn_ui.results.distances import distances_to_all
from stiknn_ui.results.parts import Parts

_LOOKED_AT: Final = 200
"""Rows whose distances give the usual bandwidth: enough for a median."""
_QUARTILE: Final = 0.25

KERNELS: Final = ("rbf", "inverse", "tricube")
LOSSES: Final = ("absolute", "squared", "huber")
WIDE: Final = (*KERNELS, "huber")
"""Scores with a width."""


def resolved(dataset: Dataset, name: ScoreName) -> ScoreName:
    """Return which score is meant for some data: the usual one, or one that fits their labels.

    Measured targets have losses alone and classes none; shares need annotators.
    """
    if dataset.measured:
        return name if name in LOSSES else "absolute"
    if name in LOSSES or name == "usual" or (name == "shares" and dataset.votes is None):
        return "plain" if dataset.votes is None else "shares"
    return name


def score_for(dataset: Dataset, compute: ComputeSpec, parts: Parts, X: FloatArray) -> Score:
    """Return the score of a computation.

    Parameters
    ----------
    dataset : Dataset
    compute : ComputeSpec
    parts : Parts
    X : (n, d) float64
        Features of the training points, scaled; the usual bandwidth is taken from them.
    """
    name = resolved(dataset, compute.score)
    match name:
        case "rbf" | "inverse" | "tricube":
            return games.kernel(name, compute.width or usual_bandwidth(X, compute))
        case "shares":
            return games.votes(*shares_of(dataset, parts))
        case "absolute" | "squared":
            return games.measured(name)
        case "huber":
            return games.measured(name, compute.width or usual_delta(dataset.y[parts.train]))
    return games.plain()


def shares_of(dataset: Dataset, parts: Parts) -> tuple[IntArray, IntArray]:
    """Return how many annotators gave each test point each class of the training points, or others.

    A row that nobody has labelled, one that was added, counts as one label: its own.
    """
    assert dataset.votes is not None
    classes = [str(name) for name in np.unique(dataset.y[parts.train]).tolist()]
    counts, others = dataset.votes.of(parts.test_rows).counts_for(classes)
    own = np.array([str(name) for name in dataset.y[parts.test_rows].tolist()])
    unseen = counts.sum(axis=1) + others == 0
    counts[unseen] = own[unseen, None] == np.array(classes)
    others[unseen] = ~np.isin(own[unseen], classes)
    return counts, others


def usual_bandwidth(X: FloatArray, compute: ComputeSpec) -> float:
    """Return a quarter quantile of the distances between training points; 1 where all are equal.

    Of 200 rows at even steps, so that the same data have the same bandwidth. Distances of a
    forest are shares of trees, from 0 to 1: 0.5.
    """
    if compute.space == "forest":
        return 0.5
    some = X[np.linspace(0, len(X) - 1, min(len(X), _LOOKED_AT)).astype(np.int64)]
    found = distances_to_all(some, some, compute.metric)[np.triu_indices(len(some), 1)]
    found = found[found > 0]
    return float(f"{np.quantile(found, _QUARTILE):.3g}") if len(found) else 1.0


def usual_delta(y: AnyArray) -> float:
    """Return the median distance of targets from their median: beyond, they count as far off."""
    spread = float(np.median(np.abs(y - np.median(y))))
    return float(f"{spread:.3g}") if spread > 0 else 1.0
