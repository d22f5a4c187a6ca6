"""Get the result the controls ask for: at once, in the background, or not yet.

The old result stays on screen, marked as out of date, until the new one is there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import streamlit as st

from stiknn_core.cost import describe_seconds
from stiknn_core.errors import StiknnError
from stiknn_core.types import Dataset
from stiknn_ui import caching, messages, paper_form, sample_offer, state
from stiknn_ui.analysis import Analysis, result_key
from stiknn_ui.describe import differences
from stiknn_ui.estimate import Estimate, estimate
from stiknn_ui.jobs import Job
from stiknn_ui.parts import parts_of
from stiknn_ui.queue import BusyError, describe_place
from stiknn_ui.spec import EXAMPLE_COMPUTE, EXAMPLE_DATA, ComputeSpec
from stiknn_ui.uploads import session as upload_session

_WAIT_SMALL = 1.5
_WAIT_LARGE = 0.2
_WAIT_EXAMPLE = 60.0
_POLL = 0.4
# Someone who opens a page or a link wants its picture: without one, more may start unasked.
_PATIENCE_AT_FIRST = 3.0


def current_dataset() -> Dataset | None:
    """Return the data set the controls describe; None, with a sentence, if there is none."""
    paper_form.settle()
    spec = state.settings().data
    try:
        if spec.source == "upload":
            return upload_session.dataset()
        if not paper_form.ready(spec):
            return None
        return caching.public_dataset(spec)
    except StiknnError as error:
        messages.show_error(error)
        return None


def example() -> Analysis:
    """Return the example of the first page, computed when the server started.

    Raises
    ------
    StiknnError
        If it cannot be computed.
    """
    key = result_key(EXAMPLE_DATA, EXAMPLE_COMPUTE)
    found = caching.results().get(key)
    if found is not None:
        return found
    job = caching.warm_up()
    if not job.running:
        dataset = caching.public_dataset(EXAMPLE_DATA)
        job = caching.start_job(dataset, EXAMPLE_DATA, EXAMPLE_COMPUTE)
    with st.spinner("Computing the example ..."):
        job.wait(_WAIT_EXAMPLE)
    if job.error is not None:
        raise job.error
    if job.result is None:
        raise TimeoutError("the example took too long")
    return job.result


class Desk(Protocol):
    """Where a visitor's result and its computation are kept; the session, unless told otherwise."""

    shown: Analysis | None
    job: Job[Analysis] | None
    requested: str


@dataclass(frozen=True)
class _Wanted:
    """What is asked for, by whom, and what to call it on a page that asks for two."""

    desk: Desk
    compute: ComputeSpec
    name: str

    @property
    def key(self) -> str:
        return result_key(state.settings().data, self.compute)

    @property
    def said(self) -> str:
        return f"{self.name}: " if self.name else ""

    def widget(self, key: str) -> str:
        return f"{key}-{self.name}" if self.name else key


def obtain(
    dataset: Dataset | None,
    compute: ComputeSpec | None = None,
    desk: Desk | None = None,
    name: str = "",
) -> Analysis | None:
    """Return the result to show, and draw what is to be said about it.

    Parameters
    ----------
    dataset : Dataset or None
        From ``current_dataset``.
    compute : ComputeSpec, optional
        How to compute; as the settings say by default.
    desk : Desk, optional
        Where to keep the result; in the session by default.
    name : str, optional
        What to call it, where a page asks for more than one.

    Returns
    -------
    Analysis or None
        The result the controls ask for, or the last one, marked as out of date; None as
        long as there is none at all.
    """
    here = state.session() if desk is None else desk
    wanted = _Wanted(here, compute or state.settings().compute, name)
    if here.job is not None and here.job.key != wanted.key:
        here.job.stop()
        here.job = None
    found = _finished(wanted)
    if found is None and dataset is not None:
        found = _work_on(dataset, wanted)
    if found is not None:
        here.shown = found
        if here.job is not None and not here.job.running:
            here.job = None  # it would hold on to this result when the next one is there
    elif here.shown is not None:
        _mark_out_of_date(here.shown, wanted)
    return here.shown


