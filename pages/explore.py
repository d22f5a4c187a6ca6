"""Explore: the sorted interaction matrix linked to the scatter."""

from __future__ import annotations

from stiknn_ui import controls, messages, panels, runner, shell, state

shell.begin("explore")
with messages.guarded():
    dataset = runner.current_dataset()
    controls.data_line()
    controls.compute_bar(dataset)
    analysis = runner.obtain(dataset)
    if analysis is not None:
        controls.view_bar(truth_known=analysis.truth_known, features=analysis.dataset.feature_names)
        view = state.settings().view
        panels.explored(analysis, view)
        panels.downloads(analysis, view)
shell.keep_link("explore")
