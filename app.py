"""Home: what the picture means, with the default example."""

from __future__ import annotations

from stiknn_ui import gallery, home, messages, panels, runner, shell
from stiknn_ui.spec import EXAMPLE_VIEW

shell.begin("home")
home.introduction()
with messages.guarded():
    panels.picture(runner.example(), EXAMPLE_VIEW, name="home-view", height=460)
pictures = gallery.cards()
home.next_steps()
with messages.guarded():
    pictures.fill()
