"""What the linked view needs of a part. Pure."""

from __future__ import annotations

from typing import Final

import numpy as np

from stiknn_core.ordering import Order
from stiknn_core.plane import Plane
from stiknn_core.sampling import stratified_positions
from stiknn_core.types import FloatArray, IntArray
from stiknn_ui.blocks.analysis import BlockAnalysis
from stiknn_ui.blocks.levels import BlocksPart, PairsPart, Part
from stiknn_ui.linked_view import Marks, ViewContent, build_content
from stiknn_ui.linked_view.block_payload import build_block_content
from stiknn_ui.results.result import Result

MAX_DOTS: Final = 30_000
"""Points that the scatter draws at most; of more, a sample that keeps the shares of classes."""


def pairs_content(
    analysis: BlockAnalysis, part: PairsPart, plane: Plane, told: Result
) -> ViewContent:
    """Pack the pairs of a few points; ``told`` is the result that single points are read from."""
    points = part.level.points
    place = np.full(analysis.n, -1, dtype=np.int64)
    place[points] = np.arange(len(points))
    changed = place[analysis.changed]
    return build_content(
        matrix=part.matrix,
        xy=plane.xy[points],
        codes=analysis.codes[points],
        classes=analysis.classes,
        ids=analysis.names(points),
        values=told.values[points],
        quality=told.support.quality[points],
        suggested=told.suggested[points],
        changed=changed[changed >= 0],
        axis_titles=plane.axis_titles,
        name=analysis.data.name,
    )


def blocks_content(
    analysis: BlockAnalysis, part: BlocksPart, plane: Plane, told: Result
) -> ViewContent:
    """Pack the block means of many points, and the points themselves or a sample of them.

    See `pairs_content`.
    """
    points = part.level.points
    drawn = drawn_points(analysis, points)
    dots = dots_of(analysis, part)
    sizes = part.units.sizes
    return build_block_content(
        means=part.blocks.means,
        sizes=sizes,
        codes=analysis.codes[points[part.firsts]],
        classes=analysis.classes,
        names=[unit.label for unit in part.units.blocks],
        values=_unit_means(part, told.values[points]),
        quality=_unit_means(part, told.support.quality[points]),
        dot_xy=plane.xy[dots],
        dot_units=part.units.unit_of[drawn],
        dot_values=told.values[dots],
        dot_quality=told.support.quality[dots],
        dot_codes=analysis.codes[dots],
        dot_ids=analysis.names(dots),
        changed_dots=np.flatnonzero(np.isin(dots, analysis.changed)),
        n_points=len(points),
        axis_titles=plane.axis_titles,
        name=analysis.data.name,
    )


def dots_of(analysis: BlockAnalysis, part: Part) -> IntArray:
    """Return the points that the scatter draws of a part, in their order."""
    points = part.level.points
    return points if isinstance(part, PairsPart) else points[drawn_points(analysis, points)]


def marks_of(part: Part, marked: IntArray, plane: Plane) -> Marks:
    """Return where the most suspicious points are in a part: few, as they travel with each run."""
    places = part.level.places_of(marked.tolist())
    counts: list[int] = []
    if isinstance(part, BlocksPart):
        units = part.units.unit_of[places]
        counts = np.bincount(units, minlength=len(part.units.blocks)).tolist()
    xy: list[list[float]] = plane.xy[part.level.points[places]].tolist()
    what = f"of the {len(marked):,} most suspicious"
    return Marks(what, tuple(counts), tuple((x, y) for x, y in xy))


def drawn_points(analysis: BlockAnalysis, points: IntArray) -> IntArray:
    """Return positions in ``points`` of those that the scatter draws, sorted."""
    if len(points) <= MAX_DOTS:
        return np.arange(len(points), dtype=np.int64)
    return stratified_positions(analysis.codes[points], MAX_DOTS, seed=0)


def units_order(part: BlocksPart) -> Order:
    """Return the order of the units: as they are, in the blocks of the order of points."""
    units = np.arange(len(part.units.blocks))
    return Order(units, part.order.name, part.order.title, part.units.groups, part.order.notices)


def _unit_means(part: BlocksPart, numbers: FloatArray) -> FloatArray:
    sizes = part.units.sizes
    total = np.bincount(part.units.unit_of, numbers, minlength=len(sizes))
    return np.asarray(total / sizes)
