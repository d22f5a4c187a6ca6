"""Vectors to features: their numbers as they are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stiknn_core.errors import FeatureError
from stiknn_core.tables.building.features import Applied
from stiknn_core.tables.building.parts import Part
from stiknn_core.types import BlockKind, FloatArray


@dataclass(frozen=True, eq=False)
class VectorFeature:
    """How a column of vectors becomes features.

    Attributes
    ----------
    column : str
    width : int
        Numbers of one vector.
    fill : (d,) float64 or None
        Stand-in for an absent vector; None where none was asked for.
    """

    column: str
    width: int
    fill: FloatArray | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the resulting features."""
        return tuple(f"{self.column}[{place}]" for place in range(self.width))

    @property
    def block(self) -> BlockKind:
        """What kind of block the features are."""
        return "vector"

    def apply(self, part: Part) -> Applied:
        """Take the vectors of some rows; NaN where one is absent and there is no stand-in."""
        held = part.table.vectors.get(self.column)
        width = 0 if held is None else held.values.shape[1]
        if held is None or width != self.width:
            came = f"{width:,}" if held else "no vectors"
            raise FeatureError(
                f"Column {self.column!r} holds vectors of {self.width:,} numbers in the training "
                f"table, but {came} in the test table; make both with one model."
            )
        values = held.values[part.rows].astype(np.float64)
        absent = held.absent[part.rows]
        values[absent] = np.nan if self.fill is None else self.fill
        return Applied(values, absent & (self.fill is not None))


def fit_vectors(part: Part, column: str, *, fill: bool) -> VectorFeature:
    """Learn the mean vector of the training rows, the stand-in for absent ones; O(n d)."""
    held = part.table.vectors[column]
    width = held.values.shape[1]
    if not fill:
        return VectorFeature(column, width)
    present = part.rows[~held.absent[part.rows]]
    if not len(present):
        return VectorFeature(column, width, np.zeros(width))
    return VectorFeature(column, width, held.values[present].mean(axis=0, dtype=np.float64))
