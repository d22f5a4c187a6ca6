"""A run is over when all it drew was handed on, and a page that was left has none."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.runtime.scriptrunner import RerunData, ScriptRunner
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequests

from stiknn_ui.visit.runs import Runner


@pytest.fixture
def loop(monkeypatch: pytest.MonkeyPatch) -> Iterator[asyncio.AbstractEventLoop]:
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    monkeypatch.setattr(Runner, "loop", loop, raising=False)
    yield loop
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


def runner(shown: str = "here", asked: RerunData | None = None) -> Runner:
    """Return one as Streamlit would make it, with what the tests need."""
    made: Any = Runner.__new__(Runner)
    made._pages_manager = SimpleNamespace(current_page_script_hash=shown)
    made._requests = ScriptRequests()
    made._wake_parallel_join_barrier_if_waiting = lambda: None
    if asked is not None:
        made._requests.request_rerun(asked)
    return made  # type: ignore[no-any-return]


def test_a_run_ends_when_what_it_drew_was_handed_on(
    loop: asyncio.AbstractEventLoop, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str] = []

    def draw(self: ScriptRunner, rerun_data: RerunData) -> None:
        loop.call_soon_threadsafe(time.sleep, 0.2)  # it has others to see to
        loop.call_soon_threadsafe(drawn.append, rerun_data.page_script_hash)

    monkeypatch.setattr(ScriptRunner, "_run_script", draw)
    runner()._run_script(RerunData(page_script_hash="there"))
    assert drawn == ["there"]
    runner()._run_script(RerunData(page_script_hash="here", fragment_id_queue=["progress"]))
    assert drawn == ["there", "here"]
    runner()._run_script(RerunData(page_script_hash="left", fragment_id_queue=["progress"]))
    assert drawn == ["there", "here"]


def test_a_run_ends_without_a_server_too(monkeypatch: pytest.MonkeyPatch) -> None:
    closed = asyncio.new_event_loop()
    closed.close()
    monkeypatch.setattr(Runner, "loop", closed, raising=False)
    ran: list[RerunData] = []
    monkeypatch.setattr(ScriptRunner, "_run_script", lambda _, asked: ran.append(asked))
    runner()._run_script(RerunData(page_script_hash="here"))
    assert len(ran) == 1


@pytest.mark.parametrize("page", ["left", "next"])
def test_a_click_on_a_link_is_not_taken_back(page: str) -> None:
    made = runner(asked=RerunData(page_script_hash="next"))
    assert made.request_rerun(RerunData(page_script_hash=page, fragment_id="progress"))
    held = made._requests._rerun_data
    assert held.page_script_hash == "next"
    assert not held.fragment_id_queue
