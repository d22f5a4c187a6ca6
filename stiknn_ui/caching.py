"""What is kept between reruns and shared by all visitors. The only user of cache decorators.

Every key is a small frozen spec or a text that holds a SHA-256 digest: Streamlit hashes
only a sample of large arrays. What is kept is read-only, bounded, and forgotten after two
hours. The result of an upload, which holds the table, can be reached only by someone who has
the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from stiknn_core.ordering import Order, order_points
from stiknn_core.types import Dataset, FloatArray, read_only
from stiknn_ui.analysis import Analysis, analyse, result_key
from stiknn_ui.jobs import Job
from stiknn_ui.linked_view import ViewContent, build_content
from stiknn_ui.sources import build
from stiknn_ui.spec import EXAMPLE_COMPUTE, EXAMPLE_DATA, ComputeSpec, DataSpec, OrderName
from stiknn_ui.store import BoundedStore
from stiknn_ui.suspects import row_likeness

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
    """Return a generated or bundled data set; never an upload."""
    return build(spec)


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


def order_of(analysis: Analysis, name: OrderName) -> Order:
    """Return how the matrix of ``analysis`` is sorted."""
    return _order(analysis.key, name, analysis)


def content_of(analysis: Analysis) -> ViewContent:
    """Return what the linked view needs of ``analysis``, packed once."""
    return _content(analysis.key, analysis)


def row_likeness_of(analysis: Analysis) -> FloatArray:
    """Return the paper's row reading of ``analysis``, (n,) read-only."""
    return _row_likeness(analysis.key, analysis)


@st.cache_resource(max_entries=32, ttl=_TTL, show_spinner=False)
def _order(key: str, name: OrderName, _analysis: Analysis) -> Order:
    return order_points(
        name,
        codes=_analysis.codes,
        xy=_analysis.plane.xy,
        values=_analysis.interactions.values,
        matrix=_analysis.interactions.matrix,
        classes=_analysis.classes,
    )


@st.cache_resource(max_entries=6, ttl=_TTL, show_spinner=False)
def _content(key: str, _analysis: Analysis) -> ViewContent:
    return build_content(
        matrix=_analysis.interactions.matrix,
        xy=_analysis.plane.xy,
        codes=_analysis.codes,
        classes=_analysis.classes,
        ids=_analysis.ids,
        values=_analysis.interactions.values,
        quality=_analysis.support.quality,
        suggested=_analysis.suggested,
        changed=_analysis.changed,
        axis_titles=_analysis.plane.axis_titles,
        name=_analysis.data.name,
    )


@st.cache_resource(max_entries=32, ttl=_TTL, show_spinner=False)
def _row_likeness(key: str, _analysis: Analysis) -> FloatArray:
    likeness: FloatArray = read_only(
        row_likeness(_analysis.interactions.matrix, _analysis.codes, len(_analysis.classes))
    )
    return likeness


def clear() -> None:
    """Forget everything that is shared; for tests."""
    for cache in (results, public_dataset, warm_up, _order, _content, _row_likeness):
        cache.clear()
