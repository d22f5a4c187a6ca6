"""Whose labels are reviewed: the training points, or the test points that judge them. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from stiknn_core.duplicates import Duplicates, find_duplicates
from stiknn_core.labels.support import judge_test_labels
from stiknn_core.preparation import scale_features
from stiknn_core.scores import rarity
from stiknn_core.types import AnyArray, FloatArray, IntArray, read_only
from stiknn_ui.results.analysis import N_NEAREST, Analysis
from stiknn_ui.results.distances import distances_to_all
from stiknn_ui.results.inputs import Keep, prepare

Side = Literal["train", "test"]


@dataclass(frozen=True, eq=False)
class Subject:
    """Points whose labels are looked at one by one.

    Attributes
    ----------
    side : {"train", "test"}
    analysis : Analysis
        The result the findings come from.
    rows : (m,) int64
        Row of the data set of each point.
    suggested : (m,) array of str
        The class that is backed best.
    support : (m, n_classes) float64
        What each point would earn with each class; the columns are ``analysis.classes``.
    scores : mapping of name to (m,) float64
        Low = suspicious, all of them. Test points have no row in the matrix, and so no scores
        that are read from it.
    """

    side: Side
    analysis: Analysis
    rows: IntArray
    suggested: AnyArray
    support: FloatArray
    scores: Mapping[str, FloatArray]

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def given(self) -> tuple[str, ...]:
        """Each point's label in the data, as text."""
        return tuple(str(label) for label in self.analysis.dataset.y[self.rows].tolist())

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What a person calls each point."""
        if self.side == "train":
            return self.analysis.ids
        return tuple(str(name) for name in self.analysis.dataset.ids[self.rows].tolist())

    @cached_property
    def copies(self) -> Duplicates:
        """Groups of points with identical features, by position among the points."""
        if self.side == "train":
            return self.analysis.duplicates  # found once per result, not with every key
        return find_duplicates(
            self.analysis.dataset.X[self.rows], np.array(self.given, dtype=object)
        )

    @cached_property
    def wrong(self) -> NDArray[np.bool_]:
        """Which points have a label that is known to be wrong, (m,)."""
        dataset = self.analysis.dataset
        true = dataset.y if dataset.y_true is None else dataset.y_true
        return np.asarray(dataset.y[self.rows] != true[self.rows], dtype=np.bool_)

    def group(self, point: int) -> IntArray:
        """Return the point and all its copies, ascending."""
        place = int(self.copies.group_of[point])
        return np.array([point], dtype=np.int64) if place < 0 else self.copies.groups[place]

    def nearest(self, point: int) -> IntArray:
        """Return the training points nearest to a point, nearest first, itself left out.

        As the forest sees them, where the analysis works in its space and the point was among
        those that judge; else by the distances between rows.
        """
        if point not in self._nearest:
            self._nearest[point] = self._look_around(point)
        return self._nearest[point]

    @cached_property
    def _nearest(self) -> dict[int, IntArray]:
        return {}

    def _look_around(self, point: int) -> IntArray:
        analysis, n = self.analysis, self.analysis.n
        judges = self.side == "test" or analysis.judged_by_itself
        if analysis.nearest is not None and judges:
            found: IntArray = analysis.nearest[point]
            return found
        X, X_point = scale_features(
            analysis.dataset.X[analysis.rows],
            analysis.dataset.X[self.rows[[point]]],
            analysis.compute.scaling,
        )
        (far,) = distances_to_all(np.asarray(X_point), X, analysis.compute.metric)
        if self.side == "train":
            far[point] = np.inf
        order: IntArray = np.argsort(far, kind="stable")
        return order[: min(N_NEAREST, n - (self.side == "train"))]


def training_points(analysis: Analysis, scores: Mapping[str, FloatArray]) -> Subject:
    """Return the training points with the findings of the analysis; see ``kept.scores_of``."""
    names = np.array(analysis.classes, dtype=object)
    return Subject(
        side="train",
        analysis=analysis,
        rows=analysis.rows,
        suggested=names[analysis.suggested],
        support=analysis.support.support,
        scores=scores,
    )


def judging_points(analysis: Analysis, keep: Keep | None = None) -> Subject | None:
    """Return the test points, judged by the training points; None if there are none.

    O(t n (d + log n)), and the forest where none is kept; see `inputs.Keep`.
    """
    if analysis.judged_by_itself:
        return None
    given = prepare(analysis.dataset, analysis.compute, keep=keep)
    found = judge_test_labels(**given.arguments, k=analysis.k)
    _, codes = np.unique(analysis.dataset.y[given.parts.judges], return_inverse=True)
    order = [list(map(str, found.classes)).index(name) for name in analysis.classes]
    return Subject(
        side="test",
        analysis=analysis,
        rows=read_only(given.parts.judges),
        suggested=np.array([str(label) for label in found.suggested.tolist()], dtype=object),
        support=found.support[:, order],
        scores={
            "quality": found.quality,
            "rarity": rarity(codes.astype(np.int64)),
        },
    )
