"""What ranking a large data set takes. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from stiknn_ui.blocks.analysis import MatrixParts

MAX_BLOCK_POINTS: Final = 2_000_000
"""Most training points that are opened as blocks."""

# Seconds for each test point and training point on two cores, measured: ranking alone, each
# feature more, and everything that is asked of a ranking for one picture of 256 blocks.
_RANK: Final = 4.5e-8
_FEATURE: Final = 0.5e-9
_PICTURE: Final = 5e-8
# The same for a part: for each training point, and for each point of the part.
_EXPAND: Final = 0.8e-8
_MEET: Final = 4e-8
_KEPT_SMALL: Final = 2.1
_KEPT_LARGE: Final = 4.1
_FIRST_LARGE: Final = 65_537


@dataclass(frozen=True)
class BlockEstimate:
    """What to expect of the first picture.

    Attributes
    ----------
    seconds : float
        Rough wall time on two cores.
    bytes : float
        Memory beside the data.
    refusal : str
        Why it cannot be shown; empty if it can.
    """

    seconds: float
    bytes: float
    refusal: str = ""


def estimate_blocks(n_train: int, n_test: int, n_features: int, most_kept: float) -> BlockEstimate:
    """Estimate ranking, values and one picture of blocks.

    Parameters
    ----------
    n_train, n_test, n_features : int
        Sizes; for leave-one-out testing ``n_test`` equals ``n_train``.
    most_kept : float
        Bytes of rankings that are kept at most.
    """
    cells = float(n_train) * n_test
    kept = cells * (_KEPT_SMALL if n_train < _FIRST_LARGE else _KEPT_LARGE)
    seconds = cells * (_RANK + _FEATURE * n_features + _PICTURE)
    if kept > most_kept:
        kept = 0.0
        seconds += cells * (_RANK + _FEATURE * n_features)  # ranked for each question
    refusal = ""
    if n_train > MAX_BLOCK_POINTS:
        refusal = (
            f"{n_train:,} training points are more than the {MAX_BLOCK_POINTS:,} that this page "
            "opens. Use a sample."
        )
    working = 600.0 * n_train  # a few test points at a time, on each thread
    return BlockEstimate(seconds, kept + working, refusal)


def part_seconds(ranked: MatrixParts, n: int, m: int) -> float:
    """Estimate how long a part with ``m`` of ``n`` points takes, once the data are ranked."""
    seconds = ranked.n_test * (_EXPAND * n + _MEET * m)
    if not ranked.keeps:
        seconds += ranked.n_test * _RANK * n
    return seconds
