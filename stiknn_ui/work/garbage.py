"""Free now and then what runs leave behind in cycles.

Streamlit would after every run, and hold all threads of the server up for a sixth of a second each
time: longer than most runs take, and a computation that is watched is one short run after
another. So that is switched off in ``.streamlit/config.toml`` (``runner.postScriptGC``).
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable
from typing import Final

from streamlit import runtime

_AFTER: Final = 10.0  # seconds: what goes on meanwhile is cleaned up with it


class Collector:
    """Collects some time after it is asked to, once for all who ask until then.

    Parameters
    ----------
    collect : callable
    after : float
        Seconds.
    """

    def __init__(self, collect: Callable[[], object] = gc.collect, after: float = _AFTER) -> None:
        self._collect = collect
        self._after = after
        self._lock = threading.Lock()
        self._due = False

    def soon(self) -> None:
        """Collect in a while, unless that is going to happen anyway."""
        with self._lock:
            if self._due:
                return
            self._due = True
        timer = threading.Timer(self._after, self._now)
        timer.daemon = True
        timer.start()

    def _now(self) -> None:
        with self._lock:
            self._due = False
        self._collect()


_COLLECTOR: Final = Collector()


def collect_soon() -> None:
    """Free what this run and others leave behind, a while after; nothing without a server."""
    # Not ``isinstance``: what stands in for a server where a page is only tried passes that.
    if runtime.exists() and type(runtime.get_instance()) is runtime.Runtime:
        _COLLECTOR.soon()
