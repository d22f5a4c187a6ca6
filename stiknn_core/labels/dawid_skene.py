"""What annotators are likely to be right about, from what they said alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from stiknn_core.errors import LabelError, ParameterError
from stiknn_core.types import FloatArray, Votes, read_only
from stiknn_core.validation.settings import check_whole

_TOLERANCE = 1e-9  # of the log-likelihood per label
_SMALLEST = 1e-300


@dataclass(frozen=True, eq=False)
class DawidSkene:
    """True classes and annotators as the model of Dawid and Skene has them.

    Attributes
    ----------
    posterior : (n, c) float64, read-only
        Probability of each class for each row, in [0, 1]; ``prior`` where nobody said anything.
    confusion : (a, c, c) float64, read-only
        How often an annotator gives the second class where the first is true; 0 throughout for a
        class of which they saw no row.
    prior : (c,) float64, read-only
    likelihoods : (iterations,) float64, read-only
        Log-likelihood of all labels before each step; it never falls.
    """

    posterior: FloatArray
    confusion: FloatArray
    prior: FloatArray
    likelihoods: FloatArray


def check_votes(votes: Any) -> None:
    """Refuse what are no votes."""
    if not isinstance(votes, Votes):
        raise ParameterError(
            f"votes must be Votes, as in Dataset.votes; got {type(votes).__name__}."
        )


def dawid_skene(votes: Votes, iterations: int = 100) -> DawidSkene:
    """Estimate true classes and the annotators' confusion by expectation and maximisation.

    Parameters
    ----------
    votes : Votes
        On n rows, by a annotators.
    iterations : int, default 100
        Most steps, at least 1; fewer where the likelihood hardly grows any more.

    Returns
    -------
    DawidSkene

    Raises
    ------
    LabelError
        If nobody labelled anything.
    ParameterError
        If ``iterations`` is no whole number of at least 1, or ``votes`` are none.

    Notes
    -----
    Begins with the shares of the votes; no smoothing. Time O(labels c) for each step, memory
    O(labels c + a c²). Dawid and Skene: Maximum likelihood estimation of observer error-rates using
    the EM algorithm, Applied Statistics 28, 1979.
    """
    check_votes(votes)
    iterations = check_whole("iterations", iterations, least=1)
    row, annotator = np.nonzero(votes.said >= 0)
    if not len(row):
        raise LabelError("No annotator labelled any row; give votes with at least one label.")
    label = votes.said[row, annotator]
    n, a, c = len(votes.said), len(votes.annotators), len(votes.classes)
    counts = votes.counts
    seen = counts.sum(axis=1) > 0
    posterior = np.zeros((n, c))
    posterior[seen] = counts[seen] / counts[seen].sum(axis=1, keepdims=True)
    cell = annotator * c + label
    found: list[float] = []
    while True:
        prior = posterior[seen].mean(axis=0)
        given = np.stack([np.bincount(cell, posterior[row, t], a * c) for t in range(c)])
        confusion = given.reshape(c, a, c).transpose(1, 0, 2)
        total = confusion.sum(axis=2, keepdims=True)
        confusion = np.divide(confusion, total, out=np.zeros_like(confusion), where=total > 0)
        # Of true class t, the logarithm of what each label is worth.
        logs = np.log(np.maximum(confusion, _SMALLEST))[annotator, :, label]
        joint = np.stack([np.bincount(row, logs[:, t], n) for t in range(c)], axis=1)
        joint += np.log(np.maximum(prior, _SMALLEST))
        most = joint.max(axis=1, keepdims=True)
        each = np.exp(joint - most)
        sums = each.sum(axis=1, keepdims=True)
        likelihood = float((most + np.log(sums))[seen].sum())
        posterior = np.where(seen[:, None], each / sums, 0.0)
        grown = likelihood - found[-1] if found else np.inf
        found.append(likelihood)
        if len(found) >= iterations or grown <= _TOLERANCE * len(row):
            break
    posterior[~seen] = prior
    return DawidSkene(
        read_only(posterior), read_only(confusion), read_only(prior), read_only(np.array(found))
    )
