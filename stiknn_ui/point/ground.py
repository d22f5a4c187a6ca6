"""The ground a single point is looked at on: the same for small and very large data. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.spatial.distance import cdist

import stiknn_core
from stiknn_core.plane import Plane
from stiknn_core.preparation import scale_features
from stiknn_core.quiet import without_warnings
from stiknn_core.ranked import RankedNeighbors
from stiknn_core.types import FloatArray, IntArray, read_only
from stiknn_ui.analysis import Analysis, Parts, parts_of
from stiknn_ui.blocks.analysis import BlockAnalysis

_METRIC: Mapping[str, Any] = {
    "euclidean": "euclidean",
    "manhattan": "cityblock",
    "chebyshev": "chebyshev",
    "cosine": "cosine",
}


@dataclass(frozen=True, eq=False)
class Ground:
    """A result with what is needed to ask about any one of its points.

    Attributes
    ----------
    analysis : Analysis or BlockAnalysis
        With its matrix, or without where there are too many points for one.
    values : (n,) float64
        KNN-Shapley (Banzhaf for BII) value of each training point.
    ranked : RankedNeighbors
        Answers for rows of the matrix and for the parts of single test points.
    X : (n, d) float64
        Features as distances are measured on.
    far : (t, n) float64 or None
        Distances as the random forest sees them; None in the space of the features.
    parts : Parts
        Which rows of the data set are explained and which judge them.
    """

    analysis: Analysis | BlockAnalysis
    values: FloatArray
    ranked: RankedNeighbors
    X: FloatArray
    far: FloatArray | None
    parts: Parts

    @property
    def alone(self) -> bool:
        """Whether the training points judge each other."""
        return self.parts.test is None

    @property
    def judges(self) -> IntArray:
        """(t,) int64: row of the data set of each point that judges."""
        return self.parts.train if self.parts.test is None else self.parts.test

    @cached_property
    def judge_labels(self) -> tuple[str, ...]:
        """Label of each point that judges, as text."""
        return tuple(str(label) for label in self.analysis.dataset.y[self.judges].tolist())

    def judge_names(self, judges: IntArray) -> list[str]:
        """Return what a person calls these points that judge."""
        return [str(name) for name in self.analysis.dataset.ids[self.judges[judges]].tolist()]

    def names(self, points: IntArray) -> list[str]:
        """Return what a person calls these training points."""
        analysis = self.analysis
        return [str(name) for name in analysis.dataset.ids[analysis.rows[points]].tolist()]

    def row(self, point: int) -> FloatArray:
        """Return the matrix row of a point, (n,), with what it earns alone at its own place."""
        if isinstance(self.analysis, Analysis):
            return np.asarray(self.analysis.interactions.matrix[point])
        return np.asarray(self.ranked.rows([point])[0])

    def distances(self, point: int) -> FloatArray | None:
        """Return the distance of every training point from a point, (n,); its own is 0.

        None in a forest's space with a test set: it holds no distances between training points.
        """
        if self.far is not None:
            return np.asarray(self.far[point]) if self.alone else None
        metric = _METRIC[self.analysis.compute.metric]
        return np.asarray(cdist(self.X[point : point + 1], self.X, metric)[0])

    def copies(self, point: int) -> IntArray:
        """Return all training points with the features of a point, itself included, ascending."""
        analysis = self.analysis
        X = analysis.dataset.X[analysis.rows]
        return np.flatnonzero((X == X[point]).all(axis=1)).astype(np.int64)


@dataclass(frozen=True, eq=False)
class Asked:
    """What is kept of a result to answer for its single points, beside the result itself.

    Attributes
    ----------
    ranked, X, far, parts
        As in `Ground`.
    """

    ranked: RankedNeighbors
    X: FloatArray
    far: FloatArray | None
    parts: Parts


def asked_of(analysis: Analysis) -> Asked:
    """Return what answers for the single points of a result with a matrix.

    Notes
    -----
    O(n d); rankings follow with the first question. In the forest's space the forest is grown
    again, and O(t n) memory is held.
    """
    dataset, compute = analysis.dataset, analysis.compute
    parts = parts_of(dataset, compute)
    train, test = parts.train, parts.test
    X, X_test = scale_features(
        dataset.X[train], None if test is None else dataset.X[test], compute.scaling
    )
    y, y_test = dataset.y[train], None if test is None else dataset.y[test]
    inputs: tuple[Any, ...] = (X, y, X_test, y_test)
    metric: Any = compute.metric
    far = None
    if compute.space == "forest":
        far = read_only(stiknn_core.forest_distances(X, y, X_test))
        inputs, metric = (far, y, None, y_test), "precomputed"
    with without_warnings():  # told with the result
        ranked = RankedNeighbors(
            *inputs, k=analysis.k, index=compute.index, metric=metric, ties=compute.ties
        )
    return Asked(ranked, X, far, parts)


def ground_of(analysis: Analysis | BlockAnalysis, asked: Asked | None = None) -> Ground:
    """Return the ground of a result.

    Parameters
    ----------
    analysis : Analysis or BlockAnalysis
        Of data with features; not one that is read from a store.
    asked : Asked or None
        From `asked_of`, for a result with a matrix; without one the rankings are there.
    """
    if isinstance(analysis, Analysis):
        kept = asked_of(analysis) if asked is None else asked
        values = analysis.interactions.values
        return Ground(analysis, values, kept.ranked, kept.X, kept.far, kept.parts)
    if not isinstance(analysis.ranked, RankedNeighbors):
        raise TypeError("a store keeps sums over blocks, and no rankings")
    parts = parts_of(analysis.dataset, analysis.compute)
    return Ground(analysis, analysis.values, analysis.ranked, analysis.X, None, parts)


def judge_places(ground: Ground, plane: Plane) -> FloatArray | None:
    """Return where the points that judge lie in the plane of the training points, (t, 2).

    Parameters
    ----------
    ground : Ground
    plane : Plane
        What the scatter shows of the training points.

    Returns
    -------
    (t, 2) float64 or None
        None for an embedding, which has no place for other points.

    Notes
    -----
    Principal components are a linear map of the standardised training features; the map is
    found again from where it put these: with Z = U S V' and the places U S, V = Z' (U S) / S².
    """
    if ground.alone:
        return plane.xy
    dataset = ground.analysis.dataset
    if plane.method == "columns":
        names = [str(name) for name in dataset.feature_names]
        picked = [names.index(title) for title in plane.axis_titles]
        return np.asarray(dataset.X[ground.judges][:, picked])
    if plane.method == "single":
        column = dataset.X[ground.judges, 0]
        return np.column_stack([column, np.zeros_like(column)])
    if plane.method != "pca":
        return None
    _, X_test = scale_features(
        dataset.X[ground.parts.train],
        dataset.X[ground.judges],
        ground.analysis.compute.scaling,
    )
    center, spread = ground.X.mean(axis=0), ground.X.std(axis=0)
    varies = spread > 0
    Z = (ground.X[:, varies] - center[varies]) / spread[varies]
    squares = (plane.xy**2).sum(axis=0)
    toward = Z.T @ plane.xy / np.where(squares > 0, squares, 1.0)
    test = (np.asarray(X_test)[:, varies] - center[varies]) / spread[varies]
    return np.asarray(test @ toward)
