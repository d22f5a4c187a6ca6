"""Review: go through the suspects one by one, decide, and take a corrected file away."""

from __future__ import annotations

from stiknn_ui import shell
from stiknn_ui.data import current
from stiknn_ui.page import controls, runner
from stiknn_ui.review import page
from stiknn_ui.visit import state
from stiknn_ui.words import messages

shell.begin("review")
with messages.guarded():
    dataset = current.dataset()
    controls.data_line()
    controls.compute_bar(dataset)
    page.awaited()
    analysis = runner.obtain(dataset)
    if analysis is not None:
        page.show(analysis, state.settings().view)
shell.keep_link("review")
