"""A part of the matrix: some of the points, shown as blocks or, if few, as single pairs. Pure."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from stiknn_core.ordering import Order, order_points
from stiknn_core.ordering.order import in_bands
from stiknn_core.plane import Plane
from stiknn_core.results import BlockInteractions
from stiknn_core.types import FloatArray, IntArray, read_only
from stiknn_core.units import MAX_UNITS, Units, cut_into_units, feature_cluster_order, part_of
from stiknn_ui.asked.spec import OrderName
from stiknn_ui.blocks.analysis import BlockAnalysis
from stiknn_ui.work.progress import Progress

MAX_PAIRS: Final = 2_000
"""Most points whose single pairs are shown; a part with more is shown as blocks."""

N_NEAR: Final = 500
"""Points that are opened around one of them, itself included."""


@dataclass(frozen=True, eq=False)
class Level:
    """Which points are looked at.

    Attributes
    ----------
    points : (m,) int64, read-only, sorted
        Point ids; all of them at the top.
    title : str
        What a person calls this part.
    """

    points: IntArray
    title: str

    @cached_property
    def digest(self) -> str:
        """Twelve characters that name the points."""
        return hashlib.sha256(self.points.tobytes()).hexdigest()[:12]

    def places_of(self, points: Sequence[int]) -> IntArray:
        """Return the positions in ``self.points`` of those points that are among them, sorted."""
        found = np.isin(self.points, np.asarray(points, dtype=np.int64))
        return np.flatnonzero(found).astype(np.int64)

    @property
    def as_pairs(self) -> bool:
        """Whether the points are few enough to show every pair of them."""
        return len(self.points) <= MAX_PAIRS


@dataclass(frozen=True, eq=False)
class PairsPart:
    """All pairs of a few points.

    Attributes
    ----------
    matrix : (m, m) float64, read-only
        Interactions in the game of all training points, in the order of ``level.points``.
    """

    level: Level
    matrix: FloatArray

    def members(self, units: Sequence[int]) -> IntArray:
        """Return the point ids of some rows of the matrix."""
        return self.level.points[np.asarray(units, dtype=np.int64)]

    def units_with(self, points: Sequence[int]) -> IntArray:
        """Return the rows of the matrix that are these points, sorted."""
        return self.level.places_of(points)

    @property
    def size_bytes(self) -> int:
        """Bytes of the arrays."""
        return self.matrix.nbytes + self.level.points.nbytes


@dataclass(frozen=True, eq=False)
class BlocksPart:
    """Blocks of many points.

    Attributes
    ----------
    level : Level
    order : Order
        Of the m points of the level.
    units : Units
        Runs of it; ``unit_of`` is by position in ``level.points``.
    blocks : BlockInteractions
        Row and column u belong to unit u.
    """

    level: Level
    order: Order
    units: Units
    blocks: BlockInteractions

    @cached_property
    def firsts(self) -> IntArray:
        """(U,) int64: positions in ``level.points`` of the first point of each unit."""
        firsts = [unit.start for unit in self.units.blocks]
        return self.order.positions[firsts]

    def members(self, units: Sequence[int]) -> IntArray:
        """Return the point ids of some units, sorted."""
        inside = np.isin(self.units.unit_of, np.asarray(units, dtype=np.int64))
        return self.level.points[inside]

    def units_with(self, points: Sequence[int]) -> IntArray:
        """Return the units that hold any of these points, sorted."""
        return np.unique(self.units.unit_of[self.level.places_of(points)])

    @property
    def size_bytes(self) -> int:
        """Bytes of the arrays."""
        arrays = (self.blocks.sums, self.units.unit_of, self.order.positions, self.level.points)
        return sum(array.nbytes for array in arrays)


Part = PairsPart | BlocksPart


def top_level(analysis: BlockAnalysis) -> Level:
    """Return the level of all points."""
    points: IntArray = read_only(np.arange(analysis.n, dtype=np.int64))
    return Level(points, f"All {analysis.n:,} points")


def level_of(analysis: BlockAnalysis, points: IntArray) -> Level:
    """Return the level of some points, named by their classes if these are few."""
    chosen: IntArray = read_only(np.unique(np.asarray(points, dtype=np.int64)))
    found = np.unique(analysis.codes[chosen])
    names = ", ".join(analysis.classes[code] for code in found.tolist())
    title = f"{len(chosen):,} points"
    return Level(chosen, f"{title} of {names}" if len(found) <= 3 and len(names) <= 40 else title)


def near_level(analysis: BlockAnalysis, point: int) -> Level:
    """Return the level of a point among those nearest to it, few enough for single pairs."""
    near, _ = analysis.given.nearest(np.array([point]), N_NEAR - 1)
    points: IntArray = read_only(np.unique(np.append(near[0], point)))
    (name,) = analysis.names([point])
    return Level(points, f"{name} among its {len(points):,} nearest")


def order_all(analysis: BlockAnalysis, name: OrderName, plane: Plane) -> Order:
    """Return the order of all points; clusters are those of the features."""
    if analysis.fixed_order is not None:
        return analysis.fixed_order
    if name == "cluster":
        found = feature_cluster_order(analysis.codes, analysis.given.X, analysis.classes)
        return found if analysis.targets is None else in_bands(found)
    return order_points(
        name,
        codes=analysis.codes,
        xy=plane.xy,
        values=analysis.values,
        classes=analysis.classes,
        targets=analysis.targets,
    )


def order_pairs(analysis: BlockAnalysis, part: PairsPart, name: OrderName, plane: Plane) -> Order:
    """Return the order of the points of a part among themselves, as for a small data set."""
    points = part.level.points
    return order_points(
        name,
        codes=analysis.codes[points],
        xy=plane.xy[points],
        values=analysis.values[points],
        matrix=part.matrix,
        classes=analysis.classes,
        targets=None if analysis.targets is None else analysis.targets[points],
    )


def compute_pairs(
    analysis: BlockAnalysis, level: Level, progress: Progress | None = None
) -> PairsPart:
    """Compute all pairs of a level."""
    return PairsPart(level, read_only(analysis.ranked.pairs(level.points, progress)))


def compute_blocks(
    analysis: BlockAnalysis, level: Level, order: Order, progress: Progress | None = None
) -> BlocksPart:
    """Compute the block means of a level.

    Parameters
    ----------
    analysis : BlockAnalysis
    level : Level
    order : Order
        Of all points, from `order_all`.
    progress : callable or None
        Called with (done, total); an exception it raises stops the work.
    """
    own, n_units = order, MAX_UNITS
    if len(level.points) < analysis.n:
        own = part_of(order, level.points, analysis.codes, analysis.classes)
        own = own if analysis.targets is None else in_bands(own)
    elif analysis.fixed_order is not None:
        n_units = len(order.blocks) or MAX_UNITS  # of these the sums are there already
    units = cut_into_units(own, n_units)
    block_of = np.full(analysis.n, -1, dtype=np.int64)
    block_of[level.points] = units.unit_of
    return BlocksPart(level, own, units, analysis.ranked.block_sums(block_of, progress))
