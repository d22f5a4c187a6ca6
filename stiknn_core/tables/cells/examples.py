"""A few cells of a column as they stand in the file, beside what was read from them."""

from __future__ import annotations

from itertools import islice
from typing import Any, Final

import pandas as pd

from stiknn_core.tables.cells.columns import ColumnFacts
from stiknn_core.tables.cells.numbers import is_text
from stiknn_core.tables.cells.text import cell_text
from stiknn_core.validation.settings import plain

NO_VALUE: Final = "no value"
NO_NUMBER: Final = "not a number"

_MOST: Final = 3
_LONGEST: Final = 1e17
_LOOKED_AT: Final = 1_000


def shown(value: float) -> str:
    """Return a number that was read, whole ones with all their digits."""
    whole = value == value // 1 and abs(value) < _LONGEST
    return str(int(value)) if whole else f"{value:.12g}"


def examples_of(column: pd.Series[Any], fact: ColumnFacts) -> tuple[tuple[str, str], ...]:
    """Return at most four pairs of a cell and what was read from it."""
    missing = [(word, NO_VALUE) for word in fact.words[:1]]
    if fact.examples:
        return (*((cell, shown(value)) for cell, value in fact.examples[:_MOST]), *missing)
    head = column.iloc[:_LOOKED_AT].dropna()
    words = [cell_text(plain(value)) for value in head.unique()[: _MOST + 1]]
    asked = fact.amounts or bool(fact.style.mixed) or fact.not_numeric < fact.filled
    if is_text(column) and fact.odd_cells and asked:
        cells = dict.fromkeys(cell for _, cell in fact.odd_cells)
        odd = [(cell, NO_NUMBER) for cell in islice(cells, _MOST)]
        return (*odd, *missing)
    return (*((word, word) for word in words if word not in fact.words[:1]), *missing)[: _MOST + 1]
