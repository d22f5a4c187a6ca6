"""Compiled loops that sort training points by distance, and find groups of tied ones."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

# Up to here, sorting by insertion is the fastest, whatever the order it starts from.
_LONG_RUN = 16

# So many times farther than most is an outlier, by which rounding of the others is not measured.
_OUTLYING = 1e3


@numba.njit(nogil=True, cache=True)
def make_sort_keys(distances: Any, bits: int, keys: Any) -> None:
    """Write every distance as an integer that sorts like it, its low bits naming the point.

    distances (b, n) float64, not negative; keys (b, n) int64, out; 2^bits >= n. Numbers sort
    far faster than places do (and vectorised), at the price of the last bits of a distance,
    which `settle_order` looks at again.
    """
    for p in range(distances.shape[0]):
        for i in range(distances.shape[1]):
            keys[p, i] = ((np.float64(distances[p, i]).view(np.int64) >> bits) << bits) | i


@numba.njit(nogil=True, cache=True)
def settle_order(distances: Any, bits: int, keys: Any) -> None:
    """Turn sorted keys into the order of the points by distance, in place.

    Runs of keys that differ in nothing but the point are sorted by their whole distances.
    """
    n = keys.shape[1]
    mask = (np.int64(1) << bits) - 1
    for p in range(keys.shape[0]):
        start = 0
        while start < n:
            high = keys[p, start] >> bits
            keys[p, start] &= mask
            end = start + 1
            while end < n and keys[p, end] >> bits == high:
                keys[p, end] &= mask
                end += 1
            if end - start > _LONG_RUN:
                run = keys[p, start:end].copy()
                keys[p, start:end] = run[np.argsort(distances[p][run], kind="mergesort")]
            else:
                for r in range(start + 1, end):
                    i = keys[p, r]
                    s = r
                    while s > start and distances[p, keys[p, s - 1]] > distances[p, i]:
                        keys[p, s] = keys[p, s - 1]
                        s -= 1
                    keys[p, s] = i
            start = end


@numba.njit(nogil=True, cache=True)
def find_groups(
    distances: Any,
    order: Any,
    n_ranked: int,
    tolerance: float,
    floor: float,
    codes: Any,
    ends: Any,
    tied_pairs: Any,
    mixed: Any,
) -> None:
    """Mark where each group of equally distant points ends, for a block of test points.

    distances (b, n) float64; order (b, n) int64, nearest first, of which the first
    ``n_ranked`` count; ends (b, n) int64, out: for rank r (0-based) the rank one past
    the end of its group. Neighbours are tied within ``tolerance`` times the largest distance
    of the row, which counts as ``floor`` where it is smaller still. An outlier would tie all the
    others: so it counts no more than a thousandfold of the median or of the distance at hand.
    tied_pairs (b,) int64 and mixed (b,) bool, out: the pairs of tied points, and whether the
    labels of any differ.
    """
    for p in range(order.shape[0]):
        largest = distances[p, order[p, n_ranked - 1]]
        middle = distances[p, order[p, n_ranked // 2]]
        tied_pairs[p] = 0
        mixed[p] = False
        start = 0
        before = distances[p, order[p, 0]]
        for r in range(1, n_ranked + 1):
            if r < n_ranked:
                here = distances[p, order[p, r]]
                far = min(largest, _OUTLYING * max(middle, before))
                if here - before <= tolerance * max(far, floor):
                    before = here
                    continue
                before = here
            ends[p, start] = r
            if r - start > 1:
                tied_pairs[p] += (r - start) * (r - start - 1) // 2
                for s in range(start + 1, r):
                    ends[p, s] = r
                    if codes[order[p, s]] != codes[order[p, start]]:
                        mixed[p] = True
            start = r


@numba.njit(nogil=True, cache=True)
def part_groups(order: Any, ends: Any, n_ranked: int) -> None:
    """Sort the members of each group by position, in place, and make each a group of its own."""
    for p in range(order.shape[0]):
        start = 0
        while start < n_ranked:
            end = ends[p, start]
            if end - start > 1:
                order[p, start:end] = np.sort(order[p, start:end])
                for r in range(start, end):
                    ends[p, r] = r + 1
            start = end


@numba.njit(nogil=True, cache=True)
def expand(kept: Any, joined: Any, n_ranked: int, order: Any, ends: Any) -> None:
    """Undo the packing of some test points.

    kept (b, n) unsigned integers; joined (b, n) uint8, 1 where a rank and the next one are one
    group of tied points; order, ends (b, n) int64, out, as in
    `stiknn_core.engine.neighbors.Ranking`.
    """
    for p in range(kept.shape[0]):
        for r in range(kept.shape[1]):
            order[p, r] = kept[p, r]
        end = n_ranked
        for r in range(n_ranked - 1, -1, -1):
            if not joined[p, r]:
                end = r + 1
            ends[p, r] = end
