"""What is drawn of a result: plane, order and packed content, made once and kept for all."""

from __future__ import annotations

from dataclasses import dataclass

from stiknn_core.errors import StiknnError
from stiknn_core.ordering import Order, order_points
from stiknn_core.plane import Plane
from stiknn_core.plane.embedding import embedding_seconds
from stiknn_core.preparation import scale_features
from stiknn_core.types import FloatArray
from stiknn_ui.asked import plane_choice
from stiknn_ui.asked.spec import OrderName
from stiknn_ui.linked_view import ViewContent, build_content
from stiknn_ui.results.analysis import Analysis
from stiknn_ui.work import shelves
from stiknn_ui.work.jobs import Job
from stiknn_ui.work.progress import Progress
from stiknn_ui.work.queue import BusyError


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
    job : Job or None
        Makes the plane that was asked for, while the usual one is shown.
    """

    plane: Plane
    text: str = plane_choice.AUTO
    notices: tuple[str, ...] = ()
    job: Job[Plane] | None = None


def drawn_of(analysis: Analysis, text: str, owner: str = "") -> Drawn:
    """Return the plane that is asked for, or the usual one while that is being made.

    Parameters
    ----------
    analysis : Analysis
    text : str
        As in ``ViewSpec.plane``.
    owner : str
        Who asks: visitors take turns.
    """
    wanted = plane_choice.resolve(text, analysis.dataset.feature_names)
    notices = (wanted.notice,) if wanted.notice else ()
    if wanted.text == plane_choice.AUTO:
        return Drawn(analysis.plane, notices=(*notices, *analysis.plane.notices))
    # k, index and metric are no part of the key: they move no point of the picture.
    key = f"plane|{wanted.text}|{analysis.compute.scaling}|{analysis.scope}"
    found: Plane | None = shelves.derived().get(key)
    if found is None and wanted.text not in plane_choice.EMBEDDED:
        X = features_of(analysis, wanted.text)
        found = plane_choice.make(X, analysis.dataset.feature_names, wanted.text)
        shelves.derived().put(key, found)
    if found is not None:
        return Drawn(found, wanted.text, found.notices)
    job: Job[Plane] | None = shelves.shared_jobs().get(key)
    if job is None or job.state == "stopped":
        try:
            job = _start_plane(key, analysis, wanted.text, owner)
        except BusyError as error:
            return Drawn(analysis.plane, notices=(f"The usual plane is shown. {error}",))
    if job.result is not None:
        return Drawn(job.result, wanted.text, job.result.notices)
    if job.error is not None:
        said = str(job.error) if isinstance(job.error, StiknnError) else "It could not be made."
        return Drawn(analysis.plane, notices=(f"The usual plane is shown. {said}",))
    return Drawn(analysis.plane, notices=analysis.plane.notices, job=job)


def features_of(analysis: Analysis, text: str) -> FloatArray:
    """Return what a plane is made from: (n, d), new.

    Columns are drawn in their own units, all else is made from what distances are measured on.
    """
    X = analysis.dataset.X[analysis.rows]
    if plane_choice.columns_of(text) is None:
        X, _ = scale_features(X, None, analysis.compute.scaling)
    return X


def _start_plane(key: str, analysis: Analysis, text: str, owner: str) -> Job[Plane]:
    shelf = shelves.derived()
    # The job is kept for a while: it must not hold the matrix.
    X, names = features_of(analysis, text), analysis.dataset.feature_names

    def work(progress: Progress) -> Plane:
        plane = plane_choice.make(X, names, text)
        shelf.put(key, plane)
        return plane

    job = shelves.computations().submit(
        Job(key, work, owner), seconds=embedding_seconds(analysis.n)
    )
    shelves.shared_jobs().put(key, job)
    return job


def order_of(analysis: Analysis, name: OrderName, drawn: Drawn | None = None) -> Order:
    """Return how the matrix of ``analysis`` is sorted; by position, as the plane has it."""
    drawn = drawn or Drawn(analysis.plane)
    xy = drawn.plane.xy

    def make() -> Order:
        return order_points(
            name,
            codes=analysis.codes,
            xy=xy,
            values=analysis.interactions.values,
            matrix=analysis.interactions.matrix,
            classes=analysis.classes,
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
            values=analysis.interactions.values,
            quality=analysis.support.quality,
            suggested=analysis.suggested,
            changed=analysis.changed,
            axis_titles=plane.axis_titles,
            name=analysis.data.name,
        )

    found: ViewContent = shelves.derived().obtain(f"content|{drawn.text}|{analysis.key}", make)
    return found
