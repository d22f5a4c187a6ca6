"""The paper's Algorithm 1, written plainly with NumPy indexing, as the measure of speed."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from benchmarks.data import Sample

Floats = NDArray[np.float64]


def add_at_sorted_places(train: Sample, test: Sample, k: int) -> Floats:
    """Return the (n, n) STII matrix: fill the block in sorted order, add it where it belongs.

    The algorithm as the paper has it, O(t n²). Only for k < n and without ties, where it
    holds as printed.
    """
    n = len(train[1])
    place = np.arange(n)
    farther = np.maximum.outer(place, place)
    matrix = np.zeros((n, n))
    for order, u in _by_test_point(train, test, k):
        block = superdiagonal(u, k)[farther]
        np.fill_diagonal(block, u)
        matrix[np.ix_(order, order)] += block
    return matrix / len(test[1])


def gather_by_rank(train: Sample, test: Sample, k: int) -> Floats:
    """Return the same matrix: look each pair's number up by the rank of its farther point.

    What somebody would write who had seen that the first way spends its time on
    scattered additions.
    """
    n = len(train[1])
    rank = np.empty(n, dtype=np.int64)
    matrix = np.zeros((n, n))
    main = np.zeros(n)
    for order, u in _by_test_point(train, test, k):
        rank[order] = np.arange(n)
        matrix += superdiagonal(u, k)[np.maximum.outer(rank, rank)]
        main[order] += u
    np.fill_diagonal(matrix, main)
    return matrix / len(test[1])


def _by_test_point(
    train: Sample, test: Sample, k: int
) -> Iterator[tuple[NDArray[np.int64], Floats]]:
    (X, y), (X_test, y_test) = train, test
    for x, label in zip(X_test, y_test, strict=True):
        order = np.argsort(((X - x) ** 2).sum(axis=1), kind="stable")
        yield order, (y[order] == label) / k


def superdiagonal(u: Floats, k: int) -> Floats:
    """Return c (n,): the interaction of the point at rank m with any nearer one.

    c_n = -w_{n+1} u_n, then c_{j-1} = c_j + w_j (u_j - u_{j-1}) down to j = 3, with
    w_j = 2 (j-k-1) / ((j-1)(j-2)) beyond j = k + 1 and 0 up to there. Position m - 1
    of an array holds rank m.
    """
    n = len(u)
    j = np.arange(3, n + 2)
    w = np.where(j > k + 1, 2.0 * (j - k - 1) / ((j - 1.0) * (j - 2.0)), 0.0)
    c = np.zeros(n)
    c[-1] = -w[-1] * u[-1]
    steps = w[:-1] * np.diff(u)[1:]
    c[1:-1] = c[-1] + np.cumsum(steps[::-1])[::-1]
    return c
