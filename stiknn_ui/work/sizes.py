"""About how much memory a value takes, for bounding what is kept. Pure."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import is_dataclass
from typing import Any, Final

import numpy as np

# What an entry of an object array points to, mostly a short text.
_OBJECT_BYTES: Final = 64
# Longer sequences are measured by their first entries, which are all of one kind.
_LOOKED_AT: Final = 1_000


def size_of(value: Any) -> int:
    """Return about how many bytes ``value`` and all that it holds on to take.

    Arrays count with the memory they are a view of, and what is held twice counts once.
    Objects of unknown kinds count by themselves and what their ``nbytes`` says. O(entries looked
    at), never O(cells).

    Parameters
    ----------
    value : object
        Dataclasses, mappings, sequences, arrays, bytes and text are looked into.
    """
    return _size(value, set())


def _size(value: Any, seen: set[int]) -> int:
    if isinstance(value, np.ndarray):
        while isinstance(value.base, np.ndarray):
            value = value.base
    if id(value) in seen:
        return 0
    seen.add(id(value))
    if isinstance(value, np.ndarray):
        return int(value.nbytes) + _OBJECT_BYTES * (value.size if value.dtype == object else 0)
    alone = sys.getsizeof(value)
    if isinstance(value, Mapping):
        return alone + _sequence([*value.keys()], seen) + _sequence([*value.values()], seen)
    if isinstance(value, tuple | list):
        return alone + _sequence(value, seen)
    if is_dataclass(value) and not isinstance(value, type):
        return alone + _sequence([*vars(value).values()], seen)
    told = getattr(value, "nbytes", 0)  # of rankings, say, which are behind a face of their own
    return alone + told if isinstance(told, int) else alone


def _sequence(values: tuple[Any, ...] | list[Any], seen: set[int]) -> int:
    counted = sum(_size(one, seen) for one in values[:_LOOKED_AT])
    return round(counted * len(values) / _LOOKED_AT) if len(values) > _LOOKED_AT else counted
