"""Facts about columns that hold vectors or pictures beside their cells."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from stiknn_core.tables.cells.columns import ColumnFacts, ColumnKind
from stiknn_core.tables.contents import Pictures, Vectors


def examine_held(column: pd.Series[Any], held: Vectors | Pictures) -> ColumnFacts:
    """Look at what a column holds beside its cells; O(n d)."""
    filled = int((~held.absent).sum())
    kind: ColumnKind = "vector" if isinstance(held, Vectors) else "picture"
    if isinstance(held, Vectors):
        distinct, width = _different(held), held.values.shape[1]
    else:
        distinct, width = len({picture for picture in held.thumbnails if picture}), 0
    return ColumnFacts(
        name=str(column.name),
        kind=kind if filled else "empty",
        filled=filled,
        missing=len(column) - filled,
        infinite=0,
        not_numeric=filled,
        distinct=distinct,
        whole=False,
        longest=0,
        words=(),
        width=width,
    )


def _different(held: Vectors) -> int:
    """Count the different vectors, by their bytes."""
    present: NDArray[np.bool_] = ~held.absent
    values = np.ascontiguousarray(held.values[present] + 0.0)  # -0 and 0 are one number
    return len(np.unique(values.view(np.dtype((np.void, values.strides[0]))))) if len(values) else 0
