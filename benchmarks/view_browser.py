"""What all measurements of the pages share: a fresh page, a clock in it, and rows of times."""

from __future__ import annotations

import csv
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from playwright.sync_api import Browser, Page

from benchmarks.report import Row, format_seconds, judged
from tests.browser.server import Server

VIEW = '[data-testid="linked-view"]'
READY = f'{VIEW}[data-ready="true"]'
MATRIX = '[data-testid="matrix"]'
LINKS = ".st-key-page-links"
WATCHER = Path(__file__).with_name("view.js")
PATIENCE_MS = 60_000


@contextmanager
def running() -> Iterator[Server]:
    """Start the dashboard, answering or not yet, and stop it afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        server = Server("app.py", Path(folder) / "streamlit.log")
        try:
            yield server
        finally:
            server.stop()


@contextmanager
def fresh_page(browser: Browser, patience: float = PATIENCE_MS) -> Iterator[Page]:
    """Give a page with an empty cache that watches itself, and waits so many milliseconds."""
    context = browser.new_context(viewport={"width": 1280, "height": 1000})
    context.add_init_script(path=WATCHER)
    page = context.new_page()
    page.set_default_timeout(patience)
    yield page
    context.close()


def timed(page: Page, event: str, act: Callable[[], object], test: str) -> float:
    """Return the seconds from an event in the page to the frame in which a test holds.

    Parameters
    ----------
    page : Page
    event : str
        The kind of event that begins: "pointerup", "keydown", "change".
    act : callable
        Makes that event happen.
    test : str
        JavaScript that gives a function; it is called until it returns something true.
    """
    page.evaluate(f"event => window.stiknnBench.measure(event, {test})", event)
    act()
    page.wait_for_function("window.stiknnBench.took !== null")
    return float(page.evaluate("window.stiknnBench.took")) / 1e3


def opened(page: Page, url: str) -> tuple[float, float]:
    """Open an address; return the seconds to matrix and points, and to the last axis label."""
    page.goto(url)
    page.wait_for_function("window.stiknnBench.complete !== null")
    found: dict[str, Any] = page.evaluate("window.stiknnBench")
    return found["firstPicture"] / 1e3, found["complete"] / 1e3


def times_row(what: str, seconds: Sequence[float], target: float, beside: str = "") -> Row:
    """Return the row of some times: median, worst, and whether the median is short enough."""
    worst = f"worst {format_seconds(max(seconds))} of {len(seconds)}"
    return Row(
        what,
        format_seconds(median(seconds)),
        f"{worst}; {beside}" if beside else worst,
        "",
        *judged(median(seconds), ("<", target), " s"),
    )


def write_table(path: Path, n: int = 1500, n_features: int = 30) -> Path:
    """Write a table with two classes of measurements, a few labels wrong, and return its path."""
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, size=n)
    X = rng.normal(size=(n, n_features)) + 1.2 * y[:, None] * (np.arange(n_features) < 6)
    labels = np.where(rng.random(n) < 0.05, 1 - y, y)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow([*(f"m{column}" for column in range(n_features)), "diagnosis"])
        for row, label in zip(np.round(X, 4).tolist(), labels.tolist(), strict=True):
            writer.writerow([*row, "ill" if label else "well"])
    return path
