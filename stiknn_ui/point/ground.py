"""The ground a single point is looked at on: the same for small and very large data. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from stiknn_core.plane import Plane
from stiknn_core.quiet import without_warnings
from stiknn_core.ranked import RankedNeighbors
from stiknn_core.types import FloatArray, IntArray
from stiknn_ui.blocks.analysis import BlockAnalysis
from stiknn_ui.results.analysis import Analysis
from stiknn_ui.results.distances import distances_to_all
from stiknn_ui.results.result import Result
from stiknn_ui.work.progress import Progress


@dataclass(frozen=True, eq=False)
class Ground:
    """A result with what is needed to ask about any one of its points.

    Attributes
    ----------
    analysis : Analysis or BlockAnalysis
        With its matrix, or without where there are too many points for one.
    ranked : RankedNeighbors
        Answers for rows of the matrix and for the parts of single test points.
    """

    analysis: Analysis | BlockAnalysis
    ranked: RankedNeighbors

    @property
    def alone(self) -> bool:
        """Whether the training points are the test points: leave-one-out testing."""
        return self.analysis.judged_by_itself

    @property
    def test_rows(self) -> IntArray:
        """(t,) int64: row of the data set of each test point."""
        tests = self.tests
        return self.analysis.given.parts.test_rows if tests is None else self.analysis.rows[tests]

    @property
    def tests(self) -> IntArray | None:
        """The training points that are the test points, where some were drawn; else None."""
        return self.analysis.tests if isinstance(self.analysis, BlockAnalysis) else None

    @cached_property
    def labels_of_tests(self) -> tuple[str, ...]:
        """Label of each test point, as text."""
        labels = self.analysis.dataset.y[self.test_rows].tolist()
        if self.analysis.targets is not None:
            return tuple(f"{label:.6g}" for label in labels)
        return tuple(str(label) for label in labels)

    def names_of_tests(self, tests: IntArray) -> list[str]:
        """Return what a person calls these test points."""
        return [str(name) for name in self.analysis.dataset.ids[self.test_rows[tests]].tolist()]

    def names(self, points: IntArray) -> list[str]:
        """Return what a person calls these training points."""
        return self.analysis.names(points)

    def name(self, point: int) -> str:
        """Return what a person calls a training point."""
        return self.names(np.array([point]))[0]

    def row(self, point: int, progress: Progress | None = None) -> FloatArray:
        """Return the matrix row of a point, (n,), with what it earns alone at its own place."""
        if isinstance(self.analysis, Analysis):
            return np.asarray(self.analysis.interactions.matrix[point])
        return np.asarray(self.ranked.rows([point], progress)[0])

    def distances(self, point: int) -> FloatArray | None:
        """Return the distance of every training point from a point, (n,); its own is 0.

        None in a forest's space with a test set: it holds no distances between training points.
        """
        given = self.analysis.given
        forest, X = given.forest, given.X
        if forest is not None:
            if not self.alone:
                return None
            return np.asarray(forest.distances(np.array([point]))[0])
        (found,) = distances_to_all(X[[point]], X, given.compute.metric)
        return np.asarray(found)


def copies_of(analysis: Result, point: int) -> IntArray:
    """Return all training points with the features of a point, itself included, ascending."""
    # Column by column: most rows differ in the first.
    X, rows = analysis.dataset.X, analysis.rows
    same = np.arange(analysis.n, dtype=np.int64)
    for column in range(X.shape[1]):
        same = same[X[rows[same], column] == X[rows[point], column]]
    return same


def ranked_of(analysis: Analysis) -> RankedNeighbors:
    """Return what answers for the single points of a result with a matrix.

    O(n d); rankings follow with the first question.
    """
    arguments = analysis.given.arguments
    with without_warnings():  # told with the result
        return RankedNeighbors(**arguments, k=analysis.k, index=analysis.given.index)


def ground_of(analysis: Analysis | BlockAnalysis, ranked: RankedNeighbors | None = None) -> Ground:
    """Return the ground of a result.

    Not of one that is read from a store. Of one with a matrix `ranked_of` gives what answers; of
    one without the rankings are there.
    """
    if isinstance(analysis, Analysis):
        return Ground(analysis, ranked or ranked_of(analysis))
    if not isinstance(analysis.ranked, RankedNeighbors):
        raise TypeError("a store keeps sums over blocks, and no rankings")
    return Ground(analysis, analysis.ranked)


def places_of_tests(ground: Ground, plane: Plane) -> FloatArray | None:
    """Return where the test points lie in the plane of the training points, (t, 2).

    Returns
    -------
    (t, 2) float64 or None
        None for an embedding, which has no place for other points.

    Notes
    -----
    Principal components are a linear map of the standardised training features, or of those of
    blocks divided by one number (`result.plane_of`); the map is found again from where it put
    these: with Z = U S V' and the places U S, V = Z' (U S) / S².
    """
    if ground.alone:
        return plane.xy if ground.tests is None else plane.xy[ground.tests]
    dataset = ground.analysis.dataset
    if plane.method == "columns":
        names = [str(name) for name in dataset.feature_names]
        picked = [names.index(title) for title in plane.axis_titles]
        return np.asarray(dataset.X[ground.test_rows][:, picked])
    if plane.method == "single":
        column = dataset.X[ground.test_rows, 0]
        return np.column_stack([column, np.zeros_like(column)])
    if plane.method != "pca":
        return None
    X = ground.analysis.given.X
    center, spread = X.mean(axis=0), X.std(axis=0)
    varies = spread > 0
    if dataset.blocks:
        spread[varies] = np.sqrt((spread[varies] ** 2).mean())
    Z = (X[:, varies] - center[varies]) / spread[varies]
    squares = (plane.xy**2).sum(axis=0)
    toward = Z.T @ plane.xy / np.where(squares > 0, squares, 1.0)
    test = (np.asarray(ground.analysis.given.X_test)[:, varies] - center[varies]) / spread[varies]
    return np.asarray(test @ toward)
