"""Warnings that a caller can switch off for what it calls, whatever other threads do.

``warnings.catch_warnings`` changes the filters of the whole process: of two threads inside it at
once, the later one to leave puts back what the earlier one had set.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from stiknn_core.errors import StiknnWarning

_QUIET: ContextVar[bool] = ContextVar("stiknn_quiet", default=False)


@contextmanager
def without_warnings() -> Iterator[None]:
    """Within it, calls from this thread give no ``StiknnWarning``."""
    before = _QUIET.set(True)
    try:
        yield
    finally:
        _QUIET.reset(before)


def warn(message: str, stacklevel: int) -> None:
    """Give a ``StiknnWarning``, unless the caller wants none.

    Parameters
    ----------
    message : str
    stacklevel : int
        As in ``warnings.warn``, counted from the function that calls this one.
    """
    if not _QUIET.get():
        warnings.warn(message, StiknnWarning, stacklevel=stacklevel + 1)
