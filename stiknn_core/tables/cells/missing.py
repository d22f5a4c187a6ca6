"""Missing and infinite values: counted, and filled from training rows only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from stiknn_core.phrases import counted, listed, numbered
from stiknn_core.tables.cells.columns import ColumnFacts
from stiknn_core.tables.cells.labels import target_values
from stiknn_core.tables.cells.numbers import TEXT_MISSING_WORDS, is_missing, parse_numbers
from stiknn_core.types import IntArray, read_only

MissingPolicy = Literal["refuse", "drop_rows", "drop_columns", "impute"]


@dataclass(frozen=True, eq=False)
class Problems:
    """Missing and infinite cells of some columns.

    Attributes
    ----------
    missing, infinite : mapping of column name to count
        Only columns with at least one such cell.
    missing_by_row, infinite_by_row : (n,) int64, read-only
        Cells per row, over the feature columns.
    missing_labels : (m,) int64, read-only
        0-based rows without a label.
    """

    missing: Mapping[str, int]
    infinite: Mapping[str, int]
    missing_by_row: IntArray
    infinite_by_row: IntArray
    missing_labels: IntArray

    @property
    def rows(self) -> IntArray:
        """0-based rows with a missing or infinite feature."""
        return np.flatnonzero(self.missing_by_row + self.infinite_by_row).astype(np.int64)

    @property
    def any(self) -> bool:
        """Whether there is anything missing or infinite, labels included."""
        return bool(self.missing or self.infinite or len(self.missing_labels))

    @property
    def sentence(self) -> str:
        """Say what is missing or infinite; empty when nothing is."""
        parts = []
        for word, counts in (("missing", self.missing), ("infinite", self.infinite)):
            if counts:
                total = counted(sum(counts.values()), "value")
                told = listed([f"{name!r}: {count:,}" for name, count in counts.items()], 5)
                parts.append(f"{total} {word} ({told})")
        if len(self.rows):
            parts[-1] += f", in {counted(len(self.rows), 'row')} ({numbered('row', self.rows)})"
        if len(self.missing_labels):
            count = len(self.missing_labels)
            parts.append(
                f"{counted(count, 'label')} missing ({numbered('row', self.missing_labels)})"
            )
        return "; ".join(parts)


def find_problems(
    frame: pd.DataFrame,
    features: Sequence[str],
    label: str | None,
    facts: Mapping[str, ColumnFacts],
    words: Sequence[str] = (),
    absent: Mapping[str, NDArray[np.bool_]] | None = None,
    *,
    measured: bool = False,
) -> Problems:
    """Count missing and infinite cells; those of ``features`` in ``words`` are read as words.

    Of a ``measured`` label what is no finite number is missing; ``absent`` tells
    which rows of a column of vectors or pictures have none. O(n d).
    """
    absent = absent or {}
    n = len(frame)
    missing: dict[str, int] = {}
    infinite: dict[str, int] = {}
    missing_rows = np.zeros(n, dtype=np.int64)
    infinite_rows = np.zeros(n, dtype=np.int64)
    for name in features:
        endless: NDArray[np.bool_] = np.zeros(n, dtype=bool)
        if name in words:
            gone = is_missing(frame[name], TEXT_MISSING_WORDS)
        elif name in absent:
            gone = absent[name]
        else:
            numbers = parse_numbers(frame[name], facts[name].style)
            gone, endless = numbers.missing, np.isinf(numbers.values)
        for counts, cells, rows in (
            (missing, gone, missing_rows),
            (infinite, endless, infinite_rows),
        ):
            if cells.any():
                counts[name] = int(cells.sum())
                rows += cells
    blank = np.zeros(n, dtype=bool) if label is None else is_missing(frame[label], ())
    if label is not None and measured:
        blank = np.isnan(target_values(frame[label], facts[label]))
    return Problems(
        missing,
        infinite,
        read_only(missing_rows),
        read_only(infinite_rows),
        read_only(np.flatnonzero(blank).astype(np.int64)),
    )


def fill_value(values: Any) -> float:
    """Return the median of the finite numbers, the stand-in for missing ones; 0 without any."""
    finite = values[np.isfinite(values)]
    return float(np.median(finite)) if len(finite) else 0.0


def fill_word(words: Sequence[str | None]) -> str | None:
    """Return the most frequent word, the first in order among equally frequent ones."""
    counts = pd.Series([word for word in words if word is not None], dtype=object).value_counts()
    if not len(counts):
        return None
    return min(str(word) for word in counts.index[counts == counts.iloc[0]])
