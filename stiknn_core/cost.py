"""What a full matrix costs in memory and time, and how a person is told."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from stiknn_core.errors import ShapeError
from stiknn_core.phrases import counted
from stiknn_core.validation.settings import check_whole

MAX_MATRIX_BYTES = 2 * 1024**3
"""Largest full interaction matrix that is offered without a sample."""

# Rough throughput of the pair kernel and of the distances on a two-core machine. They set
# expectations ("about 3 minutes"), so the right order of magnitude is enough.
_PAIRS_PER_SECOND = 4e9
_DISTANCE_TERMS_PER_SECOND = 4e8
_RANKED_PER_SECOND = 8e6
_TEST_POINTS_PER_CHUNK = 256


def describe_bytes(count: float) -> str:
    """Return a size in the unit a person would choose, such as ``"3.2 GB"``."""
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= size:
            number = count / size
            return f"{number:.1f} {unit}" if number < 10 else f"{number:,.0f} {unit}"
    return f"{count:.0f} bytes"


def describe_seconds(seconds: float) -> str:
    """Return a duration in the unit a person would choose, such as ``"4 minutes"``."""
    if seconds < 1:
        return "less than a second"
    for unit, size in (
        ("year", 3.15e7),
        ("day", 86400.0),
        ("hour", 3600.0),
        ("minute", 60.0),
        ("second", 1.0),
    ):
        if seconds >= size:
            return counted(round(seconds / size), unit)
    raise AssertionError("seconds >= 1 matches one of the units")


@dataclass(frozen=True)
class Estimate:
    """What the full matrix of a data set would take.

    Attributes
    ----------
    bytes : int
        Memory at the peak, in bytes: the result and the working chunks.
    seconds : float
        Time on two cores, in seconds; right to a factor of about three.
    n, t, d : int
        Training rows, test rows and features it was made for.
    """

    bytes: int
    seconds: float
    n: int
    t: int
    d: int

    @property
    def sentence(self) -> str:
        """Say memory and time in one sentence."""
        return (
            f"The full matrix of {self.n:,} rows needs about {describe_bytes(self.bytes)} of "
            f"memory and {describe_seconds(self.seconds)}."
        )

    def fits(self, limit: int = MAX_MATRIX_BYTES) -> bool:
        """Tell whether the memory stays within ``limit`` bytes."""
        return self.bytes <= limit


def estimate(n: int, t: int, d: int) -> Estimate:
    """Estimate memory and time of the full interaction matrix.

    Parameters
    ----------
    n : int
        Training rows, at least 1.
    t : int
        Test rows, at least 1; ``n`` for leave-one-out testing.
    d : int
        Features, at least 0.

    Returns
    -------
    Estimate

    Raises
    ------
    ParameterError
        If a count is not a whole number in its range.

    Notes
    -----
    Memory is O(n^2 + n chunk + (n + t) d), time O(t n (n + d + log n)).
    """
    for name, count, least in (("n", n, 1), ("t", t, 1), ("d", d, 0)):
        check_whole(name, count, least=least)
    chunk = min(t, _TEST_POINTS_PER_CHUNK)
    memory = 8 * n * n + 4 * 8 * n * chunk + 8 * (n + t) * d
    pairs = t * n * n / 2
    seconds = (
        pairs / _PAIRS_PER_SECOND
        + t * n * d / _DISTANCE_TERMS_PER_SECOND
        + t * n / _RANKED_PER_SECOND
    )
    return Estimate(bytes=int(memory), seconds=float(seconds), n=int(n), t=int(t), d=int(d))


def largest_sample(limit: int = MAX_MATRIX_BYTES) -> int:
    """Return how many rows a matrix of at most ``limit`` bytes can have."""
    chunk_bytes = 4 * 8 * _TEST_POINTS_PER_CHUNK
    n = int((-chunk_bytes + np.sqrt(chunk_bytes**2 + 4 * 8 * limit)) / 16)
    return max(n, 1)


def free_bytes() -> float:
    """Return how much memory is free, in bytes; infinity where the system does not tell.

    Linux tells it; a container may have less, and its limit counts.
    """
    free = float("inf")
    try:
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                free = 1024.0 * int(line.split()[1])
        limit = Path("/sys/fs/cgroup/memory.max").read_text(encoding="ascii").strip()
        if limit != "max":
            used = int(Path("/sys/fs/cgroup/memory.current").read_text(encoding="ascii"))
            free = min(free, max(0.0, int(limit) - used))
    except (OSError, ValueError):
        pass
    return free


def check_memory(what: str, needed: float, instead: str) -> None:
    """Refuse work before it begins that needs more memory than is free.

    Parameters
    ----------
    what : str
        Begins the sentence: "A forest of 200 trees on 1,000 points".
    needed : float
        Bytes.
    instead : str
        What would fit, a sentence.

    Raises
    ------
    ShapeError
    """
    free = free_bytes()
    if needed > free:
        raise ShapeError(
            f"{what} needs {describe_bytes(needed)} of memory; {describe_bytes(free)} are free. "
            f"{instead}"
        )
