"""A file whose decimal commas were taken for separators: told, because nothing else shows it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from stiknn_core.tables.cells.columns import ColumnFacts
from stiknn_core.tables.cells.numbers import is_text
from stiknn_core.types import FloatArray

_LEAST_ROWS = 20
_MOST_COLUMNS = 200  # such files are narrow, and looking at thousands of columns takes long


def broken_decimals(frame: pd.DataFrame, facts: Mapping[str, ColumnFacts]) -> list[str]:
    """Find columns that hold the digits after a decimal comma in some rows only.

    ``2,6;1360`` and ``2;1292`` become ``2,6,1360`` and ``2,1292`` when semicolons are replaced by
    commas: from there on a column mixes single digits with what belongs one column to its left.
    There is at most one sentence.
    """
    names = [str(name) for name in frame.columns[:_MOST_COLUMNS]]
    for before, place, after in zip(names, names[1:], names[2:], strict=False):
        told = [facts[name] for name in (before, place, after)]
        if len(frame) < _LEAST_ROWS or any(fact.kind != "number" for fact in told):
            continue
        if not all(fact.whole for fact in told[:2]) or not is_text(frame[place]):
            continue
        if _mixed(frame[place], frame[after]):
            return [
                f"From column {place!r} on, rows seem to be out of step with their names, as if "
                "decimal commas had been taken for separators; check them before you trust it."
            ]
    return []


def _mixed(column: pd.Series[str], following: pd.Series[str]) -> bool:
    """Tell whether single digits push the column's usual values one column to the right."""
    single = column.str.fullmatch(r"\d").fillna(False).to_numpy(dtype=bool)
    if not 0.1 <= single.mean() <= 0.98 or column[single].nunique() < 3:
        return False
    here = pd.to_numeric(column, errors="coerce").to_numpy(dtype=np.float64)
    there = pd.to_numeric(following, errors="coerce").to_numpy(dtype=np.float64)
    usual, pushed = here[~single & ~np.isnan(here)], there[single & ~np.isnan(there)]
    beside = there[~single & ~np.isnan(there)]
    if min(map(len, (usual, pushed, beside))) < 5:
        return False
    low, high = np.quantile(usual, [0.05, 0.95])

    def inside(values: FloatArray) -> float:
        return float(np.mean((values >= low / 2) & (values <= 2 * high)))

    # Without the contrast to its own values, two columns of one kind (marks of two exams)
    # would look the same.
    return bool(low > 20 and inside(pushed) > 0.8 and inside(beside) < 0.5)
