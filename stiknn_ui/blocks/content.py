"""What the linked view needs of a part. Pure."""

from __future__ import annotations

import numpy as np

from stiknn_core.ordering import Order
from stiknn_core.plane import Plane
from stiknn_core.types import IntArray
from stiknn_ui.blocks.analysis import BlockAnalysis
from stiknn_ui.blocks.levels import BlocksPart, PairsPart, Part
from stiknn_ui.results.result import Result
from stiknn_view.block_payload import build_units_content, drawn_points
from stiknn_view.options import Marks
from stiknn_view.packing import ViewContent
from stiknn_view.payload import build_content


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
        quality=told.doubt.quality[points],
        suggested=told.suggested[points],
        **told.target_columns(points),
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
    place = np.full(analysis.n, -1, dtype=np.int64)
    place[points] = np.arange(len(points))
    return build_units_content(
        part.units,
        part.firsts,
        part.blocks.means,
        xy=plane.xy[points],
        codes=analysis.codes[points],
        classes=analysis.classes,
        values=told.values[points],
        quality=told.doubt.quality[points],
        names=lambda dots: analysis.names(points[dots]),
        **told.target_columns(points),
        changed=place[analysis.changed],
        axis_titles=plane.axis_titles,
        name=analysis.data.name,
    )


def dots_of(analysis: BlockAnalysis, part: Part) -> IntArray:
    """Return the points that the scatter draws of a part, in their order."""
    points = part.level.points
    return points if isinstance(part, PairsPart) else points[drawn_points(analysis.codes[points])]


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


def units_order(part: BlocksPart) -> Order:
    """Return the order of the units: as they are, in the blocks of the order of points."""
    units = np.arange(len(part.units.blocks))
    return Order(units, part.order.name, part.order.title, part.units.groups, part.order.notices)
