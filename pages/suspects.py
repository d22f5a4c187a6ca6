"""Suspects: points ranked by how doubtful their label is, linked to the picture."""

from __future__ import annotations

from stiknn_ui import shell
from stiknn_ui.data import current
from stiknn_ui.page import controls, frame, panels, runner, space
from stiknn_ui.visit import state
from stiknn_ui.words import messages

shell.begin("suspects")
with messages.guarded():
    dataset = current.dataset()
    with controls.toolbar(dataset, "ranking"):
        analysis = runner.obtain(dataset)
    if analysis is not None:
        view = state.settings().view
        panels.suspected(analysis, view)
        space.switch()
        if runner.settled(analysis):
            panels.downloads(analysis, view)
    else:
        frame.draw()
shell.keep_link("suspects")
