"""Measure the engine and print one table: `python -m benchmarks.engine`.

About four minutes. ``--peers PYTHON`` names an interpreter that has other packages
installed (see requirements-peers.txt); without it, those that this one has are measured.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import TypeVar

import numpy as np

from benchmarks import growth, paper_algorithm, scale, throughput
from benchmarks.data import Sample, problem
from benchmarks.peers import PEERS, K, ask
from benchmarks.report import Limit, Row, best_of, format_seconds, print_table, speedup
from stiknn_core import interactions
from stiknn_core.types import FloatArray

PAPER_SIZE = (2000, 500)
PAPER_TARGET = 60
PEER_SIZE = (600, 150)

Answer = TypeVar("Answer")


def compare_with_paper() -> list[Row]:
    """Return our whole call beside the paper's algorithm in NumPy, after comparing results."""
    n, t = PAPER_SIZE
    train, test = problem(n, t)
    result = interactions(*train, *test, k=K)
    if result.tied_test_points:
        raise RuntimeError("The sample has ties, on which the two need not agree; change its seed.")

    def row(name: str, algorithm: Callable[..., FloatArray], limit: Limit | None) -> Row:
        def paper() -> tuple[float, FloatArray]:
            start = time.perf_counter()
            matrix = algorithm(train, test, K)
            return time.perf_counter() - start, matrix

        ours, (theirs, matrix) = _ours_around(paper, train, test)
        np.testing.assert_allclose(result.matrix, matrix, rtol=0, atol=1e-10)
        what = f"whole call, n = {n}, t = {t}, over Algorithm 1 in NumPy, {name}"
        return speedup(what, ours, theirs, limit, digits=0)

    return [
        row("fancy-indexed add", paper_algorithm.add_at_sorted_places, (">=", PAPER_TARGET)),
        row("gathered by rank", paper_algorithm.gather_by_rank, None),
    ]


def compare_with_peers(python: str) -> list[Row]:
    """Return our full matrix beside each peer's n values."""
    n, t = PEER_SIZE
    train, test = problem(n, t)
    data = dict(zip(("X", "y", "X_test", "y_test"), (*train, *test), strict=True))
    rows = []
    for name in PEERS:
        ours, answer = _ours_around(partial(ask, python, name, data), train, test)
        what = f"full matrix, n = {n}, t = {t}, over the n values of {name}"
        if "seconds" in answer:
            rows.append(speedup(f"{what} {answer['version']}", ours, answer["seconds"], (">", 1)))
        else:
            rows.append(Row(what, format_seconds(ours), answer["reason"]))
    return rows


def _ours_around(
    long_run: Callable[[], Answer], train: Sample, test: Sample
) -> tuple[float, Answer]:
    """Return our best time before and after a long run, and what that run returned."""
    # Before and after it, so that both see the same machine.
    ours = partial(interactions, *train, *test, k=K)
    before = best_of(7, ours)
    answer = long_run()
    return min(*before, *best_of(7, ours)), answer


def measure(python: str) -> list[Row]:
    """Return all rows; the peers are those that this interpreter has."""
    return [
        *throughput.measure(),
        *compare_with_paper(),
        *compare_with_peers(python),
        *growth.measure(),
        *scale.measure(),
    ]


def main() -> None:
    """Print machine, versions and the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peers", default=sys.executable, metavar="PYTHON")
    python = parser.parse_args().peers
    small = problem(60, 20)
    interactions(*small[0], *small[1])  # compiles, or loads what was compiled
    print_table(partial(measure, python))


if __name__ == "__main__":
    main()
