"""Classes with long names that begin alike, on a phone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.driver import settled

BEGIN = "Cardiovascular disease with secondary complications, stage"
ROWS = [f'{n % 12 + n / 99:.3f},{n % 5},"{BEGIN} {n % 12 + 1}"' for n in range(96)]
FILE = {
    "name": "stages.csv",
    "mimeType": "text/csv",
    "buffer": "\n".join(["width,height,diagnosis", *ROWS]).encode(),
}


@pytest.fixture
def context_options() -> dict[str, Any]:
    return {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def test_names_keep_their_ends_and_nothing_scrolls_sideways(
    page: Page, open_app: Callable[..., str], wait_for_view: Callable[..., Locator]
) -> None:
    page.goto(open_app("app.py"))
    page.locator("input[type=file]").first.set_input_files(FILE)
    page.wait_for_url("**/explore*")
    wait_for_view()
    keys = page.locator(".stiknn-class")
    expect(keys.first).to_have_text(f"{BEGIN} 1")
    outer, end = keys.first.bounding_box(), keys.first.locator("span span").last.bounding_box()
    assert outer
    assert end
    assert end["x"] + end["width"] <= outer["x"] + outer["width"], "the end of a name is cut off"
    expect(page.locator(".stiknn-status")).to_contain_text("Tap a block")

    page.locator(".st-key-page-links").get_by_role("link", name="Review").click()
    expect(page.get_by_label("Its class is")).to_be_visible()
    settled(page)
    main = page.get_by_test_id("stMain")
    assert main.evaluate("main => main.scrollWidth - main.clientWidth") == 0


def test_the_row_of_pages_begins_at_the_page_s_own_link(
    page: Page, open_app: Callable[..., str]
) -> None:
    address = open_app("app.py")
    for slug in ("learn", "suspects", "data"):
        page.goto(f"{address}/{slug}")
        link = page.locator(".st-key-page-links").get_by_role("link", name=slug.capitalize())
        expect(link).to_be_in_viewport(ratio=0.75)
        settled(page)
        assert page.get_by_test_id("stMain").evaluate("main => main.scrollTop") == 0
