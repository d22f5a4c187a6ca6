"""Drive the linked view as a person does: by places in the plots, with mouse and keys."""

import json
import re
from contextlib import suppress
from typing import Any

import numpy as np
from playwright.sync_api import Locator, Page, expect
from playwright.sync_api import TimeoutError as TooLate

from stiknn_core.types import FloatArray

VIEW = '[data-testid="linked-view"][data-ready="true"]'
TRIES = 10
# What asks before it computes, where that is expected to take long on this machine.
ASKS = re.compile("^(Compute|Rank all rows)$")


def settled(page: Page) -> None:
    """Wait until no script runs and the browser has loaded the code of all that was drawn.

    A run that is only about to start is not seen.
    """
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0)
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")


def painted(page: Page) -> Locator:
    """Wait until the linked view is painted, and return it; on a slow machine ask for it."""
    view, ask = page.locator(VIEW), page.get_by_role("button", name=ASKS)
    for _ in range(TRIES):
        expect(view.or_(ask).first).to_be_visible()
        if view.is_visible():
            return view
        with suppress(TooLate):  # it is gone: it had been asked for
            ask.first.click(timeout=3_000)
    view.wait_for()
    return view


def begun(page: Page) -> None:
    """Wait until something is computed, and ask for it where it is expected to take long."""
    stop = page.get_by_role("button", name="Stop", exact=True)
    ask = page.get_by_role("button", name=ASKS)
    expect(stop.or_(ask).first).to_be_visible()
    if not stop.is_visible():
        ask.click()
    expect(stop).to_be_visible()


def choose(page: Page, label: str, option: str) -> None:
    """Take an option, by how it begins; the box is opened again where a run closed it.

    The run that this starts may be seen by nobody: wait for what it changes.
    """
    wanted = page.get_by_role("option", name=re.compile(f"^{re.escape(option)}"))
    for left in reversed(range(TRIES)):
        settled(page)
        if not wanted.is_visible():
            page.get_by_role("combobox", name=label).click()
        try:
            wanted.click(timeout=3_000)
            break
        except TooLate:
            if not left:
                raise
    settled(page)


def open_settings(page: Page) -> None:
    """Open the drawer of settings that have no place in the row of controls."""
    settled(page)
    page.get_by_role("button", name="Settings").click()


class View:
    """The view on a page, addressed in places of the order and data coordinates."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.root = page.get_by_test_id("linked-view")

    def spot(self, plot: str, x: float, y: float) -> tuple[float, float]:
        """Pixels of a place in a plot, by the axes that Plotly was told to draw."""
        graph = self.page.get_by_test_id(plot)
        box = graph.bounding_box()
        layout = graph.evaluate("graph => graph.layout")
        margin, (left, right) = layout["margin"], layout["xaxis"]["range"]
        bottom, top = layout["yaxis"]["range"]
        width = layout["width"] - margin["l"] - margin["r"]
        height = layout["height"] - margin["t"] - margin["b"]
        across, down = (x - left) / (right - left), (top - y) / (top - bottom)
        return box["x"] + margin["l"] + across * width, box["y"] + margin["t"] + down * height

    def click_cell(self, row: float, col: float, **options: Any) -> None:
        self.page.mouse.click(*self.spot("matrix", col + 0.5, row + 0.5), **options)

    def drag(self, path: list[tuple[float, float]]) -> None:
        self.page.mouse.move(*path[0])
        self.page.mouse.down()
        for point in path[1:]:
            self.page.mouse.move(*point, steps=4)
        self.page.mouse.up()

    def points(self) -> FloatArray:
        """(n, 2) coordinates of all points as they are drawn."""
        x, y = self.root.evaluate(
            "({ stiknnView: { content: { dots } } }) => [Array.from(dots.x), Array.from(dots.y)]"
        )
        return np.column_stack([x, y]).astype(float)

    def range(self, plot: str = "matrix") -> list[float]:
        ends = self.page.get_by_test_id(plot).evaluate("graph => graph.layout.xaxis.range")
        return [float(end) for end in ends]

    def expect_range(self, low: float, high: float, *, within: float = 1e-6) -> None:
        """Wait until the matrix shows these places; zooming is animated."""
        self.page.wait_for_function(
            """([low, high, within]) => {
                const graph = document.querySelector('[data-testid="matrix"]');
                const [left, right] = graph.layout.xaxis.range;
                return Math.abs(left - low) <= within && Math.abs(right - high) <= within;
            }""",
            arg=[low, high, within],
        )

    def expect_width(self, width: float, plot: str = "matrix", *, within: float = 1e-6) -> None:
        """Wait until a plot shows so much of its horizontal axis."""
        self.page.wait_for_function(
            """([plot, width, within]) => {
                const [low, high] = document.querySelector(plot).layout.xaxis.range;
                return Math.abs(high - low - width) <= within;
            }""",
            arg=[f'[data-testid="{plot}"]', width, within],
        )

    def expect_lit(self, rows: int, cols: int, origin: str) -> None:
        expect(self.root).to_have_attribute("data-selection", origin)
        expect(self.root).to_have_attribute("data-selected-rows", str(rows))
        expect(self.root).to_have_attribute("data-selected-cols", str(cols))

    def in_python(self, **expected: Any) -> dict[str, Any]:
        """What Python holds, once it holds the expected parts."""
        parts = [re.escape(json.dumps({key: value})[1:-1]) for key, value in expected.items()]
        pattern = re.compile("".join(f"(?=.*{part})" for part in parts))
        line = self.page.get_by_text("python: ")
        expect(line).to_have_text(pattern)
        found: dict[str, Any] = json.loads(line.inner_text().removeprefix("python: "))
        return found
