"""Rank every row of large tables: time, and memory above the data.

    python -m benchmarks.ranking             20,000 and 100,000 rows of 20 columns
    python -m benchmarks.ranking 1000000     other numbers of rows
    python -m benchmarks.ranking --classes   2 and 1,000 classes

Each size runs in a process of its own, so that its memory is its own. Times are those of the clock:
on a machine that does other work they say little, and CPU time stands beside them.
"""

from __future__ import annotations

import argparse

import numpy as np

from benchmarks.growth import ask_fresh_process
from benchmarks.ranking_once import COLUMNS
from benchmarks.report import Row, format_table, machine

SIZES = (20_000, 100_000)
LIMITS = {20_000: 15.0, 100_000: 100.0, 1_000_000: 1200.0}
MOST_GB = 2.0
CLASSES = (2, 1_000)
ROWS_OF_CLASSES = 20_000


def rows_of(sizes: tuple[int, ...]) -> list[Row]:
    """Return a line for each size, and the growth from the first to the last."""
    found = {n: ask_fresh_process("benchmarks.ranking_once", n, 3) for n in sizes}
    lines = []
    for n, one in found.items():
        limit = LIMITS.get(n)
        lines.append(
            Row(
                f"{n:,} x {COLUMNS} ranked",
                f"{one['seconds']:.1f} s",
                f"{one['cpu']:.0f} s of CPU",
                "",
                "" if limit is None else f"<= {limit:.0f} s",
                None if limit is None else one["seconds"] <= limit,
            )
        )
        gb = f"{one['gb']:.2f} GB"
        lines.append(
            Row("  memory above the data", gb, "", "", f"<= {MOST_GB} GB", one["gb"] <= MOST_GB)
        )
    if len(sizes) > 1:
        first, last = min(sizes), max(sizes)
        slope = np.log(found[last]["cpu"] / found[first]["cpu"]) / np.log(last / first)
        what = f"CPU time, n = {first:,}..{last:,}"
        lines.append(Row(what, "", "", f"n^{slope:.2f}", "<= n^1.2", bool(slope <= 1.2)))
    return lines


def rows_of_classes() -> list[Row]:
    """Return how much longer many classes take."""
    few, many = (ask_fresh_process("benchmarks.ranking_once", ROWS_OF_CLASSES, c) for c in CLASSES)
    ratio = many["cpu"] / few["cpu"]
    return [
        Row(
            f"{ROWS_OF_CLASSES:,} rows in {CLASSES[1]:,} classes",
            f"{many['cpu']:.1f} s of CPU",
            f"{few['cpu']:.1f} s in {CLASSES[0]}",
            f"{ratio:.2f}",
            "<= 3",
            ratio <= 3,
        )
    ]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sizes", nargs="*", type=int, help="numbers of rows")
    parser.add_argument("--classes", action="store_true", help="2 and 1,000 classes")
    options = parser.parse_args()
    print(machine(), end="\n\n")
    found = rows_of_classes() if options.classes else rows_of(tuple(options.sizes) or SIZES)
    print(format_table(found))


if __name__ == "__main__":
    main()
