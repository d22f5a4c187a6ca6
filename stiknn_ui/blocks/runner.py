"""Get the block analysis and the part that the controls ask for: at once, in line, or not yet."""

from __future__ import annotations

import streamlit as st

from stiknn_core.errors import StiknnError
from stiknn_core.ranked import KEEP_BYTES
from stiknn_core.types import Dataset
from stiknn_ui.asked.spec import MAX_POINTS, ViewSpec
from stiknn_ui.blocks import offer, shelf
from stiknn_ui.blocks.analysis import BlockAnalysis, block_key
from stiknn_ui.blocks.desk import BlockDesk
from stiknn_ui.blocks.estimate import BlockEstimate, estimate_blocks, part_seconds
from stiknn_ui.blocks.levels import Level, Part
from stiknn_ui.page import runner
from stiknn_ui.results.describe import differences
from stiknn_ui.results.parts import parts_of
from stiknn_ui.visit import state
from stiknn_ui.words import messages
from stiknn_ui.work.jobs import Job
from stiknn_ui.work.queue import BusyError

_WAIT_ANALYSIS = 0.2
_WAIT_PART = 4.0
# Someone who opens a link wants its picture: without one, this much may start unasked.
_PATIENCE_AT_FIRST = 20.0


def needed(dataset: Dataset | None) -> bool:
    """Whether these data are too many points for the full matrix."""
    if dataset is None:
        return False
    try:
        return len(parts_of(dataset, state.settings().compute).train) > MAX_POINTS
    except StiknnError:
        return False  # said where the result is missed


def obtain(dataset: Dataset) -> BlockAnalysis | None:
    """Return the analysis to show, and draw what is to be said about it.

    Parameters
    ----------
    dataset : Dataset
        For which ``needed`` says yes.

    Returns
    -------
    BlockAnalysis or None
        What the controls ask for, or the last one, marked as out of date; None as long as
        there is none at all.
    """
    desk = state.desk(BlockDesk)
    settings = state.settings()
    key = block_key(settings.data, settings.compute)
    if desk.job is not None and desk.job.key != key:
        desk.job.stop()
        desk.job = None
    found = shelf.analysis_of(key) or _finished(desk.job)
    if found is None:
        found = _work_on(dataset, key)
    if found is not None:
        desk.shown, desk.job = key, None  # the job would hold on to the rankings
        return found
    before = shelf.analysis_of(desk.shown)
    if before is not None:
        what = differences(before.data, before.compute, settings.data, settings.compute)
        text = f"Out of date: the picture below still shows {what}."
        st.warning(messages.plain(text), icon=":material/history:")
    return before


def obtain_part(analysis: BlockAnalysis, level: Level, view: ViewSpec) -> Part | None:
    """Return the part of the matrix that is looked at; None, with its progress, until then."""
    desk = state.desk(BlockDesk)
    plane, text, _ = shelf.plane_of(analysis, view.plane)
    key = shelf.part_key(analysis, level, view.order, text)
    found = shelf.part_of(key)
    if found is not None:
        desk.part_job = None
        return found
    if desk.part_job is not None and desk.part_job.key != key:
        desk.part_job.stop()
        desk.part_job = None
    if desk.part_job is None:
        seconds = part_seconds(analysis.ranked, analysis.n, len(level.points))
        try:
            desk.part_job = shelf.start_part(
                analysis,
                level,
                view.order,
                plane,
                text,
                seconds=seconds,
                owner=state.session().visitor,
            )
        except BusyError as error:
            messages.show_error(error)
            return None
        with st.spinner("Computing this part of the matrix ..."):
            desk.part_job.wait(_WAIT_PART)
    return _watch(desk.part_job)


def _watch(job: Job[Part]) -> Part | None:
    if job.running:
        runner.show_progress(job)
        return None
    if job.result is not None:
        return job.result
    if isinstance(job.error, StiknnError):
        messages.show_error(job.error)
    elif job.error is not None:
        messages.show_unexpected(job.error)
    st.button("Compute this part", key="compute-part", type="primary", on_click=_again)
    return None


def _again() -> None:
    state.desk(BlockDesk).part_job = None


def _finished(job: Job[BlockAnalysis] | None) -> BlockAnalysis | None:
    return None if job is None or job.running else job.result


def _work_on(dataset: Dataset, key: str) -> BlockAnalysis | None:
    """Start or watch the ranking; the result if it came at once."""
    desk = state.desk(BlockDesk)
    parts = parts_of(dataset, state.settings().compute)
    n, t = len(parts.train), parts.n_test
    cost = estimate_blocks(n, t, dataset.X.shape[1], KEEP_BYTES)
    at_first = shelf.analysis_of(desk.shown) is None and cost.seconds < _PATIENCE_AT_FIRST
    if desk.job is not None and desk.job.put_out:
        desk.job, desk.requested = None, key  # nobody stopped it, and the visitor is back
    if desk.job is None and not cost.refusal and (at_first or desk.requested == key):
        desk.requested = ""
        settings = state.settings()
        try:
            desk.job = shelf.start_analysis(
                dataset,
                settings.data,
                settings.compute,
                seconds=cost.seconds,
                owner=state.session().visitor,
            )
        except BusyError as error:
            messages.show_error(error)
    if desk.job is not None and desk.job.running:
        desk.job.wait(_WAIT_ANALYSIS)
    found = _finished(desk.job)
    if found is None:
        _draw_status(key, cost, n, t)
    return found


def _draw_status(key: str, cost: BlockEstimate, n: int, t: int) -> None:
    job = state.desk(BlockDesk).job
    if job is not None and job.running:
        runner.show_progress(job)
        return
    if job is not None and isinstance(job.error, StiknnError):
        messages.show_error(job.error)
    elif job is not None and job.error is not None:
        messages.show_unexpected(job.error)
    stopped = job is not None and job.state == "stopped"
    offer.choices(cost, n, t, stopped=stopped, on_compute=_request, key=key)


def _request(key: str) -> None:
    desk = state.desk(BlockDesk)
    desk.requested = key
    if desk.job is not None and not desk.job.running:
        desk.job = None
