"""Drive the card of the Review page as a person does, and look at what it shows."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

CARD = '[data-testid="review"][data-ready="true"]'
TITLE = ".stiknn-review-title"
HEADING = re.compile(r"^(?P<name>.+): given (?P<given>.+), suggested (?P<suggested>.+)$")


def ready(page: Page) -> None:
    """Wait until the card is there."""
    page.locator(CARD).wait_for()


def saved(page: Page) -> None:
    """Wait until the server has heard of everything."""
    expect(page.locator(CARD)).to_have_attribute("data-waiting", "0")


def in_view(page: Page) -> dict[str, str]:
    """Return what the heading of the card says."""
    text = page.locator(TITLE).inner_text()
    found = HEADING.match(" ".join(text.split()))
    assert found, text
    return found.groupdict()


def press(page: Page, key: str) -> None:
    """Press a key and wait until another point is in view."""
    before = page.locator(TITLE).inner_text()
    page.keyboard.press(key)
    expect(page.locator(TITLE)).not_to_have_text(before)


def count(page: Page, decided: int, skipped: int = 0) -> None:
    """Wait until so many flagged points are decided, and so many skipped."""
    more = f", {skipped} skipped" if skipped else ""
    told = re.compile(rf"^{decided:,} of [\d,]+ flagged decided{more}$")
    expect(page.locator(".stiknn-review-progress")).to_have_text(told)
