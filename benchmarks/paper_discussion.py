"""The paper's discussion: circles balanced, unbalanced and mislabeled, and what they show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from sklearn.datasets import make_circles
from sklearn.metrics import average_precision_score
from sklearn.neighbors import KNeighborsClassifier

from benchmarks.paper_findings import Finding, number
from stiknn_core import Interactions, interactions
from stiknn_core.datasets import add_copies, flip_labels, make_dataset, thin_class
from stiknn_core.datasets.generators import Kind
from stiknn_core.sampling import take_rows
from stiknn_core.scores import row_likeness
from stiknn_core.types import AnyArray, Dataset, FloatArray

N = 600
N_TEST = 150
K = 5
#: So little that the classes stay apart, and the accuracy is 1, as in the paper.
NOISE = 0.05
#: Where the rings run into each other.
ROUGH = 0.2
SEED = 0
#: What is left of the blue class in the unbalanced circle.
KEPT = 0.25
FLIPPED = 0.05


@dataclass(frozen=True, eq=False)
class Study:
    """A training set, fresh points of the same kind that test it, and its matrix."""

    train: Dataset
    test: Dataset

    @cached_property
    def result(self) -> Interactions:
        """The STII matrix at `K`."""
        return interactions(self.train.X, self.train.y, self.test.X, self.test.y, k=K)

    @cached_property
    def accuracy(self) -> float:
        """The share of test points whose class most of the K nearest have."""
        model = KNeighborsClassifier(K).fit(self.train.X, self.train.y)
        return float(model.score(self.test.X, self.test.y))

    @cached_property
    def means(self) -> ClassMeans:
        """Mean interactions within and between the classes."""
        return class_means(self.result.matrix, self.train.y)


@dataclass(frozen=True)
class ClassMeans:
    """Mean interaction of pairs, in units of likelihood, and shares that are below zero.

    ``blue`` is within class 0, ``inside`` within any class.
    """

    blue: float
    inside: float
    between: float
    inside_negative: float
    between_negative: float


def class_means(matrix: FloatArray, y: AnyArray) -> ClassMeans:
    """Return the means over pairs (i < j) of two classes 0 and 1; O(n²)."""
    first, second = np.triu_indices(len(matrix), 1)
    pairs = matrix[first, second]
    same = y[first] == y[second]
    return ClassMeans(
        blue=float(pairs[same & (y[first] == 0)].mean()),
        inside=float(pairs[same].mean()),
        between=float(pairs[~same].mean()),
        inside_negative=float((pairs[same] < 0).mean()),
        between_negative=float((pairs[~same] < 0).mean()),
    )


def balanced(kind: Kind = "circles", noise: float = NOISE, n: int = N, t: int = N_TEST) -> Study:
    """Return equally large classes, with freshly generated test points."""
    return Study(make_dataset(kind, n, noise, SEED), make_dataset(kind, t, noise, SEED + 1))


def unbalanced(circle: Study) -> Study:
    """Return the circle with `KEPT` of its blue class; the test points stay balanced."""
    return Study(thin_class(circle.train, 0, KEPT, SEED), circle.test)


def mislabeled(circle: Study, share: float = FLIPPED, seed: int = SEED) -> Study:
    """Return the circle with flipped training labels; those of the test points stay right."""
    return Study(flip_labels(circle.train, share, seed), circle.test)


def findings(circle: Study, thin: Study, wrong: Study) -> list[Finding]:
    """Return what the three circles say of the discussion's claims."""
    n, t = circle.train.n, circle.test.n
    return [
        _in_and_out(
            circle,
            {
                "rings of radius 1 and 0.8": _close_rings(n, t),
                "moons": balanced("moons", 0.1, n, t),
                "two separate clouds": balanced("blobs", 0.3, n, t),
            },
        ),
        *_redundancy(circle, thin),
        _copies(circle),
        *_mislabeled(wrong),
    ]


def _close_rings(n: int, t: int) -> Study:
    """Return rings of radius 1 and 0.8, as scikit-learn's generator draws them unless told."""
    parts = []
    for size, seed in ((n, SEED), (t, SEED + 1)):
        X, y = make_circles(size, noise=0.02, random_state=seed)
        parts.append(
            Dataset(X=X, y=y, name="rings", feature_names=("x1", "x2"), ids=np.arange(size))
        )
    return Study(*parts)


