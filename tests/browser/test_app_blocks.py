"""Data too large for their matrix: blocks that open down to single pairs, in the browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.driver import View, settled


def test_blocks_open_down_to_single_pairs_and_close_again(
    open_app: Callable[..., str], page: Page, wait_for_view: Callable[..., Any]
) -> None:
    base = open_app("app.py")
    page.goto(f"{base}/explore?dataset=blobs&n=4300&classes=3&eval=hold-out&share=0.02")
    root = wait_for_view()
    expect(root).to_have_attribute("data-kind", "blocks")
    expect(root).to_have_attribute("data-units", "256")
    expect(root).to_have_attribute("data-dots", "4214")
    view = View(page)
    settled(page)
    view.click_cell(20, 20)  # the first class with itself
    expect(root).to_have_attribute("data-selection", "block")
    page.get_by_role("button", name="points as single pairs").click()
    expect(root).to_have_attribute("data-kind", "points")
    assert 1_000 < int(root.get_attribute("data-n") or 0) < 2_000
    settled(page)
    view.click_cell(500, 700)
    expect(page.get_by_text("Selection.", exact=True)).to_be_visible()
    page.get_by_role("button", name="All 4,214 points").click()
    expect(root).to_have_attribute("data-kind", "blocks")
    # What was selected here still is, so that one can go back in.
    expect(page.get_by_role("button", name="points as single pairs")).to_be_enabled()


def test_a_suspect_of_very_many_rows_is_found_in_its_block_and_among_its_nearest(
    open_app: Callable[..., str], page: Page, wait_for_view: Callable[..., Any]
) -> None:
    base = open_app("app.py")
    page.goto(f"{base}/suspects?dataset=blobs&n=4300&classes=3&flip=0.1")
    root = wait_for_view()
    expect(root).to_have_attribute("data-kind", "blocks")
    settled(page)
    marks = root.evaluate("root => root.stiknnView.options.marks")
    assert len(marks["xy"]) == sum(marks["units"]) == 430
    table = page.get_by_test_id("stDataFrame").first.bounding_box()
    assert table is not None
    page.mouse.click(table["x"] + 14, table["y"] + 52)  # the box of the first row
    expect(root).to_have_attribute("data-selected-rows", "1")
    expect(root).to_have_attribute("data-selection", "table")
    settled(page)
    page.get_by_role("button", name="among its 500 nearest, as single pairs").click()
    expect(root).to_have_attribute("data-kind", "points")
    expect(root).to_have_attribute("data-n", "500")
    expect(root).to_have_attribute("data-selected-rows", "1")
    settled(page)
    # A click in the picture ticks the row in the table beside it, and lights up its block above.
    View(page).click_cell(3, 3)
    expect(root).to_have_attribute("data-selection", "block")
    settled(page)
    page.get_by_role("button", name="All 4,300 points").click()
    expect(root).to_have_attribute("data-kind", "blocks")
    expect(root).not_to_have_attribute("data-selected-rows", "0")
