"""Explore: the sorted interaction matrix linked to the scatter."""

from __future__ import annotations

from stiknn_ui import shell
from stiknn_ui.blocks import panel as block_panel
from stiknn_ui.blocks import runner as block_runner
from stiknn_ui.blocks import store_panel
from stiknn_ui.data import current
from stiknn_ui.home import gallery
from stiknn_ui.page import controls, panels, runner
from stiknn_ui.visit import state
from stiknn_ui.words import messages

shell.begin("explore")
with messages.guarded():
    store_panel.choice()
    if store_panel.chosen():
        block_panel.stored(store_panel.chosen())
    else:
        dataset = current.dataset()
        controls.data_line()
        gallery.note()
        controls.compute_bar(dataset)
        if block_runner.needed(dataset):
            block_panel.explored(dataset)
        elif (analysis := runner.obtain(dataset)) is not None:
            names = analysis.dataset.feature_names
            controls.view_bar(truth_known=analysis.truth_known, features=names)
            view = state.settings().view
            panels.explored(analysis, view)
            if runner.settled(analysis):
                panels.downloads(analysis, view)
shell.keep_link("explore")
