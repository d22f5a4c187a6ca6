"""Cut an order of very many points into units small in number: the rows of a block view.

An order (by class and place, by value, by cluster) says which points stand side by side.
Units are runs of it, about equally large, that never cross a border between its blocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.cluster.hierarchy import leaves_list, linkage
from sklearn.cluster import MiniBatchKMeans

from stiknn_core.errors import ShapeError
from stiknn_core.ordering.order import (
    Block,
    Order,
    blocks_of,
    check_length,
    checked_codes,
    class_label,
    finite_array,
    whole_classes,
)
from stiknn_core.sampling import shares
from stiknn_core.types import FloatArray, IntArray, read_only
from stiknn_core.validation.settings import check_between

MAX_UNITS = 256
"""Units that a block view shows at most, unless there are more blocks than that."""

CLUSTERS_TITLE = "Class, then similar features"

# Clusters of all classes together: few enough for each to become several units.
_MOST_CLUSTERS = 64
_POINTS_PER_CLUSTER = 200


@dataclass(frozen=True, eq=False)
class Units:
    """Runs of an order.

    Attributes
    ----------
    blocks : tuple of Block
        Place of each unit in the order, with its name, such as "class a · 3 of 20".
    groups : tuple of Block
        The blocks of the order in places of *units*: which units belong together.
    unit_of : (n,) int64, read-only
        The unit of each original position.
    """

    blocks: tuple[Block, ...]
    groups: tuple[Block, ...]
    unit_of: IntArray

    @property
    def sizes(self) -> IntArray:
        """(U,) int64: points of each unit."""
        return np.array([one.stop - one.start for one in self.blocks], dtype=np.int64)


def cut_into_units(order: Order, n_units: int = MAX_UNITS) -> Units:
    """Cut an order into at most ``n_units`` runs of about equal size.

    Parameters
    ----------
    order : Order
        Of n points. Its blocks are never crossed; one without blocks is cut as a whole.
    n_units : int
        At least 1. Every block gets at least one unit, so that there are as many units as
        blocks if there are more blocks.

    Returns
    -------
    Units

    Raises
    ------
    ParameterError
        If n_units is not a whole number of at least 1.

    Notes
    -----
    O(n). Blocks share the units in proportion to their points, by largest remainder.
    """
    n_units = check_between("n_units", n_units, 1, 2**31)
    n = len(order.positions)
    groups = order.blocks or (Block("all points", 0, n),)
    sizes = np.array([group.stop - group.start for group in groups], dtype=np.int64)
    counts = shares(sizes, max(len(groups), min(n_units, n)))
    blocks: list[Block] = []
    borders: list[int] = []
    for group, size, count in zip(groups, sizes.tolist(), counts.tolist(), strict=True):
        borders.append(len(blocks))
        edges = group.start + (np.arange(count + 1) * size) // count
        for number in range(count):
            name = group.label if count == 1 else f"{group.label} · {number + 1} of {count}"
            blocks.append(Block(name, int(edges[number]), int(edges[number + 1])))
    unit_of: IntArray = np.empty(n, dtype=np.int64)
    unit_of[order.positions] = np.repeat(
        np.arange(len(blocks)), [one.stop - one.start for one in blocks]
    )
    places = [*borders, len(blocks)]
    return Units(
        blocks=tuple(blocks),
        groups=tuple(
            Block(group.label, places[i], places[i + 1]) for i, group in enumerate(order.blocks)
        ),
        unit_of=read_only(unit_of),
    )


def order_of_blocks(block_of: ArrayLike, names: Sequence[str]) -> Order:
    """Return the order in which blocks that are known already stand one after the other.

    Parameters
    ----------
    block_of : (n,) int
        Number of each point's block; within a block points keep their input order. Those of
        no block, -1, stand last.
    names : sequence of str
        What the blocks are called, by number.

    Raises
    ------
    ShapeError
        If there are no points, or a block has no name.
    """
    numbers = checked_codes(block_of)
    lowest, highest = int(numbers.min()), int(numbers.max())
    if lowest < -1 or highest >= len(names):
        raise ShapeError(
            f"block_of must number the {len(names)} names from 0; got {lowest}..{highest}."
        )
    numbers[numbers < 0] = len(names)
    names = [*names, "in no block"]
    found, sizes = np.unique(numbers, return_counts=True)
    positions = np.argsort(numbers, kind="stable")
    blocks = blocks_of([str(names[number]) for number in found.tolist()], sizes.tolist())
    return Order(positions, "input", "Blocks as stored", blocks)


def part_of(order: Order, points: ArrayLike, codes: ArrayLike, classes: Sequence[Any]) -> Order:
    """Return the order of some of the points among themselves.

    Parameters
    ----------
    order : Order
        Of n points.
    points : (m,) int
        Different positions, sorted; position i of the result is ``points[i]``.
    codes : (n,) int
        Class of each of the n points.
    classes : sequence
        Class names by code.

    Returns
    -------
    Order
        Of m points. Its blocks are classes, where each class is one run.
    """
    chosen = np.asarray(points, dtype=np.int64)
    place = order.places[chosen]
    positions = np.argsort(place, kind="stable")
    blocks = whole_classes(checked_codes(codes)[chosen][positions], classes)
    return Order(positions, order.name, order.title, blocks, order.notices)


def feature_cluster_order(
    codes: ArrayLike, X: ArrayLike, classes: Sequence[Any] | None = None, seed: int = 0
) -> Order:
    """Within each class, put points with similar features side by side.

    The order for data whose matrix is too large to be clustered itself: k-means in each class
    (mini-batches of scikit-learn), clusters in the leaf order of their centres, and within a
    cluster along its first principal axis.

    Parameters
    ----------
    codes : (n,) int
        Class codes.
    X : (n, d) float
        Features as distances are measured on.
    classes : sequence, optional
        Class names by code, for block labels.
    seed : int
        For k-means; the same seed gives the same order.

    Returns
    -------
    Order
        Its blocks are clusters.

    Raises
    ------
    ShapeError
        If sizes do not fit or there are no points.
    ParameterError
        If a feature is not finite.

    Notes
    -----
    About O(n d c) for c <= 64 clusters, which classes share by their sizes.
    """
    groups = checked_codes(codes)
    features = finite_array("X", X)
    if features.ndim != 2:
        raise ShapeError(f"X must have shape (n, d); got {features.shape}.")
    check_length("X", features, len(groups))
    parts: list[IntArray] = []
    labels: list[str] = []
    found, sizes_of = np.unique(groups, return_counts=True)
    together = max(len(found), min(_MOST_CLUSTERS, len(groups) // _POINTS_PER_CLUSTER))
    for code, wanted in zip(found.tolist(), shares(sizes_of, together).tolist(), strict=True):
        members = np.flatnonzero(groups == code)
        clusters = _clusters(features, members, wanted, seed)
        label = class_label(code, classes)
        for number, cluster in enumerate(clusters, start=1):
            parts.append(cluster)
            labels.append(f"{label} · cluster {number}" if len(clusters) > 1 else label)
    sizes = [len(part) for part in parts]
    return Order(np.concatenate(parts), "cluster", CLUSTERS_TITLE, blocks_of(labels, sizes))


def _clusters(features: FloatArray, members: IntArray, wanted: int, seed: int) -> list[IntArray]:
    """Return the members of a class, cluster by cluster, each along its main axis."""
    own = features[members]
    if wanted < 2 or not (own.min(axis=0) < own.max(axis=0)).any():
        return [members[np.argsort(_along_main_axis(own), kind="stable")]]
    model = MiniBatchKMeans(wanted, random_state=seed, n_init=1, batch_size=2048)
    found = model.fit_predict(own)
    used = np.unique(found)
    centers = model.cluster_centers_[used]
    leaves = (
        leaves_list(linkage(centers, "average", optimal_ordering=True)) if len(used) > 1 else [0]
    )
    clusters = []
    for leaf in leaves:
        inside = np.flatnonzero(found == used[leaf])
        clusters.append(members[inside[np.argsort(_along_main_axis(own[inside]), kind="stable")]])
    return clusters


def _along_main_axis(own: FloatArray) -> FloatArray:
    centered = own - own.mean(axis=0)
    # The covariance is small where there are many rows; a broad table takes the other product.
    if centered.shape[0] >= centered.shape[1]:
        return np.asarray(centered @ _leading(centered.T @ centered))
    return _leading(centered @ centered.T)


def _leading(square: FloatArray) -> FloatArray:
    """Return the leading eigenvector of a symmetric matrix, with a sign that repeats."""
    axis = np.linalg.eigh(square)[1][:, -1]
    return np.asarray(axis * np.copysign(1.0, axis[np.argmax(np.abs(axis))]))
