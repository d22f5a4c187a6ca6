"""What makes more points fit: float32, fast distances, the block view, and Dask on two workers."""

from __future__ import annotations

import json
import sys
import time
from functools import partial
from importlib.util import find_spec

import numpy as np
from scipy.spatial.distance import cdist

from benchmarks.data import problem
from benchmarks.growth import ask_fresh_process, peak_mb
from benchmarks.report import Row, best_of, format_seconds, judged, speedup
from stiknn_core import interactions
from stiknn_core._kernels.distances import squared_distances
from stiknn_core.ranked import RankedNeighbors

FLOAT32_SIZE = (2000, 1000)
WIDE_SIZE = (5000, 784)
BLOCK_SIZE = (100_000, 1000, 256)
BLOCK_SECONDS, BLOCK_MB = 60, 1500


def measure() -> list[Row]:
    """Return what float32, wide features, the block view and Dask cost or gain."""
    return [*_float32(), _wide(), *_block_view(), *_dask()]


def _float32() -> list[Row]:
    train, test = problem(*FLOAT32_SIZE)
    calls = [partial(interactions, *train, *test, dtype=dtype) for dtype in ("float64", "float32")]
    wide, narrow = best_of(5, *calls)
    exact, rounded = (call().matrix for call in calls)
    share = rounded.nbytes / exact.nbytes
    pairs = ~np.eye(len(exact), dtype=bool)
    error = np.abs(rounded - exact)[pairs] / np.abs(exact[pairs]).max()
    what = f"float32, n = {FLOAT32_SIZE[0]}, t = {FLOAT32_SIZE[1]}"
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

    def in_place() -> None:
        squared_distances(test, train, out)
        np.sqrt(out, out=out)

    ours, theirs = best_of(5, in_place, partial(cdist, test, train), clock=time.thread_time)
    np.testing.assert_allclose(out, cdist(test, train), rtol=1e-13)
    what = f"distances, n = {n}, {d} features, one thread, over SciPy's cdist"
    return speedup(what, ours, theirs, (">", 1))


def _block_view() -> list[Row]:
    n, t, blocks = BLOCK_SIZE
    measured = ask_fresh_process("benchmarks.scale", n, t, blocks)
    seconds, peak = measured["seconds"], measured["peak"]
    after_import = f"{measured['imports']:.0f} MB after import"
    what = f"block view, n = {n:,}, t = {t:,}, {blocks} blocks"
    duration = judged(seconds, ("<=", BLOCK_SECONDS), " s")
    memory = judged(peak, ("<=", BLOCK_MB), " MB")
    return [
        Row(f"{what}: time", format_seconds(seconds), "", "", *duration),
        Row(f"{what}: peak memory of a process", f"{peak:.0f} MB", after_import, "", *memory),
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
    if not all(map(find_spec, ("dask", "distributed", "zarr"))):
        return [Row("Dask on two workers over one", "", "not installed")]
    from benchmarks import distributed

    return distributed.measure()


if __name__ == "__main__":
    _view_blocks_once(*map(int, sys.argv[1:]))
