"""Hierarchical clustering of interaction patterns: distances, leaf order, clusters."""

from __future__ import annotations

import numpy as np
from scipy.cluster.hierarchy import fcluster, leaves_list, linkage
from scipy.spatial.distance import squareform

from stiknn_core.errors import ShapeError
from stiknn_core.types import FloatArray, IntArray

MAX_POLISHED = 300
"""Largest group whose branches are turned so that neighbours are closer."""

MIN_CLUSTERED = 20
"""Smallest group that is cut into clusters."""

_MAX_CLUSTERS = 5

# Off-diagonal entries of a row that differ by less than this share of the largest entry of
# the matrix count as equal.
_FLAT = 1e-12


def distance_tree(distance: FloatArray) -> FloatArray:
    """Return SciPy's linkage matrix, (m - 1, 4), by average linkage of distances (m, m), m >= 2.

    Up to 300 points its branches are turned to bring neighbours closer, a good order rather than
    the best one; beyond that the turning would take longer than everything else together.
    ShapeError if the matrix is not square or has fewer than two rows.
    """
    if distance.ndim != 2 or distance.shape[0] != distance.shape[1] or len(distance) < 2:
        raise ShapeError(
            f"distances must be a square matrix of at least 2 rows; got shape {distance.shape}."
        )
    condensed = squareform(distance, checks=False)
    tree: FloatArray = linkage(
        condensed, method="average", optimal_ordering=len(distance) <= MAX_POLISHED
    )
    return tree


def tree_leaves(tree: FloatArray) -> IntArray:
    """Return the (m,) permutation in which the leaves of a tree hang side by side."""
    leaves: IntArray = leaves_list(tree).astype(np.int64)
    return leaves


def pattern_distances(rows: FloatArray, members: IntArray) -> FloatArray:
    """Compare m points by how they interact with everyone else, sign included.

    For points i and j it is the Euclidean distance between their rows of interactions
    over all columns except i and j themselves, so neither the diagonal nor the
    interaction of the two with each other counts. Two points with strong interactions of
    opposite sign are far apart; two with the same pattern are at distance 0, whether
    their own interaction is positive or negative.

    ``rows`` (m, n) are interactions whose diagonal entries are 0, ``members`` (m,) their columns.
    The result (m, m) is between 0 and 1 (the largest distance that occurs), symmetric, with a
    diagonal of zeros. O(m^2 n) in one matrix product, memory O(m n + m^2).
    """
    scale = np.abs(rows).max()
    scaled = rows / (scale or 1.0)
    among = scaled[:, members]
    # A common offset per column cancels in each difference, and taking it away first
    # keeps digits. The two own columns then hold 0 - m_ij and m_ij - 0, hence the -2 m^2.
    centered = scaled - scaled.mean(axis=0)
    squares = np.einsum("ij,ij->i", centered, centered)
    squared = squares[:, None] + squares[None, :] - 2 * (centered @ centered.T) - 2 * among**2
    np.fill_diagonal(squared, 0.0)
    largest = float(squared.max())
    if largest <= 0:
        return np.zeros_like(squared)
    # Rounding hides the last digits, which differ from one BLAS to another.
    distance: FloatArray = np.sqrt(np.clip(np.round(squared / largest, 11), 0, None))
    return np.maximum(distance, distance.T)


def cut_clusters(tree: FloatArray) -> IntArray:
    """Cut a tree into 2 to 5 clusters where the gap between merges is widest.

    Clusters of fewer than a twentieth of the points are not counted as worth a cut: of
    the numbers 2 to 5, only those that leave at least two sizeable clusters compete. Returns
    the cluster of each point, (m,), numbered from 1; all 1 when no cut is worth it.
    """
    m = len(tree) + 1
    whole = np.ones(m, dtype=np.int64)
    if m < MIN_CLUSTERED:
        return whole
    heights = tree[:, 2]
    best, widest = whole, 0.0
    for count in range(2, _MAX_CLUSTERS + 1):
        gap = float(heights[-(count - 1)] - heights[-count])
        if gap <= widest:
            continue
        clusters = fcluster(tree, count, criterion="maxclust").astype(np.int64)
        if (np.bincount(clusters) >= max(2, m / 20)).sum() >= 2:
            best, widest = clusters, gap
    return best


def class_clusters(
    square: FloatArray, members: IntArray, scale: float
) -> tuple[list[IntArray], IntArray]:
    """Order one class, the ``members`` of an (n, n) matrix, by similarity.

    Returns the members with a pattern, in leaf order, cut into clusters, and those whose
    interactions are all equal, measured by ``scale``, the largest of them off the diagonal.
    """
    if len(square) < 3:  # one pair: nothing to compare with
        return [members], members[:0]
    rows = 0.5 * (square[members] + square[:, members].T)
    own = np.arange(len(members))
    # The diagonal is hidden from the spread by repeating a neighbouring entry.
    rows[own, members] = rows[own, np.where(members > 0, members - 1, 1)]
    flat = np.ptp(rows, axis=1) <= _FLAT * scale
    rows[own, members] = 0.0
    patterned = members[~flat]
    if len(patterned) < 2:
        return [patterned] if len(patterned) else [], members[flat]
    tree = distance_tree(pattern_distances(rows[~flat], patterned))
    leaves = tree_leaves(tree)
    clusters = cut_clusters(tree)[leaves]
    edges = np.flatnonzero(np.diff(clusters)) + 1
    return list(np.split(patterned[leaves], edges)), members[flat]


def by_value(square: FloatArray, members: IntArray) -> IntArray:
    """Sort members by value (diagonal + half the rest of the row), lowest first."""
    diagonal = square[members, members]
    values = diagonal + 0.5 * (square[members].sum(axis=1) - diagonal)
    ordered: IntArray = members[np.argsort(values, kind="stable")]
    return ordered


def largest_off_diagonal(square: FloatArray) -> float:
    """Return the largest absolute entry off the diagonal, 0 if there is none."""
    off = ~np.eye(len(square), dtype=bool)
    return float(np.abs(square).max(where=off, initial=0.0))
