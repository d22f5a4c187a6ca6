"""What the engine is given for one way to compute. Pure: no streamlit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

import stiknn_core
from stiknn_core.games import PairIndex, Score
from stiknn_core.preparation import scale_features
from stiknn_core.types import AnyArray, Dataset, FloatArray, IntArray
from stiknn_ui.asked.game import index_for
from stiknn_ui.asked.spec import ComputeSpec
from stiknn_ui.results.distances import distances_to_all
from stiknn_ui.results.parts import Parts, parts_of
from stiknn_ui.results.scoring import score_for
from stiknn_ui.work.progress import Progress

if TYPE_CHECKING:
    from stiknn_core import Forest

Keep: TypeAlias = "Callable[[Callable[[], Forest]], Forest]"
"""Called with what grows the forest; returns it, grown now or before."""

FOREST_SHARE: Final = 0.7
"""Share of the work that growing a forest is, where nothing is done for each pair of points."""

N_NEAREST: Final = 8
"""Nearest points that are shown of one point."""


@dataclass(frozen=True, eq=False)
class Inputs:
    """The data as the engine takes them.

    Attributes
    ----------
    parts : Parts
        Which rows of the data set are training points and which test points.
    X, X_test : (n, d) and (t, d) float64
        Features as scaled; ``X_test`` is None for leave-one-out testing.
    y, y_test : (n,) and (t,)
        Labels.
    forest : Forest or None
        Stands where distances stand; None in the space of the features.
    compute : ComputeSpec
    score : Score
        What a neighbour brings.
    """

    parts: Parts
    X: FloatArray
    y: AnyArray
    X_test: FloatArray | None
    y_test: AnyArray | None
    forest: Forest | None
    compute: ComputeSpec
    score: Score

    @property
    def index(self) -> PairIndex:
        """Which index weighs the sets, fitted to how many points there are."""
        k, _ = self.parts.usable_k(self.compute.k)
        return index_for(self.compute.index, k, self.parts.ranked)

    @property
    def measured(self) -> bool:
        """Whether labels are measured targets."""
        return self.score.kind == "measured"

    @property
    def arguments(self) -> dict[str, Any]:
        """Arguments that every function of the engine takes: data, metric, ties and score."""
        return {**self.placed, "score": self.score}

    @property
    def placed(self) -> dict[str, Any]:
        """The same without the score, for what is asked of the labels as they stand."""
        where: dict[str, Any] = {
            "X": self.X,
            "X_test": self.X_test,
            "metric": self.compute.metric,
        }
        if self.forest is not None:
            where = {"X": self.forest, "metric": "precomputed"}
        return {**where, "y": self.y, "y_test": self.y_test, "ties": self.compute.ties}

    def nearest(
        self, points: IntArray, most: int = N_NEAREST, *, of_tests: bool = False
    ) -> tuple[IntArray, FloatArray]:
        """Return the training points nearest to a few points, nearest first, itself left out.

        As the forest sees them, where there is one and the points are among its test points;
        else by the distances between rows. O(n d) for each point.

        Parameters
        ----------
        points : (m,) int64
            Point ids, or positions among the test points.
        most : int
            Neighbours of each; there are fewer where there are fewer points.
        of_tests : bool
            Which of both they are; no matter where the training points are the test points.

        Returns
        -------
        (m, w) int64
            Point ids.
        (m, w) float64
            Their distances.
        """
        itself = self.X_test is None or not of_tests
        width = min(most, len(self.X) - itself)
        if self.forest is not None and (of_tests or self.parts.test is None):
            near, far = self.forest.nearest(points, width)
            return near, far
        looked_at = self.X if self.X_test is None or not of_tests else self.X_test
        near = np.empty((len(points), width), dtype=np.int64)
        far = np.empty((len(points), width))
        for place, point in enumerate(points.tolist() if width else ()):
            (line,) = distances_to_all(looked_at[[point]], self.X, self.compute.metric)
            if itself:
                line[point] = np.inf
            # Sorting a few costs a tenth of sorting all.
            close = np.flatnonzero(line <= np.partition(line, width - 1)[width - 1])
            near[place] = close[np.argsort(line[close], kind="stable")][:width]
            far[place] = line[near[place]]
        return near, far


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

    def grow() -> Forest:
        # On features as they are: they count by rank. Taken from the package at this moment,
        # so that nothing loads forests that needs none.
        return stiknn_core.grow_forest(dataset.X[train], y, X_test, progress=progress)

    forest = None
    if compute.space == "forest":
        forest = grow() if keep is None else keep(grow)
    X, scaled_test = scale_features(dataset.X[train], X_test, compute.scaling, dataset.blocks)
    score = score_for(dataset, compute, parts, X)
    return Inputs(parts, X, y, scaled_test, y_test, forest, compute, score)
