"""The results of interactions, by pairs and by blocks: frozen, explained, saved without pickle."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pandas as pd

from stiknn_core.errors import ParameterError
from stiknn_core.results.saving import ARRAYS, HEADER, read_result, write_result
from stiknn_core.results.showing import Viewable
from stiknn_core.types import AnyArray, FloatArray, IntArray, Metric, Ties, read_only

_SETTINGS = ("k", "index", "score", "metric", "ties", "evaluation")


@dataclass(frozen=True, eq=False)
class Interactions(Viewable):
    """Exact pairwise interactions between the training points of a k-nearest-neighbour classifier.

    All numbers are in units of utility (with the plain score the likelihood, the share of the k
    neighbours that have the label of a test point), raw and signed, averaged over the test points.

    Attributes
    ----------
    matrix : (n, n) float64 or float32, read-only, exactly symmetric
        ``matrix[i, j]``: the interaction of points i and j. Negative = substitutes (each
        adds less where the other is), positive = complements (each adds more).
        The diagonal is what a point earns alone (STII), which is much larger than the pairs, or
        its value (all others).
    values : (n,) float64, read-only
        KNN-Shapley value (STII, SII), Banzhaf value (BII) or that of another index. High = the
        point helps; negative = it lowers the utility on average over sets of the others, which
        does not mean that the data are better without it.
    likelihood : float
        v(N), the utility of the whole training set, in [0, 1] for the plain score. For STII it
        equals the diagonal plus one triangle of ``matrix``, and the sum of ``values``.
    classes : tuple
        Class names, in order.
    labels : (n,) array, read-only
        Class name of each training point.
    ids : (n,) array, read-only
        Index of the training DataFrame, else ``0..n-1``.
    k, metric, ties
        As computed with.
    index, score : str
        Names of the game that was played, as "STII" and "plain"; `games.index_of` reads an index.
    n_train, n_test : int
    evaluation : {"leave-one-out", "test set"}
    tied_test_points : int
        Test points with at least one group of equally distant training points of
        different labels: for these the rule for ties matters.
    absent_classes : tuple
        Classes of test points that no training point has.
    test_weight : float
        Sum of the weights of the test points (their number, if none were given).
    fingerprint : str
        SHA-256 of the training set; results merge only where it agrees. With precomputed
        distances it knows the labels alone.
    features : (n, d) float64 or None, read-only
        Features of the training points for `view` and `to_html`: the array that came in, where it
        was one of float64, so that a change of it shows there. No part of what `save` writes. None
        for precomputed distances, and after `load` and `merged_with`.
    """

    matrix: AnyArray
    values: FloatArray
    likelihood: float
    classes: tuple[Any, ...]
    labels: AnyArray
    ids: AnyArray
    k: int
    index: str
    metric: Metric
    ties: Ties
    n_train: int
    n_test: int
    evaluation: Literal["leave-one-out", "test set"]
    tied_test_points: int
    absent_classes: tuple[Any, ...]
    test_weight: float
    fingerprint: str
    score: str = "plain"
    features: FloatArray | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        for name in ARRAYS:
            getattr(self, name).setflags(write=False)

    def __repr__(self) -> str:
        return (
            f"Interactions(n_train={self.n_train}, n_test={self.n_test}, k={self.k}, "
            f"index={self.index!r}, score={self.score!r}, metric={self.metric!r}, "
            f"ties={self.ties!r}, evaluation={self.evaluation!r}, likelihood={self.likelihood:.6g})"
        )

    def to_dataframe(self) -> pd.DataFrame:
        """Return a copy of the matrix as a DataFrame with the ids on both axes."""
        return pd.DataFrame(self.matrix.copy(), index=self.ids, columns=self.ids)

    def merged_with(self, other: Interactions) -> Interactions:
        """Return what one run over the test points of both results would have given.

        Parameters
        ----------
        other : Interactions
            Computed on the same training set with the same settings. Where only one matrix is
            of float64, the joint one is too.

        Raises
        ------
        ParameterError
            If training sets or settings differ, or a result is from leave-one-out testing.
        """
        if "leave-one-out" in (self.evaluation, other.evaluation):
            raise ParameterError(
                "Only results on test sets can be merged; got one from leave-one-out testing. "
                "Compute on the joint data instead."
            )
        if self.fingerprint != other.fingerprint:
            raise ParameterError(
                "Results can be merged only on one training set; these come from different ones "
                f"({self.n_train:,} and {other.n_train:,} points). Compute both on the same."
            )
        for name in _SETTINGS:
            mine, theirs = getattr(self, name), getattr(other, name)
            if mine != theirs:
                raise ParameterError(
                    f"Results can be merged only with the same {name}; got {mine!r} and {theirs!r}."
                )
        total = self.test_weight + other.test_weight
        if not math.isfinite(total):
            raise ParameterError(
                "Results can be merged only where their weights have a finite sum; scale "
                "sample_weight down and compute again."
            )
        mine_share, their_share = self.test_weight / total, other.test_weight / total
        return replace(
            self,
            matrix=_joint(mine_share, self.matrix, their_share, other.matrix),
            values=mine_share * self.values + their_share * other.values,
            likelihood=mine_share * self.likelihood + their_share * other.likelihood,
            n_test=self.n_test + other.n_test,
            tied_test_points=self.tied_test_points + other.tied_test_points,
            absent_classes=tuple(dict.fromkeys(self.absent_classes + other.absent_classes)),
            test_weight=total,
            features=None,
        )

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the result to ``path``: a zip of plain NumPy arrays and a JSON header.

        No part of the format is pickled. The file is written beside and then moved into
        place, so that a failure leaves nothing half written.
        """
        header = {name: getattr(self, name) for name in HEADER}
        arrays = {name: getattr(self, name) for name in ARRAYS}
        write_result(Path(path), header, arrays)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Interactions:
        """Read a result written by `save`.

        Raises
        ------
        FileError
            If the file is missing, damaged, or not such a result.
        """
        header, arrays = read_result(Path(path))
        return cls(**header, **arrays)


