"""Spans of time as programs write them: 57:30, 1:02:33, 0 days 00:05:07, PT5M7S, 1 h 5 min."""

from __future__ import annotations

from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from stiknn_core.types import FloatArray

_N: Final = r"\d+(?:[.,]\d+)?"
_CLOCK: Final = (
    r"(?:(?P<day>\d+)(?: days?,? ?|\.| d ))?(?:(?P<hour>\d+):)?(?P<minute>\d+):"
    r"(?P<second>[0-5]\d(?:[.,]\d+)?)"
)
_WORDS: Final = (
    rf"P?(?:(?P<day>{_N}) ?(?:d|days?|tage?|jours?),? ?)?T?"
    rf"(?:(?P<hour>{_N}) ?(?:h|hrs?|hours?|std|stunden?|heures?)\.?,? ?)?"
    rf"(?:(?P<minute>{_N}) ?(?:m|mins?|minutes?|minuten?)\.?,? ?)?"
    rf"(?:(?P<second>{_N}) ?(?:s|secs?|seconds?|sek|sekunden?|secondes?)\.?)?"
)
_SECONDS: Final = {"day": 86_400.0, "hour": 3600.0, "minute": 60.0, "second": 1.0}


def seconds_of(cells: pa.Array) -> FloatArray:
    """Return spans of time in seconds, NaN where a cell is none.

    Of two parts the first counts 60 times: 5:07 is 307 seconds, or minutes if it means hours.
    """
    found = np.full(len(cells), np.nan)
    digits = np.asarray(pc.fill_null(pc.match_substring_regex(cells, r"\d"), False))
    for pattern in (_CLOCK, _WORDS):
        parts = pc.extract_regex(cells, rf"^(?P<sign>[-+]?)(?i:{pattern})$")
        there = digits & np.asarray(parts.is_valid())
        total = sum(factor * _part(parts, name) for name, factor in _SECONDS.items())
        minus = np.asarray(pc.equal(pc.struct_field(parts, "sign"), "-").fill_null(False))
        found = np.where(there, np.where(minus, -total, total), found)
    return found


def _part(parts: pa.Array, name: str) -> FloatArray:
    """Return one part of spans as a number, 0 where it is not there."""
    told = pc.replace_substring(pc.struct_field(parts, name), ",", ".")
    told = pc.if_else(pc.fill_null(pc.equal(told, ""), True), "0", told)
    return np.asarray(pc.cast(told, pa.float64()), dtype=np.float64)


def are_spans(cells: list[str]) -> bool:
    """Tell whether some different cells all are spans of time of more than one unit."""
    if not cells:
        return False
    array = pa.array(cells, pa.large_string())
    several = pc.match_substring_regex(array, r"\d[^\d.,]+\d|^P")
    return bool(pc.any(several).as_py()) and not np.isnan(seconds_of(array)).any()
