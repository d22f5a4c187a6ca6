"""The view of very many points: the means of blocks beside the points, or a sample of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import numpy as np

from stiknn_core import RankedNeighbors
from stiknn_core.errors import ParameterError
from stiknn_core.ordering import Order, order_points
from stiknn_core.ordering.order import OrderName, in_bands
from stiknn_core.plane import Plane
from stiknn_core.types import FloatArray, IntArray
from stiknn_core.units import Units, cut_into_units, feature_cluster_order
from stiknn_core.validation.features import check_features
from stiknn_view.block_payload import MAX_UNITS, build_units_content, drawn_points, unit_means
from stiknn_view.options import ViewOptions
from stiknn_view.results.facts import Facts
from stiknn_view.scene import READING_BLOCKS, Scene, held_blocks_line

_RESORTED: Final[tuple[OrderName, ...]] = ("class", "value", "cluster")


def blocks_scene(
    ranked: RankedNeighbors,
    facts: Facts,
    plane: Plane,
    *,
    X: Any,
    name: str,
    order: OrderName,
    options: ViewOptions,
) -> Scene:
    """Return the view of blocks, cut from an order of the points; see `scene_of`."""
    cut = _cut_order(facts, plane, X, order)
    if len(cut.blocks) > MAX_UNITS:  # more classes than rows: runs go across them
        cut = replace(cut, blocks=())
    units = cut_into_units(cut)
    means = ranked.block_sums(units.unit_of).means
    firsts = cut.positions[[unit.start for unit in units.blocks]]
    ids = facts.ids
    content = build_units_content(
        units,
        firsts,
        means,
        xy=plane.xy,
        codes=facts.codes,
        classes=[str(one) for one in facts.classes],
        values=facts.values,
        quality=facts.quality,
        targets=facts.targets,
        proposed=facts.proposed,
        names=lambda places: [str(one) for one in ids[places].tolist()],
        axis_titles=plane.axis_titles,
        name=name,
    )
    own = Order(np.arange(len(units.blocks)), cut.name, cut.title, units.groups, cut.notices)
    others: tuple[Order, ...] = ()
    if cut.blocks:
        others = _resorted(facts, plane, units, facts.codes[firsts], means, order)
    return Scene(
        content,
        (own, *others),
        order,
        options,
        title=name or "Interactions between blocks of training points",
        lines=(
            facts.told,
            held_blocks_line(len(drawn_points(facts.codes)), facts.n, len(units.blocks)),
        ),
        points=ids,
        rows=units.unit_of,
        reading=READING_BLOCKS,
    )


def _cut_order(facts: Facts, plane: Plane, X: Any, order: OrderName) -> Order:
    if order != "cluster":
        return order_points(
            order,
            codes=facts.codes,
            xy=plane.xy,
            values=facts.values,
            classes=facts.classes,
            targets=facts.targets,
        )
    features = facts.features if X is None else check_features(X, "X").X
    if features is None:
        raise ParameterError(
            "order='cluster' puts similar features side by side, and this result does not know its "
            "features: pass X, or choose another order."
        )
    found = feature_cluster_order(facts.codes, features, facts.classes)
    return found if facts.targets is None else in_bands(found)


def _resorted(
    facts: Facts, plane: Plane, units: Units, codes: IntArray, means: FloatArray, cut: OrderName
) -> tuple[Order, ...]:
    """Return other orders of the same blocks, each of which is of one class."""
    xy = np.column_stack([unit_means(units, plane.xy[:, axis]) for axis in (0, 1)])
    return tuple(
        order_points(
            one,
            codes=codes,
            xy=xy,
            values=unit_means(units, facts.values),
            matrix=np.nan_to_num(means),  # a block of one point has no pair inside
            classes=facts.classes,
            targets=None if facts.targets is None else unit_means(units, facts.targets),
        )
        for one in _RESORTED
        if one != cut
    )
