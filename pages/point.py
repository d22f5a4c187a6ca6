"""Point: one point closely, what its value is made of and each test point's part."""

from __future__ import annotations

from stiknn_ui import shell
from stiknn_ui.blocks import runner as block_runner
from stiknn_ui.data import current
from stiknn_ui.page import controls, frame, runner, space
from stiknn_ui.point import page
from stiknn_ui.results.all_rows import AllRows
from stiknn_ui.visit import state
from stiknn_ui.words import messages

shell.begin("point")
with messages.guarded():
    dataset = current.dataset()
    with controls.toolbar(dataset, "point", embeddings=not runner.large(dataset)):
        found = runner.obtain_rows(dataset)
        blocks = block_runner.obtain(dataset) if isinstance(found, AllRows) else None
    if isinstance(found, AllRows):
        page.show_row(found, blocks, state.settings().view)
    elif found is not None:
        page.show(found, state.settings().view)
    else:
        frame.draw()
    space.offer(dataset)
shell.keep_link("point")
