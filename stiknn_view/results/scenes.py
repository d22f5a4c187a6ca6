"""The views of results: all pairs of their points, or blocks of very many."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import numpy as np

from stiknn_core import Interactions, RankedNeighbors
from stiknn_core.errors import ParameterError, ShapeError
from stiknn_core.ordering import order_points
from stiknn_core.ordering.order import OrderName
from stiknn_core.plane import Plane
from stiknn_core.types import FloatArray
from stiknn_view.options import ColorBy, ViewOptions
from stiknn_view.packing import CODE_LIMIT
from stiknn_view.payload import MAX_POINTS, build_content
from stiknn_view.results.blocks import blocks_scene
from stiknn_view.results.facts import Facts, facts_of
from stiknn_view.results.planes import plane_of
from stiknn_view.scene import Scene, held_line

ORDERS: Final[tuple[OrderName, ...]] = ("class", "value", "cluster", "input")
_MOST_CLUSTERED: Final = 2_000  # of more points that order takes seconds


def scene_of(
    result: Interactions | RankedNeighbors,
    X: Any = None,
    *,
    xy: Any = None,
    name: str = "",
    order: OrderName = "class",
    color_by: ColorBy = "class",
    limit: int = CODE_LIMIT,
) -> Scene:
    """Return the view of a result: its matrix beside the points in a plane.

    Parameters
    ----------
    result : Interactions or RankedNeighbors
        Of at most 4,000 points all pairs are shown; a ranked one of more as the means of blocks.
    X : (n, d) array or DataFrame, optional
        Features of the training points; None takes those that the result was computed with.
        The plane shows two of them as they are, of more their principal components.
    xy : (n, 2) array or Plane, optional
        Where to draw the points instead.
    name : str
        What to call the data.
    order : {"class", "value", "cluster", "input"}
        How rows and columns are sorted at first. Blocks are runs of this order, so that each is of
        one class but in "input"; "cluster" then puts similar features side by side, not similar
        rows of the matrix.
    color_by : {"class", "value", "quality", "interaction"}
        What colours the points at first.
    limit : int
        As in `build_content`; without effect on blocks.

    Raises
    ------
    ParameterError
        If there are no features, or an order or a colour is unknown.
    ShapeError
        If there are too many points, or features of other rows.
    """
    if isinstance(result, Interactions) and result.n_train > MAX_POINTS:
        raise ShapeError(
            f"A view shows at most {MAX_POINTS:,} points one by one; got {result.n_train:,}. "
            "Look at blocks of them, RankedNeighbors(...).view(), or compute a sample."
        )
    if order not in ORDERS:
        raise ParameterError(f"order must be one of {', '.join(ORDERS)}; got {order!r}.")
    options = ViewOptions(index=result.index, color_by=color_by, height=380)
    facts = facts_of(result)
    options = replace(options, caption=facts.told)
    plane = plane_of(facts, X, xy)
    if isinstance(result, Interactions):
        matrix = np.asarray(result.matrix, dtype=np.float64)
    elif result.n_train <= MAX_POINTS:
        matrix = result.pairs(np.arange(facts.n))
    else:
        return blocks_scene(result, facts, plane, X=X, name=name, order=order, options=options)
    return _pairs_scene(matrix, facts, plane, name, order, options, limit)


def _pairs_scene(
    matrix: FloatArray,
    facts: Facts,
    plane: Plane,
    name: str,
    order: OrderName,
    options: ViewOptions,
    limit: int,
) -> Scene:
    orders = tuple(
        order_points(
            one,
            codes=facts.codes,
            xy=plane.xy,
            values=facts.values,
            matrix=matrix,
            classes=facts.classes,
            targets=facts.targets,
        )
        for one in ORDERS
        if one != "cluster" or one == order or facts.n <= _MOST_CLUSTERED
    )
    # Beside points that lie beside them rows look alike, and take less on the way.
    rows = orders[0].positions
    content = build_content(
        matrix=matrix[np.ix_(rows, rows)],
        xy=plane.xy[rows],
        codes=facts.codes[rows],
        classes=[str(one) for one in facts.classes],
        ids=[str(one) for one in facts.ids[rows].tolist()],
        values=facts.values[rows],
        quality=facts.quality[rows],
        suggested=facts.suggested[rows],
        targets=None if facts.targets is None else facts.targets[rows],
        proposed=None if facts.proposed is None else facts.proposed[rows],
        axis_titles=plane.axis_titles,
        name=name,
        limit=limit,
    )
    place = np.argsort(rows)
    return Scene(
        content,
        tuple(replace(one, positions=place[one.positions]) for one in orders),
        order,
        options,
        title=name or "Interactions between training points",
        lines=(facts.told, held_line(facts.n)),
        points=facts.ids[rows],
    )
