"""`stiknn FILE` in a browser: the picture of that file, for whoever has the link alone."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.driver import painted
from tests.documents import ROOT
from tests.patience import PATIENCE

TABLE = ROOT / "sample_data" / "circles_flipped.csv"
Start = Callable[..., str]


@pytest.fixture(scope="module")  # a page that is still open must not miss its server
def start(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Start]:
    """Return a function that starts the command and gives the address that it says."""
    tmp_path = tmp_path_factory.mktemp("command")
    running: list[subprocess.Popen[str]] = []

    def begin(*words: str, given: bytes | None = None) -> str:
        log = tmp_path / f"{len(running)}.log"
        command = [sys.executable, "-m", "stiknn_command", *words, "--no-browser"]
        source = tmp_path / f"{len(running)}.stdin"
        source.write_bytes(given or b"")
        with log.open("w") as output, source.open("rb") as stdin:
            running.append(
                subprocess.Popen(
                    command, cwd=tmp_path, stdin=stdin, stdout=output, stderr=output, text=True,
                    env={**os.environ, "PYTHONPATH": str(ROOT)}, start_new_session=True,
                )
            )  # fmt: skip
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline and running[-1].poll() is None:
            said = re.search(r"^STI-KNN Explorer: (\S+)$", log.read_text(), re.M)
            if said:
                return said[1]
            time.sleep(0.1)
        raise RuntimeError(f"It did not start:\n{log.read_text()}")

    yield begin
    for process in running:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGINT)
            process.wait(timeout=PATIENCE)


def test_a_file_is_open_at_once_and_a_reload_keeps_it(page: Page, start: Start) -> None:
    address = start(str(TABLE), "--k", "3")
    page.goto(address)
    painted(page)
    expect(page.get_by_text("circles_flipped.csv").first).to_be_visible()
    expect(page.get_by_test_id("stAlert")).to_have_count(0)
    expect(page).to_have_url(re.compile(r"file=circles_flipped.csv.*k=3"))
    assert "open=" not in page.url, "the secret does not stay where links are copied from"
    page.reload()
    painted(page)
    expect(page.get_by_text("circles_flipped.csv").first).to_be_visible()


def test_without_the_secret_nobody_sees_it(page: Page, start: Start) -> None:
    parts = urlsplit(start(str(TABLE)))
    page.goto(parts._replace(query="open=guessed").geturl())
    painted(page)
    expect(page.get_by_text("The server that had the file of this link has ended")).to_be_visible()
    expect(page.get_by_text("circles_flipped.csv")).to_have_count(0)


def test_a_table_with_questions_leads_to_them(page: Page, start: Start) -> None:
    lines = [f"{i},{i * i % 7},{'xy'[i % 2]}" for i in range(30)]
    lines[4] = lines[4].removeprefix("4")
    table = "\n".join(["a,b,kind", *lines]).encode()
    page.goto(start("-", given=table))
    page.wait_for_url(re.compile("/data"))
    expect(page.get_by_text("1 value missing").first).to_be_visible()
