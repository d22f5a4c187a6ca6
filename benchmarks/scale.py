"""What makes more points fit: float32, fast distances, the block view, and Dask on two workers."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from importlib.util import find_spec

import numpy as np
from scipy.spatial.distance import cdist

from benchmarks.data import problem
from benchmarks.growth import peak_mb
from benchmarks.report import Row, best_of, format_seconds
from stiknn_core import interactions
from stiknn_core._kernels.distances import squared_distances
from stiknn_core.ranked import RankedNeighbors
from stiknn_core.results import Interactions
from stiknn_core.types import MatrixType

FLOAT32_SIZE = (2000, 1000)
WIDE_SIZE = (5000, 784)
BLOCK_SIZE = (100_000, 1000, 256)
BLOCK_SECONDS, BLOCK_MB = 60, 1500


def measure() -> list[Row]:
    """Return what float32, wide features, the block view and Dask cost or gain."""
    return [*_float32(), _wide(), *_block_view(), *_dask()]


def _float32() -> list[Row]:
    train, test = problem(*FLOAT32_SIZE)
    results: dict[MatrixType, Interactions] = {}

    def ours(dtype: MatrixType) -> None:
        results[dtype] = interactions(*train, *test, dtype=dtype)

    wide, narrow = best_of(5, lambda: ours("float64"), lambda: ours("float32"))
    exact, rounded = (one.matrix.astype(float) for one in (results["float64"], results["float32"]))
    for matrix in (exact, rounded):
        np.fill_diagonal(matrix, 0.0)
    error = np.abs(rounded - exact) / np.abs(exact).max()
    what = f"float32, n = {FLOAT32_SIZE[0]}, t = {FLOAT32_SIZE[1]}"
    share = results["float32"].matrix.nbytes / results["float64"].matrix.nbytes
    return [
        Row(
            f"{what}: time over float64",
            format_seconds(narrow),
            format_seconds(wide),
            f"{narrow / wide:.2f}",
        ),
        Row(f"{what}: memory of the matrix over float64", "", "", f"{share:.2f}"),
        Row(
            f"{what}: error, share of the largest pair",
            f"{np.sqrt((error**2).mean()):.1e} typical",
            f"{error.max():.1e} at most",
        ),
    ]


def _wide() -> Row:
    n, d = WIDE_SIZE
    rng = np.random.default_rng(0)
    train, test = rng.random((n, d)), rng.random((16, d))
    out = np.empty((len(test), n))
    ours, theirs = best_of(
        5,
        lambda: np.sqrt(_squared(test, train, out), out=out),
        lambda: cdist(test, train),
        clock=time.thread_time,
    )
    np.testing.assert_allclose(out, cdist(test, train), rtol=1e-13)
    return Row(
        f"distances, n = {n}, {d} features, one thread, over SciPy's cdist",
        format_seconds(ours),
        format_seconds(theirs),
        f"{theirs / ours:.1f} x",
        "> 1 x",
        theirs > ours,
    )


def _squared(test: np.ndarray, train: np.ndarray, out: np.ndarray) -> np.ndarray:
    squared_distances(test, train, out)
    return out


def _block_view() -> list[Row]:
    n, t, blocks = BLOCK_SIZE
    command = [sys.executable, "-m", "benchmarks.scale", *map(str, BLOCK_SIZE)]
    answer = subprocess.run(command, capture_output=True, text=True, check=True)
    measured = json.loads(answer.stdout)
    what = f"block view, n = {n:,}, t = {t:,}, {blocks} blocks"
    return [
        Row(
            f"{what}: time",
            format_seconds(measured["seconds"]),
            "",
            "",
            f"<= {BLOCK_SECONDS} s",
            measured["seconds"] <= BLOCK_SECONDS,
        ),
        Row(
            f"{what}: peak memory of a process",
            f"{measured['peak']:.0f} MB",
            f"{measured['imports']:.0f} MB after import",
            "",
            f"<= {BLOCK_MB} MB",
            measured["peak"] <= BLOCK_MB,
        ),
    ]


def _view_blocks_once(n: int, t: int, n_blocks: int) -> None:
    small = problem(60, 20)
    RankedNeighbors(*small[0], *small[1]).overview(small[0][1])  # loads the compiled loops
    imports = peak_mb()
    train, test = problem(n, t)
    blocks = np.random.default_rng(0).permutation(n) % n_blocks
    start = time.perf_counter()
    RankedNeighbors(*train, *test).overview(blocks)
    seconds = time.perf_counter() - start
    print(json.dumps({"imports": imports, "peak": peak_mb(), "seconds": seconds}))


def _dask() -> list[Row]:
    if find_spec("dask") is None or find_spec("distributed") is None or find_spec("zarr") is None:
        return [Row("Dask on two workers over one", "", "not installed")]
    from benchmarks import distributed

    return distributed.measure()


if __name__ == "__main__":
    _view_blocks_once(*map(int, sys.argv[1:]))
