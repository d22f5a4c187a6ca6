"""Whose labels are reviewed: the training points, or the test points. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from stiknn_core.duplicates import Duplicates, find_duplicates
from stiknn_core.labels.support import judge_test_labels
from stiknn_core.scores import rarity
from stiknn_core.types import AnyArray, FloatArray, IntArray, read_only
from stiknn_ui.results.analysis import Analysis

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
        The class with the largest share of the support.
    shares : (m, n_classes) float64
        `LabelSupport.shares`: that of the given label is the quality, the largest is that of the
        suggested class; the columns are ``analysis.classes``.
    scores : mapping of name to (m,) float64
        Low = suspicious, all of them; from ``scores_of``. Test points have no row in the matrix,
        and so no scores that are read from it.
    """

    side: Side
    analysis: Analysis
    rows: IntArray
    suggested: AnyArray
    shares: FloatArray
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

    @cached_property
    def point_of(self) -> Mapping[int, int]:
        """The point of each row of the data set that is one of these."""
        return {row: point for point, row in enumerate(self.rows.tolist())}

    @cached_property
    def around(self) -> tuple[IntArray, FloatArray]:
        """Training points nearest to each point, nearest first, itself left out; O(m n d).

        As the forest sees them, where the analysis works in its space and the point was among
        the test points; else by the distances between rows.

        Returns
        -------
        (m, w) int64
            Point ids.
        (m, w) float64
            Their distances; NaN where the forest's are not kept.
        """
        given = self.analysis.given
        of_tests = self.side == "test"
        near, distances = given.nearest(np.arange(len(self)), of_tests=of_tests)
        if given.forest is not None and (of_tests or self.analysis.judged_by_itself):
            distances = np.full(near.shape, np.nan)
        return near, distances


def training_points(analysis: Analysis, scores: Mapping[str, FloatArray]) -> Subject:
    """Return the training points with the findings of the analysis; see ``kept.scores_of``."""
    names = np.array(analysis.classes, dtype=object)
    return Subject(
        side="train",
        analysis=analysis,
        rows=analysis.rows,
        suggested=names[analysis.suggested],
        shares=analysis.support.shares,
        scores=scores,
    )


def judging_points(analysis: Analysis) -> Subject | None:
    """Return the test points, supported by the training points; None if there are none.

    O(t n (d + log n)).
    """
    if analysis.judged_by_itself:
        return None
    given = analysis.given
    found = judge_test_labels(**given.arguments, k=analysis.k)
    _, codes = np.unique(analysis.dataset.y[given.parts.test_rows], return_inverse=True)
    order = [list(map(str, found.classes)).index(name) for name in analysis.classes]
    return Subject(
        side="test",
        analysis=analysis,
        rows=read_only(given.parts.test_rows),
        suggested=np.array([str(label) for label in found.suggested.tolist()], dtype=object),
        shares=found.shares[:, order],
        scores={
            "quality": found.quality,
            "rarity": rarity(codes.astype(np.int64)),
        },
    )
