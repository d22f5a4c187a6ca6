"""Dates and times to features: their parts, and the days since the first training row."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from stiknn_core.errors import FeatureError
from stiknn_core.phrases import counted
from stiknn_core.tables.building.features import Applied, words_of
from stiknn_core.tables.building.parts import Part
from stiknn_core.tables.cells.moments import standard_moment
from stiknn_core.types import BlockKind, FloatArray

DatePart = Literal["year", "month", "day of the week", "hour", "days"]

_NUMBERS_FIRST: Final = re.compile(r"(\d{1,2})[-/.](\d{1,2})[-/.](?:\d{4}|\d{2})\b")


@dataclass(frozen=True, eq=False)
class DateFeature:
    """How a column of dates becomes features.

    Attributes
    ----------
    column : str
    parts : tuple of DatePart
        Those that vary among the training rows. The day of the week counts from Monday, 0; "days"
        are those since ``first``, fractions of a day included.
    first : datetime
        The first one among the training rows.
    day_first : bool
        Whether 03/04/2024 is the third of April.
    fill : datetime or None
        What a missing cell is filled with, the middle one; None where none was asked for.
    """

    column: str
    parts: tuple[DatePart, ...]
    first: pd.Timestamp
    day_first: bool
    fill: pd.Timestamp | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the resulting features."""
        return tuple(f"{self.column}: {part}" for part in self.parts)

    @property
    def block(self) -> BlockKind | None:
        """What kind of block the features are: each stands for itself."""
        return None

    def apply(self, part: Part) -> Applied:
        """Make the features of some rows; NaN where a date is missing and not filled in."""
        times, missing = _times(part, self.column, self.day_first)
        if self.fill is not None:
            times = times.fillna(self.fill)
        told = _parts(times, self.first)
        values = np.column_stack([told[name] for name in self.parts])
        return Applied(values, missing & (self.fill is not None))


def fit_dates(part: Part, column: str, *, fill: bool) -> DateFeature:
    """Learn from the training rows of one column which parts vary, and the first date; O(n).

    Raises
    ------
    FeatureError
        If a cell is no date.
    """
    day_first = _day_first(part.table.cells[column])
    times, missing = _times(part, column, day_first)
    known = times[~missing]
    if not len(known):
        raise FeatureError(f"Column {column!r} has no date in any training row; leave it out.")
    first = known.min()
    told = _parts(known, first)
    varying = tuple(name for name, values in told.items() if values.min() < values.max())
    middle = known.sort_values().iloc[(len(known) - 1) // 2] if fill else None
    return DateFeature(column, varying or ("days",), first, day_first, middle)


def _parts(times: pd.Series[Any], first: pd.Timestamp) -> dict[DatePart, FloatArray]:
    """Return all parts of dates, NaN where one is missing."""
    day = pd.Timedelta(days=1)
    seconds = (times - times.dt.normalize()) / pd.Timedelta(seconds=1)
    return {
        "year": times.dt.year.to_numpy(np.float64),
        "month": times.dt.month.to_numpy(np.float64),
        "day of the week": times.dt.day_of_week.to_numpy(np.float64),
        "hour": (seconds // 3600).to_numpy(np.float64),
        "days": np.asarray((times - first) / day, dtype=np.float64),
    }


def _times(part: Part, column: str, day_first: bool) -> tuple[pd.Series[Any], NDArray[np.bool_]]:
    """Return cells as points in time (UTC where they name a zone), and which are missing."""
    words = words_of(part.column(column))
    missing = np.array([word is None for word in words], dtype=bool)
    told = [None if word is None else standard_moment(str(word)) for word in words]
    cells = pd.Series(told, dtype="str")
    # Each different cell once: reading one takes some 50 microseconds.
    codes, different = pd.factorize(cells)
    read = pd.to_datetime(different, format="mixed", dayfirst=day_first, utc=True, errors="coerce")
    times = pd.Series(read.take(codes, allow_fill=True)).dt.as_unit("us")
    odd = np.flatnonzero(times.isna().to_numpy() & ~missing)
    if len(odd):
        row = int(part.rows[odd[0]])
        raise FeatureError(
            f"Column {column!r} has {counted(len(odd), 'cell')} that cannot be read as a date, "
            f"such as {str(words[odd[0]])!r} in row {row}; mend them or leave the column out."
        )
    return times, missing


def _day_first(column: pd.Series[Any]) -> bool:
    """Tell whether days stand before months: from days above 12, else points say so."""
    words = [str(word) for word in pd.unique(words_of(column)) if word is not None]
    found = [(word, m) for word in words if (m := _NUMBERS_FIRST.match(word))]
    if any(int(m[1]) > 12 for _, m in found):
        return True
    if any(int(m[2]) > 12 for _, m in found):
        return False
    return any("." in m[0] for _, m in found)
