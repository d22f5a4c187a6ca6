"""Choosing a game on a real page: where the choice is, and what the picture then says."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.driver import choose, open_settings, settled

Wait = Callable[..., Locator]
LINK = "dataset=circles&n=120&noise=0.1&flip=0.1&seed=1&k=5"


@pytest.fixture(scope="module")
def address(open_app: Callable[..., str]) -> str:
    return open_app("app.py")


@pytest.mark.parametrize("size", [(1280, 720), (390, 844)])
def test_a_chosen_game_is_under_the_picture(
    page: Page, address: str, wait_for_view: Wait, size: tuple[int, int]
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(f"{address}/explore?{LINK}")
    wait_for_view()
    settled(page)
    open_settings(page)
    drawer = page.get_by_test_id("stPopoverBody")
    place: Any = drawer.get_by_role("combobox", name="Game").bounding_box()
    assert place["x"] >= 0
    assert place["x"] + place["width"] <= size[0]
    choose(page, "Game", "Nearer counts more")
    expect(drawer.get_by_text("the more the nearer it is")).to_be_visible()
    page.keyboard.press("Escape")
    caption = page.get_by_test_id("stCaptionContainer").filter(has_text="k = 5")
    expect(caption).to_contain_text(
        re.compile(r"nearer counts more \(RBF, bandwidth 0\.\d+\) · STII")
    )
    expect(page).to_have_url(re.compile("score=rbf"))
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= size[0], "nothing reaches out of the window"
