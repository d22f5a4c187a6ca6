"""Explore: the sorted interaction matrix linked to the scatter."""

from __future__ import annotations

from stiknn_ui import shell
from stiknn_ui.blocks import panel as block_panel
from stiknn_ui.blocks import store_panel
from stiknn_ui.data import current
from stiknn_ui.home import gallery
from stiknn_ui.page import controls, frame, panels, runner, space
from stiknn_ui.visit import state
from stiknn_ui.words import messages

shell.begin("explore")
with messages.guarded():
    store_panel.choice()
    if store_panel.chosen():
        block_panel.stored(store_panel.chosen())
    else:
        dataset = current.dataset()
        large = runner.large(dataset)
        news = controls.toolbar(dataset, embeddings=not large)
        view = state.settings().view
        if dataset is not None and large:
            block_panel.explored(dataset, view, news)
            gallery.note()
        else:
            with news:
                analysis = runner.obtain(dataset)
            if analysis is not None:
                panels.explored(analysis, view)
                gallery.note()
                if runner.settled(analysis):
                    panels.downloads(analysis, view)
            else:
                frame.draw()
        space.offer(dataset)
shell.keep_link("explore")
