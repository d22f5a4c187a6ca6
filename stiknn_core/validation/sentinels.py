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


def is_sentinel(values: Any) -> NDArray[np.bool_]:
    """Tell of each number, in an array of any shape, whether it looks like a mark for missing."""
    size = np.abs(np.asarray(values, dtype=np.float64))
    found = np.isfinite(size) & (size >= _BEYOND)
    for mark in _MARKS:
        found |= np.abs(size - mark) <= _RELATIVE * mark
    return np.asarray(found, dtype=np.bool_)
