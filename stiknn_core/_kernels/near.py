"""Compiled loops over short lists of near rows, where all others are one group of ties.

A *list* of a test point holds the different rows that are nearer to it than all the others, nearest
first. ``start`` (b + 1,) says where each begins in ``rows`` and ``ends``, both (m,): a row and the
rank one past the end of its group of tied points. A row stands for all its copies, ``copies``
(n_rows,) of them; a test point that is one of the training points takes no part in its own test.

What the others get is the same for all of a class. It is added up once for each class, and a row
that is listed gets the difference: so time is that of the lists, never that of all points.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np


@numba.njit(nogil=True, cache=True)
def _kind(kind_start: Any, kind_class: Any, row: int, code: int) -> int:
    """Return which kind, a row with a label, has this row and class; -1 if there is none."""
    low, high = kind_start[row], kind_start[row + 1]
    while low < high:
        middle = (low + high) // 2
        if kind_class[middle] < code:
            low = middle + 1
        else:
            high = middle
    if low < kind_start[row + 1] and kind_class[low] == code:
        return int(low)
    return -1


@numba.njit(nogil=True, cache=True)
def near_values(
    start: Any,
    rows: Any,
    ends: Any,
    own: Any,
    row_of: Any,
    copies: Any,
    row_class: Any,
    kind_start: Any,
    kind_class: Any,
    kind_count: Any,
    class_count: Any,
    n_ranked: int,
    test_codes: Any,
    weights: Any,
    unit: float,
    g: Any,
    summed: Any,
    by_row: Any,
    by_kind: Any,
    by_class: Any,
    taken_back: Any,
) -> None:
    """Add values of all points over some test points, spread over rows, kinds and classes.

    own (b,) int64: which training point a test point is, or -1. row_class (n_rows,): the class of
    all copies of a row, or -1 where they differ: then its kinds, the row with each label, are
    told in kind_start (n_rows + 1,), kind_class and kind_count (n_kinds,), sorted by class. g and
    summed (v, n + 1) for v sorts of values: ``summed[s, m]`` is the sum of ``g[s]`` up to rank m.

    The value s of a point of row r, kind (r, c) and class c is ``by_row[r, s] + by_kind[r, c, s] +
    by_class[c, s] + by_class[-1, s]``, less ``taken_back[:, s]`` (n, v), which is what it got in
    its own test. The formulas of a group are those of `coefficients.point_values`.
    """
    sorts = len(g)
    rest_same, rest_other = np.zeros(sorts), np.zeros(sorts)
    gap_same, gap_other = np.zeros(sorts), np.zeros(sorts)
    tail, mine = np.zeros(sorts), np.zeros(sorts)
    longest = 0
    for p in range(len(test_codes)):
        longest = max(longest, start[p + 1] - start[p])
    of_class = np.empty(longest, np.int64)  # how many copies of a row are of the test point's class
    for p in range(len(test_codes)):
        c = test_codes[p]
        w = weights[p]
        if c < 0 or w == 0.0:
            continue
        first, last = start[p], start[p + 1]
        me = own[p]
        my_row = row_of[me] if me >= 0 else -1
        right = class_count[c] - (1 if me >= 0 else 0)
        for e in range(first, last):
            row = rows[e]
            count = 0
            if row_class[row] == c:
                count = copies[row]
            elif row_class[row] < 0:
                kind = _kind(kind_start, kind_class, row, c)
                count = kind_count[kind] if kind >= 0 else 0
            if row == my_row:
                count -= 1
            of_class[e - first] = count
            right -= count
        begin = ends[last - 1] if last > first else 0
        for s in range(sorts):
            rest_same[s] = rest_other[s] = tail[s] = 0.0
            if begin < n_ranked:
                rest_same[s], rest_other[s], tail[s] = _shares(
                    g[s], summed[s], begin, n_ranked, unit, right, 0.0
                )
            by_class[-1, s] += w * rest_other[s]
            by_class[c, s] += w * (rest_same[s] - rest_other[s])
            mine[s] = rest_same[s]
        stop = last
        while stop > first:
            end = ends[stop - 1]
            group = stop - 1
            right = of_class[group - first]
            while group > first and ends[group - 1] == end:
                group -= 1
                right += of_class[group - first]
            begin = ends[group - 1] if group > first else 0
            nothing = True
            for s in range(sorts):
                same, other, added = _shares(g[s], summed[s], begin, end, unit, right, tail[s])
                gap_same[s] = w * (same - rest_same[s])
                gap_other[s] = w * (other - rest_other[s])
                tail[s] += added
                if gap_same[s] != 0.0 or gap_other[s] != 0.0:
                    nothing = False
            for e in range(group, stop):
                row = rows[e]
                if row == my_row:
                    for s in range(sorts):
                        mine[s] = rest_same[s] + gap_same[s] / w
                if nothing:
                    continue
                if row_class[row] == c:
                    for s in range(sorts):
                        by_row[row, s] += gap_same[s]
                    continue
                for s in range(sorts):
                    by_row[row, s] += gap_other[s]
                if row_class[row] < 0:
                    kind = _kind(kind_start, kind_class, row, c)
                    if kind >= 0:
                        for s in range(sorts):
                            by_kind[kind, s] += gap_same[s] - gap_other[s]
            stop = group
        if me >= 0:
            for s in range(sorts):
                taken_back[me, s] += w * mine[s]


@numba.njit(nogil=True, cache=True)
def _shares(
    g: Any, summed: Any, begin: int, end: int, unit: float, right: int, tail: float
) -> tuple[float, float, float]:
    """Return what a point of the right class and one of another earn in a group of tied points.

    The last number is what the group adds to the tail of all nearer points.
    """
    size = end - begin
    mean = (summed[end] - summed[begin]) / size
    added = right * unit / size * (g[end] - g[begin]) if begin > 0 else 0.0
    if size == 1:
        return g[end] * unit + tail, tail, added
    share = (g[end] - mean) / (size - 1)
    same = mean * unit + (right - 1) * unit * share + tail
    return same, right * unit * share + tail, added


@numba.njit(nogil=True, cache=True)
def near_support(
    start: Any,
    rows: Any,
    ends: Any,
    own: Any,
    row_of: Any,
    n_ranked: int,
    test_codes: Any,
    weights: Any,
    summed: Any,
    by_row: Any,
    by_class: Any,
    taken_back: Any,
) -> None:
    """Add the label support of all points over some test points, spread over rows and classes.

    A point of row r gets ``by_row[r, c] + by_class[c]`` from the test points of class c, less
    ``taken_back`` (n,) of its own class, which is what it got in its own test. See `near_values`.
    """
    for p in range(len(test_codes)):
        c = test_codes[p]
        w = weights[p]
        if c < 0 or w == 0.0:
            continue
        first, last = start[p], start[p + 1]
        me = own[p]
        my_row = row_of[me] if me >= 0 else -1
        begin = ends[last - 1] if last > first else 0
        rest = 0.0
        if begin < n_ranked:
            rest = w * (summed[n_ranked] - summed[begin]) / (n_ranked - begin)
        by_class[c] += rest
        mine = rest
        column = by_row[:, c]
        begin = 0
        group = first
        while group < last:
            end = ends[group]
            each = w * (summed[end] - summed[begin]) / (end - begin)
            while group < last and ends[group] == end:
                column[rows[group]] += each - rest
                if rows[group] == my_row:
                    mine = each
                group += 1
            begin = end
        if me >= 0:
            taken_back[me] += mine


@numba.njit(nogil=True, cache=True)
def near_test_support(
    start: Any,
    rows: Any,
    ends: Any,
    kind_start: Any,
    kind_class: Any,
    kind_count: Any,
    class_count: Any,
    n_ranked: int,
    summed: Any,
    out: Any,
) -> None:
    """Fill ``out[p, c]``, the support that training points of class c give to test point p."""
    left = np.empty_like(class_count)
    for p in range(len(start) - 1):
        left[:] = class_count
        begin = 0
        group = start[p]
        out[p] = 0.0
        while group < start[p + 1]:
            end = ends[group]
            each = (summed[end] - summed[begin]) / (end - begin)
            while group < start[p + 1] and ends[group] == end:
                for kind in range(kind_start[rows[group]], kind_start[rows[group] + 1]):
                    out[p, kind_class[kind]] += each * kind_count[kind]
                    left[kind_class[kind]] -= kind_count[kind]
                group += 1
            begin = end
        if begin < n_ranked:
            each = (summed[n_ranked] - summed[begin]) / (n_ranked - begin)
            for c in range(len(left)):
                out[p, c] += each * left[c]


@numba.njit(nogil=True, cache=True)
def group_lists(
    found: Any, far: Any, own: Any, copies: Any, n_rows: int, tolerance: float
) -> tuple[Any, Any, Any, Any]:
    """Return lists of near rows from rows sorted by distance, (b, width) both.

    Rows within ``tolerance`` times the farthest distance of a list are tied. Where there are more
    than ``width`` rows, the last group may go on behind the list, and is left out. own (b,):
    the row of a test point that is one of the training points, or -1; alone with its row it
    takes no part.
    """
    b, width = found.shape
    start = np.zeros(b + 1, np.int64)
    rows = np.empty(b * width, np.int32)
    ends = np.empty(b * width, np.int32)
    measured = np.empty(b * width, np.float64)
    filled = 0
    for p in range(b):
        group = filled
        rank = 0
        limit = tolerance * far[p, width - 1]
        before = -1.0
        for e in range(width):
            row = found[p, e]
            count = copies[row] - (1 if row == own[p] else 0)
            if count == 0:
                continue
            if before >= 0.0 and far[p, e] - before > limit:
                for place in range(group, filled):
                    ends[place] = rank
                group = filled
            before = far[p, e]
            rows[filled] = row
            measured[filled] = before
            rank += count
            filled += 1
        if width < n_rows:
            filled = group
        else:
            for place in range(group, filled):
                ends[place] = rank
        start[p + 1] = filled
    return start, rows[:filled], ends[:filled], measured[:filled]
