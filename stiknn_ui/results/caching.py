"""What is kept between reruns and shared by all visitors. The only user of cache decorators.

A decorator keeps what there is one of per server: shelves, the line of computations, a file.
All else lies on a shelf: each is bounded in bytes, and forgets after two hours at the latest.
Every key is a text made of small frozen specs, or holds a SHA-256 digest: Streamlit hashes only
a sample of large arrays. What is kept is read-only. The result of an upload, which holds the
table, can be reached only by someone who has the same bytes.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from stiknn_core.duplicates import Duplicates, find_duplicates
from stiknn_core.labels.ties import tied_test_points
from stiknn_core.quiet import without_warnings
from stiknn_core.types import Dataset, FloatArray, IntArray, read_only
from stiknn_ui.asked import paper_sets
from stiknn_ui.asked.spec import EXAMPLE_COMPUTE, EXAMPLE_DATA, ComputeSpec, DataSpec
from stiknn_ui.blocks.analysis import BlockAnalysis
from stiknn_ui.blocks.levels import Part
from stiknn_ui.results.analysis import Analysis, analyse, result_key, selection_scope
from stiknn_ui.results.estimate import forest_seconds
from stiknn_ui.results.inputs import Keep, prepare
from stiknn_ui.results.sources import build
from stiknn_ui.results.suspects import scores_of as every_score
from stiknn_ui.review.journal import Journal
from stiknn_ui.review.keys import Places
from stiknn_ui.review.keys import places_of as places_of_rows
from stiknn_ui.review.subject import Subject, judging_points
from stiknn_ui.work.jobs import Job
from stiknn_ui.work.progress import Progress
from stiknn_ui.work.queue import ComputeQueue
from stiknn_ui.work.store import BoundedStore

_HOUR = 3600.0
_TTL = 2 * _HOUR


@st.cache_resource(show_spinner=False)
def results() -> BoundedStore[Analysis]:
    """Return the shelf of finished results: 600 MB, two hours."""
    return BoundedStore(max_entries=500, max_bytes=600_000_000, ttl=_TTL)


@st.cache_resource(show_spinner=False)
def block_results() -> BoundedStore[BlockAnalysis]:
    """Return the shelf of ranked large data sets, with their rankings: 2.4 GB, two hours."""
    return BoundedStore(
        max_entries=20, max_bytes=2_400_000_000, ttl=_TTL, size=lambda one: one.size_bytes
    )


@st.cache_resource(show_spinner=False)
def block_parts() -> BoundedStore[Part]:
    """Return the shelf of parts of their matrices: 300 MB, two hours."""
    return BoundedStore(max_entries=200, max_bytes=300_000_000, ttl=_TTL)


@st.cache_resource(show_spinner=False)
def _datasets() -> BoundedStore[Dataset]:
    return BoundedStore(max_entries=200, max_bytes=200_000_000, ttl=_TTL)


@st.cache_resource(show_spinner=False)
def fetched() -> BoundedStore[Dataset]:
    """Return the shelf of whole data sets from OpenML: 4 of them, 600 MB, two hours."""
    return BoundedStore(max_entries=4, max_bytes=600_000_000, ttl=_TTL)


@st.cache_resource(show_spinner=False)
def derived() -> BoundedStore[Any]:
    """Return the shelf of what is made of results and data: pictures, orders, scores, planes.

    Some of it holds on to its result, which counts with it.
    """
    return BoundedStore(max_entries=1000, max_bytes=200_000_000, ttl=_TTL)


@st.cache_resource(show_spinner=False)
def measured() -> BoundedStore[Any]:
    """Return the shelf of what reviews measured when asked: results or jobs, two hours.

    Keys begin with that of the analysis and name the decisions by a digest.
    """
    return BoundedStore(max_entries=128, max_bytes=50_000_000, ttl=_TTL)


@st.cache_resource(show_spinner=False)
def shared_jobs() -> BoundedStore[Job[Any]]:
    """Return the jobs that all visitors watch together: downloads and planes."""
    return BoundedStore(max_entries=128, max_bytes=50_000_000, ttl=_HOUR)


@st.cache_resource(show_spinner=False)
def computations() -> ComputeQueue:
    """Return the line that all computations of this server wait in."""
    return ComputeQueue()


@st.cache_resource(show_spinner=False)
def forests() -> BoundedStore[FloatArray]:
    """Return the shelf of distances in random forests: 400 MB, two hours."""
    return BoundedStore(max_entries=50, max_bytes=400_000_000, ttl=_TTL, keep_larger=False)


def kept_forest(data: DataSpec, compute: ComputeSpec) -> Keep:
    """Return what keeps the distances in the forest, which are the same for every k and index."""
    return partial(forests().obtain, selection_scope(data, compute))


def has_forest(data: DataSpec, compute: ComputeSpec) -> bool:
    """Whether the forest of these settings has been grown."""
    wanted = compute.space == "forest"
    return wanted and forests().get(selection_scope(data, compute)) is not None


def growing_seconds(dataset: Dataset, data: DataSpec, compute: ComputeSpec) -> float:
    """Return about how long a forest takes that is still to be grown; 0 if none is."""
    if compute.space != "forest" or has_forest(data, compute):
        return 0.0
    return forest_seconds(dataset.n, dataset.X.shape[1])


def public_dataset(spec: DataSpec) -> Dataset:
    """Return a data set that everyone may see; never an upload.

    Raises
    ------
    LookupError
        If it is from OpenML and nobody has fetched it yet.
    """
    whole = fetched().get(spec.name) if spec.source == "paper" else None
    return _datasets().obtain(spec.key, lambda: build(spec, whole))


def fetch(name: str) -> Job[int]:
    """Fetch a data set from OpenML in the background, once for all who ask meanwhile.

    It waits for another server, not for a core, and so not in the line of computations.
    """
    key = f"fetch|{name}"
    running = shared_jobs().get(key)
    if running is not None and running.running:
        return running
    shelf = fetched()

    def work(progress: Progress) -> int:
        whole = paper_sets.load(name)
        shelf.put(name, whole)
        return whole.n  # the rows themselves would outlive their place on the shelf

    job = Job(name, work)
    shared_jobs().put(key, job)
    return job.start()


def start_job(
    dataset: Dataset,
    data: DataSpec,
    compute: ComputeSpec,
    *,
    seconds: float = 0.0,
    owner: str = "",
) -> Job[Analysis]:
    """Compute in the background when it is its turn; the result goes on the shelf.

    Parameters
    ----------
    dataset : Dataset
    data : DataSpec
    compute : ComputeSpec
    seconds : float
        About how long it will take.
    owner : str
        Who asks: visitors take turns.

    Raises
    ------
    BusyError
        If the line is full.
    """
    shelf, keep = results(), kept_forest(data, compute)

    def work(progress: Progress) -> Analysis:
        analysis = analyse(dataset, data, compute, progress, keep)
        shelf.put(analysis.key, analysis)
        return analysis

    return computations().submit(Job(result_key(data, compute), work, owner), seconds=seconds)


@st.cache_resource(show_spinner=False)
def warm_up() -> Job[Analysis]:
    """Compute the example once per server, which also loads the compiled kernels."""
    return start_job(public_dataset(EXAMPLE_DATA), EXAMPLE_DATA, EXAMPLE_COMPUTE)


def duplicates_of(dataset: Dataset, data: DataSpec, compute: ComputeSpec) -> Duplicates:
    """Return the groups of identical rows of all rows of a data set."""
    key = f"duplicates|{selection_scope(data, compute)}"
    found: Duplicates = derived().obtain(key, lambda: find_duplicates(dataset.X, dataset.y))
    return found


def tied_rows_of(dataset: Dataset, data: DataSpec, compute: ComputeSpec) -> IntArray:
    """Return the rows that judge and see different labels at one distance, sorted.

    Raises
    ------
    StiknnError
        If the settings do not fit the data.
    """
    key = f"tied|{compute.metric}|{compute.scaling}|{selection_scope(data, compute)}"
    found: IntArray = derived().obtain(key, lambda: _tied_rows(dataset, compute))
    return found


def _tied_rows(dataset: Dataset, compute: ComputeSpec) -> IntArray:
    given = prepare(dataset, replace(compute, space="features"))
    with without_warnings():  # told with the result
        tied = tied_test_points(given.X, given.y, given.X_test, given.y_test, metric=compute.metric)
    found: IntArray = read_only(given.parts.judges[tied])
    return found


@st.cache_resource(show_spinner=False)
def journal(path: str) -> Journal:
    """Return the file of decisions at ``path``, opened once per server."""
    return Journal(Path(path))


def places_of(analysis: Analysis) -> Places:
    """Return what decisions on the rows of ``analysis`` belong to."""
    data, compute = analysis.data, analysis.compute
    found: Places = derived().obtain(
        f"places|{analysis.scope}", lambda: places_of_rows(analysis.dataset, data, compute)
    )
    return found


def scores_of(analysis: Analysis) -> dict[str, FloatArray]:
    """Return every score of the training points of ``analysis``, (n,) each, read-only."""

    def make() -> dict[str, FloatArray]:
        return {name: read_only(score) for name, score in every_score(analysis).items()}

    found: dict[str, FloatArray] = derived().obtain(f"scores|{analysis.key}", make)
    return found


def test_points_of(analysis: Analysis) -> Subject | None:
    """Return the test points of ``analysis`` judged by its training points, if there are any."""
    if analysis.judged_by_itself:
        return None

    def make() -> Subject | None:
        with st.spinner("Judging the test points ..."):
            return judging_points(analysis, kept_forest(analysis.data, analysis.compute))

    found: Subject | None = derived().obtain(f"tests|{analysis.key}", make)
    return found


def shelves() -> dict[str, BoundedStore[Any]]:
    """Return all shelves by name, for telling how full they are."""
    return {
        "results": results(),
        "block results": block_results(),
        "block parts": block_parts(),
        "data sets": _datasets(),
        "fetched": fetched(),
        "forests": forests(),
        "derived": derived(),
        "measured": measured(),
        "jobs": shared_jobs(),
    }


def clear() -> None:
    """Forget everything that is shared; for tests."""
    shared: tuple[Any, ...] = (results, forests, _datasets, fetched, derived, measured, shared_jobs)
    for cache in (*shared, block_results, block_parts, computations, warm_up, journal):
        cache.clear()
