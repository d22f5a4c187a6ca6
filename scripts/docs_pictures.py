"""Make the pictures of README and docs anew: ``make pictures``, or name some of them.

Starts the dashboard on a free port and drives it in Chromium, so that every picture shows what a
person would see: ``python -m scripts.docs_pictures tutorial-data linked``.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Final

from PIL import Image
from playwright.sync_api import Browser, FloatRect, Locator, Page, expect, sync_playwright

from scripts.docs_movie import at_rest, film
from scripts.few_colors import reduced
from tests.browser.chromium import launch
from tests.browser.driver import settled
from tests.browser.review_card import ready
from tests.browser.server import Server

ROOT: Final = Path(__file__).resolve().parents[1]
FOLDER: Final = ROOT / "docs" / "pictures"
SAMPLE: Final = ROOT / "sample_data" / "circles_flipped.csv"
READY: Final = '[data-testid="linked-view"][data-ready="true"]'

# Data and settings of each picture in docs/reading.md.
PATTERNS: Final = {
    "pattern-classes": "dataset=circles&n=200&noise=0.08&flip=0&seed=1&order=class",
    "pattern-clusters": "dataset=moons&n=150&noise=0.1&flip=0&seed=4&order=cluster",
    "pattern-imbalance": "dataset=moons&n=200&noise=0.15&imbalance=0.85&flip=0&seed=3&order=class",
    "pattern-flipped": "dataset=moons&n=150&noise=0.12&flip=0.06&seed=5&order=class&flips=1",
    "pattern-large-k": "dataset=circles&n=200&noise=0.08&flip=0&seed=1&order=class&k=40",
}
MOVIE: Final = "dataset=circles&n=160&noise=0.09&flip=0.06&seed=3&order=class"


def save(shot: bytes, name: str, width: int) -> None:
    """Write a screenshot, scaled to ``width`` pixels where it is wider, in few colours."""
    picture = Image.open(BytesIO(shot)).convert("RGB")
    if picture.width > width:
        height = round(picture.height * width / picture.width)
        picture = picture.resize((width, height), Image.Resampling.LANCZOS)
    reduced(picture).save(FOLDER / f"{name}.png", optimize=True)


def wait_for_view(page: Page) -> None:
    """Wait until the linked view is drawn, and nothing runs or moves."""
    page.locator(READY).wait_for()
    settled(page)
    page.mouse.move(2, 600)  # away from what would show a help text
    expect(page.get_by_role("tooltip")).to_have_count(0)
    at_rest(page)


def take_patterns(page: Page, address: str, only: Callable[[str], bool]) -> None:
    """Draw matrix and points of each pattern, small."""
    page.set_viewport_size({"width": 900, "height": 1200})
    for name in filter(only, PATTERNS):
        page.goto(f"{address}/explore?{PATTERNS[name]}")
        wait_for_view(page)
        matrix = box_of(page.get_by_test_id("matrix"))
        points = box_of(page.get_by_test_id("scatter"))
        below = box_of(page.locator(".stiknn-status"))
        left, top = matrix["x"], matrix["y"]
        width, height = points["x"] + points["width"] - left, below["y"] - top
        save(
            page.screenshot(clip={"x": left, "y": top, "width": width, "height": height}), name, 800
        )


def box_of(what: Locator) -> FloatRect:
    """Return where a part of the page lies."""
    box = what.bounding_box()
    if box is None:
        raise RuntimeError(f"{what} is not to be seen.")
    return box


def take_tutorial(page: Page, address: str, only: Callable[[str], bool]) -> None:
    """Walk through the tutorial, and keep what it shows."""
    page.set_viewport_size({"width": 1200, "height": 1000})
    page.goto(f"{address}/data")
    settled(page)
    page.get_by_text("Upload a file").click()
    settled(page)
    page.locator("input[type=file]").set_input_files(SAMPLE)
    page.get_by_text("200 rows, 2 features").wait_for()
    settled(page)
    at_rest(page)
    if only("tutorial-data"):
        save(page.screenshot(), "tutorial-data", 900)
    for name, height, sign in (
        ("Suspects", 1240, "Checked against"),
        ("Review", 800, "Suspect 1 of"),
    ):
        page.locator(".st-key-page-links").get_by_role("link", name=name).click()
        page.set_viewport_size({"width": 1200, "height": height})
        page.get_by_text(sign).wait_for()
        if name == "Review":
            ready(page)
            at_rest(page)
        else:
            wait_for_view(page)
        if only(f"tutorial-{name.lower()}"):
            save(page.screenshot(), f"tutorial-{name.lower()}", 900)


def take_movie(page: Page, address: str, only: Callable[[str], bool]) -> None:
    """Film the linked view of Explore."""
    if only("linked"):
        page.set_viewport_size({"width": 980, "height": 1100})
        page.goto(f"{address}/explore?{MOVIE}")
        wait_for_view(page)
        film(page, FOLDER / "linked.gif")


def take(browser: Browser, address: str, only: Callable[[str], bool]) -> None:
    """Take all pictures that are wanted, each walk in a visit of its own."""
    for walk in (take_tutorial, take_patterns, take_movie):
        context = browser.new_context(color_scheme="light", locale="en-GB")
        page = context.new_page()
        page.set_default_timeout(60_000)
        walk(page, address, only)
        context.close()


def main() -> None:
    """Take the pictures named on the command line, or all."""
    wanted = set(sys.argv[1:])
    FOLDER.mkdir(parents=True, exist_ok=True)
    expect.set_options(timeout=60_000)  # the first page also waits for the compiler
    with tempfile.TemporaryDirectory(prefix="stiknn-pictures-") as home:
        os.environ["STIKNN_HOME"] = home
        server = Server("app.py", Path(home, "log.txt"))
        try:
            server.wait()
            with sync_playwright() as playwright:
                browser = launch(playwright)
                take(browser, server.url, lambda name: not wanted or name in wanted)
                browser.close()
        finally:
            server.stop()
    for path in sorted(FOLDER.iterdir()):
        print(f"{path.relative_to(ROOT)}: {path.stat().st_size / 1000:,.0f} kB")


if __name__ == "__main__":
    main()
