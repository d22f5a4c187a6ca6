"""Check which training points are asked about: positions, pairs, and the blocks they form."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np

from stiknn_core.errors import ParameterError, ShapeError
from stiknn_core.types import AnyArray, IntArray
from stiknn_core.validation.settings import plain


def check_positions(name: str, value: Any, n: int) -> IntArray:
    """Return positions among ``n`` training points as int64; ParameterError if they are none."""
    array = as_array(value)
    whole = array.ndim == 1 and (array.dtype.kind in "iu" or array.size == 0)
    if not whole or (array.size and not (0 <= array.min() and array.max() < n)):
        raise ParameterError(
            f"{name} must be positions of training points, whole numbers from 0 to {n - 1:,}; got "
            f"{value!r}."
        )
    return array.astype(np.int64)


def as_array(value: Any) -> AnyArray:
    """Return an array, of objects where lists of different length lie in a list."""
    try:
        return np.asarray(value)
    except ValueError:
        return np.asarray(value, dtype=object)


def check_position(name: str, value: Any, n: int) -> int:
    """Return a position among ``n`` training points; ParameterError if it is none."""
    whole = isinstance(value, Integral) and not isinstance(value, bool | np.bool_)
    if not whole or not 0 <= value < n:
        raise ParameterError(
            f"{name} must be the position of a training point, a whole number from 0 to "
            f"{n - 1:,}; got {plain(value)!r}."
        )
    return int(value)


def check_pair(first: Any, second: Any, n: int) -> tuple[int, int]:
    """Return two different positions; ParameterError if they are not."""
    pair = check_position("first", first, n), check_position("second", second, n)
    if pair[0] == pair[1]:
        raise ParameterError(
            f"first and second must be two different training points; got {pair[0]:,} twice."
        )
    return pair


def number_blocks(blocks: Any, n: int) -> tuple[tuple[Any, ...], IntArray]:
    """Return the names of the blocks, sorted, and the number of each point's among them.

    The number is -1 where the name is a negative whole number: such points are in no block.
    """
    array = as_array(blocks)
    if array.shape != (n,):
        raise ShapeError(
            f"blocks must name one block for each of the {n:,} training points; got the shape "
            f"{array.shape}."
        )
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise ParameterError("blocks must not be missing; got NaN or infinity among them.")
    wanted = array >= 0 if array.dtype.kind == "i" else np.ones(n, dtype=np.bool_)
    if not wanted.any():
        raise ParameterError("blocks must name a block for some point; all are left out.")
    try:
        names, codes = np.unique(array[wanted], return_inverse=True)
    except (TypeError, ValueError):
        raise ParameterError(
            "blocks must be numbers or names of one kind; got several kinds."
        ) from None
    block_of: IntArray = np.full(n, -1, dtype=np.int64)
    block_of[wanted] = codes.ravel()
    return tuple(names.tolist()), block_of


def block_counts(block_of: IntArray, n_blocks: int) -> IntArray:
    """Return how many points each block has, (B,) int64."""
    return np.bincount(block_of[block_of >= 0], minlength=n_blocks).astype(np.int64)
