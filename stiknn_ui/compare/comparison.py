"""Two results in numbers: how their pairs and values agree. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from stiknn_core.comparing.agreement import Agreement, compare_numbers, pair_vector
from stiknn_core.types import FloatArray, IntArray, read_only
from stiknn_ui.compare.matching import Common, common_points
from stiknn_ui.results.analysis import Analysis
from stiknn_ui.work.progress import Progress

LOWEST_QUANTILE: Final = 50
"""The colour range can be set from this per cent of the pairs on."""

_BINS: Final = 72
_FEW: Final = 3_000
# Measured: 2,000 points, 2 million pairs, 1.9 s on one core, most of it for the ranks.
_SECONDS_A_PAIR: Final = 1e-6


@dataclass(frozen=True, eq=False)
class Cloud:
    """The pairs of B against those of A: each of them where they are few, else counts.

    Attributes
    ----------
    a, b : (m,) float64, read-only
        The pairs; empty where they were counted.
    counts : (bins, bins) int64, read-only
        Pairs in each cell, rows by B and columns by A; empty where they were not.
    edges_a, edges_b : (bins + 1,) float64, read-only
        What the cells lie between. They cover all pairs but the outermost 0.1 % at each end,
        which count in the outermost cells.
    """

    a: FloatArray
    b: FloatArray
    counts: IntArray
    edges_a: FloatArray
    edges_b: FloatArray


@dataclass(frozen=True, eq=False)
class Compared:
    """What two results say about each other, on the points that both explain.

    Attributes
    ----------
    common : Common
    pairs, values : Agreement
        Of the interactions of two different points, and of the values of the points.
    means : (float, float)
        Of the pairs of A and of B.
    limits : (4, 51) float64, read-only
        Size of the pairs of A, of B, of their difference, and of the difference of both once
        standardised, that 50, 51, ..., 100 % of the pairs stay within.
    cloud : Cloud
    """

    common: Common
    pairs: Agreement
    values: Agreement
    means: tuple[float, float]
    limits: FloatArray
    cloud: Cloud

    def limit(self, row: int, quantile: float) -> float:
        """Return the end of a colour range: a row of ``limits`` at 0.5 to 1 of the pairs."""
        column = round(100 * quantile) - LOWEST_QUANTILE
        found = float(self.limits[row, column]) or float(self.limits[row, -1])
        return found or 1.0


def compared_key(a: Analysis, b: Analysis) -> str:
    """Return the key of what two results say about each other."""
    return f"compared|{a.key}|{b.key}"


def compare_seconds(a: Analysis, b: Analysis) -> float:
    """Estimate how long comparing takes."""
    n = min(a.n, b.n)
    return _SECONDS_A_PAIR * n * n / 2


def compare(a: Analysis, b: Analysis, progress: Progress | None = None) -> Compared:
    """Compare two results on the same data.

    Notes
    -----
    O(n² log n) time, O(n²) memory.
    """
    report = progress or (lambda done, total: None)
    report(0, 4)
    common = common_points(a, b)
    pairs_a = pair_vector(a.interactions.matrix, common.in_a)
    pairs_b = pair_vector(b.interactions.matrix, common.in_b)
    report(1, 4)
    pairs = compare_numbers(pairs_a, pairs_b)
    report(2, 4)
    values = compare_numbers(a.values[common.in_a], b.values[common.in_b])
    cloud = _cloud(pairs_a, pairs_b)
    report(3, 4)
    means = (float(pairs_a.mean()), float(pairs_b.mean())) if pairs.n else (0.0, 0.0)
    limits = [_limits(pairs_a), _limits(pairs_b), _limits(pairs_a - pairs_b)]
    standard_a = (pairs_a - means[0]) / (pairs.spread_a or 1.0)
    standard_b = (pairs_b - means[1]) / (pairs.spread_b or 1.0)
    limits.append(_limits(standard_a - standard_b))
    report(4, 4)
    return Compared(common, pairs, values, means, read_only(np.array(limits)), cloud)


def _limits(pairs: FloatArray) -> FloatArray:
    shares = np.arange(LOWEST_QUANTILE, 101) / 100
    if not len(pairs):
        return np.zeros(len(shares))
    return np.asarray(np.quantile(np.abs(pairs), shares))


def _cloud(a: FloatArray, b: FloatArray) -> Cloud:
    nothing: FloatArray = np.empty(0)
    if len(a) <= _FEW:
        empty: IntArray = np.empty((0, 0), dtype=np.int64)
        return Cloud(read_only(a), read_only(b), empty, nothing, nothing)
    edges_a, edges_b = _edges(a), _edges(b)
    counts, _, _ = np.histogram2d(
        np.clip(b, edges_b[0], edges_b[-1]),
        np.clip(a, edges_a[0], edges_a[-1]),
        bins=(edges_b, edges_a),
    )
    counted = read_only(counts.astype(np.int64))
    return Cloud(nothing, nothing, counted, read_only(edges_a), read_only(edges_b))


def _edges(pairs: FloatArray) -> FloatArray:
    low, high = np.quantile(pairs, [0.001, 0.999])
    if not high > low:
        low, high = pairs.min(), pairs.max()
    if not high > low:
        low, high = low - 0.5 * (abs(low) or 1.0), high + 0.5 * (abs(high) or 1.0)
    return np.linspace(low, high, _BINS + 1)
