"""What decisions on measured targets do to the mean loss of the neighbours, in a sentence. Pure."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from stiknn_core import values
from stiknn_core.preparation import scale_features
from stiknn_core.quiet import without_warnings
from stiknn_core.types import AnyArray, FloatArray, IntArray
from stiknn_ui.results.result import Result
from stiknn_ui.words.numbers import number

MOST_PAIRS: Final = 40_000_000
"""Training points times test points up to which it is measured at once, in a second or two."""


def target_effect(analysis: Result, labels: AnyArray, removed: NDArray[np.bool_]) -> str:
    """Say what the mean loss of the k neighbours is before and after the decisions.

    On targets that are the same in both: leave-one-out testing on the training points that were
    left as they are, else on the test points that were not removed, by their corrected targets.
    Values of the Shapley index add up to minus the mean loss, so that their sum is all that is
    needed.

    Parameters
    ----------
    analysis : Result
    labels, removed
        From ``desk.corrected``.
    """
    dataset, given = analysis.dataset, analysis.given
    train, test = given.parts.train, given.parts.test
    if len(train) * analysis.n_test > MOST_PAIRS:
        return "The effect is not measured on so many rows."
    stay = ~removed[train]
    if test is None:
        tests = np.flatnonzero(stay & (labels[train] == dataset.y[train]))
    else:
        tests = test[~removed[test]]
    if not len(tests) or stay.sum() < 2:
        return "No point is left to measure the effect on."
    every = np.ones(len(train), dtype=bool)
    before = _loss(analysis, dataset.y, labels, every, tests)
    after = _loss(analysis, labels, labels, stay, tests)
    what = "training points that you left as they are" if test is None else "test points"
    return (
        f"The mean loss of the {analysis.k} neighbours ({given.score.name}) goes from "
        f"{number(before)} to {number(after)} on {len(tests):,} {what}. Suggestions come from the "
        "same points, so some gain is to be expected even where they are wrong."
    )


def _loss(
    analysis: Result, y: FloatArray, told: FloatArray, stay: NDArray[np.bool_], tests: IntArray
) -> float:
    """Return the mean loss of the neighbours among the rows that stay."""
    dataset, given, compute = analysis.dataset, analysis.given, analysis.compute
    train = given.parts.train[stay]
    asked: dict[str, Any] = {"metric": compute.metric, "ties": compute.ties, "score": given.score}
    alone = given.parts.test is None
    X_test = None if alone else dataset.X[tests]
    X, X_test = scale_features(dataset.X[train], X_test, compute.scaling, dataset.blocks)
    if alone:
        place = np.cumsum(stay) - 1
        asked["test_rows"] = place[tests]
    k = min(analysis.k, len(train) - alone)
    with without_warnings():
        y_test = None if alone else told[tests]
        return -float(values(X, y[train], X_test, y_test, k=k, **asked).sum())
