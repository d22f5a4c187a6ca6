"""Parts of the Learn page alone in a browser."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from stiknn_ui.learn import payload
from stiknn_ui.learn.presets import FIRST, PRESETS

DRAW = """{
    window.host = document.body.appendChild(document.createElement("div"));
    window.heard = [];
    window.draw = (data) => show({ host, data, send: (_, told) => window.heard.push(told.subset) });
    draw(given);
}"""


def test_a_click_is_heard_though_the_part_is_to_be_drawn_anew_under_it(
    page: Page, run_js: Callable[..., Any]
) -> None:
    data = payload.subsets(PRESETS[FIRST].scene) | {"chosen": None}
    page.goto("about:blank")
    run_js(["learn/subsets.js"], f"(() => {DRAW})()", data)
    chip = page.locator("[data-mask='1']")
    chip.evaluate("chip => chip.classList.add('pressed-one')")
    chip.hover()
    page.mouse.down()
    page.evaluate("data => draw(data)", data)  # Python answers what was before
    page.mouse.up()
    assert page.evaluate("heard") == [1]
    expect(chip).not_to_have_class(re.compile("pressed-one"))  # then it is drawn anew
    expect(chip).to_have_attribute("aria-pressed", "true")
