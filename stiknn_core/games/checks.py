"""Check what describes a game: single numbers, and arrays of shares and weights."""

from __future__ import annotations

import hashlib
import math
import numbers
from collections.abc import Callable
from typing import Any

import numpy as np

from stiknn_core.errors import ParameterError, ShapeError
from stiknn_core.types import AnyArray, FloatArray

#: What rounding may make of a sum of shares.
_TOLERANCE = 1e-6


def check_number(name: str, value: Any, allowed: str, fits: Callable[[float], bool]) -> float:
    """Return ``value`` as a finite float that ``fits``; ``allowed`` says which do."""
    real = isinstance(value, numbers.Real) and not isinstance(value, bool | np.bool_)
    if real and math.isfinite(value) and fits(float(value)):
        return float(value)
    shown = value.item() if isinstance(value, np.generic) else value
    raise ParameterError(f"{name} must be {allowed}; got {shown!r:.60}.")


def check_table(name: str, given: Any, rows: str) -> FloatArray:
    """Return a finite, not negative, two-dimensional array, a copy that cannot be written to."""
    try:
        table = np.array(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise ParameterError(f"{name} must hold numbers, one row per {rows}.") from None
    if table.ndim != 2 or 0 in table.shape:
        raise ShapeError(f"{name} must have one row per {rows}; got shape {table.shape}.")
    wrong = np.argwhere(~(np.isfinite(table) & (table >= 0)))
    if len(wrong):
        row, column = wrong[0].tolist()
        raise ParameterError(
            f"{name} must be finite and not negative; got {table[row, column]:g} in row {row}, "
            f"column {column} (counted from 0)."
        )
    table.setflags(write=False)
    return table


def check_probabilities(given: Any, rows: str) -> FloatArray:
    """Return a table whose rows add up to 1."""
    table = check_table("probabilities", given, rows)
    total = table.sum(axis=1)
    wrong = np.flatnonzero(np.abs(total - 1.0) > _TOLERANCE)
    if len(wrong):
        raise ParameterError(
            f"Each row of probabilities must add up to 1; row {wrong[0]} adds up to "
            f"{total[wrong[0]]:.6g}. Divide by the sums; counts of votes go to games.votes."
        )
    return table


def check_shape(name: str, array: AnyArray, shape: tuple[int, int], means: str) -> None:
    """Refuse an array that does not fit the data; ``means`` says what rows and columns are."""
    if array.shape != shape:
        raise ShapeError(f"{name} must have shape {shape}: {means}; got shape {array.shape}.")


def digest(*arrays: AnyArray) -> str:
    """Return sixteen letters that tell arrays apart, for names."""
    found = hashlib.sha256()
    for array in arrays:
        found.update(repr((array.shape, array.dtype.str)).encode())
        found.update(np.ascontiguousarray(array).tobytes())
    return found.hexdigest()[:16]


def written(number: float) -> str:
    """Return a number as short as it can be told apart: 4 in place of 4.0."""
    return repr(number).removesuffix(".0")