def _joint(share: float, one: AnyArray, other_share: float, other: AnyArray) -> AnyArray:
    """Return the weighted sum of two matrices, of the wider kind of number."""
    kind = np.result_type(one, other)
    joint: AnyArray = share * one.astype(kind, copy=False)
    joint += other_share * other.astype(kind, copy=False)
    return joint


@dataclass(frozen=True, eq=False)
class BlockInteractions:
    """Sums and means of the interactions between blocks of training points.

    Attributes
    ----------
    sums : (B, B) float64, read-only, symmetric
        Sum over ordered pairs of different points, the first of the row's block and the second
        of the column's, in units of utility; negative = substitutes. The diagonal of the
        matrix, what points earn alone, is no part of it.
    counts : (B,) int64, read-only
        Points of each block.
    names : tuple
        What the blocks are called, in the order of rows and columns.
    k, index, metric, ties, n_train, n_test, score
        As in `stiknn_core.Interactions`.
    """

    sums: FloatArray
    counts: IntArray
    names: tuple[Any, ...]
    k: int
    index: str
    metric: Metric
    ties: Ties
    n_train: int
    n_test: int
    score: str = "plain"

    @property
    def pairs(self) -> IntArray:
        """(B, B) int64, read-only: ordered pairs of different points behind each sum."""
        return read_only(np.outer(self.counts, self.counts) - np.diag(self.counts))

    @property
    def means(self) -> FloatArray:
        """(B, B) float64, read-only: mean interaction of a pair; NaN where there is no pair."""
        return pair_means(self.sums, self.counts)


def pair_means(sums: FloatArray, counts: IntArray) -> FloatArray:
    """Return the mean interaction of a pair of two blocks, read-only; NaN where there is none."""
    pairs = np.outer(counts, counts) - np.diag(counts)
    mean = np.full(sums.shape, np.nan)
    np.divide(sums, pairs, out=mean, where=pairs > 0)
    return read_only(mean)
