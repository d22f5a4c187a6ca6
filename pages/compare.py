"""Compare: the same data computed in two ways, side by side."""

from __future__ import annotations

from stiknn_ui import controls, messages, runner, shell
from stiknn_ui.compare import bars, page

shell.begin("compare")
with messages.guarded():
    dataset = runner.current_dataset()
    other = bars.settle()
    controls.data_line()
    page.draw(dataset, other)
shell.keep_link("compare")
