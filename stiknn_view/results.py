"""From a result of the core to a view in a home of its own."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import numpy as np
import pandas as pd

from stiknn_core import Interactions, label_support
from stiknn_core.errors import ParameterError, ShapeError
from stiknn_core.ordering import order_points
from stiknn_core.ordering.order import OrderName
from stiknn_core.plane import Plane, project_2d
from stiknn_core.types import FloatArray, IntArray
from stiknn_core.validation.features import check_features
from stiknn_view.options import ColorBy, ViewOptions
from stiknn_view.packing import CODE_LIMIT
from stiknn_view.payload import MAX_POINTS, build_content
from stiknn_view.scene import Scene, held_line

ORDERS: Final[tuple[OrderName, ...]] = ("class", "value", "cluster", "input")
_MOST_CLUSTERED: Final = 2_000  # of more points that order takes seconds


def scene_of(
    result: Interactions,
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
    result : Interactions
        Of at most 4,000 points.
    X : (n, d) array or DataFrame, optional
        Features of the training points; None takes those that the result was computed with.
        The plane shows two of them as they are, of more their principal components.
    xy : (n, 2) array or Plane, optional
        Where to draw the points instead.
    name : str
        What to call the data.
    order : {"class", "value", "cluster", "input"}
        How rows and columns are sorted at first.
    color_by : {"class", "value", "quality", "interaction"}
        What colours the points at first.
    limit : int
        As in `build_content`.

    Raises
    ------
    ParameterError
        If there are no features, or an order or a colour is unknown.
    ShapeError
        If there are too many points, or features of other rows.
    """
    if result.n_train > MAX_POINTS:
        raise ShapeError(
            f"A view shows at most {MAX_POINTS:,} points one by one; got {result.n_train:,}. "
            "Compute interactions of a sample, or look at blocks in the dashboard."
        )
    if order not in ORDERS:
        raise ParameterError(f"order must be one of {', '.join(ORDERS)}; got {order!r}.")
    classes: tuple[Any, ...] = result.classes
    if result.score.startswith("measured"):  # targets are no classes: all points are of one kind
        classes = ("measured",)
    code_of = {label: code for code, label in enumerate(classes)}
    codes = np.array([code_of.get(label, 0) for label in result.labels.tolist()], dtype=np.int64)
    plane = _plane(result, X, xy)
    quality, suggested = _support(result, code_of, codes)
    orders = tuple(
        order_points(
            one,
            codes=codes,
            xy=plane.xy,
            values=result.values,
            matrix=result.matrix,
            classes=classes,
        )
        for one in ORDERS
        if one != "cluster" or one == order or result.n_train <= _MOST_CLUSTERED
    )
    # Beside points that lie beside them rows look alike, and take less on the way.
    rows = orders[0].positions
    content = build_content(
        matrix=np.asarray(result.matrix, dtype=np.float64)[np.ix_(rows, rows)],
        xy=plane.xy[rows],
        codes=codes[rows],
        classes=[str(one) for one in classes],
        ids=[str(one) for one in result.ids[rows].tolist()],
        values=result.values[rows],
        quality=quality[rows],
        suggested=suggested[rows],
        axis_titles=plane.axis_titles,
        name=name,
        limit=limit,
    )
    place = np.argsort(rows)
    return Scene(
        content,
        tuple(replace(one, positions=place[one.positions]) for one in orders),
        order,
        ViewOptions(index=result.index, color_by=color_by, height=380, caption=_told(result)),
        title=name or "Interactions between training points",
        lines=(_told(result), held_line(result.n_train)),
        points=result.ids[rows],
    )


def _told(result: Interactions) -> str:
    tested = (
        "each tested with the others"
        if result.evaluation == "leave-one-out"
        else f"{result.n_test:,} test points"
    )
    return (
        f"{result.n_train:,} training points, {tested}, k = {result.k}, {result.index}"
        f"{'' if result.score == 'plain' else f', score {result.score}'}, {result.metric} distance."
    )


def _plane(result: Interactions, X: Any, xy: Any) -> Plane:
    if isinstance(xy, Plane):
        return xy
    if xy is not None:
        return Plane(np.asarray(xy, dtype=np.float64), ("x", "y"), "columns")
    given = result.features if X is None else X
    if given is None:
        raise ParameterError(
            "This result does not know its features (it was loaded from a file, or computed from "
            "distances): pass X, or xy with two coordinates for each point."
        )
    if isinstance(given, pd.DataFrame):
        names = [str(column) for column in given.columns]
    else:
        names = [f"x{place + 1}" for place in range(np.shape(given)[1])]
    features = check_features(given, "X").X
    if len(features) != result.n_train:
        raise ShapeError(
            f"X must have a row for each of the {result.n_train:,} training points; got "
            f"{len(features):,}."
        )
    return project_2d(features, names)


def _support(
    result: Interactions, code_of: dict[Any, int], codes: IntArray
) -> tuple[FloatArray, IntArray]:
    """Return label quality and suggested class; not known where the test points are not."""
    weighted = result.test_weight != result.n_test
    known = result.features is not None and result.score == "plain"
    if not known or result.evaluation != "leave-one-out" or weighted:
        return np.full(len(codes), np.nan), codes
    found = label_support(
        result.features, result.labels, k=result.k, metric=result.metric, ties=result.ties
    )
    suggested = [code_of[label] for label in found.suggested.tolist()]
    return found.quality, np.array(suggested, dtype=np.int64)
