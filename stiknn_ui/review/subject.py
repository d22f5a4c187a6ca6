"""Whose labels are reviewed: the training points, or the test points. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from stiknn_core.duplicates import find_duplicates
from stiknn_core.labels.expected import ExpectedErrors
from stiknn_core.labels.support import judge_test_labels
from stiknn_core.labels.targets import TargetSupport
from stiknn_core.scores import rarity
from stiknn_core.types import AnyArray, FloatArray, IntArray, LabelSupport, read_only
from stiknn_ui.results.analysis import Analysis
from stiknn_ui.results.doubt import TargetDoubt, label_told
from stiknn_ui.results.result import Result
from stiknn_ui.results.suspects import ranking

if TYPE_CHECKING:
    from stiknn_core.labels.opinions import SecondOpinion

Side = Literal["train", "test"]


@dataclass(frozen=True, eq=False)
class Subject:
    """Points whose labels are looked at one by one; kept, since all of it is made once.

    Attributes
    ----------
    side : {"train", "test"}
    analysis : Result
        The result the findings come from.
    rows : (m,) int64
        Row of the data set of each point.
    labels : tuple of str
        The classes of the result, then labels that only these points have.
    given_codes, suggested_codes : (m,) int64
        Place in ``labels`` of each point's label in the data, and of the class with the largest
        share of the support.
    support : LabelSupport or None
        None for measured targets. Its `shares`: that of the given label is the quality, the
        largest is that of the suggested class; the columns are ``analysis.classes``.
    said : TargetSupport or None
        What test points say of measured targets.
    scores : mapping of name to (m,) float64
        Low = suspicious, all of them; from ``scores_of``. Test points have no row in the matrix,
        and so no scores that are read from it.
    opinions : mapping of name to (m,) float64
        What else speaks for the given label, each a share from 0 to 1; the card lists them.
    expected : ExpectedErrors or None
        How many labels may be wrong along the ranking by "confusion"; None where nobody can tell.
    """

    side: Side
    analysis: Result
    rows: IntArray
    labels: tuple[str, ...]
    given_codes: IntArray
    suggested_codes: IntArray
    support: LabelSupport | None
    scores: Mapping[str, FloatArray]
    opinions: Mapping[str, FloatArray] = field(default_factory=dict)
    expected: ExpectedErrors | None = None
    said: TargetSupport | None = None
    _made: dict[str, AnyArray] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def key(self) -> str:
        """Text that is the same exactly for the same points with the same scores."""
        more = "|confusion" if "confusion" in self.scores else ""
        return f"{self.side}{more}|{self.analysis.key}"

    @cached_property
    def given(self) -> AnyArray:
        """Each point's label in the data, as text, (m,)."""
        return np.array(self.labels, dtype=object)[self.given_codes]

    @cached_property
    def suggested(self) -> AnyArray:
        """Each point's suggested class, as text, (m,)."""
        return np.array(self.labels, dtype=object)[self.suggested_codes]

    def names(self, points: IntArray | slice = slice(None)) -> list[str]:
        """Return what a person calls these points."""
        return [str(name) for name in self.analysis.dataset.ids[self.rows[points]].tolist()]

    def shares(self, points: IntArray | slice = slice(None)) -> FloatArray:
        """Return `LabelSupport.shares` of some points, (m, n_classes); no class of targets."""
        if self.support is None:
            return np.empty((len(self.rows[points]), 0))
        return replace(self.support, support=self.support.support[points]).shares

    @cached_property
    def doubted(self) -> NDArray[np.bool_]:
        """For which points another class is suggested, (m,)."""
        return np.asarray(self.given_codes != self.suggested_codes, dtype=np.bool_)

    def order(self, by: str) -> IntArray:
        """Return all points, most suspicious by a score first."""
        return self._once(f"order {by}", lambda: ranking(self.scores, by).astype(np.int32))

    def rank(self, by: str, points: IntArray) -> IntArray:
        """Return the rank of some points by a score, 1 = most suspicious; draws share it."""
        scores = self.scores[by]
        ascending = self._once(f"sorted {by}", lambda: np.sort(scores))
        return np.searchsorted(ascending, scores[points]) + 1

    @cached_property
    def group_of(self) -> IntArray:
        """Number of the group of points with identical features, (m,); -1 for one on its own."""
        if self.side == "train" and isinstance(self.analysis, Analysis):
            return self.analysis.duplicates.group_of  # found before
        return find_duplicates(self.analysis.dataset.X[self.rows]).group_of

    @cached_property
    def wrong(self) -> NDArray[np.bool_]:
        """Which points have a label that is known to be wrong, (m,)."""
        dataset = self.analysis.dataset
        true = dataset.y if dataset.y_true is None else dataset.y_true
        return np.asarray(dataset.y[self.rows] != true[self.rows], dtype=np.bool_)

    @cached_property
    def point_at(self) -> IntArray:
        """The point of each row of the data set, (n,); -1 where it is none of these."""
        found = np.full(self.analysis.dataset.n, -1, dtype=np.int64)
        found[self.rows] = np.arange(len(self))
        return found

    def nearest(self, points: IntArray) -> tuple[IntArray, FloatArray]:
        """Return the training points nearest to a few points, nearest first, itself left out.

        As the forest sees them, where the analysis works in its space and the points were among
        the test points; else by the distances between rows. O(n d) for each.

        Returns
        -------
        (m, w) int64
            Point ids.
        (m, w) float64
            Their distances; NaN where the forest's are not kept.
        """
        given, of_tests = self.analysis.given, self.side == "test"
        near, distances = given.nearest(points, of_tests=of_tests)
        if given.forest is not None and (of_tests or self.analysis.judged_by_itself):
            distances = np.full(near.shape, np.nan)
        return near, distances

    def class_statistics(self, code: int) -> tuple[int, FloatArray, FloatArray]:
        """Return how many training points a class has, and mean and spread of each column, (d,)."""

        def make() -> AnyArray:
            analysis = self.analysis
            members = np.flatnonzero(analysis.codes == code)
            if self.said is not None:  # targets are not told apart by classes
                members = np.arange(analysis.n)
            X = analysis.dataset.X[analysis.rows[members]]
            if not len(X):
                return np.zeros((3, X.shape[1]))
            # A column of one value has no spread at all, whatever rounding says.
            spread = np.where(np.ptp(X, axis=0) > 0, X.std(axis=0), 0.0)
            return np.stack([np.full(X.shape[1], float(len(X))), X.mean(axis=0), spread])

        name = f"class {code}" if self.said is None else "all"
        counts, mean, spread = self._once(name, make)
        return int(counts[0]), mean, spread

    def _once(self, name: str, make: Callable[[], AnyArray]) -> AnyArray:
        if name not in self._made:
            self._made[name] = read_only(make())
        return self._made[name]


