"""One point looked at closely, in a real browser: from Explore, by a click, by the list."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.driver import View, settled

LINK = "dataset=circles&n=100&noise=0.1&flip=0&seed=1&k=7&index=STII&space=features&order=class"


def test_a_point_is_opened_from_explore_and_followed_by_a_click(
    page: Page, open_app: Callable[..., str], wait_for_view: Callable[..., Any]
) -> None:
    page.goto(f"{open_app('app.py')}/explore?{LINK}")
    wait_for_view()
    settled(page)
    view = View(page)
    at = view.points()
    page.mouse.click(*view.spot("scatter", *at[17]))
    page.get_by_role("button", name="Look closely at 17").click()
    expect(page.get_by_role("heading", name="17: given")).to_be_visible()
    settled(page)
    # A page that code switches to keeps what the controls say.
    expect(page.get_by_role("spinbutton", name="k neighbours")).to_have_value("7")
    expect(page.locator(".st-key-point-split .js-plotly-plot")).to_be_visible()

    wait_for_view()
    view = View(page)
    page.get_by_test_id("scatter").scroll_into_view_if_needed()
    page.mouse.click(*view.spot("scatter", *at[40]))
    expect(page.get_by_role("heading", name="40: given")).to_be_visible()
    settled(page)
    expect(page.get_by_role("combobox", name="Point", exact=True)).to_have_value("40 · 0")
    page.wait_for_url("**/point?*point=40*")
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_role("heading", name="40: given")).to_have_count(0)
    settled(page)
    expect(page.get_by_role("spinbutton", name="k neighbours")).to_have_value("7")
    view.expect_lit(1, 1, "table")
