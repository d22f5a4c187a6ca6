"""Texts of rows in the browser: under the mouse, by keys, and on a card of the review."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.driver import painted, settled
from tests.browser.review_card import CARD, ready
from tests.ui.row_contents import LONG, MARKUP, messages

PLACE = """dot => {
    const { scatter, content } = document.querySelector('[data-testid="linked-view"]').stiknnView;
    const box = scatter.parts.plot.getBoundingClientRect();
    return [box.left + scatter.frame.x(content.dots.x[dot]),
            box.top + scatter.frame.y(content.dots.y[dot])];
}"""


@pytest.fixture
def uploaded(page: Page, open_app: Callable[..., str]) -> Page:
    page.goto(f"{open_app('app.py')}/data?space=features")
    page.get_by_role("radio", name="Upload a file").or_(
        page.get_by_role("button", name="Upload a file")
    ).first.click()
    page.get_by_test_id("stFileUploader").locator("input[type=file]").set_input_files(
        {"name": "messages.csv", "mimeType": "text/csv", "buffer": messages()}
    )
    expect(page.get_by_text("40 rows, 2 feat").first).to_be_visible()
    return page


def open_page(page: Page, name: str) -> None:
    page.locator(".st-key-page-links").get_by_role("link", name=name).click()


def look_at(page: Page, name: str) -> None:
    """Go through the queue to a point."""
    card = page.locator(CARD)
    for _ in range(40):
        if card.get_attribute("data-point") == name:
            break
        page.keyboard.press("n")
    expect(card).to_have_attribute("data-point", name)
    page.locator(f'{CARD}[data-fetched="true"]').wait_for()


def test_the_mouse_and_the_keys_show_the_text_of_a_point(uploaded: Page) -> None:
    page = uploaded
    open_page(page, "Explore")
    painted(page)
    settled(page)
    x, y = page.evaluate(PLACE, 2)
    page.mouse.move(x - 2, y - 2)
    page.mouse.move(x, y)
    tip = page.locator(".stiknn-tip")
    expect(tip.locator(".stiknn-tip-head")).to_contain_text("2 (spam)")
    expect(tip.locator(".stiknn-tip-text")).to_have_text(MARKUP)
    assert tip.locator("b, a, strong").count() == 0
    plot = page.locator(".stiknn-panel-scatter .stiknn-plot")
    plot.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".stiknn-status .stiknn-tip-text")).to_have_text(
        page.locator(".stiknn-view > .stiknn-hidden[aria-live]").inner_text().split(": ", 2)[-1]
    )
    matrix = page.locator(".stiknn-panel-matrix .stiknn-plot")
    box = matrix.bounding_box()
    assert box is not None
    page.keyboard.down("Alt")  # a single pair
    page.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + 0.4 * box["height"])
    page.mouse.move(box["x"] + 0.62 * box["width"], box["y"] + 0.4 * box["height"])
    expect(tip.locator(".stiknn-tip-text")).to_have_count(2)
    page.keyboard.up("Alt")


def test_a_card_shows_texts_as_text_with_the_shared_words_marked(uploaded: Page) -> None:
    page = uploaded
    open_page(page, "Review")
    ready(page)
    look_at(page, "2")
    own = page.locator(".stiknn-review-own .stiknn-review-text")
    expect(own).to_have_text(MARKUP)
    assert own.locator("b, a, strong").count() == 0, "<b> in a text stays text"
    found = {word.lower() for word in own.locator("mark").all_inner_texts()}
    assert found == {"free", "money", "prize"}, "words that none of its nearest has are not marked"
    beside = page.locator(".stiknn-review-beside li")
    expect(beside).to_have_count(6)
    marks = page.locator(".stiknn-review-beside mark").all_inner_texts()
    assert {word.lower() for word in marks} == {"free", "money", "prize"}
    assert "your" not in " ".join(marks), "it stands in any text"


def test_a_long_text_is_read_to_its_end_when_asked_for(uploaded: Page) -> None:
    page = uploaded
    open_page(page, "Review")
    ready(page)
    look_at(page, "3")
    own = page.locator(".stiknn-review-own .stiknn-review-text")
    whole = LONG.strip()
    assert len(own.inner_text()) < 2_100
    page.get_by_role("button", name=f"Show all {len(whole):,} letters").click()
    expect(own).to_have_text(whole)
    assert page.get_by_role("button", name="Show all").count() == 0


def test_the_picture_of_a_point_comes_when_the_mouse_does(
    page: Page, open_app: Callable[..., str]
) -> None:
    page.goto(f"{open_app('app.py')}/explore?dataset=digits&sample=100")
    painted(page)
    settled(page)
    for dot in (3, 60):
        x, y = page.evaluate(PLACE, dot)
        page.mouse.move(x - 2, y - 2)
        page.mouse.move(x, y)
        drawn = page.locator(".stiknn-tip img")
        expect(drawn).to_have_count(1)
        page.wait_for_function(
            "() => document.querySelector('.stiknn-tip img')?.naturalWidth === 8"
        )
    page.locator(".stiknn-panel-scatter .stiknn-plot").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".stiknn-status img")).to_have_count(1)