def training_points(
    analysis: Result, scores: Mapping[str, FloatArray], opinion: SecondOpinion | None = None
) -> Subject:
    """Return the training points with the findings of the analysis; see ``kept.scores_of``."""
    if isinstance(analysis.doubt, TargetDoubt):
        return _measured_points(analysis, analysis.doubt.said, scores)
    expected = None
    if opinion is not None and analysis.given.forest is not None:
        expected = opinion.expected  # measured in the forest alone
    return Subject(
        side="train",
        analysis=analysis,
        rows=analysis.rows,
        labels=analysis.classes,
        given_codes=analysis.codes,
        suggested_codes=analysis.suggested,
        support=analysis.support,
        scores=scores,
        opinions={} if opinion is None else opinion.opinions,
        expected=expected,
    )


def _measured_points(
    analysis: Result, said: TargetSupport, scores: Mapping[str, FloatArray]
) -> Subject:
    """Return training points whose labels are measured: a label for each different number."""
    suggested = np.where(np.isnan(said.suggested), said.targets, said.suggested)
    numbers, codes = np.unique(np.concatenate([said.targets, suggested]), return_inverse=True)
    given, other = np.split(codes.astype(np.int64), 2)
    return Subject(
        side="train",
        analysis=analysis,
        rows=analysis.rows,
        labels=tuple(label_told(number) for number in numbers.tolist()),
        given_codes=given,
        suggested_codes=other,
        support=None,
        scores=scores,
        said=said,
    )


def judging_points(analysis: Result) -> Subject | None:
    """Return the test points, supported by the training points.

    None if there are none, or their labels are measured.

    O(t n (d + log n)).
    """
    if analysis.judged_by_itself or analysis.targets is not None:
        return None
    given = analysis.given
    found = judge_test_labels(**given.placed, k=analysis.k)
    names, codes = np.unique(analysis.dataset.y[given.parts.test_rows], return_inverse=True)
    own = [str(name) for name in names.tolist()]
    labels = (*analysis.classes, *sorted(set(own) - set(analysis.classes)))
    code_of = {name: code for code, name in enumerate(labels)}
    suggested, which = np.unique(found.suggested, return_inverse=True)
    order = [[str(name) for name in found.classes].index(name) for name in analysis.classes]
    return Subject(
        side="test",
        analysis=analysis,
        rows=read_only(given.parts.test_rows),
        labels=labels,
        given_codes=np.array([code_of[name] for name in own], dtype=np.int64)[codes],
        suggested_codes=np.array([code_of[str(one)] for one in suggested.tolist()])[which],
        support=replace(found, support=found.support[:, order], frequency=found.frequency[order]),
        scores={
            "quality": found.quality,
            "rarity": rarity(codes.astype(np.int64)),
        },
    )
