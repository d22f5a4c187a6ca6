"""What a training point brings to a test point: other scores than "has its label".

The utility of a set is the sum of the scores of its k nearest points, divided by k. The theorem
that gives all pairs from one number a rank asks nothing of the scores (``docs/games.md``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import numpy as np

from stiknn_core.errors import LabelError, ParameterError
from stiknn_core.games.checks import check_shape
from stiknn_core.games.gains import (
    ByClass,
    ByPoint,
    Gains,
    Losses,
    Nearness,
    SharedLabels,
    Weighted,
)
from stiknn_core.types import AnyArray, FloatArray, IntArray

Kind = Literal["plain", "kernel", "soft", "soft_training", "labels", "costs", "measured"]


class Facts(NamedTuple):
    """What a score is told of the data that it is bound to.

    Attributes
    ----------
    codes, test_codes : (n,) and (t,) int64
        Position of each label in ``classes``, -1 for one that training lacks.
    classes : tuple
    own : (t,) int64 or None
        In leave-one-out testing which training point each test point is.
    targets, test_targets : (n,) and (t,) float64 or None
        Measured ones.
    """

    codes: IntArray
    test_codes: IntArray
    classes: tuple[Any, ...]
    own: IntArray | None
    targets: FloatArray | None = None
    test_targets: FloatArray | None = None


@dataclass(frozen=True)
class Score:
    """What training points bring to test points; made by the functions of `stiknn_core.games`.

    Equal ones are equal, and may be keys: arrays count by a digest of what they hold.

    Attributes
    ----------
    name : str
        How it is written: "plain", "kernel('rbf', 1)", "soft(table 1a2b3c4d)".
    formula : str
        u of training point i for test point t.
    kind : str
        Which function made it.
    options : tuple
        Its settings.
    divided_by_size : bool
        Whether the utility is divided by min(k, |S|) in place of k.
    empty : float
        What nobody is worth then.
    """

    name: str
    formula: str
    kind: Kind
    options: tuple[Any, ...] = ()
    divided_by_size: bool = False
    empty: float = 0.0
    arrays: tuple[AnyArray, ...] = field(default=(), compare=False, repr=False)

    @property
    def measured(self) -> bool:
        """Whether targets are numbers, not classes."""
        return self.kind == "measured"

    def bind(self, facts: Facts) -> Gains:
        """Return what it says of these data.

        Raises
        ------
        ShapeError, ParameterError, LabelError
            If its arrays or classes do not fit them.
        """
        match self.kind:
            case "kernel":
                return self._kernel(facts)
            case "soft":
                return ByClass(_fitting_test(self.arrays[0], facts))
            case "soft_training":
                return self._soft_training(facts)
            case "labels":
                return self._labels(facts)
            case "costs":
                return ByClass(_costs(dict(self.options), facts))
            case "measured":
                assert facts.targets is not None
                assert facts.test_targets is not None
                loss, delta = self.options
                return Losses(loss, delta, facts.targets, facts.test_targets)
        return Gains()

    def _soft_training(self, facts: Facts) -> Gains:
        names = f"a row per training point, a column per class, {_named(facts.classes)}"
        shape = len(facts.codes), len(facts.classes)
        check_shape("probabilities", self.arrays[0], shape, names)
        return ByPoint(np.ascontiguousarray(self.arrays[0].T))

    def _kernel(self, facts: Facts) -> Gains:
        if not self.arrays:
            return Nearness(*self.options)
        shape = len(facts.test_codes), len(facts.codes)
        names = "a row per test point, a column per training point"
        check_shape("weights", self.arrays[0], shape, names)
        return Weighted(self.arrays[0])

    def _labels(self, facts: Facts) -> Gains:
        rows = self.arrays[0]
        check_shape("train", rows, (len(facts.codes), rows.shape[1]), "a row per training point")
        if facts.own is not None:
            if len(self.arrays) > 1:
                raise ParameterError(
                    "In leave-one-out testing the test points are training points; leave out the "
                    "second array of games.labels."
                )
            return SharedLabels(rows, rows[facts.own])
        if len(self.arrays) == 1:
            raise ParameterError(
                "games.labels needs a second array, of the labels of the test points; pass "
                "games.labels(train, test)."
            )
        tests = self.arrays[1]
        check_shape("test", tests, (len(facts.test_codes), rows.shape[1]), "a row per test point")
        return SharedLabels(rows, tests)


AnyScore = Literal["plain"] | Score

PLAIN = Score("plain", "u = [y_i = y_t] / k", "plain")


def score_of(score: Any) -> Score:
    """Return the score that is meant by "plain" or a `Score`.

    Parameters
    ----------
    score : "plain" or Score

    Returns
    -------
    Score

    Raises
    ------
    ParameterError
        If it is neither.
    """
    if isinstance(score, Score):
        return score
    if isinstance(score, str) and score == "plain":
        return PLAIN
    raise ParameterError(
        "score must be 'plain', or a score of stiknn_core.games such as "
        f"games.kernel('rbf', bandwidth=1.0); got {score!r:.60}."
    )


def _named(classes: Sequence[Any]) -> str:
    shown = ", ".join(map(repr, classes[:5]))
    return shown if len(classes) <= 5 else f"{shown}, ..."


def _fitting_test(table: FloatArray, facts: Facts) -> FloatArray:
    names = f"a row per test point, a column per class, {_named(facts.classes)}"
    check_shape("probabilities", table, (len(facts.test_codes), len(facts.classes)), names)
    return table


def _costs(costs: dict[Any, float], facts: Facts) -> FloatArray:
    unknown = [name for name in costs if name not in facts.classes]
    if unknown:
        raise LabelError(
            f"costs names {unknown[0]!r}, which no training point is; the classes are "
            f"{_named(facts.classes)}."
        )
    own = np.array([costs.get(name, 1.0) for name in facts.classes])
    table = np.zeros((len(facts.test_codes), len(own)))
    known = np.flatnonzero(facts.test_codes >= 0)
    table[known, facts.test_codes[known]] = own[facts.test_codes[known]]
    return table
