"""Get the block analysis and the part that the controls ask for: at once, in line, or not yet."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import streamlit as st

from stiknn_core.cost import describe_bytes
from stiknn_core.ranked import KEEP_BYTES
from stiknn_core.types import Dataset
from stiknn_ui.asked.spec import USUAL_TESTS, ViewSpec
from stiknn_ui.blocks import levels, shelf
from stiknn_ui.blocks.analysis import BlockAnalysis, analyse_blocks, block_key
from stiknn_ui.blocks.desk import BlockDesk
from stiknn_ui.blocks.estimate import BlockEstimate, estimate_blocks, part_seconds
from stiknn_ui.blocks.levels import Level, Part
from stiknn_ui.page import life, runner, sample_offer
from stiknn_ui.page.life import Task
from stiknn_ui.results import kept
from stiknn_ui.visit import state
from stiknn_ui.words import messages
from stiknn_ui.work.progress import Progress

_WAIT_ANALYSIS: Final = 0.2
_WAIT_PART: Final = 4.0


def obtain(dataset: Dataset) -> BlockAnalysis | None:
    """Return the analysis to show, and draw what is to be said about it.

    Parameters
    ----------
    dataset : Dataset
        For which `page.runner.large` says yes.

    Returns
    -------
    BlockAnalysis or None
        What the controls ask for, or the last one of the same data, marked as out of date.
    """
    desk, data, compute = state.desk(BlockDesk), state.settings().data, state.settings().compute
    key = block_key(data, compute)
    life.let_go("blocks", key)
    found = shelf.block_results().get(key)
    if found is None:
        cost = _cost(dataset)
        if cost.refusal:
            st.warning(messages.plain(cost.refusal), icon=":material/block:")
            sample_offer.offer_sample()
            return None
        keep = kept.kept_forest(data, compute)
        found = life.obtain(
            Task(
                slot="blocks",
                key=key,
                make=lambda progress: analyse_blocks(dataset, data, compute, progress, keep),
                shelf=shelf.block_results,
                button="Compute",
                seconds=cost.seconds,
                wait=_WAIT_ANALYSIS,
                alike=f"blocks in {compute.space}",
                needs=describe_bytes(cost.bytes),
                name="Picture of blocks",
            )
        )
    if found is not None:
        desk.shown = key
    return runner.stay(found or shelf.block_results().get(desk.shown), compute)


def _cost(dataset: Dataset) -> BlockEstimate:
    data, compute = state.settings().data, state.settings().compute
    parts = kept.parts(dataset, data, compute)
    n, t = len(parts.train), parts.n_test
    if parts.test is None:
        t = min(t, USUAL_TESTS)
    cost = estimate_blocks(n, t, dataset.X.shape[1], KEEP_BYTES)
    growing = kept.growing_seconds(dataset, data, compute)
    return replace(cost, seconds=cost.seconds + growing)


def obtain_part(analysis: BlockAnalysis, level: Level, view: ViewSpec) -> Part | None:
    """Return the part of the matrix that is looked at; None, with its progress, until then."""
    plane, text, _ = shelf.plane_of(analysis, view.plane)

    def make(progress: Progress) -> Part:
        if level.as_pairs:
            return levels.compute_pairs(analysis, level, progress)
        order = shelf.order_all(analysis, view.order, plane, text)
        return levels.compute_blocks(analysis, level, order, progress)

    return life.obtain(
        Task(
            slot="compute-part",
            key=shelf.part_key(analysis, level, view.order, text),
            make=make,
            shelf=shelf.block_parts,
            button="Compute this part",
            seconds=part_seconds(analysis.ranked, analysis.n, len(level.points)),
            due=True,
            wait=_WAIT_PART,
        )
    )
