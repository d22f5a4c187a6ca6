"""Rows that are the same, rows that are nearly the same, and copies that disagree."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from stiknn_core.errors import ParameterError, ShapeError
from stiknn_core.phrases import counted
from stiknn_core.types import AnyArray, FloatArray, IntArray, read_only


@dataclass(frozen=True, eq=False)
class Duplicates:
    """Groups of rows at one place.

    Attributes
    ----------
    groups : tuple of (m,) int64 arrays, read-only
        0-based rows, ascending; each group has at least two, in the order of their first rows.
    conflicts : tuple of int
        Places in ``groups`` of those that hold more than one label.
    group_of : (n,) int64, read-only
        Place in ``groups`` of each row; -1 for a row on its own.
    tolerance : float
        Largest distance between neighbours of a group; 0 for exact copies.
    """

    groups: tuple[IntArray, ...]
    conflicts: tuple[int, ...]
    group_of: IntArray
    tolerance: float = 0.0

    @property
    def n_rows(self) -> int:
        """Rows that are in some group."""
        return sum(len(group) for group in self.groups)

    @property
    def n_extra(self) -> int:
        """Rows that would go if each group kept one."""
        return self.n_rows - len(self.groups)

    @property
    def _same(self) -> str:
        return "identical" if self.tolerance == 0 else "nearly identical"

    @property
    def conflict_note(self) -> str:
        """Say how many groups hold different labels, as a part of a line; empty if none does."""
        count = len(self.conflicts)
        if not count:
            return ""
        pairs = all(len(self.groups[place]) == 2 for place in self.conflicts)
        told = counted(count, "pair" if pairs else "group")
        return f"{told} of {self._same} points with different labels"

    @property
    def sentence(self) -> str:
        """Say what was found in one sentence."""
        if not self.groups:
            return f"No two rows are {self._same}."
        told = (
            f"{self.n_rows:,} rows form {counted(len(self.groups), 'group')} of {self._same} rows"
        )
        if self.conflicts:
            having = counted(len(self.conflicts), "of them has", "of them have")
            return f"{told}; {having} different labels."
        return f"{told}, each with one label."


def _check(X: AnyArray, y: AnyArray | None = None) -> FloatArray:
    matrix = np.asarray(X, dtype=np.float64)
    if matrix.ndim != 2 or not matrix.shape[1]:
        raise ShapeError(f"X must have rows and at least one column; got the shape {matrix.shape}.")
    if y is not None and len(y) != len(matrix):
        raise ShapeError(f"X has {len(matrix):,} rows but y has {len(y):,} labels.")
    return matrix


def _exact_groups(X: FloatArray) -> IntArray:
    """Return for each row the number of its place, in order of first appearance."""
    if len(X) == 0:
        return np.empty(0, dtype=np.int64)
    hashes = pd.util.hash_array(np.ascontiguousarray(X + 0.0).ravel()).reshape(X.shape)
    mixed = pd.util.hash_pandas_object(pd.DataFrame(hashes), index=False).to_numpy()
    codes, _ = pd.factorize(mixed)
    # A hash only proposes; the values decide.
    first = np.zeros(codes.max() + 1, dtype=np.int64)
    first[codes[::-1]] = np.arange(len(codes))[::-1]
    if not np.array_equal(X, X[first[codes]]):
        _, codes = np.unique(X + 0.0, axis=0, return_inverse=True)
        codes = pd.factorize(codes.ravel())[0]
    return np.asarray(codes, dtype=np.int64)


def different_rows(X: AnyArray) -> tuple[AnyArray, IntArray, IntArray]:
    """Return the different rows, which of them each row is, and how often each occurs; O(n d).

    In the order of first appearance: where all rows are different, these are the rows.
    """
    row_of = _exact_groups(X)
    copies = np.bincount(row_of)
    if len(copies) == len(X):
        return X, row_of, copies
    first = np.zeros(len(copies), dtype=np.int64)
    first[row_of[::-1]] = np.arange(len(row_of))[::-1]
    return X[first], row_of, copies


def _collect(codes: IntArray, y: AnyArray | None, tolerance: float) -> Duplicates:
    order = np.argsort(codes, kind="stable")
    cuts = np.flatnonzero(np.diff(codes[order])) + 1
    groups = [rows for rows in np.split(order, cuts) if len(rows) > 1]
    groups.sort(key=lambda rows: int(rows[0]))
    group_of = np.full(len(codes), -1, dtype=np.int64)
    conflicts = []
    labels = None if y is None else pd.factorize(np.asarray(y, dtype=object))[0]
    for place, rows in enumerate(groups):
        group_of[rows] = place
        if labels is not None and len(np.unique(labels[rows])) > 1:
            conflicts.append(place)
    frozen = tuple(read_only(rows.astype(np.int64)) for rows in groups)
    return Duplicates(frozen, tuple(conflicts), read_only(group_of), tolerance)


def find_duplicates(X: AnyArray, y: AnyArray | None = None) -> Duplicates:
    """Find rows that are exact copies of each other.

    Parameters
    ----------
    X : (n, d) array of finite numbers
    y : (n,) array or None
        Labels, for telling copies that disagree.

    Returns
    -------
    Duplicates
        O(n d); nothing is removed.

    Raises
    ------
    ShapeError
        If X is not two-dimensional, or y has another length.
    """
    return _collect(_exact_groups(_check(X, y)), y, 0.0)


def find_near_duplicates(X: AnyArray, y: AnyArray | None = None, *, tolerance: float) -> Duplicates:
    """Find rows within a tolerance of each other, exact copies included.

    Parameters
    ----------
    X : (n, d) array of finite numbers
        Scale it first if its columns have different units.
    y : (n,) array or None
    tolerance : float
        Largest Euclidean distance between two neighbours of a group, at least 0; groups are
        chained, so their ends may lie further apart.

    Returns
    -------
    Duplicates
        O(n log n) for few columns, O(n^2) at worst; memory grows with the pairs found.

    Raises
    ------
    ParameterError
        If the tolerance is negative or not finite.
    ShapeError
        As for ``find_duplicates``.
    """
    if not np.isfinite(tolerance) or tolerance < 0:
        raise ParameterError(f"tolerance must be a number of at least 0; got {tolerance!r}.")
    matrix = _check(X, y)
    codes = _exact_groups(matrix)
    if not len(codes):
        return _collect(codes, y, float(tolerance))
    from sklearn.neighbors import BallTree  # reading a table does not need it

    # One row per place keeps big groups of exact copies from costing pairs.
    _, first = np.unique(codes, return_index=True)
    near = BallTree(matrix[first]).query_radius(matrix[first], tolerance)
    rows = np.repeat(np.arange(len(first)), [len(found) for found in near])
    cols = np.concatenate(near)
    graph = coo_array((np.ones(len(rows), dtype=np.int8), (rows, cols)), shape=(len(first),) * 2)
    _, chained = connected_components(graph, directed=False)
    return _collect(np.asarray(chained, dtype=np.int64)[codes], y, float(tolerance))


def count_repeats(X_train: AnyArray, X_test: AnyArray) -> int:
    """Count test rows that repeat a training row exactly.

    Parameters
    ----------
    X_train, X_test : (n, d) and (t, d) arrays

    Returns
    -------
    int
        O((n + t) d).
    """
    train, test = _check(X_train), _check(X_test)
    codes = _exact_groups(np.vstack([train, test]))
    return int(np.isin(codes[len(train) :], codes[: len(train)]).sum())
