"""Runs of pages: nothing is drawn for a page that was left, and nothing drawn is lost.

A part of a page that runs by itself asks the server to be drawn anew, and may ask just when the
visitor has gone on. Streamlit then runs it as of the page that was left, for which the browser
takes the new one away: it stays empty, or breaks. And where a part is asked for just when a run of
the whole page has ended, what that run has drawn is thrown away if it is still on its way. There is
no public place for either, so a part of Streamlit's is replaced, as in `ending`.
"""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress
from typing import ClassVar, Final

from streamlit.runtime import app_session
from streamlit.runtime.scriptrunner import RerunData, ScriptRunner
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequestType

_MOST: Final = 10.0  # seconds: a server that ends hears nobody any more


def take_over(loop: asyncio.AbstractEventLoop) -> None:
    """See to the runs of all visits of a server, before there is one.

    ``loop`` is the one that hands on what is drawn.
    """
    Runner.loop = loop
    vars(app_session)["ScriptRunner"] = Runner


class Runner(ScriptRunner):
    """Runs parts of the page that is shown, or asked for, and of no other."""

    loop: ClassVar[asyncio.AbstractEventLoop]

    def request_rerun(self, rerun_data: RerunData) -> bool:
        """Take a request; one of a page that was left must not become one for that page."""
        asked = self._requests
        with asked._lock:
            waits = asked._state is ScriptRequestType.RERUN
            page = asked._rerun_data.page_script_hash if waits else ""
        if rerun_data.fragment_id and page not in {"", rerun_data.page_script_hash}:
            return True
        return super().request_rerun(rerun_data)

    def _run_script(self, rerun_data: RerunData) -> None:
        shown = self._pages_manager.current_page_script_hash
        if rerun_data.fragment_id_queue and rerun_data.page_script_hash != shown:
            return
        super()._run_script(rerun_data)
        # Until then requests come to this runner; another one would take its place, and its word.
        heard = threading.Event()
        with suppress(RuntimeError):  # the loop is closed
            self.loop.call_soon_threadsafe(heard.set)
            heard.wait(_MOST)
