"""Measure how soon a key of the review paints the next card: `python -m benchmarks.review_keys`.

Needs a browser (`make browser-install`). About a minute.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from statistics import median

from playwright.sync_api import Page, sync_playwright
from playwright.sync_api import TimeoutError as TooLate

from benchmarks.report import Row, format_table, judged, machine
from tests.browser.chromium import launch
from tests.browser.review_card import CARD
from tests.browser.server import Server

SIZES = (300, 4_000)
KEYS = "akxsn" * 8
PAUSE_MS = 100
TARGET_MS = 100.0
LINK = "dataset=circles&n={n}&noise=0.1&flip=0.2&seed=1&k=5&space=features"
# From the key's event, as the browser stamped it, to the frame after another card was painted.
WATCHER = """
window.keys = [];
window.addEventListener("keydown", ({ timeStamp }) => {
  const card = document.querySelector('[data-testid="review"]');
  const before = card?.dataset.point;
  const look = () => {
    if (card.dataset.point === before) return requestAnimationFrame(look);
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => window.keys.push(performance.now() - timeStamp);
    port2.postMessage(null);
  };
  if (card) requestAnimationFrame(look);
}, { capture: true });
"""


def open_review(page: Page, url: str, n: int) -> None:
    """Open the review of so many points, and compute it if the page asks first."""
    page.goto(f"{url}/review?{LINK.format(n=n)}")
    button = page.get_by_role("button", name="Compute", exact=True)
    page.locator(CARD).or_(button).first.wait_for()
    if button.is_visible():
        button.click()
    page.locator(CARD).wait_for()


def key_row(page: Page, url: str, n: int) -> Row:
    """Return the row of keys pressed ten times a second, most of which decide."""
    open_review(page, url, n)
    for key in KEYS:
        page.keyboard.press(key)
        page.wait_for_timeout(PAUSE_MS)
    page.wait_for_function("count => window.keys.length === count", arg=len(KEYS))
    times = [float(time) for time in page.evaluate("window.keys")]
    try:
        saved = page.locator(f'{CARD}[data-waiting="0"]')
        saved.wait_for(timeout=10_000)
        told = "all heard by the server"
    except TooLate:
        told = "NOT all heard by the server after 10 s"
    return Row(
        f"key to next card painted, n = {n:,}, median of {len(KEYS)} at ten a second",
        f"{median(times):.0f} ms",
        f"worst {max(times):.0f} ms; {told}",
        "",
        *judged(median(times), ("<", TARGET_MS), " ms"),
    )


def main() -> None:
    """Print machine, versions and the table."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        os.environ["STIKNN_HOME"] = folder
        server = Server("app.py", Path(folder) / "streamlit.log")
        try:
            server.wait()
            browser = launch(playwright)
            rows = []
            for n in SIZES:
                context = browser.new_context(viewport={"width": 1280, "height": 720})
                context.add_init_script(WATCHER)
                page = context.new_page()
                page.set_default_timeout(180_000)
                rows.append(key_row(page, server.url, n))
                context.close()
            version = browser.version
            browser.close()
        finally:
            server.stop()
    print(f"{machine()}, Chromium {version}\n")
    print(format_table(rows))


if __name__ == "__main__":
    main()
