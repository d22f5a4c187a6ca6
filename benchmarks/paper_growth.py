"""How the time of the paper's two algorithms grows, and that of the definition."""

from __future__ import annotations

import time
from functools import partial

import numpy as np

from benchmarks.growth import BY_TEST, BY_TRAIN, N_FIXED, T_FIXED, exponent
from benchmarks.paper_exact import pair_index
from benchmarks.paper_findings import Finding
from benchmarks.report import best_of
from stiknn_core import interactions, values

#: Players of the game whose subsets are counted out.
SUBSET_SIZES = (8, 9, 10, 11, 12, 13)


def findings() -> list[Finding]:
    """Return the exponents of CPU time for the matrix, for the values, and for the definition."""
    ours, line = (
        [exponent(function, shapes)[0] for shapes in (BY_TRAIN, BY_TEST)]
        for function in (interactions, values)
    )
    factor = subset_factor()
    return [
        Finding(
            "time of STI-KNN",
            "t n²",
            f"n^{ours[0]:.2f} (n = {min(BY_TRAIN)} to {max(BY_TRAIN)}, t = {T_FIXED}) and "
            f"t^{ours[1]:.2f} (t = {min(BY_TEST)} to {max(BY_TEST)}, n = {N_FIXED})",
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


def subset_factor() -> float:
    """Return by how much the time of one pair grows with each further player."""
    games = [[place % 3 > 0 for place in range(n)] for n in SUBSET_SIZES]
    calls = [partial(pair_index, right, 1, 2, 2) for right in games]
    seconds = best_of(3, *calls, clock=time.process_time)
    return float(np.exp(np.polyfit(SUBSET_SIZES, np.log(seconds), 1)[0]))
