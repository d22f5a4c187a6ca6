"""Learn: the method by hand, on a few points and with exact fractions."""

from __future__ import annotations

from stiknn_ui import messages, shell
from stiknn_ui.learn import page

shell.begin("learn")
with messages.guarded():
    page.show()
