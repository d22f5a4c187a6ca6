"""What is kept between reruns and shared by all visitors. The only user of cache decorators.

Every key is a small frozen spec or a text that holds a SHA-256 digest: Streamlit hashes
only a sample of large arrays. What is kept is read-only, bounded, and forgotten after two
hours. The result of an upload, which holds the table, can be reached only by someone who has
the same bytes.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st

from stiknn_core.duplicates import Duplicates, find_duplicates
from stiknn_core.errors import StiknnError
from stiknn_core.ordering import Order, order_points
from stiknn_core.plane import Plane
from stiknn_core.preparation import scale_features
from stiknn_core.ties import tied_test_points
from stiknn_core.types import Dataset, FloatArray, IntArray, read_only
from stiknn_ui import paper_sets, plane_choice
from stiknn_ui.analysis import Analysis, analyse, parts_of, result_key, selection_scope
from stiknn_ui.jobs import Job
from stiknn_ui.linked_view import ViewContent, build_content
from stiknn_ui.review.journal import Journal
from stiknn_ui.review.keys import Places
from stiknn_ui.review.keys import places_of as places_of_rows
from stiknn_ui.review.subject import Subject
from stiknn_ui.review.subject import test_points as judged_test_points
from stiknn_ui.sources import build
from stiknn_ui.spec import EXAMPLE_COMPUTE, EXAMPLE_DATA, ComputeSpec, DataSpec, OrderName
from stiknn_ui.store import BoundedStore
from stiknn_ui.suspects import scores_of as every_score

_HOURS = 3600.0
_TTL = 2 * _HOURS


@st.cache_resource(show_spinner=False)
def results() -> BoundedStore[Analysis]:
    """Return the shelf of finished results: 24 of them, 600 MB, two hours."""
    return BoundedStore(
        max_entries=24, max_bytes=600_000_000, ttl=_TTL, size=lambda one: one.size_bytes
    )


@st.cache_resource(max_entries=32, ttl=_TTL, show_spinner=False)
def public_dataset(spec: DataSpec) -> Dataset:
    """Return a data set that everyone may see; never an upload.

    Raises
    ------
    LookupError
        If it is from OpenML and nobody has fetched it yet.
    """
    return build(spec, fetched().get(spec.name) if spec.source == "paper" else None)


@st.cache_resource(show_spinner=False)
def fetched() -> BoundedStore[Dataset]:
    """Return the shelf of whole data sets from OpenML: 4 of them, 800 MB, two hours."""
    return BoundedStore(
        max_entries=4, max_bytes=800_000_000, ttl=_TTL, size=lambda one: one.X.nbytes
    )


@st.cache_resource(show_spinner=False)
def measured() -> BoundedStore[Any]:
    """Return the shelf of what reviews measured when asked: 128 results or jobs, two hours.

    Keys begin with that of the analysis and name the decisions by a digest.
    """
    return BoundedStore(max_entries=128, max_bytes=128, ttl=_TTL, size=lambda one: 1)


@st.cache_resource(show_spinner=False)
def _fetching() -> BoundedStore[Job[int]]:
    return BoundedStore(max_entries=50, max_bytes=50, ttl=_HOURS, size=lambda one: 1)


def fetch(name: str) -> Job[int]:
    """Fetch a data set from OpenML in the background, once for all who ask meanwhile."""
    running = _fetching().get(name)
    if running is not None and running.running:
        return running
    shelf = fetched()

    def work(progress: Callable[[int, int], None]) -> int:
        whole = paper_sets.load(name)
        shelf.put(name, whole)
        return whole.n  # the rows themselves would outlive their place on the shelf

    job = Job(name, work)
    _fetching().put(name, job)
    return job.start()


def start_job(dataset: Dataset, data: DataSpec, compute: ComputeSpec) -> Job[Analysis]:
    """Start computing in the background; the result goes on the shelf."""
    shelf = results()

    def work(progress: Callable[[int, int], None]) -> Analysis:
        analysis = analyse(dataset, data, compute, progress)
        shelf.put(analysis.key, analysis)
        return analysis

    return Job(result_key(data, compute), work).start()


@st.cache_resource(show_spinner=False)
def warm_up() -> Job[Analysis]:
    """Compute the example once per server, which also loads the compiled kernels."""
    return start_job(public_dataset(EXAMPLE_DATA), EXAMPLE_DATA, EXAMPLE_COMPUTE)


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


@st.cache_resource(show_spinner=False)
def _planes() -> BoundedStore[Plane]:
    return BoundedStore(max_entries=64, max_bytes=20_000_000, ttl=_TTL, size=lambda p: p.xy.nbytes)


@st.cache_resource(show_spinner=False)
def _plane_jobs() -> BoundedStore[Job[Plane]]:
    return BoundedStore(max_entries=64, max_bytes=64, ttl=_TTL, size=lambda one: 1)


def drawn_of(analysis: Analysis, text: str) -> Drawn:
    """Return the plane that is asked for, or the usual one while that is being made.

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
    # k, index and metric are no part of the key: they move no point of the picture.
    key = f"{analysis.scope}|{analysis.compute.scaling}|{wanted.text}"
    found = _planes().get(key)
    if found is None and wanted.text not in plane_choice.EMBEDDED:
        X = plane_choice.features_of(analysis, wanted.text)
        found = plane_choice.make(X, analysis.dataset.feature_names, wanted.text)
        _planes().put(key, found)
    if found is not None:
        return Drawn(found, wanted.text, found.notices)
    job = _plane_jobs().get(key)
    if job is None:
        job = _start_plane(key, analysis, wanted.text)
    if job.result is not None:
        return Drawn(job.result, wanted.text, job.result.notices)
    if job.error is not None:
        said = str(job.error) if isinstance(job.error, StiknnError) else "It could not be made."
        return Drawn(analysis.plane, notices=(f"The usual plane is shown. {said}",))
    return Drawn(analysis.plane, notices=analysis.plane.notices, job=job)


