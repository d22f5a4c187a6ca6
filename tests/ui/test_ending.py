"""What a visit holds goes with it: its place in line, its descriptors, and in the end itself."""

from __future__ import annotations

import asyncio
import os
import resource
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from stiknn_ui import server as ours
from stiknn_ui.page.life import Slots
from stiknn_ui.visit.ending import IdleLoop, Visits
from stiknn_ui.visit.session import Session
from stiknn_ui.work.jobs import Job
from tests.browser.server import Server
from tests.patience import PATIENCE, wait_until
from tests.ui.talking import talk


class Kept:
    """A visit as Streamlit hands it over."""

    def __init__(self, *told: Any) -> None:
        self.id = "one"
        self.session = self
        self.session_state = {"stiknn": told[0]} if told else {}
        self.over = False

    def shutdown(self) -> None:
        self.over = True


class Hears:
    """A desk that notes what it is told."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def left(self) -> None:
        self.told.append("left")

    def ended(self) -> None:
        self.told.append("ended")


def visit_and_desk() -> tuple[Session, Hears]:
    visit = Session()
    visit.desk(dict)  # one that has nothing to give back
    return visit, visit.desk(Hears)


async def comes(true: Callable[[], bool]) -> None:
    """Return as soon as something is true, while the loop goes on; TimeoutError if it never is."""
    async with asyncio.timeout(PATIENCE):
        while not true():
            await asyncio.sleep(0.01)


def test_a_visit_is_told_when_it_is_left() -> None:
    async def leave() -> None:
        visit, desk = visit_and_desk()
        kept, visits = Kept(visit), Visits(3600, 0.01)
        visits.save(kept)  # type: ignore[arg-type]
        assert visits.get("one") is kept
        assert visits.list() == [kept]
        await comes(lambda: desk.told == ["left"])
        assert visits.get("one") is kept
        assert not kept.over

    asyncio.run(leave())


def test_a_visit_that_nobody_comes_back_to_is_over() -> None:
    async def leave() -> None:
        visit, desk = visit_and_desk()
        kept, visits = Kept(visit), Visits(0.02, 0.01)
        visits.save(kept)  # type: ignore[arg-type]
        await comes(lambda: kept.over)
        assert desk.told == ["left", "ended"]
        assert visits.get("one") is None

    asyncio.run(leave())


def test_whoever_comes_back_in_time_loses_nothing() -> None:
    async def come_back() -> None:
        visit, desk = visit_and_desk()
        kept, visits = Kept(visit), Visits(0.05, 0.05)
        visits.save(kept)  # type: ignore[arg-type]
        visits.delete("one")
        await asyncio.sleep(0.15)
        assert desk.told == []
        assert not kept.over

    asyncio.run(come_back())


def test_a_visit_that_never_began_ends_too() -> None:
    async def leave() -> None:
        kept, visits = Kept(), Visits(0.01)
        visits.save(kept)  # type: ignore[arg-type]
        await comes(lambda: kept.over)

    asyncio.run(leave())


def test_what_a_visitor_waits_for_is_let_go() -> None:
    go = threading.Event()
    visit = Session()
    job = Job("key", lambda progress: go.wait(PATIENCE)).start()
    visit.desk(Slots)["compute"].job = job
    visit.tell("left")
    assert job.looked == -float("inf")
    assert job.running
    visit.tell("ended")
    assert job.state == "stopped"
    go.set()


def descriptors() -> int:
    return len(os.listdir("/dev/fd"))


def test_a_loop_takes_no_descriptor_until_it_runs() -> None:
    before = descriptors()
    loops = [IdleLoop() for _ in range(20)]
    assert descriptors() == before
    for _ in range(2):
        assert loops[0].run_until_complete(asyncio.sleep(0.01, "done")) == "done"
    thread = threading.Timer(0.05, lambda: loops[0].call_soon_threadsafe(loops[0].stop))
    thread.start()
    loops[0].run_forever()
    for loop in loops:
        loop.close()
    assert descriptors() == before


def test_the_limit_of_descriptors_is_raised() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
        ours.allow_descriptors()
        raised, same = resource.getrlimit(resource.RLIMIT_NOFILE)
        assert same == hard
        assert raised >= 1024 or raised == hard
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


# -- a real server -----------------------------------------------------------------------


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    running = Server("app.py", tmp_path / "server.log", server_disconnectedSessionTTL="2")
    running.wait()
    yield running
    running.stop()


def open_files(server: Server) -> int:
    pid = server.pid
    folder = Path(f"/proc/{pid}/fd")
    if folder.exists():
        return len(list(folder.iterdir()))
    told = subprocess.run(["lsof", "-p", str(pid)], capture_output=True, text=True, check=True)
    return len(told.stdout.splitlines()) - 1


def wait_for_open_files(server: Server, most: int) -> None:
    wait_until(lambda: open_files(server) <= most)


def look_in(server: Server, page: str, query: str) -> str:
    """Visit a page until its script has ended once; return what went wrong."""
    ask = BackMsg()
    ask.rerun_script.query_string, ask.rerun_script.page_name = query, page
    trouble = ""
    with talk(server) as socket:
        socket.send(ask.SerializeToString())
        while True:
            raw = socket.recv(timeout=PATIENCE)
            assert isinstance(raw, bytes)
            message = ForwardMsg.FromString(raw)
            if message.delta.new_element.WhichOneof("type") == "exception":
                trouble = str(message.delta.new_element)
            if message.WhichOneof("type") == "script_finished":
                return trouble


@pytest.mark.slow
def test_thirty_visits_leave_the_number_of_descriptors_level(server: Server) -> None:
    pages = ("explore", "data", "point", "suspects", "review", "compare")
    most = 0
    for number in range(36):
        query = f"dataset=circles&n=40&seed={number % 3}&k=3"
        assert look_in(server, pages[number % 6], query) == ""
        if number == 5:
            time.sleep(0.3)
            most = open_files(server) + 3
        elif number % 6 == 5:
            wait_for_open_files(server, most)
    # The last visits are over after two seconds: their ends went well too.
    time.sleep(3)
    wait_for_open_files(server, most - 3)
    log = server.log.read_text()
    assert "Traceback" not in log
    assert "event loop" not in log


@pytest.mark.slow
def test_forty_visitors_at_once_fit_into_256_descriptors(tmp_path: Path) -> None:
    """Each has a socket and nothing else; the limit cannot be raised here."""
    with pytest.MonkeyPatch.context() as patch:
        start = subprocess.Popen

        def with_limit(command: list[str], **options: Any) -> subprocess.Popen[bytes]:
            quoted = " ".join(f"'{part}'" for part in command)
            return start(["sh", "-c", f"ulimit -n 256; exec {quoted}"], **options)

        patch.setattr("tests.browser.server.subprocess.Popen", with_limit)
        server = Server("app.py", tmp_path / "server.log")
    try:
        server.wait()
        told: list[str] = []
        go = threading.Barrier(40)

        def visitor() -> None:
            go.wait(PATIENCE)
            told.append(look_in(server, "data", ""))

        threads = [threading.Thread(target=visitor) for _ in range(40)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE)
        assert told == [""] * 40
        assert len(server.log.read_text().splitlines()) < 20
    finally:
        server.stop()
