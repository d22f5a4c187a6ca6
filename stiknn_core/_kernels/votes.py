"""Compiled loops over votes: how k nearest neighbours vote when some labels are others.

As everywhere in `stiknn_core._kernels`: arrays in, arrays out, nothing checked, nothing raised.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np


@numba.njit(nogil=True, cache=True)
def drawn_chance(pool: int, good: int, draws: int, hits: int, log_factorial: Any) -> float:
    """Return the chance of ``hits`` good ones among ``draws`` of ``pool``, not put back."""
    lf = log_factorial
    return float(
        np.exp(
            lf[good] - lf[hits] - lf[good - hits]
            + lf[pool - good] - lf[draws - hits] - lf[pool - good - draws + hits]
            - lf[pool] + lf[draws] + lf[pool - draws]
        )
    )  # fmt: skip


@numba.njit(nogil=True, cache=True)
def win_chance(
    sure: Any, tied: Any, n_tied: int, slots: int, right: int, log_factorial: Any
) -> float:
    """Return the expected share of the majority that class ``right`` gets.

    sure (c,) int64: votes that are certain. tied (c,) int64: voters of each class at one
    distance, ``n_tied`` in all, of whom ``slots`` are drawn. Classes with equally many votes
    share. For each number of votes of the right class, the other classes are drawn one after
    the other; ``now[left, j]`` is the chance that so many draws are left and j classes equal.
    """
    n_classes = sure.shape[0]
    fewest = max(0, slots - (n_tied - tied[right]))
    now = np.zeros((slots + 1, n_classes))
    after = np.zeros((slots + 1, n_classes))
    total = 0.0
    for hits in range(fewest, min(tied[right], slots) + 1):
        votes = sure[right] + hits
        equal = 0
        beaten = votes == 0
        for c in range(n_classes):
            if c != right:
                beaten = beaten or sure[c] > votes
                equal += tied[c] == 0 and sure[c] == votes
        if beaten:
            continue
        now[:] = 0.0
        now[slots - hits, equal] = drawn_chance(n_tied, tied[right], slots, hits, log_factorial)
        pool = n_tied - tied[right]
        for c in range(n_classes):
            if c == right or tied[c] == 0:
                continue
            after[:] = 0.0
            for left in range(slots - hits + 1):
                most = min(tied[c], left, votes - sure[c])
                for j in range(n_classes):
                    if now[left, j] == 0.0:
                        continue
                    for x in range(max(0, left - (pool - tied[c])), most + 1):
                        chance = drawn_chance(pool, tied[c], left, x, log_factorial)
                        after[left - x, j + (sure[c] + x == votes)] += now[left, j] * chance
            pool -= tied[c]
            now, after = after, now
        for j in range(n_classes):
            total += now[0, j] / (1 + j)
    return total


@numba.njit(nogil=True, cache=True)
def add_votes(
    order: Any,
    ends: Any,
    n_ranked: int,
    codes: Any,
    test_codes: Any,
    counted: Any,
    n_classes: int,
    k: int,
    log_factorial: Any,
    out: Any,
) -> None:
    """Add likelihood and hits of a block of test points, for each variant of the labels.

    order, ends (b, n) int64: as `stiknn_core.engine.neighbors.Ranking`. codes (v, n) int64: class
    of each training point in each variant, -1 where it is gone. test_codes (b,) int64, -1 for a
    class that nobody has. counted (b,) bool: which test points take part. log_factorial (n + 1,)
    float64. out (v, 2) float64 is added to.
    """
    sure = np.empty(n_classes, dtype=np.int64)
    tied = np.empty(n_classes, dtype=np.int64)
    for p in range(order.shape[0]):
        right = test_codes[p]
        if right < 0 or not counted[p]:
            continue
        for v in range(codes.shape[0]):
            sure[:] = 0
            tied[:] = 0
            n_sure = 0
            n_tied = 0
            slots = 0
            start = 0
            while start < n_ranked and n_sure < k and slots == 0:
                end = ends[p, start]
                n_tied = 0
                for r in range(start, end):
                    c = codes[v, order[p, r]]
                    if c >= 0:
                        tied[c] += 1
                        n_tied += 1
                if n_sure + n_tied > k:
                    slots = k - n_sure
                else:
                    for r in range(start, end):
                        c = codes[v, order[p, r]]
                        if c >= 0:
                            sure[c] += tied[c]
                            tied[c] = 0
                    n_sure += n_tied
                start = end
            votes = float(sure[right])
            if slots > 0:
                votes += slots * tied[right] / n_tied
            out[v, 0] += votes / k
            out[v, 1] += win_chance(sure, tied, n_tied, slots, right, log_factorial)
