"""How close the pair kernel comes to a loop written by hand for the processor.

Both do the same work on the same threads: the loop by hand as its three operations (compare,
choose, add), our kernel on keys that hold rank and coefficient in one number (take the larger,
add). The loop by hand was also tried unrolled twice, with twice the accumulators, which changed
nothing.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.report import Row, available_cores, best_of, judged
from stiknn_core._kernels import packed
from stiknn_core.engine.packing import packing

N, M = 2000, 256
ROWS, TILE, TILE_BY_HAND = 64, 32, 16
ROUNDS = 9
TARGET = 0.75

Matrix = NDArray[np.float64]
AddBand = Callable[[int, int, Matrix], object]


def measure() -> list[Row]:
    """Return a row for one thread and one for all cores."""
    hand_written, reason = load_yardstick()
    farther, rank = make_input()
    add_packed = our_kernel(farther, rank)
    rows = []
    for threads in sorted({1, available_cores()}):
        what = f"pair kernel over an AVX2 loop by hand, {threads} thread{'s'[: threads > 1]}"
        with ThreadPoolExecutor(threads) as pool:
            ours = fill(pool, add_packed)
            if hand_written is None:
                (seconds,) = best_of(ROUNDS, ours)
                rows.append(Row(what, f"{rate(seconds):.2f} G/s", reason))
                continue
            theirs = fill(pool, partial(hand_written, farther, rank))
            np.testing.assert_allclose(ours(), theirs(), rtol=0, atol=1e-9)
            mine, other = best_of(ROUNDS, ours, theirs)
        ratio = other / mine
        rates = f"{rate(mine):.2f} G/s", f"{rate(other):.2f} G/s"
        rows.append(Row(what, *rates, f"{ratio:.2f}", *judged(ratio, (">=", TARGET))))
    return rows


def rate(seconds: float) -> float:
    """Return thousand millions of pair-updates a second: pairs times test points."""
    return N * (N + 1) / 2 * M / seconds / 1e9


def make_input() -> tuple[Matrix, Matrix]:
    """Return coefficients and ranks, (N, M) each: a random order for every test point."""
    rng = np.random.default_rng(0)
    rank = np.argsort(rng.random((N, M)), axis=0).astype(np.float64)
    return rng.normal(size=(N, M)), rank


def our_kernel(farther: Matrix, rank: Matrix) -> AddBand:
    """Return the kernel of the package on packed input."""
    chosen = packing(N, float(np.abs(farther).max()))
    coefficients = np.rint(farther / chosen.step).astype(np.int64)
    places = (rank.astype(np.int64) + 1) << chosen.bits
    keys = (places + (1 << (chosen.bits - 1)) + coefficients).view(np.float64)

    def add(i0: int, i1: int, out: Matrix) -> None:
        packed.add_pairs(keys, i0, i1, TILE, chosen.bits, chosen.step, out)

    return add


def fill(pool: ThreadPoolExecutor, add_band: AddBand) -> Callable[[], Matrix]:
    """Return a call that fills the upper triangle, one task per band of rows."""
    out = np.zeros((N, N))

    def call() -> Matrix:
        out.fill(0.0)
        bands = range(0, N, ROWS)
        list(pool.map(lambda i: add_band(i, min(i + ROWS, N), out), bands))
        # A tile on the diagonal also touches the cell below it, in both loops alike.
        return np.triu(out)

    return call


def load_yardstick() -> tuple[Callable[..., object] | None, str]:
    """Compile the loop for this machine; None and the reason where that cannot be."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        return None, "no compiler"
    source = Path(__file__).with_name("simd_loop.c")
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "simd_loop.so"
        command = [compiler, "-O3", "-mavx2", "-shared", "-fPIC", "-o", str(library), str(source)]
        if subprocess.run(command, capture_output=True).returncode != 0:
            return None, "no AVX2 compiler"
        function = ctypes.CDLL(str(library)).add_pairs
    function.restype = None

    def add_pairs(farther: Matrix, rank: Matrix, i0: int, i1: int, out: Matrix) -> None:
        n, m = farther.shape
        pointers = [ctypes.c_void_p(array.ctypes.data) for array in (farther, rank)]
        numbers = [ctypes.c_long(number) for number in (n, m, i0, i1, TILE_BY_HAND)]
        function(*pointers, *numbers, ctypes.c_void_p(out.ctypes.data))

    return add_pairs, ""
