"""Measure the engine and print one table: `python -m benchmarks.engine`.

About four minutes. ``--peers PYTHON`` names an interpreter that has other packages
installed (see requirements-peers.txt); without it, those that this one has are measured.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

import numpy as np

from benchmarks import growth, paper_algorithm, scale, throughput
from benchmarks.data import Sample, problem
from benchmarks.peers import PEERS, K, time_peer
from benchmarks.report import Row, best_of, format_seconds, format_table, machine
from stiknn_core import interactions
from stiknn_core.types import FloatArray

PAPER_SIZE = (2000, 500)
PAPER_TARGET = 60
PEER_SIZE = (600, 150)


def compare_with_paper() -> list[Row]:
    """Return our whole call beside the paper's algorithm in NumPy, after comparing results."""
    n, t = PAPER_SIZE
    train, test = problem(n, t)
    result = interactions(*train, *test, k=K)
    if result.tied_test_points:
        raise RuntimeError("The sample has ties, on which the two need not agree; change its seed.")

    def row(name: str, algorithm: Callable[..., FloatArray], target: int | None) -> Row:
        matrices: list[FloatArray] = []

        def paper() -> None:
            matrices.append(algorithm(train, test, K))

        # Ours before and after the long run, so that both see the same machine.
        before = _time_ours(train, test)
        (theirs,) = best_of(1, paper)
        ours = min(before, _time_ours(train, test))
        np.testing.assert_allclose(result.matrix, matrices[0], rtol=0, atol=1e-10)
        return Row(
            f"whole call, n = {n}, t = {t}, over Algorithm 1 in NumPy, {name}",
            format_seconds(ours),
            format_seconds(theirs),
            f"{theirs / ours:.0f} x",
            f">= {target} x" if target else "",
            theirs / ours >= target if target else None,
        )

    return [
        row("fancy-indexed add", paper_algorithm.add_at_sorted_places, PAPER_TARGET),
        row("gathered by rank", paper_algorithm.gather_by_rank, None),
    ]


def compare_with_peers(python: str) -> list[Row]:
    """Return our full matrix beside each peer's n values."""
    n, t = PEER_SIZE
    train, test = problem(n, t)
    data = dict(zip(("X", "y", "X_test", "y_test"), (*train, *test), strict=True))
    rows = []
    for name in PEERS:
        before = _time_ours(train, test)
        answer = time_peer(python, name, data)
        ours = min(before, _time_ours(train, test))
        what = f"full matrix, n = {n}, t = {t}, over the n values of {name}"
        if "seconds" not in answer:
            rows.append(Row(what, format_seconds(ours), answer["reason"]))
            continue
        seconds = answer["seconds"]
        rows.append(
            Row(
                f"{what} {answer['version']}",
                format_seconds(ours),
                format_seconds(seconds),
                f"{seconds / ours:.1f} x",
                "> 1 x",
                seconds > ours,
            )
        )
    return rows


def _time_ours(train: Sample, test: Sample) -> float:
    return best_of(7, lambda: interactions(*train, *test, k=K))[0]


def main() -> None:
    """Print machine, versions and the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peers", default=sys.executable, metavar="PYTHON")
    python = parser.parse_args().peers
    small = problem(60, 20)
    interactions(*small[0], *small[1])  # compiles, or loads what was compiled
    print(machine(), end="\n\n", flush=True)
    rows = throughput.measure()
    rows += compare_with_paper()
    rows += compare_with_peers(python)
    rows += growth.measure()
    rows += scale.measure()
    print(format_table(rows))


if __name__ == "__main__":
    main()
