"""Measure the linked view in Chromium and print one table: `python -m benchmarks.view`.

Needs a browser (`make browser-install`). About a minute.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, Page, sync_playwright
from playwright.sync_api import TimeoutError as TooLate

from benchmarks.report import Row, format_seconds, format_table, judged, machine
from tests.browser.chromium import launch
from tests.browser.driver import settled
from tests.browser.server import Server

N = 1000
EXPLORE = f"/explore?dataset=circles&n={N}&noise=0.1&flip=0.1&seed=1&k=5&index=STII&order=class"
VISITS = 5
GESTURES = 15
PICTURE_TARGET_S = 3.0
HIGHLIGHT_TARGET_MS = 100.0

VIEW = '[data-testid="linked-view"]'
READY = f'{VIEW}[data-ready="true"]'
MATRIX = '[data-testid="matrix"]'
NOTHING = "Nothing is selected."
LIT_SINCE = "seen => window.stiknnBench.highlights.length > seen"
WATCHER = Path(__file__).with_name("view.js")
# Places within the matrix, as shares of its width and height; each within one block.
PLACES = [(0.3, 0.3), (0.7, 0.3), (0.3, 0.7), (0.7, 0.7)]

Gesture = Callable[[Page, int], None]


@contextmanager
def fresh_page(browser: Browser) -> Iterator[Page]:
    """Give a page with an empty cache that watches itself."""
    context = browser.new_context(viewport={"width": 1280, "height": 1000})
    context.add_init_script(path=WATCHER)
    page = context.new_page()
    page.set_default_timeout(120_000)
    yield page
    context.close()


def picture_row(browser: Browser, url: str, what: str) -> Row:
    """Return the row for opening a page: to the first picture, and to the last axis label.

    The first visit warms the server and does not count.
    """
    visits = []
    for _ in range(VISITS + 1):
        with fresh_page(browser) as page:
            page.goto(url)
            page.wait_for_function("window.stiknnBench.complete !== null")
            visits.append(page.evaluate("window.stiknnBench"))
    first, complete = (
        [visit[mark] / 1e3 for visit in visits[1:]] for mark in ("firstPicture", "complete")
    )
    return Row(
        f"first picture of {what}, warm server, empty browser cache",
        format_seconds(median(first)),
        f"worst {format_seconds(max(first))}; with all axes {format_seconds(median(complete))}",
        "",
        *judged(median(first), ("<", PICTURE_TARGET_S), " s"),
    )


def click(page: Page, turn: int) -> None:
    """Click in the middle of a block."""
    page.mouse.click(*_point(page, *PLACES[turn % len(PLACES)]))


def drag(page: Page, turn: int) -> None:
    """Drag a rectangle of a tenth to two tenths of the width."""
    across, down = PLACES[turn % len(PLACES)]
    page.mouse.move(*_point(page, across, down))
    page.mouse.down()
    page.mouse.move(*_point(page, across + 0.05, down + 0.05), steps=4)
    page.mouse.move(*_point(page, across + 0.1 + 0.01 * (turn % 10), down + 0.1), steps=4)
    page.mouse.up()


def _point(page: Page, across: float, down: float) -> tuple[float, float]:
    box = page.locator(MATRIX).bounding_box()
    if box is None:
        raise RuntimeError("The matrix is not on the page.")
    return box["x"] + across * box["width"], box["y"] + down * box["height"]


def _clear(page: Page) -> None:
    """Clear the selection, and wait until the server has heard of it."""
    page.locator(MATRIX).locator("..").focus()
    page.keyboard.press("Escape")
    page.wait_for_function(
        f"""() => document.querySelector('{VIEW}').dataset.selectedRows === "0" """
    )
    page.get_by_text(NOTHING).wait_for()
    settled(page)


def works_without_server(page: Page, server: Server) -> bool:
    """Tell whether a click lights up its points while the server is frozen."""
    _clear(page)
    server.pause()
    try:
        seen = _highlights(page)
        click(page, 0)
        page.wait_for_function(LIT_SINCE, arg=seen, timeout=2_000)
        return True
    except TooLate:
        return False
    finally:
        server.resume()


def highlight_row(page: Page, gesture: Gesture) -> Row:
    """Return the row for one kind of gesture: from release to paint, as watched from outside."""
    outside, inside = [], []
    for turn in range(GESTURES):
        _clear(page)
        seen = _highlights(page)
        gesture(page, turn)
        page.wait_for_function(LIT_SINCE, arg=seen)
        outside.append(page.evaluate("window.stiknnBench.highlights.at(-1)"))
        inside.append(float(page.locator(VIEW).get_attribute("data-last-paint-ms") or "nan"))
        # Else its work for this one would fall into the next.
        page.get_by_text(NOTHING).wait_for(state="detached")
    return Row(
        f"{gesture.__name__} to highlight painted, n = {N}, median of {GESTURES}",
        f"{median(outside):.0f} ms",
        f"worst {max(outside):.0f} ms; by the view's own clock {median(inside):.0f} ms",
        "",
        *judged(median(outside), ("<", HIGHLIGHT_TARGET_MS), " ms"),
    )


def _highlights(page: Page) -> int:
    return int(page.evaluate("window.stiknnBench.highlights.length"))


def measure(server: Server) -> tuple[str, list[Row]]:
    """Return the browser's version and all rows."""
    with sync_playwright() as playwright:
        browser = launch(playwright)
        rows = [
            picture_row(browser, server.url, "Home"),
            picture_row(browser, f"{server.url}/explore", "Explore"),
        ]
        with fresh_page(browser) as page:
            page.goto(server.url + EXPLORE)
            page.locator(f'{READY}[data-n="{N}"]').wait_for()
            rows += [highlight_row(page, gesture) for gesture in (click, drag)]
            alone = works_without_server(page, server)
        rows.append(Row("highlight while the server is frozen", str(alone), "", "", "True", alone))
        version = browser.version
        browser.close()
    return version, rows


def main() -> None:
    """Print machine, versions and the table."""
    with tempfile.TemporaryDirectory() as folder:
        server = Server("app.py", Path(folder) / "streamlit.log")
        try:
            server.wait()
            version, rows = measure(server)
        finally:
            server.stop()
    print(f"{machine()}, Chromium {version}\n")
    print(format_table(rows))


if __name__ == "__main__":
    main()
