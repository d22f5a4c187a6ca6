"""Whether a computation may start, from what the core says that it will take."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from stiknn_core import cost as costs
from stiknn_core.engine.points import MOST_RANKED
from stiknn_core.labels.targets import MOST_TARGETS, too_many_targets
from stiknn_core.types import Space
from stiknn_ui.asked.spec import MAX_ROWS

# Of a forest of 200 trees, measured on a two-core machine: 1.6 s for 2,000 x 10, 2.6 s for
# 4,000 x 10, 4.0 s for 2,000 x 200. Starting, each row, and each cell of the table; of more rows
# each tree sees a part, and of more columns a split does. Then each row is let down the trees.
_FOREST_START: Final = 0.6
_FOREST_ROW: Final = 4e-4
_FOREST_CELL: Final = 8e-6
_MOST_GROWN: Final = 5_000
_MOST_TRIED: Final = 64
_FOREST_PLACED: Final = 5e-5
# Of every row without a matrix, measured with four classes, two free cores: 9 s for 20,000 x 10 on
# features, 45 s for 100,000 x 10, whose far rows are tied; in the forest, once it is grown, 1 s
# and 20 s. Seconds for each test point and training point, and for each feature of both; for each
# test point that ranks its nearest alone, or in a forest each time that rows are ten times as many.
_RANK: Final = 2e-8
_RANK_FEATURE: Final = 0.25e-9
_NEAR: Final = 3e-4
_NEAR_FEATURE: Final = 6e-6
_FOREST_TEST: Final = 5e-5
# Measured targets: values, then twice what test points say.
_TARGET_PASSES: Final = 3
_FOREST_TENFOLD: Final = 3.0
# Bytes for each row, each of its features and classes; for each row in a forest; working.
_ROW_BYTES: Final = 200
_CELL_BYTES: Final = 16
_FOREST_BYTES: Final = 1_650
_WORKING: Final = 150_000_000


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
    seen, tried = min(n_train, _MOST_GROWN), min(n_features, _MOST_TRIED)
    growing = seen * (_FOREST_ROW + _FOREST_CELL * tried)
    return _FOREST_START + growing + n_train * _FOREST_PLACED


def estimate(
    n_train: int,
    n_test: int,
    n_features: int,
    space: Space = "features",
    *,
    grown: bool = False,
) -> Estimate:
    """Estimate the cost of one full matrix.

    Parameters
    ----------
    n_train, n_test, n_features : int
        Sizes; for leave-one-out testing ``n_test`` equals ``n_train``.
    space : {"features", "forest"}
        A forest has to be grown first, and is kept.
    grown : bool
        Whether the forest is there already.
    """
    cost = costs.estimate(n_train, max(1, n_test), n_features)
    if space == "forest":
        growing = 0.0 if grown else forest_seconds(n_train, n_features)
        held = _FOREST_BYTES * n_train
        cost = replace(cost, seconds=cost.seconds + growing, bytes=cost.bytes + held)
    return Estimate(cost)


def estimate_rows(
    n_train: int,
    n_test: int,
    n_features: int,
    n_classes: int,
    space: Space = "features",
    *,
    grown: bool = False,
) -> Estimate:
    """Estimate what is asked of every row without a matrix, and refuse what cannot be had.

    Parameters
    ----------
    n_train, n_test, n_features, space, grown
        As in `estimate`.
    n_classes : int
        Support is kept for each of them; 0 for measured targets, whose test points rank all rows.
    """
    n_test = max(1, n_test)
    each = float(_ROW_BYTES + _CELL_BYTES * (n_features + n_classes))
    if space == "forest":
        seconds = n_test * _FOREST_TEST * max(1.0, _FOREST_TENFOLD ** np.log10(n_train / 20_000))
        seconds += 0.0 if grown else forest_seconds(n_train, n_features)
        each += _FOREST_BYTES
    elif n_train <= MOST_RANKED:
        seconds = n_test * n_train * (_RANK + _RANK_FEATURE * n_features)
    else:
        seconds = n_test * (_NEAR + _NEAR_FEATURE * n_features)
    needed, free = _WORKING + each * n_train, costs.free_bytes()
    refusal = ""
    if not n_classes:
        seconds *= _TARGET_PASSES
    if not n_classes and n_train > MOST_TARGETS:
        refusal = too_many_targets(n_train)
    elif n_train > MAX_ROWS:
        refusal = (
            f"{n_train:,} training points are more than the {MAX_ROWS:,} that are ranked one by "
            "one. Use a sample."
        )
    elif needed > free:
        refusal = (
            f"Ranking {n_train:,} rows needs {costs.describe_bytes(needed)} of memory; "
            f"{costs.describe_bytes(free)} are free. Some "
            f"{max(0, int((free - _WORKING) / each)):,} rows would fit."
        )
    cost = costs.Estimate(int(needed), float(seconds), n_train, n_test, n_features)
    return Estimate(cost, refusal)
