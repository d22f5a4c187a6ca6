"""Addresses and markup in a file are text on every page: nothing of it can be clicked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.driver import settled
from tests.browser.review_card import ready
from tests.ui.test_text_is_text import NAME, table

# Links that lead elsewhere, and elements that only Markdown or HTML of the file can have made.
MADE = """() => [...document.querySelectorAll("a[href], strong, em, code, del, .katex")]
    .filter((one) => one.tagName === "A"
        ? new URL(one.href).origin !== location.origin || one.getAttribute("href").includes("evil")
        : /evil|bold|[$]/.test(one.textContent) || one.className.includes("katex"))
    .map((one) => one.outerHTML.slice(0, 200))"""


@pytest.fixture
def context_options() -> dict[str, Any]:
    return {"viewport": {"width": 1280, "height": 1600}}


def look(page: Page, opened: list[Page]) -> None:
    settled(page)
    assert page.evaluate(MADE) == []
    for grid in page.get_by_test_id("stDataFrame").all():
        box = grid.bounding_box() if grid.is_visible() else None
        if box is None:
            continue
        for across in range(30, int(min(box["width"], 900)), 110):
            page.mouse.click(box["x"] + across, box["y"] + 52)
        page.mouse.dblclick(box["x"] + 60, box["y"] + 52)
        assert page.evaluate(MADE) == []
        page.keyboard.press("Escape")
        settled(page)
    assert not opened


def test_nothing_in_a_file_is_a_link(page: Page, open_app: Callable[..., str]) -> None:
    opened: list[Page] = []
    page.on("popup", lambda other: opened.append(other))
    page.goto(f"{open_app('app.py')}/data")
    page.get_by_role("radio", name="Upload a file").or_(
        page.get_by_role("button", name="Upload a file")
    ).first.click()
    page.get_by_test_id("stFileUploader").locator("input[type=file]").set_input_files(
        {"name": NAME, "mimeType": "text/csv", "buffer": table()}
    )
    expect(page.get_by_text("45 rows, 3 feat").first).to_be_visible()
    look(page, opened)
    links = page.locator(".st-key-page-links")
    for name, there in (
        ("Explore", '[data-testid="linked-view"][data-ready="true"]'),
        ("Point", ".st-key-point-head"),
        ("Suspects", '[data-testid="stDataFrame"]'),
        ("Compare", "text=Agreement (CSV)"),
        ("Review", '[data-testid="review"][data-ready="true"]'),
    ):
        links.get_by_role("link", name=name).click()
        expect(page.locator(there).first).to_be_visible()
        if name == "Explore":
            page.get_by_test_id("matrix").click(position={"x": 150, "y": 150})
            expect(page.get_by_text("On average").first).to_be_visible()
        if name == "Review":
            ready(page)
            page.keyboard.press("a")
            page.get_by_text("Changes, effect, and where this review is kept").click()
            expect(page.get_by_role("tab", name="Changes")).to_be_visible()
        look(page, opened)
