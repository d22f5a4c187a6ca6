"""Memory that is free again goes back to the system, where the C library would keep it (glibc)."""

from __future__ import annotations

import ctypes
from contextlib import suppress
from typing import Final

_MMAP_THRESHOLD: Final = -3  # its number in malloc.h
_LARGE: Final = 256 * 1024


def keep_little() -> None:
    """From now on, let each piece of 256 kB and more lie by itself.

    By default that bound rises with each larger piece that is freed, up to 32 MB: what is freed
    between smaller ones then stays with the server, 7 % of its memory after forty files of 5 MB.
    """
    with suppress(AttributeError, OSError, TypeError):  # of other systems
        ctypes.CDLL(None).mallopt(_MMAP_THRESHOLD, _LARGE)
