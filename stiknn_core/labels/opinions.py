"""The second opinion on every label: neighbours, trees that did not see the row, a linear model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from stiknn_core.engine.threads import Progress
from stiknn_core.errors import ShapeError
from stiknn_core.labels.combined import combine, shares_of
from stiknn_core.labels.expected import ExpectedErrors, expected_errors
from stiknn_core.labels.forest import Forest
from stiknn_core.labels.models import model_confidence
from stiknn_core.types import FloatArray, LabelSupport, read_only
from stiknn_core.validation.rows import check_rows

NEIGHBOURS = "neighbours"
TREES = "trees that did not see the row"
LINEAR = "linear model"


@dataclass(frozen=True, eq=False)
class SecondOpinion:
    """What several opinions say of every training label, alone and joined.

    Attributes
    ----------
    score : (n,) float64, read-only
        The opinions joined, in [0, 1]; low = suspicious.
    opinions : read-only mapping of name to (n,) float64
        Share or probability of the given label in each, in [0, 1]; low = suspicious.
    expected : ExpectedErrors
        How many labels may be wrong along the ranking by ``score``; measured in the forest alone.
    """

    score: FloatArray
    opinions: Mapping[str, FloatArray]
    expected: ExpectedErrors


def second_opinion(
    X: Any,
    y: Any,
    support: LabelSupport,
    forest: Forest | None = None,
    *,
    seed: int = 0,
    progress: Progress | None = None,
) -> SecondOpinion:
    """Join three opinions on every training label, and correct for classes mistaken for others.

    It finds more than label quality where one class is mistaken for one other, and no more in
    general: docs/detection.md.

    Parameters
    ----------
    X : (n, d) array or DataFrame
        Training features: finite numbers in any units, never distances.
    y : (n,) labels
    support : LabelSupport
        Of the same rows: from `stiknn_core.label_support` or `stiknn_core.overview`.
    forest : Forest, optional
        Grown on the same rows: its trees are one opinion more. The support should be that in its
        space.
    seed : int, default 0
        0 to 2**32 - 1: which rows form a fold of the linear model.
    progress : callable or None
        Called with (done, total) of steps; what it raises stops the work.

    Returns
    -------
    SecondOpinion

    Raises
    ------
    StiknnError
        If features or labels are not usable, or support and forest are not of these rows.

    Notes
    -----
    Joined are the share of the given label in the support, `Forest.confidence`, and
    `stiknn_core.labels.models.model_confidence`, by `stiknn_core.labels.combined.combine`. The time
    is that of the linear model: at most 100 steps in each of five folds, each bounded; O(n (c + d))
    memory.
    """
    rows, labels = check_rows(X, y)
    n = len(rows.X)
    sizes = {"support": len(support.support)}
    if forest is not None:
        sizes["forest"] = forest.n_train
    for of, found in sizes.items():
        if found != n:
            raise ShapeError(
                f"The {of} must be of the same rows as X, {n:,} here; got {found:,}. Compute it "
                "from these rows."
            )
    codes = labels.codes(support.classes)
    if (codes < 0).any():
        raise ShapeError(
            "y holds a class that the support does not know. Compute the support from these labels."
        )
    shares = shares_of(support.support, codes)
    opinions = {NEIGHBOURS: shares.given}
    if forest is not None:
        opinions[TREES] = forest.confidence
    opinions[LINEAR] = read_only(model_confidence(X, y, seed=seed, progress=progress))
    score = combine(tuple(opinions.values()), codes, shares.other)
    return SecondOpinion(
        score=read_only(score),
        opinions=MappingProxyType(opinions),
        expected=expected_errors(score, shares),
    )
