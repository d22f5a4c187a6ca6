"""Home: what the picture means, with the default example."""

from __future__ import annotations

from stiknn_ui import shell
from stiknn_ui.asked.spec import EXAMPLE_VIEW
from stiknn_ui.home import gallery, home
from stiknn_ui.page import panels, runner
from stiknn_ui.words import messages

shell.begin("home")
home.introduction()
with messages.guarded():
    if (example := runner.example()) is not None:
        panels.picture(example, EXAMPLE_VIEW, name="home-view", height=460)
places = gallery.cards()
home.next_steps()
with messages.guarded():
    gallery.fill(places)
