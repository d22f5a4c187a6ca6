"""What a view says of single points, whatever kind of result they are of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from stiknn_core import Interactions, RankedNeighbors, label_support, target_support, values
from stiknn_core.engine.coefficients import has_support
from stiknn_core.games import index_of
from stiknn_core.phrases import counted
from stiknn_core.sampling import band_names, bands_of
from stiknn_core.types import AnyArray, FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Facts:
    """The points of a result, one entry each, in their own order.

    Attributes
    ----------
    classes : tuple
        Class names; where targets were measured, bands of them.
    codes, suggested : (n,) int64
        Given and suggested class of each point, by place in ``classes``.
    ids : (n,) array
    values : (n,) float64
    quality : (n,) float64
        Label quality; NaN where it is not known.
    features : (n, d) float64 or None
    index : str
    told : str
        What was computed, in a sentence.
    targets, proposed : (n,) float64 or None
        Measured targets, and those suggested; NaN where that is not known.
    """

    classes: tuple[Any, ...]
    codes: IntArray
    suggested: IntArray
    ids: AnyArray
    values: FloatArray
    quality: FloatArray
    features: FloatArray | None
    index: str
    told: str
    targets: FloatArray | None = None
    proposed: FloatArray | None = None

    @property
    def n(self) -> int:
        """Number of points."""
        return len(self.codes)


def facts_of(result: Interactions | RankedNeighbors) -> Facts:
    """Return the facts of a result; of one that is ranked it may take a pass over its tests."""
    return _of_ranked(result) if isinstance(result, RankedNeighbors) else _of_matrix(result)


def _of_matrix(result: Interactions) -> Facts:
    classes, codes, targets = _classes(result.score, result.classes, result.labels)
    alone = result.evaluation == "leave-one-out"
    quality, suggested = np.full(len(codes), np.nan), codes
    if alone and result.features is not None and result.score == "plain":
        asked: dict[str, Any] = {"k": result.k, "metric": result.metric, "ties": result.ties}
        again = values(result.features, result.labels, kind=index_of(result.index), **asked)
        # A result does not keep weights, test points among its own, or what became of the array
        # that it was given: where the values come out otherwise, so would the quality.
        if np.allclose(again, result.values, rtol=0, atol=1e-9):
            found = label_support(result.features, result.labels, **asked)
            quality, suggested = found.quality, _codes(classes, found.suggested)
    proposed = None
    if alone and result.features is not None and targets is not None:
        asked = {"k": result.k, "metric": result.metric, "ties": result.ties}
        proposed = target_support(result.features, targets, **asked).suggested
    tested = "each tested with the others" if alone else counted(result.n_test, "test point")
    return Facts(
        classes=classes,
        codes=codes,
        suggested=suggested,
        ids=result.ids,
        values=result.values,
        quality=quality,
        features=result.features,
        index=result.index,
        told=_told(result.n_train, tested, result, result.metric),
        targets=targets,
        proposed=_or_unknown(proposed, targets),
    )


def _of_ranked(ranked: RankedNeighbors) -> Facts:
    problem = ranked.problem
    classes, codes, targets = _classes(ranked.score, problem.classes, problem.labels)
    quality, suggested = np.full(len(codes), np.nan), codes
    if has_support(problem):
        found = ranked.overview()
        of_index, quality = found.values, found.support.quality
        suggested = _codes(classes, found.support.suggested)
    else:
        of_index = ranked.values()
    tested = counted(ranked.n_test, "test point")
    if problem.leave_one_out:
        some = problem.test_rows is not None
        tested = f"{ranked.n_test:,} of them" if some else "each"
        tested += " tested with the others"
    return Facts(
        classes=classes,
        codes=codes,
        suggested=suggested,
        ids=problem.ids,
        values=of_index,
        quality=quality,
        features=problem.X,
        index=ranked.index,
        told=_told(ranked.n_train, tested, ranked, problem.metric),
        targets=targets,
        proposed=_or_unknown(None, targets),
    )


def _classes(
    score: str, classes: tuple[Any, ...], labels: AnyArray
) -> tuple[tuple[Any, ...], IntArray, FloatArray | None]:
    if not score.startswith("measured"):
        return classes, _codes(classes, labels), None
    targets = np.asarray(labels, dtype=np.float64)
    codes, edges = bands_of(targets)
    return band_names(edges.tolist()), codes, targets


def _or_unknown(proposed: FloatArray | None, targets: FloatArray | None) -> FloatArray | None:
    if targets is None or proposed is not None:
        return proposed
    return np.full(len(targets), np.nan)


def _codes(classes: tuple[Any, ...], labels: AnyArray) -> IntArray:
    code_of = {label: code for code, label in enumerate(classes)}
    return np.array([code_of[label] for label in labels.tolist()], dtype=np.int64)


def _told(n: int, tested: str, result: Interactions | RankedNeighbors, metric: str) -> str:
    score = "" if result.score == "plain" else f", score {result.score}"
    return (
        f"{n:,} training points, {tested}, k = {result.k}, {result.index}{score}, "
        f"{metric} distance."
    )