def _in_and_out(circle: Study, others: Mapping[str, Study]) -> Finding:
    rings = circle.means
    shares = [
        f"{name}: {study.means.between / study.means.inside:.0%}" for name, study in others.items()
    ]
    return Finding(
        "in-class against out-of-class",
        "a class interacts heavily and negatively with itself, and hardly with the other",
        f"circle: {number(rings.inside)} in class ({rings.inside_negative:.0%} negative), "
        f"{number(rings.between)} between, {rings.between / rings.inside:.0%} of it; "
        f"{'; '.join(shares)}",
        "in part",
    )


def _redundancy(circle: Study, thin: Study) -> list[Finding]:
    many, few = int((circle.train.y == 0).sum()), int((thin.train.y == 0).sum())
    as_rare = Study(thin.train, thin_class(circle.test, 0, KEPT, SEED))
    before, after, rare = circle.means.blue, thin.means.blue, as_rare.means.blue
    blue_ones = take_rows(as_rare.test, np.flatnonzero(as_rare.test.y == 0))
    asked = [Study(study.train, blue_ones).means.blue for study in (thin, circle)]
    return [
        Finding(
            "redundancy lowers in-class interaction",
            "with fewer blue points, each pair of them interacts more",
            f"{many} blue points {number(before)}, {few} blue points {number(after)}: "
            f"{after / before:.2f} times (accuracy {circle.accuracy:.3f} and {thin.accuracy:.3f})",
            "yes" if after < before < 0 else "no",
        ),
        Finding(
            "the same, tested on as few blue points",
            "(the test set is not described)",
            f"{number(rare)}, {rare / before:.2f} times as much, since few test points ask for "
            f"blue; counting only the blue ones, {asked[0] / asked[1]:.2f} times",
            "yes" if rare < before else "no",
        ),
    ]


def _copies(circle: Study) -> Finding:
    doubled = Study(add_copies(circle.train, 1.0, SEED), circle.test)
    marks = np.asarray(doubled.train.copy_of)
    copies = np.flatnonzero(marks >= 0)
    values = doubled.result.values
    apart = float(np.abs(values[copies] - values[marks[copies]]).max())
    before, after = circle.means.inside, doubled.means.inside
    return Finding(
        "copies",
        "a copy has the same value, and all contributions become smaller",
        f"values of copies differ by {number(apart)}; with every point doubled the mean value goes "
        f"from {number(float(circle.result.values.mean()))} to {number(float(values.mean()))} and "
        f"the in-class mean from {number(before)} to {number(after)}, {after / before:.2f} times",
        "yes" if apart < 1e-12 and abs(after) < abs(before) else "no",
    )


def _mislabeled(wrong: Study) -> list[Finding]:
    score, flipped = _likeness(wrong)
    likes = (score[flipped] < 0).mean()
    rough = mislabeled(balanced(noise=ROUGH, n=wrong.train.n, t=wrong.test.n))
    precision, _ = _precision(wrong)
    rough_precision, rough_by_value = _precision(rough)
    return [
        Finding(
            "mislabeled rows resemble the other class",
            "their pattern corresponds more to the opposite class",
            f"of {flipped.sum()} flipped points {likes:.0%} have a row that correlates more with "
            f"the mean row of the other class, of the rest "
            f"{(score[~flipped] < 0).mean():.0%}",
            "yes" if likes > 0.9 else "in part",
        ),
        Finding(
            "mislabeled rows can be found",
            "the matrix helps to identify them",
            f"ranked by that likeness, average precision {precision:.3f} (chance "
            f"{flipped.mean():.2f}); where the rings overlap (noise {ROUGH}) "
            f"{rough_precision:.3f}, by the KNN-Shapley value {rough_by_value:.3f}",
            "yes" if precision > 0.9 else "in part",
        ),
    ]


def _likeness(study: Study) -> tuple[FloatArray, AnyArray]:
    """Return how much each row looks like its own class, and whose label is wrong."""
    flipped = np.isin(np.arange(study.train.n), study.train.flipped)
    return row_likeness(study.result.matrix, study.train.y.astype(np.int64), 2), flipped


def _precision(study: Study) -> tuple[float, float]:
    """Return the average precision of row likeness and of the KNN-Shapley value."""
    score, flipped = _likeness(study)
    return (
        float(average_precision_score(flipped, -score)),
        float(average_precision_score(flipped, -study.result.values)),
    )
