"""Learn: the method by hand, on a few points and with exact fractions."""

from __future__ import annotations

from stiknn_ui import shell
from stiknn_ui.learn import page
from stiknn_ui.words import messages

shell.begin("learn")
with messages.guarded():
    page.show()
