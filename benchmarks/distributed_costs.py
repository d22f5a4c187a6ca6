"""Measure the constants of the cost model in docs/scale.md, one by one.

`python -m benchmarks.distributed_costs` takes some minutes. Times are processor time of one core,
so that other work on the machine does not count.
"""

from __future__ import annotations

import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.data import circles
from benchmarks.report import best_of, machine, markdown_table
from stiknn_core.distributed._coefficients import Coefficients, TestPoints
from stiknn_core.distributed._format import create_group, make_array
from stiknn_core.distributed._layout import PART, TILE, cell_of
from stiknn_core.distributed._tiles import add_to_tile
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
        out = np.zeros((TILE, TILE))
        (seconds,) = best_of(9, partial(add_to_tile, out, a, b, False), clock=time.process_time)
        what = "with ties" if ties else "without ties"
        how = f"a tile of {TILE} × {TILE}, {PART} test points {what}"
        lines.append((f"pair, {what}", f"{1e9 * seconds / (TILE * TILE * PART):.3f} ns", how))
    return lines


def ranking() -> list[Line]:
    """Return the time of one training and test point in the tasks that rank."""
    lines = []
    for n, d, t in RANKED:
        tests, block_of = TestPoints(_problem(n, d, t), "STII"), np.arange(n) % BLOCKS
        calls = {
            "ranked for the matrix": partial(tests.everything, 0, t, True, None),
            f"ranked and summed over {BLOCKS} blocks": partial(
                tests.everything, 0, t, False, (block_of, BLOCKS)
            ),
        }
        for what, call in calls.items():
            call()
            (seconds,) = best_of(2, call, clock=time.process_time)
            how = f"n = {n:,}, d = {d}, t = {t}"
            lines.append(
                (f"training × test point {what}", f"{1e9 * seconds / (n * t):.0f} ns", how)
            )
    return lines


def writing() -> list[Line]:
    """Return time and size of stored tiles and of stored coefficients."""
    n = TILE * 3
    found = TestPoints(_problem(n, 2, PART), "STII").everything(0, PART, True, None)[0]
    tile = np.zeros((TILE, TILE))
    add_to_tile(tile, found.rows(slice(TILE)), found.rows(slice(TILE, 2 * TILE)), False)
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        group = create_group(str(path), {})
        cell = cell_of(TILE)
        upper = make_array(
            group, "upper", (TILE * TILES, TILE), "f8", (cell, cell), shard=(TILE, TILE)
        )

        def write_tiles() -> None:
            for i in range(TILES):
                upper[i * TILE : (i + 1) * TILE] = tile

        lines += _stored(path / "upper", write_tiles, TILES * tile.nbytes, "tile stored")
        shape, chunk = (n, PART), (TILE, PART)
        farther = make_array(group, "farther", shape, "f8", chunk, packed=False)
        rank = make_array(group, "rank", shape, "i4", chunk, packed=False)

        def write_coefficients() -> None:
            farther[...] = found.farther
            rank[...] = found.rank

        (seconds,) = best_of(3, write_coefficients, clock=time.process_time)
        size = _bytes(path / "farther") + _bytes(path / "rank")
        cells = n * PART
        how = f"{n:,} training and {PART} test points, on this machine's disk"
        lines.append(("coefficients stored", f"{1e9 * seconds / cells:.1f} ns", how))
        lines.append(("coefficients on disk", f"{size / cells:.1f} bytes of 12", how))

        def read_coefficients() -> None:
            _ = farther[:TILE], rank[:TILE]

        (seconds,) = best_of(3, read_coefficients, clock=time.process_time)
        lines.append(("coefficients read", f"{1e9 * seconds / (TILE * PART):.1f} ns", how))
    return lines


def _stored(path: Path, write: Any, raw: int, what: str) -> list[Line]:
    (seconds,) = best_of(3, write, clock=time.process_time)
    how = f"{TILES} tiles of {TILE} × {TILE}, float64, on this machine's disk"
    cells = raw / 8
    return [
        (f"{what}, a pair", f"{1e9 * seconds / cells:.1f} ns", how),
        ("tile on disk, a pair", f"{_bytes(path) / cells:.1f} bytes of 8", how),
    ]


def _bytes(path: Path) -> int:
    return sum(file.stat().st_size for file in path.rglob("*") if file.is_file())


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
