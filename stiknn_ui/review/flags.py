"""Below which line points are flagged. Pure; the queue itself is made in the browser."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from stiknn_core.types import FloatArray


@dataclass(frozen=True)
class Flags:
    """Where the line is drawn below which points are flagged.

    Attributes
    ----------
    low, high : float
        Ends of the slider: at ``low`` nothing is flagged, at ``high`` everything.
    step : float
    threshold : float
    """

    low: float
    high: float
    step: float
    threshold: float

    def of(self, scores: FloatArray) -> np.ndarray:
        """Return which scores are flagged, (m,) bool."""
        return (scores < self.threshold) | (self.threshold >= self.high)

    @property
    def decimals(self) -> int:
        """Digits behind the point that tell two steps apart."""
        return _decimals(self.step)


FAR_OFF: Final = 2.0
"""Robust standard deviations of all distances from which a measured target is flagged."""

#: Scores with a sign draw the line themselves: no use, no likeness.
_NATURAL = {"value": 0.0, "in_out": 0.0, "row": 0.0}


def flags_for(
    by: str, scores: FloatArray, threshold: float | None = None, *, doubted: int = 0
) -> Flags:
    """Return a slider's range for a score, with round ends that leave out and take in all.

    Without a threshold it is 0 for signed scores; for the label quality and the second opinion it
    takes as many points as are ``doubted``, those for which another class is suggested, as far as
    the steps allow; for rarity none.
    """
    low, high = (0.0, 1.0) if by in ("quality", "rarity") else (scores.min(), scores.max())
    step = 10.0 ** (np.floor(np.log10(max(high - low, 1e-12))) - 2)
    low = float(np.floor(low / step) * step)
    high = float(np.ceil(high / step) * step)
    if high <= low:
        high = low + step
    if threshold is None:
        threshold = _NATURAL.get(by, low)
        if by == "distance":
            threshold = FAR_OFF * 1.4826 * float(np.median(scores))  # of minus the distances
        if by in ("quality", "confusion") and doubted:
            place = min(doubted, len(scores)) - 1
            worst = np.partition(scores, place)[place]
            threshold = float(np.floor(worst / step) + 1) * step
    decimals = _decimals(step)
    low, high = round(low, decimals), round(high, decimals)
    return Flags(low, high, float(step), min(max(round(threshold, decimals), low), high))


def _decimals(step: float) -> int:
    return int(max(0, round(-np.log10(step))))
