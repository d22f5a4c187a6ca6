"""Whether a computation may start, from what the core says that it will take."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from stiknn_core import cost as costs
from stiknn_core.types import Space
from stiknn_ui.asked.spec import MAX_POINTS, MAX_ROWS, fits_a_matrix

# Of a forest of 200 trees, measured on a two-core machine: 1.6 s for 2,000 x 10, 2.6 s for
# 4,000 x 10, 4.0 s for 2,000 x 200. Starting, each row, and each cell of the table.
_FOREST_START: Final = 0.6
_FOREST_ROW: Final = 4e-4
_FOREST_CELL: Final = 8e-6
# Of every row without a matrix: seconds for each test point and training point, and for each
# feature of both; in a forest for each test point. Bytes for each row, and for each in a forest.
_RANK: Final = 7e-8
_RANK_FEATURE: Final = 0.5e-9
_FOREST_TEST: Final = 1e-4
_ROW_BYTES: Final = 600
_FOREST_BYTES: Final = 1_600


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

    cost: costs.Estimate
    refusal: str = ""

    @property
    def seconds(self) -> float:
        """Rough wall time, at least 0."""
        return self.cost.seconds


def forest_seconds(n_train: int, n_features: int) -> float:
    """Return about how long a forest takes to grow."""
    return _FOREST_START + n_train * (_FOREST_ROW + _FOREST_CELL * n_features)


def estimate(
    n_train: int,
    n_test: int,
    n_features: int,
    space: Space = "features",
    *,
    grown: bool = False,
) -> Estimate:
    """Estimate the cost of one full matrix, and refuse it where it is too large to draw.

    Parameters
    ----------
    n_train, n_test, n_features : int
        Sizes; for leave-one-out ``n_test`` equals ``n_train``.
    space : {"features", "forest"}
        A forest has to be grown first, and its distances are kept as a whole.
    grown : bool
        Whether the forest is there already.
    """
    cost = costs.estimate(n_train, max(1, n_test), n_features)
    if space == "forest":
        growing = 0.0 if grown else forest_seconds(n_train, n_features)
        distances = 2 * 8 * n_train * max(1, n_test)  # sorted once for the nearest points
        cost = replace(cost, seconds=cost.seconds + growing, bytes=cost.bytes + distances)
    refusal = ""
    if not fits_a_matrix(n_train):
        refusal = (
            f"{n_train:,} training points need a matrix of "
            f"{costs.describe_bytes(8.0 * n_train**2)} and "
            f"{costs.describe_seconds(cost.seconds)}; this page computes up to {MAX_POINTS:,}. "
            "Use a sample, or hold out a larger share; Explore shows more points as blocks."
        )
    return Estimate(cost, refusal)


def estimate_rows(
    n_train: int, n_test: int, n_features: int, space: Space = "features", *, grown: bool = False
) -> Estimate:
    """Estimate what is asked of every row without a matrix, and refuse more than are taken.

    Parameters
    ----------
    n_train, n_test, n_features, space, grown
        As in `estimate`.
    """
    n_test = max(1, n_test)
    ranked = n_test * n_train * (_RANK + _RANK_FEATURE * n_features)
    seconds, memory = ranked, _ROW_BYTES * n_train
    if space == "forest":
        seconds = n_test * _FOREST_TEST
        seconds += 0.0 if grown else forest_seconds(n_train, n_features)
        memory += _FOREST_BYTES * (n_train + n_test)
    cost = costs.Estimate(int(memory), seconds, n_train, n_test, n_features)
    refusal = ""
    if n_train > MAX_ROWS:
        refusal = (
            f"{n_train:,} training points are more than the {MAX_ROWS:,} that are ranked one by "
            "one. Use a sample."
        )
    return Estimate(cost, refusal)
