"""One table per run: what was measured, beside what, and whether it is enough."""

from __future__ import annotations

import operator
import os
import platform
import time
from collections.abc import Callable, Sequence
from importlib import metadata
from typing import Literal, NamedTuple

VERSIONS = ("numpy", "numba", "scikit-learn", "pandas", "streamlit", "plotly")
MARKS = {True: "yes", False: "NO", None: ""}
COMPARISONS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}

Limit = tuple[Literal["<", "<=", ">", ">="], float]


class Row(NamedTuple):
    """One line of the table: text as it is printed, empty where it does not apply."""

    what: str
    ours: str
    beside: str = ""
    ratio: str = ""
    target: str = ""
    reached: bool | None = None


def judged(value: float, limit: Limit | None, unit: str = "") -> tuple[str, bool | None]:
    """Return target and reached of a row; nothing of both where there is no limit."""
    if limit is None:
        return "", None
    sign, bound = limit
    return f"{sign} {bound:g}{unit}", COMPARISONS[sign](value, bound)


def speedup(
    what: str, ours: float, theirs: float, limit: Limit | None = None, digits: int = 1
) -> Row:
    """Return the row of two times in seconds: how many times as fast as theirs ours is."""
    ratio = theirs / ours
    times = format_seconds(ours), format_seconds(theirs)
    return Row(what, *times, f"{ratio:.{digits}f} x", *judged(ratio, limit, " x"))


def print_table(measure: Callable[[], list[Row]]) -> None:
    """Print machine and versions at once, and the table when it is measured."""
    print(machine(), end="\n\n", flush=True)
    print(format_table(measure()))


def format_table(rows: list[Row]) -> str:
    """Return the rows as a Markdown table."""
    heads = ("what", "ours", "beside", "ratio", "target", "reached")
    return markdown_table(heads, [(*row[:-1], MARKS[row.reached]) for row in rows])


def markdown_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table with aligned columns."""
    # A bar would end the cell.
    lines = [[cell.replace("|", "\\|") for cell in line] for line in (heads, *rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
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