def _start_plane(key: str, analysis: Analysis, text: str) -> Job[Plane]:
    shelf = _planes()
    # The job is kept for a while: it must not hold the matrix.
    X, names = plane_choice.features_of(analysis, text), analysis.dataset.feature_names

    def work(progress: Callable[[int, int], None]) -> Plane:
        plane = plane_choice.make(X, names, text)
        shelf.put(key, plane)
        return plane

    job = Job(key, work)
    _plane_jobs().put(key, job)
    return job.start()


def duplicates_of(dataset: Dataset, data: DataSpec, compute: ComputeSpec) -> Duplicates:
    """Return the groups of identical rows of all rows of a data set."""
    return _duplicates(selection_scope(data, compute), dataset)


@st.cache_resource(max_entries=16, ttl=_TTL, show_spinner=False)
def _duplicates(key: str, _dataset: Dataset) -> Duplicates:
    return find_duplicates(_dataset.X, _dataset.y)


def tied_rows_of(dataset: Dataset, data: DataSpec, compute: ComputeSpec) -> IntArray:
    """Return the rows that judge and see different labels at one distance, sorted.

    Raises
    ------
    StiknnError
        If the settings do not fit the data.
    """
    key = f"{selection_scope(data, compute)}|{compute.metric}|{compute.scaling}"
    return _tied_rows(key, dataset, compute)


@st.cache_resource(max_entries=16, ttl=_TTL, show_spinner=False)
def _tied_rows(key: str, _dataset: Dataset, _compute: ComputeSpec) -> IntArray:
    parts = parts_of(_dataset, _compute)
    rows = parts.train if parts.test is None else parts.test
    X, X_test = scale_features(
        _dataset.X[parts.train],
        None if parts.test is None else _dataset.X[parts.test],
        _compute.scaling,
    )
    y_test = None if parts.test is None else _dataset.y[parts.test]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # told with the result
        tied = tied_test_points(X, _dataset.y[parts.train], X_test, y_test, metric=_compute.metric)
    found: IntArray = read_only(rows[tied])
    return found


@st.cache_resource(show_spinner=False)
def journal(path: str) -> Journal:
    """Return the file of decisions at ``path``, opened once per server."""
    return Journal(Path(path))


def places_of(analysis: Analysis) -> Places:
    """Return what decisions on the rows of ``analysis`` belong to."""
    return _places(analysis.scope, analysis)


@st.cache_resource(max_entries=16, ttl=_TTL, show_spinner=False)
def _places(key: str, _analysis: Analysis) -> Places:
    return places_of_rows(_analysis.dataset, _analysis.data, _analysis.compute)


def order_of(analysis: Analysis, name: OrderName, drawn: Drawn | None = None) -> Order:
    """Return how the matrix of ``analysis`` is sorted; by position, as the plane has it."""
    drawn = drawn or Drawn(analysis.plane)
    return _order(analysis.key, name, drawn.text if name == "class" else "", analysis, drawn.plane)


def content_of(analysis: Analysis, drawn: Drawn | None = None) -> ViewContent:
    """Return what the linked view needs of ``analysis``, packed once for every plane."""
    drawn = drawn or Drawn(analysis.plane)
    return _content(analysis.key, drawn.text, analysis, drawn.plane)


def scores_of(analysis: Analysis) -> dict[str, FloatArray]:
    """Return every score of the training points of ``analysis``, (n,) each, read-only."""
    return _scores(analysis.key, analysis)


@st.cache_resource(max_entries=32, ttl=_TTL, show_spinner=False)
def _order(key: str, name: OrderName, plane: str, _analysis: Analysis, _plane: Plane) -> Order:
    return order_points(
        name,
        codes=_analysis.codes,
        xy=_plane.xy,
        values=_analysis.interactions.values,
        matrix=_analysis.interactions.matrix,
        classes=_analysis.classes,
    )


@st.cache_resource(max_entries=6, ttl=_TTL, show_spinner=False)
def _content(key: str, plane: str, _analysis: Analysis, _plane: Plane) -> ViewContent:
    return build_content(
        matrix=_analysis.interactions.matrix,
        xy=_plane.xy,
        codes=_analysis.codes,
        classes=_analysis.classes,
        ids=_analysis.ids,
        values=_analysis.interactions.values,
        quality=_analysis.support.quality,
        suggested=_analysis.suggested,
        changed=_analysis.changed,
        axis_titles=_plane.axis_titles,
        name=_analysis.data.name,
    )


def test_points_of(analysis: Analysis) -> Subject | None:
    """Return the test points of ``analysis`` judged by its training points, if there are any."""
    return _test_points(analysis.key, analysis)


# Few, since each holds on to its analysis, which the shelf of results may have dropped.
@st.cache_resource(max_entries=2, ttl=_TTL, show_spinner="Judging the test points ...")
def _test_points(key: str, _analysis: Analysis) -> Subject | None:
    return judged_test_points(_analysis)


@st.cache_resource(max_entries=32, ttl=_TTL, show_spinner=False)
def _scores(key: str, _analysis: Analysis) -> dict[str, FloatArray]:
    return {name: read_only(score) for name, score in every_score(_analysis).items()}


def clear() -> None:
    """Forget everything that is shared; for tests."""
    shared: tuple[Any, ...] = (results, public_dataset, fetched, _fetching, _planes, _plane_jobs)
    shared += (warm_up, measured, journal, _places, _duplicates, _tied_rows, _order, _content)
    for cache in (*shared, _scores, _test_points):
        cache.clear()
