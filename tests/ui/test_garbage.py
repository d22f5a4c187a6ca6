"""Garbage is collected now and then, and not after every run."""

from __future__ import annotations

import gc
import threading
import tomllib
import weakref
from pathlib import Path

import pytest
from streamlit import runtime

from stiknn_ui.work import garbage
from stiknn_ui.work.garbage import Collector
from tests.patience import PATIENCE
from tests.ui.test_pages import healthy, visit

pytestmark = pytest.mark.slow

CONFIG = Path(__file__).parents[2] / ".streamlit" / "config.toml"


class Ring:
    """Something that only the collector can free."""

    def __init__(self) -> None:
        self.me = self


def test_streamlit_neither_collects_after_every_run_nor_watches_files() -> None:
    options = tomllib.loads(CONFIG.read_text(encoding="utf-8"))
    assert options["runner"]["postScriptGC"] is False
    assert options["server"]["fileWatcherType"] == "none"


def test_all_who_ask_within_a_while_share_one_collection() -> None:
    seen: list[int] = []
    done = threading.Semaphore(0)

    def collect() -> None:
        seen.append(len(seen))
        done.release()

    collector = Collector(collect, after=0.3)
    for _ in range(50):
        collector.soon()
    assert not seen, "not while the run that asks goes on"
    assert done.acquire(timeout=PATIENCE)
    assert seen == [0]
    collector.soon()
    assert done.acquire(timeout=PATIENCE)
    assert seen == [0, 1]


def test_cycles_are_freed() -> None:
    ring = Ring()
    gone = threading.Event()
    weakref.finalize(ring, gone.set)
    gc.disable()
    try:
        del ring
        assert not gone.is_set()
        Collector(after=0.0).soon()
        assert gone.wait(PATIENCE)
    finally:
        gc.enable()


def test_a_page_asks_for_it_where_there_is_a_server(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bool] = []
    monkeypatch.setattr(Collector, "soon", lambda self: asked.append(True))
    healthy(visit("data"))
    assert not asked, "a page that is tried without a server"
    with monkeypatch.context() as patched:
        server = object.__new__(runtime.Runtime)
        patched.setattr(runtime, "exists", lambda: True)
        patched.setattr(runtime, "get_instance", lambda: server)
        garbage.collect_soon()
    assert asked == [True]
    monkeypatch.setattr(garbage, "collect_soon", lambda: asked.append(False))
    healthy(visit("data"))
    assert False in asked
