"""Several opinions on every label joined into one: the second opinion behind the ranking."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from stiknn_core.errors import ParameterError, ShapeError
from stiknn_core.types import FloatArray, IntArray, read_only

#: Numbers below were chosen by the protocol of docs/detection.md, all of them round.
POWER = 8
FLOOR = 0.02
ROUNDS = 6
KEPT = 0.9
PRIOR = 0.1
OTHER = 0.5

#: Numbers of the support that are looked at at a time.
_CELLS = 4_000_000


@dataclass(frozen=True)
class Shares:
    """What one opinion says of every label: ``given`` and ``other_share`` of 1, and which other.

    Attributes
    ----------
    given : (n,) float64
        Share of the given class, in [0, 1]; low = suspicious.
    other : (n,) int64
        Code of the class with the largest share beside it, the smallest code of equals.
    other_share : (n,) float64
        Its share.
    """

    given: FloatArray
    other: IntArray
    other_share: FloatArray


def shares_of(support: FloatArray, codes: IntArray) -> Shares:
    """Return the shares of the given class and of its strongest other one; O(n c).

    Parameters
    ----------
    support : (n, c) float64
        At least 0, such as ``LabelSupport.support``. A row of zeros gives every class the same.
    codes : (n,) int64
        Given class of each row, 0..c-1.

    Returns
    -------
    Shares
        Where there is one class alone, it is its own other, with a share of 0.
    """
    n, n_classes = support.shape
    given, other, share = np.ones(n), np.array(codes), np.zeros(n)
    # Some rows at a time: an array more of all rows and classes may not fit.
    step = max(1, _CELLS // n_classes)
    for part in (slice(start, start + step) for start in range(0, n, step)):
        others, code = np.array(support[part]), codes[part]
        rows, total = np.arange(len(code)), others.sum(axis=1)
        some = total > 0
        divided = np.where(some, total, 1.0)
        given[part] = np.where(some, others[rows, code] / divided, 1 / n_classes)
        if n_classes > 1:
            others[rows, code] = -1.0
            other[part] = others.argmax(axis=1)
            found = others[rows, other[part]] / divided
            share[part] = np.where(some, found, 1 / n_classes)
    return Shares(read_only(given), read_only(other), read_only(share))


def combine(opinions: Sequence[FloatArray], codes: IntArray, other: IntArray) -> FloatArray:
    """Join what several opinions say of every given label.

    Parameters
    ----------
    opinions : sequence of (n,) float64
        Share or probability of the given label in each, in [0, 1], low = suspicious; none of them
        may have seen the label it is asked about. By the protocol: the share in the support by
        neighbours
        in the forest (``Shares.given``), ``Forest.confidence``, and `model_confidence`. Any of them
        may be left out, and others may join them.
    codes : (n,) int64
        Given class of each row, 0..c-1.
    other : (n,) int64
        The class it would most likely be instead (``Shares.other``).

    Returns
    -------
    (n,) float64
        In [0, 1]; low = suspicious. A rank, not a probability: see `expected_errors`.

    Raises
    ------
    ParameterError, ShapeError
        If there is no opinion, or they are of other lengths.

    Notes
    -----
    1. The mean of the opinions, each with the weight ``l**8``, where l is the likelihood that it
       gives to a label: the geometric mean of its numbers, 0.02 added to each. An opinion that
       predicts the labels of these data badly counts for next to nothing.
    2. Which class is mistaken for which is estimated from all rows. That a label is right is
       ``p t[y, y]`` against ``(1 - p) t[other, y]``, with p from step 1 and ``t[a, b]`` the rate
       at which rows of class a are given label b; t follows from all of these, six times in turn.
       It starts at 0.9 for a right label, and that counts like a tenth of the rows. With more
       than two classes half of ``1 - p`` is the other's; the rest is of classes that are given
       this label at the mean rate.

    O(n) time a round and O(n + c) memory, for any number of classes.

    References
    ----------
    Expectation and maximisation of such rates: Dawid and Skene (1979); their estimate from one
    set of labels and a model: Northcutt, Jiang and Chuang (2021), "Confident learning". Weights,
    prior and the early stop are our own.
    """
    if not opinions:
        raise ParameterError("combine needs at least one opinion; got none.")
    for place, opinion in enumerate(opinions):
        if opinion.shape != codes.shape:
            raise ShapeError(
                f"Opinion {place} must hold one number per row, {codes.shape} here; got "
                f"{opinion.shape}."
            )
    right = _pooled(opinions)
    n_classes = int(max(codes.max(), other.max())) + 1
    return right if n_classes == 1 else _unmixed(right, codes, other, n_classes)


def _pooled(opinions: Sequence[FloatArray]) -> FloatArray:
    """Return the mean opinion, each weighted by how likely it finds the labels."""
    logs = np.array([np.log(opinion + FLOOR).mean() for opinion in opinions])
    weights = np.exp(POWER * (logs - logs.max()))
    weights /= weights.sum()
    pooled: FloatArray = np.zeros(opinions[0].shape)
    for weight, opinion in zip(weights, opinions, strict=True):
        pooled += weight * opinion
    return pooled


def _unmixed(right: FloatArray, codes: IntArray, other: IntArray, n_classes: int) -> FloatArray:
    """Return that the label is right, given how often each class is taken for which other one."""
    p = (right + FLOOR / 2) / (1 + FLOOR)
    of_other = 1.0 if n_classes == 2 else OTHER
    # Only pairs that occur have a rate: there may be thousands of classes.
    pairs, pair = np.unique(other * n_classes + codes, return_inverse=True)
    source = pairs // n_classes
    prior = PRIOR * len(codes) / n_classes
    mistaken = (1 - KEPT) / (n_classes - 1)
    kept = np.full(n_classes, KEPT)
    taken = np.full(len(pairs), mistaken)
    anyhow = np.full(n_classes, mistaken)
    q = p
    for _ in range(ROUNDS):
        ours = p * kept[codes]
        theirs = (1 - p) * (of_other * taken[pair] + (1 - of_other) * anyhow[codes])
        q = ours / (ours + theirs)
        stayed = np.bincount(codes, q, minlength=n_classes)
        moved = np.bincount(pair, 1 - q, minlength=len(pairs))
        rows = stayed + np.bincount(source, moved, minlength=n_classes) + prior
        kept = (stayed + prior * KEPT) / rows
        taken = (moved + prior * mistaken) / rows[source]
        came = np.bincount(codes, 1 - q, minlength=n_classes)
        anyhow = (came + prior * (1 - KEPT)) / (rows.sum() - rows)
    return q
