"""Compiled loops for rankings that are kept small; see `_kernels`."""

from __future__ import annotations

from typing import Any

import numba


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
