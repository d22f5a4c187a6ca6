"""Check measured targets: one finite number per row."""

from __future__ import annotations

from typing import Any

import numpy as np

from stiknn_core.errors import LabelError, ShapeError
from stiknn_core.phrases import numbered
from stiknn_core.types import AnyArray
from stiknn_core.validation.labels import Labels, one_column


def check_targets(y: Any, name: str) -> Labels:
    """Return targets as labels whose classes are the different numbers, ascending.

    Raises
    ------
    LabelError, ShapeError
        If there is none, or one is no finite number.
    """
    column, _ = one_column(y, name)
    if column.size == 0:
        raise ShapeError(f"{name} must hold at least one target; it is empty.")
    targets = _as_numbers(column, name)
    wrong = np.flatnonzero(~np.isfinite(targets))
    if wrong.size:
        raise LabelError(
            f"Measured targets must be finite numbers; {name} has {targets[wrong[0]]} in "
            f"{wrong.size:,} of {targets.size:,} rows ({numbered('row', wrong)}, counted from 0) "
            "or the like. Fill them in or drop these rows."
        )
    targets = targets + 0.0  # no negative zero
    return Labels(tuple(targets.tolist()), "number", tuple(np.unique(targets).tolist()))


def _as_numbers(column: AnyArray, name: str) -> AnyArray:
    numeric = column.dtype.kind in "iuf" or (
        column.dtype.kind == "O"
        and all(
            value is None
            or (isinstance(value, int | float | np.integer | np.floating)
                and not isinstance(value, bool))
            for value in column.tolist()
        )
    )  # fmt: skip
    if not numeric:
        first = column.ravel()[0]
        raise LabelError(
            f"Measured targets must be numbers; {name} holds {type(first).__name__} values such "
            f"as {str(first)!r:.40}. Classes go with score='plain'."
        )
    return np.asarray(column, dtype=np.float64)
