"""The functions that make scores: what they are given is checked here, and bound to data later."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

import numpy as np

from stiknn_core.errors import LabelError, ParameterError, ShapeError
from stiknn_core.games.checks import (
    check_number,
    check_probabilities,
    check_table,
    digest,
    written,
)
from stiknn_core.games.gains import Kernel, Loss
from stiknn_core.games.scores import PLAIN, AnyScore, Score, score_of
from stiknn_core.types import AnyArray, FloatArray


def plain() -> Score:
    """Return the score of the paper: 1 for the label of the test point, else 0.

    Returns
    -------
    Score
    """
    return PLAIN


_KERNELS: dict[Kernel, str] = {
    "inverse": "1 / (1 + d / {})",
    "rbf": "exp(-(d / {})² / 2)",
    "tricube": "(1 - min(d / {}, 1)³)³",
}


def kernel(weights: Any, bandwidth: float | None = None) -> Score:
    """Return the plain score times a weight that falls with the distance.

    Parameters
    ----------
    weights : {"inverse", "rbf", "tricube"} or (n_test, n_train) array
        The function of the distance d, in [0, 1]: 1 / (1 + d / b), exp(-(d / b)² / 2) or
        (1 - (d / b)³)³ up to b; or given weights, finite and not negative.
    bandwidth : float, optional
        b, in units of the metric, above 0; needed by a function, and by it alone.

    Returns
    -------
    Score
        Not the normalised vote of scikit-learn, which divides by the sum of the weights.

    Raises
    ------
    ParameterError, ShapeError
        If weights or bandwidth are none of these.
    """
    if isinstance(weights, str):
        if weights not in _KERNELS:
            known = ", ".join(map(repr, _KERNELS))
            raise ParameterError(
                f"weights must be one of {known}, or an array with a row per test point and a "
                f"column per training point; got {weights!r:.60}."
            )
        if bandwidth is None:
            raise ParameterError(
                f"bandwidth must be a number above 0, in units of the metric; kernel({weights!r}) "
                "got none."
            )
        b = check_number("bandwidth", bandwidth, "a number above 0", lambda value: value > 0)
        called = f"kernel({weights!r}, {written(b)})"
        shape = _KERNELS[weights].format(written(b))
        return Score(called, f"u = {shape} [y_i = y_t] / k", "kernel", (weights, b))
    if bandwidth is not None:
        raise ParameterError(
            f"bandwidth belongs to 'inverse', 'rbf' or 'tricube', not to given weights; got "
            f"{bandwidth!r:.60}. Leave it out."
        )
    table = check_table("weights", weights, "test point")
    told = f"table {digest(table)}"
    return Score(
        f"kernel({told})",
        "u = K(i, t) [y_i = y_t] / k, K given",
        "kernel",
        (told,),
        arrays=(table,),
    )


def soft(probabilities: Any) -> Score:
    """Return the score of test points that have a probability for every class.

    Parameters
    ----------
    probabilities : (n_test, n_classes) array
        Rows add up to 1. Columns follow the sorted classes of the training points.

    Returns
    -------
    Score
        A training point brings the probability that the test point is of its class.

    Raises
    ------
    ParameterError, ShapeError
        If they are no such table.
    """
    return _soft(check_probabilities(probabilities, "test point"))


def votes(counts: Any, others: Any = None) -> Score:
    """Return the score of test points that several annotators have labelled.

    Parameters
    ----------
    counts : (n_test, n_classes) array
        How many gave each class. Columns as in `soft`.
    others : (n_test,) array or None
        How many gave a class that no training point has; with them, at least one in every row.

    Returns
    -------
    Score
        A training point brings the share of annotators that gave its class.

    Raises
    ------
    ParameterError, ShapeError
        If they are no such table, or nobody labelled a row.
    """
    table = check_table("counts", counts, "test point")
    total = table.sum(axis=1)
    if others is not None:
        total = total + _told_besides(others, len(table))
    if not total.all():
        raise ParameterError(
            f"Each row of counts needs at least one annotator; row {int(total.argmin())} has none. "
            "Leave that test point out."
        )
    return _soft(table / total[:, None])


def _told_besides(others: Any, n: int) -> FloatArray:
    told: FloatArray = check_table("others", [others], "test point")[0]
    if len(told) != n:
        raise ShapeError(
            f"others needs one number for each of the {n:,} rows of counts; got {len(told):,}."
        )
    return told


def _soft(table: FloatArray) -> Score:
    told = f"table {digest(table)}"
    return Score(f"soft({told})", "u = P_t(y_i) / k", "soft", (told,), arrays=(table,))


def soft_training(probabilities: Any) -> Score:
    """Return the score of training points that have a probability for every class.

    Parameters
    ----------
    probabilities : (n_train, n_classes) array
        Rows add up to 1. Columns follow the sorted classes of the training points.

    Returns
    -------
    Score
        A training point brings the probability that it is of the class of the test point.

    Raises
    ------
    ParameterError, ShapeError
        If they are no such table.
    """
    table = check_probabilities(probabilities, "training point")
    told = f"table {digest(table)}"
    return Score(
        f"soft_training({told})", "u = P_i(y_t) / k", "soft_training", (told,), arrays=(table,)
    )


def labels(train: Any, test: Any = None) -> Score:
    """Return the score of rows with several labels each: the mean over labels of the plain one.

    Parameters
    ----------
    train : (n_train, L) array
        Labels of each row, of any one kind, one column for each question; tags are columns of
        0 and 1.
    test : (n_test, L) array, optional
        Those of the test points; left out in leave-one-out testing.

    Returns
    -------
    Score
        A training point brings the share of labels that it has in common with the test point.

    Raises
    ------
    ShapeError, LabelError
        If these are no such tables, or cells are missing.
    """
    given = [_label_table("train", train)]
    if test is not None:
        given.append(_label_table("test", test))
        if given[0].shape[1] != given[1].shape[1]:
            raise ShapeError(
                f"train and test must have the same columns; got {given[0].shape[1]} and "
                f"{given[1].shape[1]}."
            )
    coded = []
    for column in range(given[0].shape[1]):
        parts = [table[:, column] for table in given]
        _, codes = np.unique(np.concatenate(parts), return_inverse=True)
        coded.append(codes)
    numbers = np.stack(coded, axis=1).astype(np.int64)
    n = len(given[0])
    rows = tuple(part for part in (numbers[:n], numbers[n:]) if len(part))
    told = f"table {digest(*rows)}"
    return Score(
        f"labels({told})", "u = mean over labels of [y_i = y_t] / k", "labels", (told,), arrays=rows
    )


def _label_table(name: str, given: Any) -> AnyArray:
    table = np.asarray(given)
    if table.ndim != 2 or 0 in table.shape:
        raise ShapeError(f"{name} must have a row per point and a column per label; got shape "
                         f"{table.shape}.")  # fmt: skip
    if table.dtype.kind == "O":
        if any(cell is None or cell != cell for cell in table.ravel()):
            raise LabelError(f"{name} must have a label in every cell; some are missing.")
        table = table.astype(str)
    elif table.dtype.kind == "f" and not np.isfinite(table).all():
        raise LabelError(f"{name} must have a label in every cell; some are missing.")
    return table


def costs(costs: Mapping[Any, float]) -> Score:
    """Return the plain score times what the class of the test point costs.

    Parameters
    ----------
    costs : mapping
        Cost of each class, not negative; 1 for a class that is not named.

    Returns
    -------
    Score

    Raises
    ------
    ParameterError
        If it is no mapping, or a cost is no such number.
    """
    if not isinstance(costs, Mapping) or not costs:
        raise ParameterError(
            f"costs must name the cost of classes, as in {{'a': 2.0}}; got {costs!r:.60}."
        )
    given = {
        name: check_number(f"The cost of {name!r}", cost, "a number of at least 0", _not_negative)
        for name, cost in costs.items()
    }
    told = ", ".join(f"{name!r}: {written(cost)}" for name, cost in given.items())
    return Score(
        f"costs({{{told}}})", "u = cost(y_t) [y_i = y_t] / k", "costs", tuple(given.items())
    )


def _not_negative(value: float) -> bool:
    return value >= 0


_LOSSES: dict[Loss, str] = {
    "absolute": "|y_i - y_t|",
    "squared": "(y_i - y_t)²",
    "huber": "(Huber's loss of y_i - y_t, straight beyond {})",
}


def measured(loss: Loss = "absolute", delta: float | None = None) -> Score:
    """Return the score of measured targets: minus the mean loss of the neighbours.

    Parameters
    ----------
    loss : {"absolute", "squared", "huber"}
        Of the target of one neighbour. Huber's is half the square up to ``delta`` and grows in
        a straight line beyond.
    delta : float, optional
        In units of the target, above 0; needed by "huber", and by it alone.

    Returns
    -------
    Score
        ``y`` and ``y_test`` are numbers then. It is not the squared loss of the neighbours' mean
        (the regression utility of Jia et al.), which no such theorem holds for. Utilities are 0
        at best, and in units of the loss.

    Raises
    ------
    ParameterError
        If there is no such loss, or delta is no such number.
    """
    if not isinstance(loss, str) or loss not in get_args(Loss):
        known = ", ".join(map(repr, get_args(Loss)))
        raise ParameterError(f"loss must be one of {known}; got {loss!r:.60}.")
    called = f"measured({loss!r})"
    if loss == "huber":
        if delta is None:
            raise ParameterError(
                "delta must be a number above 0, in units of the target; measured('huber') got "
                "none."
            )
        delta = check_number("delta", delta, "a number above 0", lambda value: value > 0)
        called = f"measured('huber', {written(delta)})"
    elif delta is not None:
        raise ParameterError(f"delta belongs to 'huber' alone; got {delta!r:.60}. Leave it out.")
    shape = _LOSSES[loss].format("" if delta is None else written(delta))
    return Score(called, f"u = -{shape} / k", "measured", (loss, delta or 0.0))


def normalised(score: AnyScore = "plain", *, empty: float = 0.0) -> Score:
    """Return a score whose utility is divided by min(k, |S|): the mean over who is there.

    Parameters
    ----------
    score : Score, default plain
    empty : float, default 0
        What nobody is worth, v of the empty set: 1 / classes is a guess.

    Returns
    -------
    Score
        For `stiknn_core.interactions` and `stiknn_core.values`.

    Raises
    ------
    ParameterError
        If ``empty`` is no number.

    References
    ----------
    Wang and Jia (2023), arXiv:2304.04258, for the Shapley value of the plain score; pairs and the
    other indices are our own.
    """
    given = score_of(score)
    worth = check_number("empty", empty, "a number", lambda value: True)
    return Score(
        f"normalised({given.name}, {written(worth)})",
        f"{given.formula.removesuffix(' / k')} / min(k, |S|)",
        given.kind,
        given.options,
        divided_by_size=True,
        empty=worth,
        arrays=given.arrays,
    )
