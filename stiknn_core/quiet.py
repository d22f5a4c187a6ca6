"""Warnings that a caller can switch off for what it calls, whatever other threads do.

``warnings.catch_warnings`` changes the filters of the whole process: of two threads inside it at
once, the later one to leave puts back what the earlier one had set.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from stiknn_core.errors import StiknnWarning

_PACKAGE = Path(__file__).parent

_QUIET: ContextVar[bool] = ContextVar("stiknn_quiet", default=False)


@contextmanager
def without_warnings() -> Iterator[None]:
    """Within it, calls from this thread give no ``StiknnWarning``."""
    before = _QUIET.set(True)
    try:
        yield
    finally:
        _QUIET.reset(before)


def warn(message: str) -> None:
    """Give a ``StiknnWarning`` at the line that called the package, unless it wants none."""
    if _QUIET.get():
        return
    level = 1
    frame = inspect.currentframe()
    while frame is not None and Path(frame.f_code.co_filename).is_relative_to(_PACKAGE):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, StiknnWarning, stacklevel=level)
