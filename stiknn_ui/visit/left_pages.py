"""A page that was left draws nothing more: what it still asks for would empty the next one.

A part of a page that runs by itself asks the server to be drawn anew, and may ask just when the
visitor has gone on. Streamlit then runs it as of the page that was left, for which the browser
takes the new one away: it stays empty, or breaks. There is no public place for this either, so a
part of Streamlit's is replaced, as in `ending`.
"""

from __future__ import annotations

from streamlit.runtime import app_session
from streamlit.runtime.scriptrunner import RerunData, ScriptRunner
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequestType


def take_over() -> None:
    """See to the runs of all visits of a server, before there is one."""
    vars(app_session)["ScriptRunner"] = Runner


class Runner(ScriptRunner):
    """Runs parts of the page that is shown, or asked for, and of no other."""

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
