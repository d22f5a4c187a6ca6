"""Review: go through the suspects one by one, decide, and take a corrected file away."""

from __future__ import annotations

from stiknn_ui import shell
from stiknn_ui.data import current
from stiknn_ui.page import controls, frame, runner, space
from stiknn_ui.review import page, unsaved_panel
from stiknn_ui.visit import state
from stiknn_ui.words import messages

shell.begin("review")
with messages.guarded():
    dataset = current.dataset()
    with controls.toolbar(dataset, "point", embeddings=not runner.large(dataset)):
        analysis = runner.obtain_rows(dataset, old=False)
    page.awaited()
    if analysis is not None:
        page.show(analysis, state.settings().view)
        space.switch(dataset)
    else:
        unsaved_panel.warn()
        frame.draw()
        space.offer(dataset)
shell.keep_link("review")
