"""How long a first picture takes: on a warm server, on one just started, on a slow network."""

from __future__ import annotations

import time
from collections import Counter
from statistics import median
from typing import Any

from playwright.sync_api import Browser, Page

from benchmarks.report import Row, format_seconds, judged
from benchmarks.view_browser import fresh_page, opened, running, times_row
from tests.browser.server import Server

PAGES = {"Home": "", "Explore": "/explore"}
MOST_BYTES = 2e6
LATENCY_MS, BYTES_A_SECOND = 400, 50_000
# Chromium's names of what is loaded, and ours.
KINDS = {"Document": "document", "Script": "js", "Stylesheet": "css", "Font": "font"}


def pictures(browser: Browser, server: Server, repeat: int) -> list[Row]:
    """Return the rows of opening Home and Explore; the first visits warm the server."""
    rows = []
    for name, path in PAGES.items():
        visits = []
        for _ in range(repeat + 1):
            with fresh_page(browser) as page:
                visits.append(opened(page, server.url + path))
        first, complete = zip(*visits[1:], strict=True)
        what = f"{name}, navigation to"
        rows.append(times_row(f"{what} matrix and points, warm server", first, 1.5))
        rows.append(times_row(f"{what} axes, warm server", complete, 2.0))
    return rows


def starts(browser: Browser, repeat: int) -> list[Row]:
    """Return the rows of the first visit to a server: at once when it answers, and later."""
    rows = []
    for pause, when in ((0.0, "at once"), (10.0, "10 s after")):
        seconds, answered = [], []
        for _ in range(repeat):
            began = time.perf_counter()
            with running() as server, fresh_page(browser) as page:
                server.wait()
                answered.append(time.perf_counter() - began)
                time.sleep(pause)
                seconds.append(opened(page, server.url)[0])
        beside = f"it answers {format_seconds(median(answered))} after its start"
        rows.append(times_row(f"first visit to a just started server, {when}", seconds, 4, beside))
    return rows


def slow(browser: Browser, server: Server, repeat: int) -> list[Row]:
    """Return the rows of a first visit to Explore through a slow network, and its bytes."""
    first, complete, sums = [], [], Counter[str]()
    for turn in range(min(repeat, 2) + 1):
        with fresh_page(browser, patience=300_000) as page:
            sums = _counted(page, slowly=turn > 0)
            times = opened(page, f"{server.url}/explore")
            page.wait_for_load_state("networkidle")
        if turn:
            first.append(times[0])
            complete.append(times[1])
    network = f"{LATENCY_MS} ms, {BYTES_A_SECOND // 1000} kB/s"
    beside = f"axes {format_seconds(median(complete))}"
    kinds = ", ".join(f"{kind} {count / 1e6:.2f}" for kind, count in sums.most_common())
    total = sum(sums.values())
    return [
        times_row(f"Explore, first visit, {network}", first, MOST_BYTES / BYTES_A_SECOND, beside),
        Row(
            "Explore, bytes of the first visit",
            f"{total / 1e6:.2f} MB",
            f"{kinds} MB",
            "",
            *judged(total / 1e6, ("<", MOST_BYTES / 1e6), " MB"),
        ),
    ]


def _counted(page: Page, slowly: bool) -> Counter[str]:
    """Return what will hold the bytes that come to a page, as they travel, by their kind."""
    sums: Counter[str] = Counter()
    kinds: dict[str, str] = {}
    devtools = page.context.new_cdp_session(page)
    devtools.send("Network.enable")
    if slowly:
        pace = {"downloadThroughput": BYTES_A_SECOND, "uploadThroughput": BYTES_A_SECOND}
        devtools.send(
            "Network.emulateNetworkConditions", {"offline": False, "latency": LATENCY_MS, **pace}
        )

    def answered(event: dict[str, Any]) -> None:
        kinds[event["requestId"]] = KINDS.get(event["type"], "other")

    def finished(event: dict[str, Any]) -> None:
        sums[kinds.get(event["requestId"], "other")] += int(event["encodedDataLength"])

    def framed(event: dict[str, Any]) -> None:
        sums["websocket"] += len(event["response"]["payloadData"]) * 3 // 4  # it is base64

    devtools.on("Network.responseReceived", answered)
    devtools.on("Network.loadingFinished", finished)
    devtools.on("Network.webSocketFrameReceived", framed)
    return sums
