"""One table per run: what was measured, beside what, and whether it is enough."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import metadata

VERSIONS = ("numpy", "numba", "scikit-learn", "pandas", "streamlit", "plotly")
HEADINGS = ("what", "ours", "beside", "ratio", "target", "reached")


@dataclass(frozen=True)
class Row:
    """One line of the table.

    Attributes
    ----------
    what, ours, beside, ratio, target : str
        Text as it is printed; an empty one where it does not apply.
    reached : bool or None
        Whether the target is met; None where there is none.
    """

    what: str
    ours: str
    beside: str = ""
    ratio: str = ""
    target: str = ""
    reached: bool | None = None

    def cells(self) -> tuple[str, ...]:
        """Return the printed cells in the order of the headings."""
        mark = {True: "yes", False: "NO", None: ""}[self.reached]
        return self.what, self.ours, self.beside, self.ratio, self.target, mark


def format_table(rows: list[Row]) -> str:
    """Return the rows as a Markdown table with aligned columns."""
    return markdown_table(HEADINGS, [row.cells() for row in rows])


def markdown_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table with aligned columns."""
    lines = [heads, *rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(heads))]
    printed = [
        "| "
        + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        + " |"
        for line in lines
    ]
    printed.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(printed)


def machine() -> str:
    """Return processor, cores, system, and the versions that matter, in two lines."""
    cores = available_cores()
    versions = ", ".join(f"{name} {_version(name)}" for name in VERSIONS)
    return (
        f"{_processor()}, {cores} cores, {platform.system()} {platform.machine()}\n"
        f"Python {platform.python_version()}, {versions}"
    )


def available_cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def best_of(
    rounds: int,
    *calls: Callable[[], object],
    clock: Callable[[], float] = time.perf_counter,
) -> list[float]:
    """Return the shortest time of each call in seconds, by the given clock.

    The calls take turns, so that a busy moment of the machine touches all of them.
    """
    best = [float("inf")] * len(calls)
    for _ in range(rounds):
        for position, call in enumerate(calls):
            start = clock()
            call()
            best[position] = min(best[position], clock() - start)
    return best


def format_seconds(seconds: float) -> str:
    """Return a duration with three digits."""
    return f"{seconds:.3g} s" if seconds >= 1 else f"{seconds * 1e3:.3g} ms"


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "absent"


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            return next(line.split(":")[1].strip() for line in lines if "model name" in line)
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()
