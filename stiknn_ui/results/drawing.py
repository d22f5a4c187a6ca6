"""What is drawn of a result: plane, order and packed content, made once and kept for all."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

from stiknn_core.ordering import Order, order_points
from stiknn_core.plane import Plane
from stiknn_core.preparation import scale_features
from stiknn_core.types import FloatArray, IntArray
from stiknn_ui.asked import plane_choice
from stiknn_ui.asked.spec import OrderName
from stiknn_ui.results.analysis import Analysis
from stiknn_ui.results.contents import Contents, for_hover
from stiknn_ui.results.result import Result
from stiknn_ui.work import shelves
from stiknn_ui.work.progress import Progress
from stiknn_view.packing import ViewContent
from stiknn_view.payload import build_content
from stiknn_view.shown import build_shown


@dataclass(frozen=True, eq=False)
class Drawn:
    """The plane to draw now.

    Attributes
    ----------
    plane : Plane
    text : str
        The choice it belongs to; "auto" for the usual plane.
    notices : tuple of str
        What a person should know about it.
    awaited : str
        The embedding that was asked for and is still to be made, while the usual plane is shown.
    """

    plane: Plane
    text: str = plane_choice.AUTO
    notices: tuple[str, ...] = ()
    awaited: str = ""


def drawn_of(analysis: Result, text: str) -> Drawn:
    """Return the plane that is asked for, or the usual one as long as that is to be made.

    Parameters
    ----------
    analysis : Analysis
    text : str
        As in ``ViewSpec.plane``.
    """
    wanted = plane_choice.resolve(text, analysis.dataset.feature_names)
    notices = (wanted.notice,) if wanted.notice else ()
    if wanted.text == plane_choice.AUTO:
        return Drawn(analysis.plane, notices=(*notices, *analysis.plane.notices))
    key = plane_key(analysis, wanted.text)
    found: Plane | None = shelves.derived().get(key)
    if found is None and wanted.text in plane_choice.EMBEDDED:
        return Drawn(analysis.plane, notices=analysis.plane.notices, awaited=wanted.text)
    if found is None:
        found = making_plane(analysis, wanted.text)(None)
        shelves.derived().put(key, found)
    return Drawn(found, wanted.text, found.notices)


def plane_key(analysis: Result, text: str) -> str:
    """Return what a plane is known by: k, index and metric move no point of the picture."""
    return f"plane|{text}|{analysis.compute.scaling}|{analysis.scope}"


def making_plane(analysis: Result, text: str) -> Callable[[Progress | None], Plane]:
    """Return what makes a plane; it holds on to the features only, not to the matrix."""
    X, names = features_of(analysis, text), analysis.dataset.feature_names
    return lambda _: plane_choice.make(X, names, text)


def features_of(analysis: Result, text: str) -> FloatArray:
    """Return what a plane is made from: (n, d), new.

    Columns are drawn in their own units, all else is made from what distances are measured on.
    """
    X = analysis.dataset.X[analysis.rows]
    if plane_choice.columns_of(text) is None:
        X, _ = scale_features(X, None, analysis.compute.scaling, analysis.dataset.blocks)
    return X


def order_of(analysis: Analysis, name: OrderName, drawn: Drawn | None = None) -> Order:
    """Return how the matrix of ``analysis`` is sorted; by position, as the plane has it."""
    drawn = drawn or Drawn(analysis.plane)
    xy = drawn.plane.xy

    def make() -> Order:
        return order_points(
            name,
            codes=analysis.codes,
            xy=xy,
            values=analysis.values,
            matrix=analysis.interactions.matrix,
            classes=analysis.classes,
            targets=analysis.targets,
        )

    plane = drawn.text if name == "class" else ""
    found: Order = shelves.derived().obtain(f"order|{name}|{plane}|{analysis.key}", make)
    return found


def content_of(analysis: Analysis, drawn: Drawn | None = None) -> ViewContent:
    """Return what the linked view needs of ``analysis``, packed once for every plane."""
    drawn = drawn or Drawn(analysis.plane)
    plane = drawn.plane

    def make() -> ViewContent:
        return build_content(
            matrix=analysis.interactions.matrix,
            xy=plane.xy,
            codes=analysis.codes,
            classes=analysis.classes,
            ids=analysis.ids,
            values=analysis.values,
            quality=analysis.doubt.quality,
            suggested=analysis.suggested,
            **analysis.target_columns(slice(None)),
            changed=analysis.changed,
            axis_titles=plane.axis_titles,
            name=analysis.data.name,
        )

    found: ViewContent = shelves.derived().obtain(f"content|{drawn.text}|{analysis.key}", make)
    return found


def shown_of(contents: Contents, name: str, rows: IntArray) -> ViewContent | None:
    """Return the texts of the dots of a view, packed once; None if they have no pictures either.

    Parameters
    ----------
    contents : Contents
    name : str
        Text that is the same exactly for the same dots of the same data.
    rows : (m,) int64
        Row of the data set of each dot.
    """
    if not contents.any:
        return None

    def make() -> ViewContent:
        digest = hashlib.sha256(name.encode()).hexdigest()
        return build_shown(
            digest,
            for_hover(contents, rows),
            pictures=contents.has_pictures,
            pixelated=contents.pixelated,
        )

    found: ViewContent = shelves.derived().obtain(f"shown|{name}", make)
    return found
