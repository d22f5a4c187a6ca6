"""How long a test waits for what must come.

Far beyond what a slow and busy machine needs: such a wait ends a test that hangs and tells
nothing about speed. What is to be quick is measured in ``benchmarks/``.
"""

import time
from collections.abc import Callable
from typing import Final

PATIENCE: Final = 240.0
"""Seconds."""

BROWSER_PATIENCE: Final = 120_000
"""Milliseconds, for one step in a browser."""

NO_STEP: Final = 20.0
"""Seconds of computing that a step takes only where its work grows with a square."""


def wait_until(true: Callable[[], bool]) -> None:
    """Return as soon as something is true; AssertionError if it never is."""
    deadline = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.01)
