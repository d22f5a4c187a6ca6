"""How the time of the paper's two algorithms grows, and that of the definition."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import numpy as np

from benchmarks.data import problem
from benchmarks.growth import TEST_SIZES, TRAIN_SIZES, exponent
from benchmarks.paper_exact import pair_index
from benchmarks.paper_findings import Finding
from benchmarks.report import best_of
from stiknn_core import interactions, values

#: Players of the game whose subsets are counted out.
SUBSET_SIZES = (8, 9, 10, 11, 12, 13)


def findings() -> list[Finding]:
    """Return the exponents of CPU time for the matrix, for the values, and for the definition."""
    n_fixed, t_fixed = 1000, 256
    by_train = [(n, t_fixed) for n in TRAIN_SIZES]
    by_test = [(n_fixed, t) for t in TEST_SIZES]
    ours, line = (
        (_exponent(function, TRAIN_SIZES, by_train), _exponent(function, TEST_SIZES, by_test))
        for function in (interactions, values)
    )
    factor = subset_factor()
    return [
        Finding(
            "time of STI-KNN",
            "t n²",
            f"n^{ours[0]:.2f} (n = {TRAIN_SIZES[0]} to {TRAIN_SIZES[-1]}, t = {t_fixed}) and "
            f"t^{ours[1]:.2f} (t = {TEST_SIZES[0]} to {TEST_SIZES[-1]}, n = {n_fixed})",
            "yes" if ours[0] <= 2.1 and ours[1] <= 1.1 else "no",
        ),
        Finding(
            "time of the baseline, KNN-Shapley",
            "t n log n",
            f"n^{line[0]:.2f} and t^{line[1]:.2f} on the same data",
            "yes" if line[0] <= 1.3 and line[1] <= 1.1 else "no",
        ),
        Finding(
            "time of the definition",
            "2^n",
            f"{factor:.2f} times as long for each further point (n = {SUBSET_SIZES[0]} to "
            f"{SUBSET_SIZES[-1]}, one pair)",
            "yes" if factor >= 1.8 else "no",
        ),
    ]


def subset_factor(sizes: Sequence[int] = SUBSET_SIZES) -> float:
    """Return by how much the time of one pair grows with each further player."""
    calls = [lambda n=n: pair_index([place % 3 > 0 for place in range(n)], 1, 2, 2) for n in sizes]
    seconds = best_of(3, *calls, clock=time.process_time)
    return float(np.exp(np.polyfit(sizes, np.log(seconds), 1)[0]))


def _exponent(
    function: Callable[..., object], sizes: Sequence[int], shapes: Sequence[tuple[int, int]]
) -> float:
    problems = [problem(*shape) for shape in shapes]
    calls = [lambda p=p: function(*p[0], *p[1]) for p in problems]
    return exponent(sizes, calls)[0]
