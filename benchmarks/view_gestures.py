"""How long a gesture takes to light up what it selects, and whether it needs the server."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median

from playwright.sync_api import Browser, Page
from playwright.sync_api import TimeoutError as TooLate

from benchmarks.report import Row, judged
from benchmarks.view_browser import MATRIX, READY, VIEW, fresh_page, timed
from tests.browser.driver import settled
from tests.browser.server import Server

N = 1000
EXPLORE = f"/explore?dataset=circles&n={N}&noise=0.1&flip=0.1&seed=1&k=5&index=STII&order=class"
NOTHING = "Nothing is selected."
CHANGED = "() => stiknnBench.selection() !== window.selectedBefore"
TARGET_MS = 100.0
# Places within the matrix, as shares of its width and height; each within one block.
PLACES = [(0.3, 0.3), (0.7, 0.3), (0.3, 0.7), (0.7, 0.7)]

Gesture = Callable[[Page, int], None]


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


def highlights(browser: Browser, server: Server, repeat: int) -> list[Row]:
    """Return the rows of click and drag, from release to paint, and of a frozen server."""
    with fresh_page(browser) as page:
        page.goto(server.url + EXPLORE)
        page.locator(f'{READY}[data-n="{N}"]').wait_for()
        rows = [_row(page, gesture, 3 * repeat) for gesture in (click, drag)]
        alone = _works_without_server(page, server)
    return [*rows, Row("highlight while the server is frozen", str(alone), "", "", "True", alone)]


def _row(page: Page, gesture: Gesture, turns: int) -> Row:
    outside, inside = [], []
    for turn in range(turns):
        _clear(page)
        outside.append(1e3 * _lit(page, gesture, turn))
        inside.append(float(page.locator(VIEW).get_attribute("data-last-paint-ms") or "nan"))
        # Else its work for this one would fall into the next.
        page.get_by_text(NOTHING).wait_for(state="detached")
    return Row(
        f"{gesture.__name__} to highlight painted, n = {N}, median of {turns}",
        f"{median(outside):.0f} ms",
        f"worst {max(outside):.0f} ms; by the view's own clock {median(inside):.0f} ms",
        "",
        *judged(median(outside), ("<", TARGET_MS), " ms"),
    )


def _lit(page: Page, gesture: Gesture, turn: int) -> float:
    page.evaluate("window.selectedBefore = stiknnBench.selection()")
    return timed(page, "pointerup", lambda: gesture(page, turn), CHANGED)


def _works_without_server(page: Page, server: Server) -> bool:
    """Tell whether a click lights up its points while the server is frozen."""
    _clear(page)
    server.pause()
    page.set_default_timeout(2_000)
    try:
        _lit(page, click, 0)
        return True
    except TooLate:
        return False
    finally:
        server.resume()


def _clear(page: Page) -> None:
    """Clear the selection, and wait until the server has heard of it."""
    page.locator(MATRIX).locator("..").focus()
    page.keyboard.press("Escape")
    page.wait_for_function(
        f"""() => document.querySelector('{VIEW}').dataset.selectedRows === "0" """
    )
    page.get_by_text(NOTHING).wait_for()
    settled(page)


def _point(page: Page, across: float, down: float) -> tuple[float, float]:
    box = page.locator(MATRIX).bounding_box()
    if box is None:
        raise RuntimeError("The matrix is not on the page.")
    return box["x"] + across * box["width"], box["y"] + down * box["height"]
