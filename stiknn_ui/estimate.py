"""How much memory and time a computation will take, before it starts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from stiknn_ui.spec import MAX_POINTS

# Deliberately below the measured 6.4e9 (design: two cores), as machines differ.
_PAIR_UPDATES_PER_SECOND: Final = 2.5e9
# Distances and ranking of one test point against one training point, per feature and per sort.
_DISTANCES_PER_SECOND: Final = 4e8
_SORTED_PER_SECOND: Final = 1e7
_BYTES_PER_CELL: Final = 8
# The matrix itself, and one symmetric copy while the result is checked and drawn.
_COPIES: Final = 2

SMALL_SECONDS: Final = 1.0
"""Below this a computation starts by itself when a control changes."""


@dataclass(frozen=True)
class Estimate:
    """What to expect.

    Attributes
    ----------
    seconds : float
        Rough wall time, at least 0.
    megabytes : float
        Peak memory of the matrix and its copies, in units of 10^6 bytes.
    refusal : str
        Why it cannot be computed; empty if it can.
    """

    seconds: float
    megabytes: float
    refusal: str = ""

    @property
    def small(self) -> bool:
        """Whether it may start without being asked for."""
        return not self.refusal and self.seconds < SMALL_SECONDS

    def __str__(self) -> str:
        """Say it in a few words."""
        return f"about {spoken_time(self.seconds)} and {self.megabytes:,.0f} MB"


def estimate(n_train: int, n_test: int, n_features: int) -> Estimate:
    """Estimate the cost of one full matrix.

    Parameters
    ----------
    n_train, n_test, n_features : int
        Sizes; for leave-one-out ``n_test`` equals ``n_train``.
    """
    pairs = n_train * n_test
    seconds = (
        pairs * n_train / _PAIR_UPDATES_PER_SECOND
        + pairs * n_features / _DISTANCES_PER_SECOND
        + pairs / _SORTED_PER_SECOND
    )
    megabytes = _COPIES * n_train**2 * _BYTES_PER_CELL / 1e6
    refusal = ""
    if n_train > MAX_POINTS:
        refusal = (
            f"{n_train:,} training points need a matrix of {n_train**2 * 8 / 1e9:,.1f} GB and "
            f"{spoken_time(seconds)}; this page computes up to {MAX_POINTS:,}. Use a sample, or "
            "hold out a larger share."
        )
    return Estimate(seconds, megabytes, refusal)


def spoken_time(seconds: float) -> str:
    """Return a duration in words a person would use."""
    if seconds < 1:
        return "less than a second"
    if seconds < 90:
        whole = round(seconds)
        return f"{whole} second{'s' if whole != 1 else ''}"
    return f"{round(seconds / 60)} minutes"
