"""Theorem: why the farther point decides, told with the points of Learn."""

from __future__ import annotations

from stiknn_ui import shell
from stiknn_ui.learn.games import theorem_page
from stiknn_ui.words import messages

shell.begin("theorem")
with messages.guarded():
    theorem_page.show()
