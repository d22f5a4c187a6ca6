"""Games: which index, and what a point brings to a test point.

An *index* says how much a set of other points counts, by its size: ``weighted_banzhaf(0.3)``,
``beta(4, 1)``, ``calibrated(10)``, ``leave_two_out()``, and "STII", "SII", "BII" as they are. A
*score* says what a neighbour brings: a label, a weight, a share, a loss. Any of the ones goes with
any of the others, exactly and as fast as the paper's: see ``docs/games.md``.
"""

from stiknn_core.games.indices import (
    BII,
    SII,
    STII,
    AnyIndex,
    PairIndex,
    beta,
    calibrated,
    index_of,
    leave_two_out,
    weighted_banzhaf,
)
from stiknn_core.games.making import (
    costs,
    kernel,
    labels,
    measured,
    normalised,
    plain,
    soft,
    soft_training,
    votes,
)
from stiknn_core.games.scores import AnyScore, Score, score_of

__all__ = [
    "BII",
    "SII",
    "STII",
    "AnyIndex",
    "AnyScore",
    "PairIndex",
    "Score",
    "beta",
    "calibrated",
    "costs",
    "index_of",
    "kernel",
    "labels",
    "leave_two_out",
    "measured",
    "normalised",
    "plain",
    "score_of",
    "soft",
    "soft_training",
    "votes",
    "weighted_banzhaf",
]
