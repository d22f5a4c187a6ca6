"""Frozen values as JSON and back, each checked against the type that its class declares.

A field that is added to one of those classes comes along by itself. Nothing is ever unpickled.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from functools import cache
from types import MappingProxyType, NoneType, UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np

from stiknn_core.tables.apart.frames import JunkError

_SCALARS: Final = (str, bool, int, NoneType)


def told(value: Any) -> Any:
    """Return a value as JSON holds it."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (list, tuple)):
        return [told(part) for part in value]
    if isinstance(value, Mapping):
        return {str(name): told(part) for name, part in value.items()}
    if dataclasses.is_dataclass(value):
        return {field.name: told(getattr(value, field.name)) for field in dataclasses.fields(value)}
    raise TypeError(f"a table holds a {type(value).__name__}, which has no place in JSON")


def rebuilt(kind: Any, value: Any) -> Any:
    """Return what was told as a value of some type.

    Raises
    ------
    JunkError
        If it is none.
    """
    origin, inner = get_origin(kind), get_args(kind)
    if kind is Any:
        return free(value)
    if kind in _SCALARS or kind is None:
        if type(value) is (NoneType if kind is None else kind):
            return value
    elif kind is float:
        if type(value) in (int, float):
            return float(value)
    elif origin is Literal:
        if any(type(value) is type(one) and value == one for one in inner):
            return value
    elif origin in (Union, UnionType):
        for one in inner:
            try:
                return rebuilt(one, value)
            except JunkError:
                continue
    elif origin is tuple and isinstance(value, list):
        return _tuple(inner, value)
    elif origin is Sequence and isinstance(value, list):
        return tuple(rebuilt(inner[0], part) for part in value)
    elif origin in (Mapping, dict) and isinstance(value, dict):
        return MappingProxyType({name: rebuilt(inner[1], part) for name, part in value.items()})
    elif dataclasses.is_dataclass(kind) and isinstance(value, dict):
        make: Any = kind
        return make(**parts(kind, value))
    raise JunkError(f"{str(value)[:80]!r} in the place of {kind}")


def parts(kind: Any, value: Mapping[str, Any], without: frozenset[str] = frozenset()) -> Any:
    """Return the fields of a class from what was told of them, all but those in ``without``."""
    hints = _hints(kind)
    names = [field.name for field in dataclasses.fields(kind) if field.name not in without]
    missing = [name for name in names if name not in value]
    if missing:
        raise JunkError(f"a {kind.__name__} without {missing}")
    return {name: rebuilt(hints[name], value[name]) for name in names}


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)


def _tuple(inner: tuple[Any, ...], value: list[Any]) -> tuple[Any, ...]:
    if len(inner) == 2 and inner[1] is ...:
        return tuple(rebuilt(inner[0], part) for part in value)
    if len(inner) != len(value):
        raise JunkError(f"{len(value)} values in the place of {len(inner)}")
    return tuple(rebuilt(one, part) for one, part in zip(inner, value, strict=True))


def free(value: Any) -> Any:
    """Return a value of no declared type, where lists are tuples and mappings read-only."""
    if isinstance(value, list):
        return tuple(free(part) for part in value)
    if isinstance(value, dict):
        return MappingProxyType({name: free(part) for name, part in value.items()})
    return value
