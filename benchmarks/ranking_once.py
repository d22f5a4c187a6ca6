"""Rank the rows of one made table in this process: `python -m benchmarks.ranking_once N C`."""

from __future__ import annotations

import json
import resource
import sys
import threading
import time
from pathlib import Path

import numpy as np
from sklearn.datasets import make_classification

from stiknn_core.types import FloatArray, IntArray

COLUMNS = 20


def made(n: int, n_classes: int) -> tuple[FloatArray, IntArray]:
    """Return a table whose classes overlap, with one label in ten wrong."""
    if n_classes <= 8:
        X, y = make_classification(
            n,
            COLUMNS,
            n_informative=10,
            n_redundant=4,
            n_classes=n_classes,
            flip_y=0.1,
            random_state=0,
        )
        return X, y
    rng = np.random.default_rng(0)
    y = rng.integers(0, n_classes, n)
    X = rng.normal(size=(n_classes, COLUMNS))[y] * 2 + rng.normal(size=(n, COLUMNS))
    return X, np.where(rng.random(n) < 0.1, rng.integers(0, n_classes, n), y)


def alone(n: int, n_classes: int) -> None:
    """Rank in this process, and print what it took as JSON."""
    from stiknn_core import rank_suspects

    X, y = made(n, n_classes)
    rank_suspects(*made(300, min(n_classes, 8)))  # loads what is compiled
    before = _resident()
    peak = _Peak()
    start, cpu = time.perf_counter(), time.process_time()
    rank_suspects(X, y)
    seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
    json.dump({"seconds": seconds, "cpu": cpu, "gb": (peak.stop() - before) / 1e9}, sys.stdout)


class _Peak:
    """Watches the memory of this process from now on: what was used before does not count."""

    def __init__(self) -> None:
        self._highest = 0.0
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()

    def _watch(self) -> None:
        while not self._done.wait(0.05):
            self._highest = max(self._highest, _resident())

    def stop(self) -> float:
        """Return the most bytes seen."""
        self._done.set()
        self._thread.join()
        return self._highest


def _resident() -> float:
    statm = Path("/proc/self/statm")
    if statm.exists():
        return float(statm.read_text(encoding="ascii").split()[1]) * resource.getpagesize()
    return float(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)


if __name__ == "__main__":
    alone(*map(int, sys.argv[1:]))
