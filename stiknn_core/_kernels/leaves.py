"""Compiled loops over the leaves of a forest's trees: cut large ones, and find who shares them."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np


@numba.njit(nogil=True, cache=True)
def cut_leaves(
    X: Any, leaf: Any, n_leaves: int, most: int, seed: int, feature: Any, limit: Any, child: Any
) -> tuple[int, int]:
    """Cut leaves of more than ``most`` rows in two, at random columns, until none is larger.

    X (n_rows, d) float32; leaf (n_rows,) int32, in place: below ``n_leaves``, the first of which
    keep their number. The cuts are written to feature, limit and child: node j sends rows whose
    ``feature[j]`` is at most ``limit[j]`` to the node ``child[j, 0]``, others to ``child[j, 1]``.
    Node j < n_leaves is the root of leaf j; with a feature of -1 a node is the leaf
    ``-1 - child[j, 0]``. A column is cut at the median of the rows in it; where all columns are
    constant the leaf stays. Returned are the numbers of nodes and of leaves.
    """
    np.random.seed(seed)
    n, d = X.shape
    begins = np.zeros(n_leaves + 1, np.int64)
    for i in range(n):
        begins[leaf[i] + 1] += 1
    begins = np.cumsum(begins)
    order = np.empty(n, np.int64)
    place = begins[:-1].copy()
    for i in range(n):
        order[place[leaf[i]]] = i
        place[leaf[i]] += 1
    columns = np.arange(d)
    nodes = n_leaves
    leaves = n_leaves
    waiting = np.empty((d + 80, 4), np.int64)  # halves, but for a value that most rows have
    for root in range(n_leaves):
        feature[root] = -1
        child[root, 0] = child[root, 1] = -1 - root
        if begins[root + 1] - begins[root] <= most:
            continue
        waiting[0] = (root, begins[root], begins[root + 1], root)
        height = 1
        while height:
            height -= 1
            node, start, stop, name = waiting[height]
            found = -1
            threshold = np.float32(0)
            if stop - start > most:
                for tried in range(d):
                    other = np.random.randint(tried, d)
                    columns[tried], columns[other] = columns[other], columns[tried]
                    values = X[:, columns[tried]][order[start:stop]]
                    highest = values.max()
                    middle = np.partition(values, (stop - start - 1) // 2)[(stop - start - 1) // 2]
                    if middle == highest:
                        below = values[values < highest]
                        if len(below) == 0:
                            continue
                        middle = below.max()
                    found = columns[tried]
                    threshold = middle
                    break
            if found < 0:
                feature[node] = -1
                child[node, 0] = child[node, 1] = -1 - name
                for at in range(start, stop):
                    leaf[order[at]] = name
                continue
            left = start
            for at in range(start, stop):
                if X[order[at], found] <= threshold:
                    order[at], order[left] = order[left], order[at]
                    left += 1
            feature[node] = found
            limit[node] = threshold
            child[node, 0], child[node, 1] = nodes, nodes + 1
            waiting[height] = (nodes, start, left, name)
            waiting[height + 1] = (nodes + 1, left, stop, leaves)
            height += 2
            leaves += 1
            nodes += 2
    return nodes, leaves


@numba.njit(nogil=True, cache=True)
def follow_cuts(X: Any, leaf: Any, feature: Any, limit: Any, child: Any) -> None:
    """Replace the leaf of every row of ``X`` by the one that the cuts lead it to, in place."""
    for i in range(len(X)):
        node = leaf[i]
        while True:
            if feature[node] < 0:
                leaf[i] = -1 - child[node, 0]
                break
            node = child[node, 0 if X[i, feature[node]] <= limit[node] else 1]


@numba.njit(nogil=True, cache=True)
def list_members(leaf: Any, n_leaves: int, begins: Any, members: Any) -> None:
    """Write the rows of every leaf one after the other: ``members[begins[l]:begins[l + 1]]``."""
    begins[: n_leaves + 1] = 0
    for i in range(len(leaf)):
        begins[leaf[i] + 1] += 1
    for place in range(n_leaves):
        begins[place + 1] += begins[place]
    place = begins[:n_leaves].copy()
    for i in range(len(leaf)):
        members[place[leaf[i]]] = i
        place[leaf[i]] += 1


@numba.njit(nogil=True, cache=True)
def near_in_leaves(
    tests: Any,
    test_leaf: Any,
    test_row: Any,
    own: Any,
    unseen: Any,
    members: Any,
    begins: Any,
    first: Any,
    copies: Any,
) -> tuple[Any, Any, Any, Any]:
    """Return who shares a leaf with some test points, by how many trees, most first.

    test_leaf (n_trees, n_test_rows): the leaf of each different row; test_row (t,): which of these
    a test point is. own (t,): its row among the training rows where it is one of these points, or
    -1. unseen (n_trees, ceil(t / 8)) uint8: a bit for every test point, whether a tree may be asked
    for it. members (n_trees, n_rows) and begins, from ``first[tree]`` on: who is in each leaf.
    copies (n_rows,): points that are such a row.

    Returned are start (b + 1,), rows and ends (m,), as in `near`, and the share of trees that part
    the test point from each, (m,).
    """
    n_trees, n_rows = members.shape
    shared = np.zeros(n_rows, np.int32)
    touched = np.empty(n_rows, np.int32)
    by_count = np.zeros(n_trees + 2, np.int64)
    start = np.zeros(len(tests) + 1, np.int64)
    room = 1024 * len(tests)
    rows = np.empty(room, np.int32)
    ends = np.empty(room, np.int32)
    far = np.empty(room, np.float64)
    filled = 0
    for b in range(len(tests)):
        p = tests[b]
        asked = 0
        n_touched = 0
        for tree in range(n_trees):
            if not (unseen[tree, p >> 3] >> (7 - (p & 7))) & 1:
                continue
            asked += 1
            at = first[tree] + test_leaf[tree, test_row[p]]
            for e in range(begins[at], begins[at + 1]):
                i = members[tree, e]
                if shared[i] == 0:
                    touched[n_touched] = i
                    n_touched += 1
                shared[i] += 1
        if own[p] >= 0 and copies[own[p]] == 1:
            shared[own[p]] = 0  # alone with itself: no one to list
        by_count[: asked + 2] = 0
        n_listed = 0
        for e in range(n_touched):
            if shared[touched[e]]:
                by_count[asked - shared[touched[e]] + 1] += 1
                n_listed += 1
        for apart in range(asked + 1):
            by_count[apart + 1] += by_count[apart]
        if filled + n_listed > room:
            room = 2 * (filled + n_listed)
            more_rows, more_ends = np.empty(room, np.int32), np.empty(room, np.int32)
            more_far = np.empty(room, np.float64)
            more_rows[:filled], more_ends[:filled] = rows[:filled], ends[:filled]
            more_far[:filled] = far[:filled]
            rows, ends, far = more_rows, more_ends, more_far
        for e in range(n_touched):
            i = touched[e]
            if shared[i]:
                apart = asked - shared[i]
                place = filled + by_count[apart]
                by_count[apart] += 1
                rows[place] = i
                ends[place] = apart  # for now
        rank = 0
        begin = filled
        while begin < filled + n_listed:
            apart = ends[begin]
            stop = begin
            while stop < filled + n_listed and ends[stop] == apart:
                rank += copies[rows[stop]] - (1 if rows[stop] == own[p] else 0)
                stop += 1
            for e in range(begin, stop):
                ends[e] = rank
                far[e] = apart / asked
            begin = stop
        for e in range(n_touched):
            shared[touched[e]] = 0
        filled += n_listed
        start[b + 1] = filled
    return start, rows[:filled], ends[:filled], far[:filled]
