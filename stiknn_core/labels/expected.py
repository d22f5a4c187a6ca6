"""How many labels are wrong, and how many of the most suspicious ones: where to cut a ranking."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import expit, logit

from stiknn_core.errors import ShapeError
from stiknn_core.labels.combined import Shares
from stiknn_core.types import FloatArray, read_only

#: Numbers below were chosen by the protocol of docs/detection.md.
SUREST = 0.8
USUAL = 0.07
TRUST = 0.7
SPREAD = 2.5
STEEP = 2.0


@dataclass(frozen=True)
class ExpectedErrors:
    """An estimate of how many labels are wrong, and where they are in a ranking.

    Attributes
    ----------
    n_wrong : float
        How many of all labels are wrong, 0 to n.
    low, high : float
        Four of five times the truth lay between them where this was measured.
    precision : (n,) float64
        ``precision[m - 1]`` is the share to be expected wrong among the m most suspicious, in
        [0, 1]; it falls with m, to ``n_wrong / n``.
    """

    n_wrong: float
    low: float
    high: float
    precision: FloatArray

    def among(self, m: int) -> tuple[float, float, float]:
        """Return how many of the m most suspicious are wrong: expected, least and most.

        Least and most are as far off, as a factor, as ``low`` and ``high`` are; none is above m.
        """
        if not m:
            return 0.0, 0.0, 0.0
        found = float(self.precision[m - 1]) * m
        least, most = (found * end / self.n_wrong for end in (self.low, self.high))
        return found, least, min(float(m), most)


def expected_errors(score: FloatArray, shares: Shares) -> ExpectedErrors:
    """Estimate how many labels are wrong, and the precision along a ranking.

    Parameters
    ----------
    score : (n,) float64
        What rows are ranked by, in [0, 1], low = suspicious: the result of `combine`.
    shares : Shares
        What neighbours in the forest say of every label.

    Returns
    -------
    ExpectedErrors

    Raises
    ------
    ShapeError
        If the two are of other lengths.

    Notes
    -----
    Among the 80 % of the rows with the largest leading share, classes hardly overlap, and another
    class than the given one mostly leads since the label is wrong. How often it does, ``e``, stands
    for all rows, and is drawn towards the 7 % that tables have in general: ``e**0.7 * 0.07**0.3``.
    Errors that confirm each other (clusters) are not seen by it, and classes that overlap
    everywhere are taken for errors: docs/detection.md tells how far off it was.

    A row is wrong with probability ``1 / (1 + exp(2 logit(score) - a))``, with the a for which they
    sum to ``n_wrong``. O(n log n), and nothing is drawn at random.
    """
    n = len(score)
    if shares.given.shape != score.shape:
        raise ShapeError(
            f"Score and shares must be of the same rows; got {n:,} and {len(shares.given):,}."
        )
    leading = np.maximum(shares.given, shares.other_share)
    least = n - max(1, round(SUREST * n))
    surest = leading >= np.partition(leading, least)[least]
    disagree = (shares.other_share > shares.given)[surest]
    # One row more or less must not decide: with none, half a row disagrees.
    seen = max(float(disagree.mean()), 0.5 / len(disagree))
    n_wrong = n * seen**TRUST * USUAL ** (1 - TRUST)
    wrong = np.sort(_tilted(score, n_wrong))[::-1]
    precision = np.cumsum(wrong) / np.arange(1, n + 1)
    return ExpectedErrors(
        n_wrong=n_wrong,
        low=n_wrong / SPREAD,
        high=min(float(n), n_wrong * SPREAD),
        precision=read_only(precision),
    )


def _tilted(score: FloatArray, n_wrong: float) -> FloatArray:
    """Return a probability of being wrong for each row, falling with its score; they sum up."""
    margin = STEEP * logit(np.clip(score, 1e-6, 1 - 1e-6))
    low, high = margin.min() - 50.0, margin.max() + 50.0
    for _ in range(60):
        middle = (low + high) / 2
        if expit(middle - margin).sum() < n_wrong:
            low = middle
        else:
            high = middle
    probability: FloatArray = expit(high - margin)
    return probability
