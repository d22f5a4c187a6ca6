"""What a column holds: numbers, yes or no, dates, words, or nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from stiknn_core.tables.cells.numbers import (
    TEXT_MISSING_WORDS,
    NumberFormat,
    arrow_text,
    is_missing,
    is_text,
    parse_numbers,
)

ColumnKind = Literal["number", "boolean", "date", "text", "empty"]

_DATE = (
    r"^(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2}))"
    r"(?:[T ]\d{1,2}[:.]\d{2}(?:[:.]\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$"
    r"|^\d{1,2}[:.]\d{2}[:.]\d{2}(?:\.\d+)?$|^\d{1,2}:\d{2}$"
)
_BOOLEAN = r"^(?i:true|false)$"


@dataclass(frozen=True)
class ColumnFacts:
    """Facts about one column, all counts in cells.

    Attributes
    ----------
    name : str
    kind : ColumnKind
        "number" where every filled cell is one.
    filled : int
        Cells with a value.
    missing : int
        Empty cells, and missing-value words where the column is numeric.
    infinite : int
    not_numeric : int
        Filled cells that are no number; 0 for numbers, everything for words.
    distinct : int
        Different filled values, as written.
    whole : bool
        Whether all numbers are whole.
    longest : int
        Letters of the longest cell; 0 for native numbers.
    words : tuple of str
        Missing-value words that occurred.
    """

    name: str
    kind: ColumnKind
    filled: int
    missing: int
    infinite: int
    not_numeric: int
    distinct: int
    whole: bool
    longest: int
    words: tuple[str, ...]

    @property
    def constant(self) -> bool:
        """Whether there is at most one different value."""
        return self.known <= 1

    @property
    def known(self) -> int:
        """Different values that are not missing-value words."""
        return self.distinct - (len(self.words) if self.kind not in ("number", "empty") else 0)


def examine(column: pd.Series[Any], style: NumberFormat) -> ColumnFacts:
    """Look at one column of text or native values; O(n)."""
    name = str(column.name)
    n = len(column)
    numbers = parse_numbers(column, style)
    odd = int(numbers.not_numeric.sum())
    finite = numbers.values[np.isfinite(numbers.values)]
    whole = bool((finite == np.floor(finite)).all())
    infinite = int(np.isinf(numbers.values).sum())
    missing = int(numbers.missing.sum())
    array = arrow_text(column) if is_text(column) else None
    kind: ColumnKind = "boolean" if column.dtype == bool else "number"
    if array is None or (odd == 0 and missing == array.null_count):
        distinct = int(column.nunique() if array is None else pc.count_distinct(array).as_py())
        kind = kind if missing < n else "empty"
        return ColumnFacts(name, kind, n - missing, missing, infinite, 0, distinct, whole, 0, ())
    distinct_cells = pc.drop_null(pc.unique(array))
    distinct = len(distinct_cells)
    longest = int(pc.max(pc.utf8_length(distinct_cells)).as_py() or 0) if distinct else 0
    if odd == 0 and missing < n:
        words = _present(style.missing_words, distinct_cells)
        distinct -= len(words)
    else:
        words = _present(TEXT_MISSING_WORDS, distinct_cells)
        blank = is_missing(column, TEXT_MISSING_WORDS)
        # "None" and "-" mean no value among numbers, but may be words among words.
        odd = int((numbers.not_numeric | (numbers.missing & ~blank)).sum())
        missing, infinite, whole = int(blank.sum()), 0, False
        told = array.filter(~blank)
        kind = "text"
        if missing == n:
            kind = "empty"
        elif _all_match(told, _BOOLEAN):
            kind = "boolean"
        elif _all_match(told, _DATE):
            kind = "date"
    return ColumnFacts(
        name, kind, n - missing, missing, infinite, odd, distinct, whole, longest, words
    )


def _present(words: tuple[str, ...], distinct_cells: Any) -> tuple[str, ...]:
    if not words:
        return ()
    told = pc.is_in(pa.array(words, type=distinct_cells.type), value_set=distinct_cells)
    return tuple(word for word, there in zip(words, told.to_pylist(), strict=True) if there)


def _all_match(told: Any, pattern: str) -> bool:
    return bool(pc.all(pc.match_substring_regex(told, pattern)).as_py())


def same_but_for_case(values: Iterable[str]) -> list[list[str]]:
    """Group values that differ only by case or blanks; each group has at least two, sorted."""
    groups: dict[str, set[str]] = {}
    for value in values:
        key = re.sub(r"[\s_-]+", " ", value).strip().casefold()
        groups.setdefault(key, set()).add(value)
    return [sorted(group) for group in groups.values() if len(group) > 1]
