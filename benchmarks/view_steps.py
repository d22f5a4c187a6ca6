"""How long the steps of a visit take: from page to page, another k, a decision, an upload."""

from __future__ import annotations

import re
import tempfile
import time
from functools import partial
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, Page
from playwright.sync_api import TimeoutError as TooLate

from benchmarks.report import Row, format_seconds
from benchmarks.view_browser import LINKS, VIEW, fresh_page, timed, times_row, write_table
from tests.browser.driver import settled
from tests.browser.server import Server

LINK = "dataset=circles&noise=0.1&flip=0.1&k=5&index=STII&order=class"
PICTURE = f'{VIEW}[data-painted="true"]'
# What shows that a page is there, in the order of a visit.
PAGES = {
    "Home": f".st-key-home-view-frame {PICTURE}",
    "Data": ".js-plotly-plot .main-svg",
    "Explore": f".st-key-explore-view-frame {PICTURE}",
    "Suspects": f".st-key-explore-view-frame {PICTURE}",
    "Point": f".st-key-point-view-frame {PICTURE}",
    "Compare": ".st-key-compare-view canvas",
    "Learn": ".st-key-learn-board svg, .st-key-learn-board canvas",
}
UPLOAD_ROWS, UPLOAD_COLUMNS = 1500, 30
_CARD = ".st-key-review-card"


def switches(browser: Browser, server: Server, repeat: int) -> list[Row]:
    """Return a row for each page: from a click on its link to it, once all have been seen."""
    seconds: dict[str, list[float]] = {name: [] for name in PAGES}
    ended: dict[str, list[float]] = {name: [] for name in PAGES}
    with fresh_page(browser) as page:
        page.goto(f"{server.url}/explore?n=300&{LINK}")
        page.locator(PICTURE).first.wait_for()
        settled(page)
        for turn in range(repeat + 1):
            for name, mark in PAGES.items():
                began = time.perf_counter()
                shown = timed(page, "pointerup", partial(_go, page, name), _there(name, mark))
                page.wait_for_function("window.stiknnBench.idle()")
                if turn:
                    seconds[name].append(shown)
                    ended[name].append(time.perf_counter() - began)
                time.sleep(0.3)
    return [
        times_row(
            f"link to {name}, second visit",
            seconds[name],
            0.5,
            f"its run ends after {format_seconds(median(ended[name]))}",
        )
        for name in PAGES
    ]


def neighbours(browser: Browser, server: Server, repeat: int) -> list[Row]:
    """Return the rows of k + 1 to the new picture painted."""
    rows = []
    for n, target in ((300, 0.25), (1000, 0.5)):
        seconds = []
        with fresh_page(browser) as page:
            # A seed of its own, so that no result is there already.
            page.goto(f"{server.url}/explore?n={n}&seed={int(time.time())}&{LINK}")
            page.locator(f'{VIEW}[data-ready="true"][data-n="{n}"]').wait_for()
            settled(page)
            box = page.get_by_role("spinbutton", name="k neighbours")
            box.focus()
            for _ in range(repeat + 1):
                page.evaluate("window.heldBefore = stiknnBench.view().stiknnView.content")
                seconds.append(
                    timed(
                        page,
                        "keydown",
                        partial(_press, page, "ArrowUp", "Enter"),
                        "() => stiknnBench.view()?.stiknnView.content !== window.heldBefore",
                    )
                )
                page.locator(f'{VIEW}[data-ready="true"]').wait_for()
                settled(page)
                time.sleep(0.3)
        rows.append(times_row(f"k + 1 to the new picture, n = {n:,}", seconds[1:], target))
    return rows


def decisions(browser: Browser, server: Server, repeat: int) -> list[Row]:
    """Return the rows of one key of Review to the next card, by the name of its suspect."""
    rows = []
    for n in (300, 4000):
        seconds: list[float] = []
        lost = -1  # the first one may come before anything listens to it
        with fresh_page(browser) as page:
            page.goto(f"{server.url}/review?n={n}&seed=1&{LINK}")
            _computed(page)
            page.locator(_CARD).wait_for()
            page.set_default_timeout(5_000)
            while len(seconds) < 2 * repeat + 1:
                settled(page)
                time.sleep(0.3)
                page.evaluate(f"window.named = {_NAME}")
                press = partial(_press, page, "k" if len(seconds) % 2 else "n")
                try:
                    seconds.append(
                        timed(page, "keydown", press, f"() => {_NAME} && {_NAME} !== window.named")
                    )
                except TooLate:
                    lost += 1
        beside = f"{lost} keys were lost" if lost > 0 else ""
        what = f"Review, key to the next card, n = {n:,}"
        rows.append(times_row(what, seconds[1:], 0.1, beside))
    return rows


_NAME = f"document.querySelector('{_CARD} h4, {_CARD} h3, {_CARD} h2')?.textContent"


def uploads(browser: Browser, server: Server, repeat: int) -> list[Row]:
    """Return the row from choosing a file to its picture on Explore, computing included."""
    seconds, clicks = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for turn in range(repeat):
            # Each is another file, so that nothing is there already.
            path = write_table(Path(folder) / f"cells{turn}.csv", UPLOAD_ROWS + turn)
            with fresh_page(browser) as page:
                taken, clicks = _uploaded(page, server, path, UPLOAD_ROWS + turn)
            seconds.append(taken)
    what = f"upload of {UPLOAD_ROWS:,} x {UPLOAD_COLUMNS} to its picture on Explore"
    return [times_row(what, seconds, 4.0, f"{clicks} clicks (2 to reach)")]


def _uploaded(page: Page, server: Server, path: Path, n: int) -> tuple[float, int]:
    """Return seconds from the chosen file on, and clicks from Home on."""
    page.goto(server.url)
    page.locator(PICTURE).first.wait_for()
    settled(page)
    began = time.perf_counter()
    page.get_by_test_id("stFileUploader").locator("input[type=file]").set_input_files(path)
    clicks = 1  # on the button that opens the choice of a file
    picture = page.locator(f'{VIEW}[data-painted="true"][data-n="{n}"]')
    compute = page.get_by_role("button", name=re.compile("^(Compute|Recompute)"))
    while not picture.count():
        if compute.count() and compute.first.is_enabled():
            compute.first.click()
            clicks += 1
            page.wait_for_timeout(300)
        page.wait_for_timeout(20)
    return time.perf_counter() - began, clicks


def _go(page: Page, name: str) -> None:
    page.locator(LINKS).get_by_role("link", name=name).click()


def _press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def _there(name: str, mark: str) -> str:
    path = "/" if name == "Home" else f"/{name.lower()}"
    return f"() => location.pathname === {path!r} && stiknnBench.fresh({mark!r})"


def _computed(page: Page) -> None:
    """Press Compute where nothing is computed unasked, and wait for the card."""
    compute = page.get_by_role("button", name=re.compile("^(Compute|Recompute)"))
    card = page.locator(_CARD)
    while not card.count():
        if compute.count() and compute.first.is_enabled():
            compute.first.click()
            page.wait_for_timeout(500)
        page.wait_for_timeout(50)
