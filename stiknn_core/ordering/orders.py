"""The orders there are: as given, as in the paper, by value, and by what points do alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from stiknn_core.errors import ParameterError, ShapeError
from stiknn_core.ordering.leaves import by_value, class_clusters, largest_off_diagonal
from stiknn_core.ordering.order import (
    ORDER_TITLES,
    Block,
    Order,
    OrderName,
    blocks_of,
    check_length,
    checked_codes,
    class_label,
    finite_array,
    of_targets,
    runs,
    whole_classes,
)
from stiknn_core.phrases import counted
from stiknn_core.types import FloatArray, IntArray
from stiknn_core.validation.settings import check_between, check_choice

MAX_CLUSTERED = 3000
"""Classes above this size are ordered by value rather than clustered, with a notice."""


def input_order(
    n: int, codes: ArrayLike | None = None, classes: Sequence[Any] | None = None
) -> Order:
    """Keep the points as they came.

    Parameters
    ----------
    n : int
        Number of points, at least 1.
    codes : (n,) int, optional
        Class codes. Class blocks are given only if each class already is one run.
    classes : sequence, optional
        Class names by code, for block labels; the codes themselves if left out.

    Raises
    ------
    ParameterError
        If n is not a positive integer.
    ShapeError
        If there are not n codes.
    """
    n = check_between("n", n, 1, 2**31)
    blocks: tuple[Block, ...] = ()
    if codes is not None:
        groups = checked_codes(codes)
        check_length("codes", groups, n)
        blocks = whole_classes(groups, classes)
    return Order(np.arange(n), "input", ORDER_TITLES["input"], blocks)


def paper_order(codes: ArrayLike, xy: ArrayLike, classes: Sequence[Any] | None = None) -> Order:
    """Sort by class, then first, then second coordinate, as the paper's figures do.

    Parameters
    ----------
    codes : (n,) int
        Class codes; classes come in the order of their codes.
    xy : (n, 2) float
        Coordinates; equal points keep their input order.
    classes : sequence, optional
        Class names by code, for block labels.

    Raises
    ------
    ShapeError
        If sizes do not fit or there are no points.
    ParameterError
        If a coordinate is not finite.
    """
    groups = checked_codes(codes)
    plane = finite_array("xy", xy)
    if plane.ndim != 2 or plane.shape[1] != 2:
        raise ShapeError(f"xy must have shape (n, 2); got {plane.shape}.")
    check_length("xy", plane, len(groups))
    positions = np.lexsort((plane[:, 1], plane[:, 0], groups))
    return Order(positions, "class", ORDER_TITLES["class"], runs(groups[positions], classes))


def value_order(codes: ArrayLike, values: ArrayLike, classes: Sequence[Any] | None = None) -> Order:
    """Sort by class, then by value, lowest (most suspicious) first.

    Parameters
    ----------
    codes : (n,) int
        Class codes.
    values : (n,) float
        KNN-Shapley or Banzhaf values; equal ones keep their input order.
    classes : sequence, optional
        Class names by code, for block labels.

    Raises
    ------
    ShapeError
        If sizes do not fit or there are no points.
    ParameterError
        If a value is not finite.
    """
    groups = checked_codes(codes)
    worth = finite_array("values", values)
    if worth.ndim != 1:
        raise ShapeError(f"values must have shape (n,); got {worth.shape}.")
    check_length("values", worth, len(groups))
    positions = np.lexsort((worth, groups))
    return Order(positions, "value", ORDER_TITLES["value"], runs(groups[positions], classes))


def leaf_order(codes: ArrayLike, matrix: ArrayLike, classes: Sequence[Any] | None = None) -> Order:
    """Within each class, put points with similar interaction patterns side by side.

    Average-linkage clustering of the distances of ``leaves.pattern_distances``, on the
    symmetrised matrix without its diagonal. Rows in which all interactions are equal have
    no pattern: they stand at the end of their class in input order, with one notice.
    Classes of at least 20 such patterns are cut into up to 5 clusters, which are the
    blocks.

    Parameters
    ----------
    codes : (n,) int
        Class codes.
    matrix : (n, n) float
        Interactions; any diagonal, last-digit asymmetry allowed. Not changed.
    classes : sequence, optional
        Class names by code, for block labels.

    Returns
    -------
    Order
        The same for the same input. A good arrangement, not a proven best one.

    Raises
    ------
    ShapeError
        If sizes do not fit or there are no points.
    ParameterError
        If an interaction is not finite.

    Notes
    -----
    O(m^2 n) for a class of m points, memory O(m n + m^2). A class of more than 3000
    points is ordered by its value (diagonal + half the row) instead, with a notice.
    """
    groups = checked_codes(codes)
    square = finite_array("matrix", matrix)
    n = len(groups)
    if square.shape != (n, n):
        raise ShapeError(
            f"matrix must have shape ({n}, {n}), one row per code; got {square.shape}."
        )
    scale = largest_off_diagonal(square)
    parts: list[IntArray] = []
    labels: list[str] = []
    flat_total = 0
    notices: list[str] = []
    for code in np.unique(groups):
        members = np.flatnonzero(groups == code)
        label = class_label(int(code), classes)
        if len(members) > MAX_CLUSTERED:
            parts.append(by_value(square, members))
            labels.append(label)
            notices.append(
                f"{label} has {len(members)} points, more than the {MAX_CLUSTERED} that can "
                "be clustered; it is ordered by value."
            )
            continue
        clusters, flat = class_clusters(square, members, scale)
        flat_total += len(flat)
        cut = len(clusters) > 1
        if len(flat) and not cut:
            clusters = [np.concatenate([*clusters, flat])]
        for number, cluster in enumerate(clusters, start=1):
            parts.append(cluster)
            labels.append(f"{label} · cluster {number}" if cut else label)
        if len(flat) and cut:
            parts.append(flat)
            labels.append(f"{label} · no pattern")
    if flat_total:
        notices.append(_flat_notice(flat_total))
    return Order(
        np.concatenate(parts),
        "cluster",
        ORDER_TITLES["cluster"],
        blocks_of(labels, [len(part) for part in parts]),
        tuple(notices),
    )


ORDERS: Mapping[OrderName, Callable[..., Order]] = {
    "input": input_order,
    "class": paper_order,
    "value": value_order,
    "cluster": leaf_order,
}


def order_points(
    name: OrderName,
    *,
    codes: ArrayLike,
    xy: ArrayLike | None = None,
    values: ArrayLike | None = None,
    matrix: ArrayLike | None = None,
    classes: Sequence[Any] | None = None,
    targets: FloatArray | None = None,
) -> Order:
    """Make any of the orders from what is at hand.

    Parameters
    ----------
    name : {"input", "class", "value", "cluster"}
    codes : (n,) int
        Class codes.
    xy, values, matrix : optional
        (n, 2), (n,) and (n, n); needed for "class", "value" and "cluster".
    classes : sequence, optional
        Class names by code, for block labels; the codes themselves if left out.
    targets : (n,) float64, optional
        Measured ones, of which the classes are bands: "class" sorts by them.

    Raises
    ------
    ParameterError
        If the name is unknown, or what it needs was not given.
    ShapeError
        If sizes do not fit.
    """
    check_choice("order", name, tuple(ORDERS))
    if name == "input":
        return of_targets(input_order(len(checked_codes(codes)), codes, classes), targets)
    needs: dict[str, tuple[str, ArrayLike | None]] = {
        "class": ("xy", xy),
        "value": ("values", values),
        "cluster": ("matrix", matrix),
    }
    what, given = needs[name]
    if given is None:
        raise ParameterError(f"order {name!r} needs {what}; got None. Pass {what}=...")
    return of_targets(ORDERS[name](codes, given, classes), targets, xy)


def _flat_notice(count: int) -> str:
    who = counted(count, "point interacts", "points interact")
    return (
        f"{who} equally with every other point, so there is no pattern to compare; "
        "such points stand at the end of their class."
    )
