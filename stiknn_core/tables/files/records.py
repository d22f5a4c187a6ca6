"""Rows of native cells with known column names (JSON, SQLite) to a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from stiknn_core.errors import FileError
from stiknn_core.tables.files.draft import Draft
from stiknn_core.tables.files.grids import check_width
from stiknn_core.tables.files.headers import distinct_names
from stiknn_core.tables.files.natives import NativeColumn, keep_natives
from stiknn_core.tables.files.sheets import collect


def records_draft(
    names: Sequence[str], rows: Iterable[Sequence[Any]], kind: str, notices: Sequence[str] = ()
) -> Draft:
    """Return rows as long as there are names as a draft; they are counted while they come."""
    if not names:
        raise FileError("The table has no column; expected features and a label.")
    check_width(len(names))
    fixed, changed = distinct_names(names)
    numbers, columns = collect(enumerate(rows))
    if not len(numbers):
        raise FileError("The table has column names but no row; expected at least one.")
    columns += [NativeColumn.empty(len(numbers)) for _ in fixed[len(columns) :]]
    texts = pd.DataFrame(
        {
            name: pd.Series(column.text(), dtype="str")
            for name, column in zip(fixed, columns, strict=True)
        }
    )
    frame, natives = keep_natives(
        texts, dict(zip(fixed, columns, strict=True)), np.arange(len(numbers))
    )
    return Draft(frame, {"format": kind, "header": True}, [*notices, *changed], natives=natives)
