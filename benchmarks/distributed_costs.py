"""Measure the constants of the cost model in docs/scale.md, one by one.

`python -m benchmarks.distributed_costs` takes some minutes. Times are processor time of one core,
so that other work on the machine does not count.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.data import circles
from benchmarks.distributed import bytes_in
from benchmarks.report import best_of, machine, markdown_table
from stiknn_core.distributed._coefficients import Coefficients, TestPoints
from stiknn_core.distributed._format import create_group, make_array
from stiknn_core.distributed._layout import PART, TILE, cell_of
from stiknn_core.distributed._tiles import add_to_tile
from stiknn_core.games import STII
from stiknn_core.validation import Problem, check_problem

Line = tuple[str, str, str]
RANKED = ((10_000, 2, 64), (100_000, 2, 16), (100_000, 20, 16), (1_000_000, 10, 4))
BLOCKS = 256
TILES = 8


def pairs() -> list[Line]:
    """Return the time of one pair and test point, without and with ties."""
    rng = np.random.default_rng(0)
    lines = []
    for ties in (False, True):
        a, b = (
            Coefficients(
                rng.normal(size=(TILE, PART)),
                rng.normal(size=(TILE, PART)),
                rng.integers(0, 10**6, (TILE, PART)).astype(np.int32),
                np.full(PART, ties),
            )
            for _ in range(2)
        )
        what = "with ties" if ties else "without ties"
        how = f"a tile of {TILE} × {TILE}, {PART} test points {what}"
        call = partial(add_to_tile, np.zeros((TILE, TILE)), a, b, False)
        lines.append(_time(f"pair, {what}", call, TILE * TILE * PART, how, rounds=9, digits=3))
    return lines


def ranking() -> list[Line]:
    """Return the time of one training and test point in the tasks that rank."""
    lines = []
    for n, d, t in RANKED:
        tests, block_of = TestPoints(_problem(n, d, t), STII), np.arange(n) % BLOCKS
        calls = {
            "ranked for the matrix": partial(tests.everything, 0, t, True, None),
            f"ranked and summed over {BLOCKS} blocks": partial(
                tests.everything, 0, t, False, (block_of, BLOCKS)
            ),
        }
        for what, call in calls.items():
            call()
            one, how = f"training × test point {what}", f"n = {n:,}, d = {d}, t = {t}"
            lines.append(_time(one, call, n * t, how, rounds=2, digits=0))
    return lines


def writing() -> list[Line]:
    """Return time and size of stored tiles and of stored coefficients."""
    n = TILE * 3
    found = TestPoints(_problem(n, 2, PART), STII).everything(0, PART, True, None)[0]
    tile = np.zeros((TILE, TILE))
    add_to_tile(tile, found.rows(slice(TILE)), found.rows(slice(TILE, 2 * TILE)), False)
    how_tiles = f"{TILES} tiles of {TILE} × {TILE}, float64, on this machine's disk"
    how = f"{n:,} training and {PART} test points, on this machine's disk"
    shape, chunk, cell = (n, PART), (TILE, PART), cell_of(TILE)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        group = create_group(folder, {})
        upper = make_array(
            group, "upper", (TILE * TILES, TILE), "f8", (cell, cell), shard=(TILE, TILE)
        )
        farther = make_array(group, "farther", shape, "f8", chunk, packed=False)
        rank = make_array(group, "rank", shape, "i4", chunk, packed=False)

        def write_tiles() -> None:
            for i in range(TILES):
                upper[i * TILE : (i + 1) * TILE] = tile

        def write_coefficients() -> None:
            farther[...] = found.farther
            rank[...] = found.rank

        def read_coefficients() -> None:
            _ = farther[:TILE], rank[:TILE]

        tiles = _time("tile stored, a pair", write_tiles, TILES * tile.size, how_tiles)
        stored = _time("coefficients stored", write_coefficients, n * PART, how)
        read = _time("coefficients read", read_coefficients, TILE * PART, how)
        per_pair = bytes_in(path / "upper") / (TILES * tile.size)
        each = (bytes_in(path / "farther") + bytes_in(path / "rank")) / (n * PART)
    return [
        tiles,
        ("tile on disk, a pair", f"{per_pair:.1f} bytes of 8", how_tiles),
        stored,
        ("coefficients on disk", f"{each:.1f} bytes of 12", how),
        read,
    ]


def _time(
    one: str, call: Callable[[], object], count: int, how: str, rounds: int = 3, digits: int = 1
) -> Line:
    """Return the line of a call that does one thing so many times."""
    (seconds,) = best_of(rounds, call, clock=time.process_time)
    return one, f"{1e9 * seconds / count:.{digits}f} ns", how


def _problem(n: int, d: int, t: int) -> Problem:
    X, y = circles(n + t, seed=1)
    more = np.random.default_rng(0).normal(0, 0.1, (n + t, max(0, d - 2)))
    X = np.column_stack([X, more])
    given: dict[str, Any] = {"k": 5, "metric": "euclidean", "ties": "expected"}
    return check_problem(X[:n], y[:n], X[n:], y[n:], sample_weight=None, n_jobs=1, **given)


def main() -> None:
    """Print machine and constants."""
    print(machine(), end="\n\n", flush=True)
    print(markdown_table(("one", "costs", "measured on"), [*pairs(), *ranking(), *writing()]))


if __name__ == "__main__":
    main()
