"""What a column of a table holds that is no single number or text: vectors, and pictures."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from stiknn_core.types import AnyArray, read_only


@dataclass(frozen=True, eq=False)
class Vectors:
    """A column of embeddings: one vector a row, all of one length.

    Attributes
    ----------
    values : (n, d) float32 or float64, read-only
        In units of the file, as exact as there; a row of NaN where a cell has no vector.
    written : bool
        Whether the cells of the column hold the vectors as they were written, as in "[0.1, 0.2]";
        else they hold no more than what to show of one.
    """

    values: AnyArray
    written: bool = False

    def __post_init__(self) -> None:
        """Make the values read-only."""
        object.__setattr__(self, "values", read_only(self.values))

    @cached_property
    def absent(self) -> NDArray[np.bool_]:
        """Which rows have no vector, or one with a missing or infinite number, (n,) bool."""
        return np.asarray(~np.isfinite(self.values).all(axis=1), dtype=bool)


@dataclass(frozen=True, eq=False)
class Pictures:
    """A column of pictures: what is shown of each, and what is measured on it.

    Attributes
    ----------
    thumbnails : tuple of n bytes
        Small pictures (JPEG or PNG, written by us), at most 128 pixels wide and high; empty where
        a row has none.
    grey : (n, s * s) uint8, read-only
        Each picture as s x s grey pixels, row by row, 0 = black; 0 where a row has none.
    gradients : (n, g) float32, read-only
        Its histogram of oriented gradients; NaN where a row has none.
    """

    thumbnails: tuple[bytes, ...]
    grey: NDArray[np.uint8]
    gradients: NDArray[np.float32]

    def __post_init__(self) -> None:
        """Make the arrays read-only."""
        object.__setattr__(self, "grey", read_only(self.grey))
        object.__setattr__(self, "gradients", read_only(self.gradients))

    @cached_property
    def absent(self) -> NDArray[np.bool_]:
        """Which rows have no picture, (n,) bool."""
        return np.array([not picture for picture in self.thumbnails], dtype=bool)
