"""How many training points and test points of each class there are. Pure."""

from __future__ import annotations

from typing import Final

import numpy as np
import pandas as pd

from stiknn_core.types import AnyArray, IntArray

_MOST_CLASSES: Final = 6


def sides_table(y: AnyArray, train: IntArray, test: IntArray) -> pd.DataFrame:
    """Return one row per class: training rows and test rows.

    Parameters
    ----------
    y : (n,) labels of any one kind
    train, test : (m,), (t,) int64
        Rows of either side.
    """
    names, codes = np.unique(y, return_inverse=True)
    return pd.DataFrame(
        {
            "class": [str(name) for name in names.tolist()],
            "training": np.bincount(codes[train], minlength=len(names)),
            "test": np.bincount(codes[test], minlength=len(names)),
        }
    )


def sides_line(y: AnyArray, train: IntArray, test: IntArray) -> str:
    """Say the same in one line, with the classes as long as they are few."""
    counts = sides_table(y, train, test)
    parts = []
    for title, column in (("Training", "training"), ("Test", "test")):
        rows = int(counts[column].sum())
        told = ""
        if len(counts) <= _MOST_CLASSES:
            named = zip(counts["class"], counts[column], strict=True)
            told = f" ({', '.join(f'{name}: {count:,}' for name, count in named)})"
        parts.append(f"{title}: {rows:,} row{'' if rows == 1 else 's'}{told}")
    return " · ".join(parts)
