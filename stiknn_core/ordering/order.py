"""What an order is, its blocks, and the checks all orders share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from stiknn_core.errors import ParameterError, ShapeError
from stiknn_core.types import AnyArray, FloatArray, IntArray, read_only

OrderName = Literal["input", "class", "value", "cluster"]

ORDER_TITLES: Mapping[OrderName, str] = {
    "input": "As given",
    "class": "Class, then x, then y",
    "value": "Class, then value (lowest first)",
    "cluster": "Class, then similar interactions",
}


_TARGET_TITLES: Mapping[OrderName, str] = {
    "input": "As given",
    "class": "Target, then x, then y",
    "value": "Band of targets, then value (lowest first)",
    "cluster": "Band of targets, then similar interactions",
}


@dataclass(frozen=True)
class Block:
    """A run of places that belong together.

    Attributes
    ----------
    label : str
        What to call it, such as "class a" or "class a · cluster 2".
    start, stop : int
        Half-open range of places in the order.
    """

    label: str
    start: int
    stop: int


@dataclass(frozen=True, eq=False)
class Order:
    """A permutation of the points, with the blocks it makes.

    Attributes
    ----------
    positions : (n,) int64, read-only
        Original position of the point at each place.
    name : {"input", "class", "value", "cluster"}
    title : str
        The order in words.
    blocks : tuple of Block
        They cover all n places without gaps, or there are none.
    notices : tuple of str
        Plain sentences a person should see.
    """

    positions: IntArray
    name: OrderName
    title: str
    blocks: tuple[Block, ...] = ()
    notices: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Make the permutation read-only."""
        positions = np.asarray(self.positions, dtype=np.int64)
        object.__setattr__(self, "positions", read_only(positions))

    @property
    def places(self) -> IntArray:
        """(n,) int64: the place of each original position, the inverse permutation."""
        inverse = np.empty_like(self.positions)
        inverse[self.positions] = np.arange(len(inverse))
        return inverse

    def ids(self, ids: ArrayLike) -> AnyArray:
        """Return point ids in this order (a new array)."""
        return np.asarray(ids)[self.positions]

    def apply(self, matrix: ArrayLike) -> AnyArray:
        """Return an (n, n) matrix with rows and columns in this order (a copy)."""
        return np.asarray(matrix)[np.ix_(self.positions, self.positions)]


def runs(sorted_codes: IntArray, classes: Sequence[Any] | None) -> tuple[Block, ...]:
    """Return one block per run of equal codes, named after its class."""
    starts = np.concatenate([[0], np.flatnonzero(np.diff(sorted_codes)) + 1])
    sizes = np.diff([*starts, len(sorted_codes)])
    labels = [class_label(int(code), classes) for code in sorted_codes[starts]]
    return blocks_of(labels, sizes.tolist())


def whole_classes(sorted_codes: IntArray, classes: Sequence[Any] | None) -> tuple[Block, ...]:
    """Return one block per class; none at all where a class is not a single run."""
    found = runs(sorted_codes, classes)
    return found if len(found) == len(np.unique(sorted_codes)) else ()


def blocks_of(labels: Iterable[str], sizes: Iterable[int]) -> tuple[Block, ...]:
    """Lay blocks of the given sizes end to end."""
    blocks: list[Block] = []
    start = 0
    for label, size in zip(labels, sizes, strict=True):
        blocks.append(Block(label, start, start + size))
        start += size
    return tuple(blocks)


def class_label(code: int, classes: Sequence[Any] | None) -> str:
    """Return "class a", or "class 0" where no name is known."""
    if classes is None or not 0 <= code < len(classes):
        return f"class {code}"
    return f"class {classes[code]}"


def of_targets(order: Order, targets: FloatArray | None, xy: ArrayLike | None = None) -> Order:
    """Return an order of bands of measured targets in their words; without targets as it is.

    Parameters
    ----------
    order : Order
        Made with bands in place of classes; "class" sorts by the target itself then.
    targets : (n,) float64 or None
    xy : (n, 2) float64, optional
        Equal targets stand by their place, as in the order of classes.
    """
    if targets is None:
        return order
    positions = order.positions
    if order.name == "class":
        plane = np.zeros((len(targets), 2)) if xy is None else np.asarray(xy)
        positions = np.lexsort((plane[:, 1], plane[:, 0], targets))
    return in_bands(replace(order, positions=positions))


def in_bands(order: Order) -> Order:
    """Return the same order with its classes called bands of targets."""
    return replace(
        order,
        title=_TARGET_TITLES[order.name],
        blocks=tuple(replace(one, label=_band_label(one.label)) for one in order.blocks),
        notices=tuple(_band_label(said) for said in order.notices),
    )


def _band_label(text: str) -> str:
    return "band" + text.removeprefix("class") if text.startswith("class ") else text


def checked_codes(codes: ArrayLike) -> IntArray:
    """Return class codes as (n,) int64, n >= 1; ShapeError or ParameterError otherwise."""
    given = np.asarray(codes)
    if given.ndim != 1 or len(given) == 0:
        raise ShapeError(f"codes must be one per point, at least one; got shape {given.shape}.")
    if given.dtype.kind not in "iu":
        raise ParameterError(f"codes must be whole numbers; got {given.dtype}.")
    return given.astype(np.int64)


def finite_array(name: str, array: ArrayLike) -> FloatArray:
    """Return numbers as float64; ParameterError if any is missing or infinite."""
    numbers = np.asarray(array, dtype=np.float64)
    bad = int(np.count_nonzero(~np.isfinite(numbers)))
    if bad:
        raise ParameterError(f"{name} must be finite; got {bad} missing or infinite entries.")
    return numbers


def check_length(name: str, array: AnyArray, n: int) -> None:
    """Raise ShapeError unless an array has one entry per point."""
    if len(array) != n:
        raise ShapeError(f"{name} must have one entry per point, {n}; got {len(array)}.")
