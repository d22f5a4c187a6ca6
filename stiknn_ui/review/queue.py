"""In which order points come up for review, and which one is next. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np

from stiknn_core.duplicates import Duplicates
from stiknn_core.types import FloatArray, IntArray
from stiknn_ui.results.suspects import ranking


@dataclass(frozen=True, eq=False)
class Queue:
    """Points in the order of suspicion, each group of copies once unless they are taken apart.

    Attributes
    ----------
    items : (q,) int64
        Points, most suspicious first; of copies the most suspicious one stands for all.
    n_flagged_items : int
        How many of ``items`` are flagged; they come first.
    flagged : (f,) int64
        All flagged points, most suspicious first, copies included.
    """

    items: IntArray
    n_flagged_items: int
    flagged: IntArray

    def place(self, point: int) -> int | None:
        """Return where a point stands among ``items``, from 0; None for a mere copy."""
        found = np.flatnonzero(self.items == point)
        return int(found[0]) if len(found) else None

    def step(self, point: int, by: int) -> int:
        """Return the point so many places on; at either end it stays."""
        here = self.place(point) or 0
        return int(self.items[min(max(here + by, 0), len(self.items) - 1)])

    def next_open(self, point: int, decided: Collection[int]) -> int:
        """Return the next point without a decision: flagged ones first, then the others.

        The search begins at ``point``, which is passed over, and goes round once.
        """
        here, places = self.place(point), np.arange(len(self.items))
        start = 0 if here is None else here + 1
        # The last key of lexsort decides; where all are equal, the order stays.
        order = np.lexsort((places < start, places >= self.n_flagged_items))
        candidates = self.items[order].tolist()
        return next((one for one in candidates if one not in decided and one != point), point)


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


def build_queue(
    scores: Mapping[str, FloatArray], by: str, flags: Flags, copies: Duplicates | None
) -> Queue:
    """Rank all points by one of the scores, (m,) each; see `ranking`.

    ``copies`` are groups among the same points; None takes every copy by itself.
    """
    order = ranking(scores, by)
    flagged = order[flags.of(scores[by][order])]
    if copies is not None:
        groups = copies.group_of[order]
        leads = groups < 0
        leads[np.unique(groups, return_index=True)[1]] = True
        order = order[leads]
    return Queue(order, int(flags.of(scores[by][order]).sum()), flagged)


#: Scores with a sign draw the line themselves: no use, no likeness.
_NATURAL = {"value": 0.0, "in_out": 0.0, "row": 0.0}


def flags_for(
    by: str, scores: FloatArray, threshold: float | None = None, *, doubted: int = 0
) -> Flags:
    """Return a slider's range for a score, with round ends that leave out and take in all.

    Without a threshold it is 0 for signed scores; for the label quality it takes as many points
    as are ``doubted``, those for which another class is suggested, as far as the steps allow;
    for rarity none.
    """
    low, high = (0.0, 1.0) if by in ("quality", "rarity") else (scores.min(), scores.max())
    step = 10.0 ** (np.floor(np.log10(max(high - low, 1e-12))) - 2)
    low = float(np.floor(low / step) * step)
    high = float(np.ceil(high / step) * step)
    if high <= low:
        high = low + step
    if threshold is None:
        threshold = _NATURAL.get(by, low)
        if by == "quality" and doubted:
            worst = np.sort(scores)[min(doubted, len(scores)) - 1]
            threshold = float(np.floor(worst / step) + 1) * step
    decimals = _decimals(step)
    low, high = round(low, decimals), round(high, decimals)
    return Flags(low, high, float(step), min(max(round(threshold, decimals), low), high))


def _decimals(step: float) -> int:
    return int(max(0, round(-np.log10(step))))
