"""Get the block analysis and the part that the controls ask for: at once, in line, or not yet."""

from __future__ import annotations

from functools import partial
from typing import Final

from stiknn_core.cost import describe_bytes
from stiknn_core.ranked import KEEP_BYTES
from stiknn_core.types import Dataset
from stiknn_ui.asked.spec import ViewSpec
from stiknn_ui.blocks import levels, offer, shelf
from stiknn_ui.blocks.analysis import BlockAnalysis, analyse_blocks, block_key
from stiknn_ui.blocks.desk import BlockDesk
from stiknn_ui.blocks.estimate import estimate_blocks, part_seconds
from stiknn_ui.blocks.levels import Level, Part
from stiknn_ui.page import life, runner
from stiknn_ui.page.life import Task
from stiknn_ui.results.parts import parts_of
from stiknn_ui.visit import state
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
        parts = parts_of(dataset, compute)
        n, t = len(parts.train), parts.n_test
        cost = estimate_blocks(n, t, dataset.X.shape[1], KEEP_BYTES)
        task = Task(
            slot="blocks",
            key=key,
            make=partial(analyse_blocks, dataset, data, compute),
            shelf=shelf.block_results,
            button="Compute",
            seconds=cost.seconds,
            due=False if cost.refusal else None,
            wait=_WAIT_ANALYSIS,
            needs=describe_bytes(cost.bytes),
        )
        found = life.obtain(task, partial(offer.choices, cost, n, t, task))
    if found is not None:
        desk.shown = key
    return runner.stay(found or shelf.block_results().get(desk.shown), compute)


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
