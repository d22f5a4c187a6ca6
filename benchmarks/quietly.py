"""Keep models quiet about what is known beforehand."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def quietly() -> Iterator[None]:
    """Say nothing of classes smaller than the folds, and of fits that stop early."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
