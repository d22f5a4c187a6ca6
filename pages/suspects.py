"""Suspects: points ranked by how doubtful their label is, linked to the picture."""

from __future__ import annotations

from stiknn_ui import shell
from stiknn_ui.blocks import runner as block_runner
from stiknn_ui.blocks import suspects
from stiknn_ui.data import current
from stiknn_ui.page import annotators, controls, frame, opinion, panels, runner, space
from stiknn_ui.results.all_rows import AllRows
from stiknn_ui.visit import state
from stiknn_ui.words import messages

shell.begin("suspects")
with messages.guarded():
    dataset = current.dataset()
    large = runner.large(dataset)
    view = state.settings().view
    with controls.toolbar(dataset, "ranking", embeddings=not large):
        found = runner.obtain_rows(dataset)
        if found is not None:
            opinion.obtain(found, view.rank_by)
        # What takes minutes comes one after the other: the table first.
        blocks = block_runner.obtain(dataset) if isinstance(found, AllRows) else None
    if isinstance(found, AllRows):
        suspects.suspected(found, blocks, view)
    elif found is not None:
        panels.suspected(found, view)
    else:
        frame.draw()
        space.offer(dataset)
    if found is not None:
        annotators.show(found)
        space.switch(dataset)
        if runner.settled(found):
            panels.downloads(found, view)
shell.keep_link("suspects")
