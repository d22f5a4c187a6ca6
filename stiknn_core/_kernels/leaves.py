"""Compiled loop that compares the leaves of a forest's trees."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np


@numba.njit(nogil=True, cache=True)
def leaf_distances(
    leaves: Any, test_leaves: Any, votes: Any, start: int, stop: int, out: Any
) -> None:
    """Fill ``out[p, i]`` with the share of the trees of p that part p from i, for some rows.

    leaves (n_trees, n) and test_leaves (n_trees, t) int32: the leaf each point falls into;
    votes (n_trees, t) bool: whether a tree may be asked for p; out (t, n) float64, of which
    the rows start..stop are written. Without any tree all are as far as can be. A row of
    ``leaves`` is one tree, so that the inner loop compares contiguous integers.
    """
    n_trees, n = leaves.shape
    apart = np.empty(n, dtype=np.int32)
    for p in range(start, stop):
        apart[:] = 0
        asked = 0
        for tree in range(n_trees):
            if votes[tree, p]:
                asked += 1
                leaf = test_leaves[tree, p]
                for i in range(n):
                    apart[i] += leaves[tree, i] != leaf
        for i in range(n):
            out[p, i] = apart[i] / asked if asked else 1.0
