"""Numbers that programs write for "no value", and that nobody measures."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

# Stata writes 2^1023 and a little more for the missing values of a double, SPSS the lowest double,
# others the highest one, cut to a few digits.
_BEYOND: Final = 0.999 * 2.0**1023

#: The highest single (rasters of ArcGIS and GDAL), 2^127 (Surfer, and Stata's single), and the
#: fill value of netCDF. What is a plausible number in some column is left out: -999, -2^31, 1e20.
_MARKS: Final = (float(np.finfo(np.float32).max), 2.0**127, 9.969209968386869e36)

#: As they are written, with five digits and more.
_RELATIVE: Final = 1e-5

_NINES: Final = tuple(10.0**digits - less for digits in range(2, 7) for less in (1, 0.1, 0.01))


def far_nines(values: NDArray[np.float64]) -> tuple[float, int] | None:
    """Return nines such as -9999 or 999.9 that several of some finite numbers are, and how many.

    Only where they lie further from all others than these from each other.
    """
    for end in (values.min, values.max) if len(values) > 2 else ():
        mark = float(end())
        if abs(mark) not in _NINES:
            continue
        rest = values[values != mark]
        count = len(values) - len(rest)
        if count > 1 and len(rest) > 1:
            low, high = float(rest.min()), float(rest.max())
            if min(abs(mark - low), abs(mark - high)) > high - low > 0:
                return mark, count
    return None


def is_sentinel(values: Any) -> NDArray[np.bool_]:
    """Tell of each number, in an array of any shape, whether it looks like a mark for missing."""
    size = np.abs(np.asarray(values, dtype=np.float64))
    found = np.isfinite(size) & (size >= _BEYOND)
    for mark in _MARKS:
        found |= np.abs(size - mark) <= _RELATIVE * mark
    return np.asarray(found, dtype=np.bool_)