def _work_on(dataset: Dataset, wanted: _Wanted) -> Analysis | None:
    """Start or watch the computation; the result if it came at once."""
    compute = wanted.compute
    try:
        parts = parts_of(dataset, compute)
    except StiknnError as error:
        messages.show_error(error)
        return None
    grown = caching.has_forest(state.settings().data, compute)
    n, d = len(parts.train), dataset.X.shape[1]
    cost = estimate(n, parts.n_test, d, compute.space, grown=grown)
    try:
        _start_if_due(dataset, wanted, cost)
    except BusyError as error:
        messages.show_error(error)
    found = _finished(wanted)
    if found is None:
        _draw_status(wanted, cost)
    return found


def _finished(wanted: _Wanted) -> Analysis | None:
    here, key = wanted.desk, wanted.key
    if here.shown is not None and here.shown.key == key:
        return here.shown
    if here.job is not None and here.job.key == key and here.job.state == "done":
        return here.job.result
    return caching.results().get(key)


def _start_if_due(dataset: Dataset, wanted: _Wanted, cost: Estimate) -> None:
    here, key = wanted.desk, wanted.key
    first = here.shown is None and cost.seconds < _PATIENCE_AT_FIRST
    if here.job is not None and here.job.put_out:
        here.job, here.requested = None, key  # nobody stopped it, and the visitor is back
    if here.job is None and not cost.refusal and (cost.small or first or here.requested == key):
        here.requested = ""
        here.job = caching.start_job(
            dataset,
            state.settings().data,
            wanted.compute,
            seconds=cost.seconds,
            owner=state.session().visitor,
        )
    if here.job is not None and here.job.running:
        here.job.wait(_WAIT_SMALL if cost.small else _WAIT_LARGE)


def _draw_status(wanted: _Wanted, cost: Estimate) -> None:
    job = wanted.desk.job
    if cost.refusal:
        st.warning(messages.plain(cost.refusal), icon=":material/block:")
        sample_offer.offer_sample()
        return
    if job is not None and job.running:
        show_progress(job, wanted.name)
        return
    if job is not None and isinstance(job.error, StiknnError):
        messages.show_error(job.error)
    elif job is not None and job.error is not None:
        messages.show_unexpected(job.error)
    first = wanted.desk.shown is None
    row = wanted.widget("compute-row")
    with st.container(horizontal=True, vertical_alignment="center", key=row):
        st.button(
            f"{'Compute' if first else 'Recompute'} {wanted.name}".strip(),
            key=wanted.widget("compute"),
            type="primary",
            icon=":material/play_arrow:",
            on_click=state.request,
            args=(wanted.key, wanted.desk),
        )
        stopped = "Stopped. " if job is not None and job.state == "stopped" else ""
        text = f"{wanted.said}{stopped}It will take {cost}."
        st.markdown(messages.plain(text), width="content")


@st.fragment(run_every=_POLL)
def show_progress(job: Job[Any], name: str = "") -> None:
    """Show how far the work or the line is; the whole page runs again when it has ended.

    Parameters
    ----------
    job : Job
    name : str, optional
        What it is called, where a page may wait for more than one.
    """
    if not job.running:
        st.rerun()
    place, left = job.place, job.seconds_left
    rest = f", {describe_seconds(left)} left" if left is not None else ""
    text = f"Computing, {job.fraction:.0%} done{rest}" if job.fraction else "Starting ..."
    text = text if place is None else describe_place(place)
    said, end = (f"{name}: ", f"-{name}") if name else ("", "")
    with st.container(horizontal=True, vertical_alignment="center", key=f"progress-row{end}"):
        st.progress(job.fraction, text=f"{said}{text}")
        st.button("Stop", key=f"stop{end}", icon=":material/stop:", on_click=job.stop)


def _mark_out_of_date(shown: Analysis, wanted: _Wanted) -> None:
    data = state.settings().data
    what = differences(shown.data, shown.compute, data, wanted.compute)
    text = f"{wanted.said}Out of date: the picture below still shows {what}."
    st.warning(messages.plain(text), icon=":material/history:")
