"""Check single settings: k, the choice of a word, the number of threads."""

from __future__ import annotations

import math
import numbers
import operator
import os
from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np

from stiknn_core.errors import ParameterError

MAX_SEED = 2**32 - 1

_Word = TypeVar("_Word", bound=str)


def plain(value: Any) -> Any:
    """Return a NumPy scalar as the Python value it stands for, and bytes as text.

    Text loses the NULs at its end, since arrays of NumPy cannot hold them: everything agrees.
    """
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, bytes):
        value = value.decode("utf-8", "backslashreplace")
    return value.rstrip("\0") if isinstance(value, str) else value


def check_whole(name: str, value: Any, *, least: int) -> int:
    """Return ``value`` as an int of at least ``least``; booleans and 2.0 are refused."""
    if not isinstance(value, bool | np.bool_) and isinstance(value, numbers.Integral | np.integer):
        whole = operator.index(value)
        if whole >= least:
            return whole
    raise ParameterError(f"{name} must be an integer of at least {least}; got {plain(value)!r}.")


def check_choice(name: str, value: Any, choices: Sequence[_Word]) -> _Word:
    """Return ``value`` if it is one of ``choices``."""
    for choice in choices:
        if isinstance(value, str) and value == choice:
            return choice
    known = ", ".join(repr(str(choice)) for choice in choices)
    raise ParameterError(f"{name} must be one of {known}; got {plain(value)!r}.")


def check_n_jobs(n_jobs: Any) -> int:
    """Return a number of threads; None and -1 mean all that this process may use."""
    whole = isinstance(n_jobs, numbers.Integral) and not isinstance(n_jobs, bool | np.bool_)
    if n_jobs is None or (whole and n_jobs == -1):
        affinity = getattr(os, "sched_getaffinity", None)
        return max(1, len(affinity(0)) if affinity else (os.cpu_count() or 1))
    if not whole or n_jobs < 1:
        raise ParameterError(
            f"n_jobs must be None, -1 or an integer of at least 1; got {plain(n_jobs)!r}."
        )
    return int(n_jobs)


def check_between(name: str, value: Any, low: int, high: int) -> int:
    """Return ``value`` as an int of ``[low, high]``; booleans and 3.0 are refused."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, numbers.Integral):
        raise ParameterError(
            f"{name} must be an integer between {low} and {high}; got {plain(value)!r}."
        )
    if not low <= int(value) <= high:
        raise ParameterError(f"{name} must be between {low} and {high}; got {int(value)}.")
    return int(value)


def check_real(name: str, value: Any, low: float, high: float) -> float:
    """Return ``value`` as a finite float of ``[low, high]``."""
    wanted = f"{name} must be a number between {low:g} and {high:g}"
    if isinstance(value, bool | np.bool_) or not isinstance(value, numbers.Real):
        raise ParameterError(f"{wanted}; got {plain(value)!r}.")
    number = float(value)
    if not (math.isfinite(number) and low <= number <= high):
        raise ParameterError(f"{wanted}; got {number:g}.")
    return number


def check_seed(seed: Any) -> int:
    """Return ``seed`` as an int of ``[0, 2**32 - 1]``."""
    return check_between("seed", seed, 0, MAX_SEED)
