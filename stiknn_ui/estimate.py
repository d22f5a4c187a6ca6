"""Whether a computation may start, from what the core says that it will take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from stiknn_core.tables import limits
from stiknn_ui.spec import MAX_POINTS

SMALL_SECONDS: Final = 1.0
"""Below this a computation starts by itself when a control changes."""


@dataclass(frozen=True)
class Estimate:
    """What to expect.

    Attributes
    ----------
    cost : stiknn_core.tables.Estimate
        Memory and time.
    refusal : str
        Why it cannot be computed; empty if it can.
    """

    cost: limits.Estimate
    refusal: str = ""

    @property
    def seconds(self) -> float:
        """Rough wall time, at least 0."""
        return self.cost.seconds

    @property
    def small(self) -> bool:
        """Whether it may start without being asked for."""
        return not self.refusal and self.seconds < SMALL_SECONDS

    def __str__(self) -> str:
        """Say it in a few words."""
        time = limits.describe_seconds(self.seconds)
        return f"about {time} and {limits.describe_bytes(self.cost.bytes)}"


def estimate(n_train: int, n_test: int, n_features: int) -> Estimate:
    """Estimate the cost of one full matrix, and refuse it where it is too large to draw.

    Parameters
    ----------
    n_train, n_test, n_features : int
        Sizes; for leave-one-out ``n_test`` equals ``n_train``.
    """
    cost = limits.estimate(n_train, max(1, n_test), n_features)
    refusal = ""
    if n_train > MAX_POINTS:
        refusal = (
            f"{n_train:,} training points need a matrix of "
            f"{limits.describe_bytes(8.0 * n_train**2)} and "
            f"{limits.describe_seconds(cost.seconds)}; this page computes up to {MAX_POINTS:,}. "
            "Use a sample, or hold out a larger share."
        )
    return Estimate(cost, refusal)
