"""Pictures to features: principal components of their pixels and of their gradients."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from stiknn_core.errors import FeatureError
from stiknn_core.tables.building.features import Applied
from stiknn_core.tables.building.parts import Part
from stiknn_core.types import AnyArray, BlockKind, FloatArray

MOST_COMPONENTS: Final = 50
"""Most principal components of the pixels, and as many of the gradients."""

_LEAST_SHARE: Final = 1e-9


@dataclass(frozen=True, eq=False)
class Half:
    """Principal components of one kind of measurement.

    Attributes
    ----------
    mean : (g,) float64
        Of the training rows.
    axes : (g, c) float64
        Principal axes, divided by one number, so that the components of the training rows have
        a variance of 1/2 in all.
    """

    mean: FloatArray
    axes: FloatArray

    def of(self, values: AnyArray) -> FloatArray:
        """Return the components of some rows, (n, c)."""
        found: FloatArray = (values.astype(np.float64) - self.mean) @ self.axes
        return found


@dataclass(frozen=True, eq=False)
class PictureFeature:
    """How a column of pictures becomes features: two halves beside each other."""

    column: str
    pixels: Half
    gradients: Half

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the resulting features."""
        width = self.pixels.axes.shape[1] + self.gradients.axes.shape[1]
        return tuple(f"{self.column}[{place}]" for place in range(width))

    @property
    def block(self) -> BlockKind:
        """What kind of block the features are."""
        return "picture"

    def apply(self, part: Part) -> Applied:
        """Return the components of some rows; NaN where a row has no picture."""
        held = part.table.pictures.get(self.column)
        sizes = (len(self.pixels.mean), len(self.gradients.mean))
        if held is None or (held.grey.shape[1], held.gradients.shape[1]) != sizes:
            raise FeatureError(
                f"Column {self.column!r} holds pictures in the training table and none in the "
                "test table; load both in the same way."
            )
        absent = held.absent[part.rows]
        found = (self.pixels.of(held.grey[part.rows]), self.gradients.of(held.gradients[part.rows]))
        values = np.hstack(found)
        values[absent] = np.nan
        return Applied(values, np.zeros(len(absent), dtype=bool))


def fit_pictures(part: Part, column: str) -> PictureFeature:
    """Find the principal components of the training rows; O(n g^2) for g measurements."""
    held = part.table.pictures[column]
    present = part.rows[~held.absent[part.rows]]
    halves = [_half(values[present]) for values in (held.grey, held.gradients)]
    if not any(half.axes.size for half in halves):
        raise FeatureError(
            f"All pictures in {column!r} are the same; leave the column out of the features."
        )
    return PictureFeature(column, *halves)


def _half(values: AnyArray) -> Half:
    told = values.astype(np.float64)
    mean = told.mean(axis=0) if len(told) else np.zeros(told.shape[1])
    total = told.var(axis=0).sum() if len(told) else 0.0
    if not total > 0:
        return Half(mean, np.empty((len(mean), 0)))
    # Imported here: most tables have no pictures.
    from sklearn.decomposition import PCA

    found = PCA(min(MOST_COMPONENTS, *told.shape), svd_solver="covariance_eigh").fit(told)
    kept = found.explained_variance_ > _LEAST_SHARE * total
    axes = found.components_[kept].T
    spread = ((told - mean) @ axes).var(axis=0).sum()
    return Half(mean, axes / np.sqrt(2 * spread))
