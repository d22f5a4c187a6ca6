"""Three pictures with one cursor: what stands beside them is what the matrices hold."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from stiknn_core import interactions
from stiknn_core.ordering import value_order
from stiknn_ui.asked.spec import DataSpec
from stiknn_ui.results.sources import build
from tests.browser.driver import settled

DATA = "dataset=moons&n=40&noise=0.2&flip=0.1&seed=2"
LINK = f"compare?{DATA}&k=3&b_k=7&b_index=SII&order=value&own_scale=0"
READ = re.compile(r"^point (\d+), .* × point (\d+), .* · A (\S+) · B (\S+) · .* (\S+)$")


def read(page: Page) -> tuple[int, int, list[float]]:
    """Return the pair that is pointed at, and its three numbers."""
    found = READ.match(page.locator(".stiknn-compare-readout").inner_text())
    assert found is not None
    row, column, *numbers = found.groups()
    return int(row), int(column), [float(one.replace("−", "-")) for one in numbers]


def test_one_cursor_reads_both_matrices(page: Page, open_app: Callable[..., str]) -> None:
    data = build(DataSpec(name="moons", n=40, noise=0.2, flip=0.1, seed=2))
    a = interactions(data.X, data.y, k=3)
    b = interactions(data.X, data.y, k=7, index="SII")
    codes = np.array([list(a.classes).index(label) for label in data.y.tolist()])
    order = value_order(codes, a.values).positions

    def expect_pair(row: int, column: int, third: float | None = None) -> None:
        i, j = int(order[row]), int(order[column])
        first, second = a.matrix[i, j], b.matrix[i, j]
        expected = [first, second, first - second if third is None else third]
        got = read(page)
        assert got[:2] == (i, j)
        assert got[2] == pytest.approx(expected, rel=6e-3, abs=1e-12)

    page.goto(f"{open_app('app.py')}/{LINK}")
    view = page.get_by_test_id("compare-view")
    expect(view).to_have_attribute("data-ready", "true")
    settled(page)
    frames = page.locator(".stiknn-compare-frame")
    frames.first.scroll_into_view_if_needed()

    def place(row: float, column: float) -> tuple[float, float]:
        box = frames.nth(1).bounding_box()
        assert box is not None
        side = box["width"] / 40
        return box["x"] + (column + 0.5) * side, box["y"] + (row + 0.5) * side

    page.mouse.move(*place(4, 30))
    expect_pair(4, 30)
    frames.first.focus()
    page.keyboard.press("ArrowRight")
    expect_pair(4, 31)
    page.keyboard.press("Shift+ArrowDown")
    expect_pair(14, 31)
    # Ten by ten cells fill the picture, in all three of them.
    page.mouse.move(*place(10, 20))
    page.mouse.down()
    page.mouse.move(*place(19, 29), steps=3)
    page.mouse.up()
    page.mouse.move(*place(2, 38))
    expect_pair(10, 29)
    page.mouse.dblclick(*place(2, 38))
    page.mouse.move(*place(3, 38))
    expect_pair(3, 38)
    page.get_by_role("radio", name="Own scale").click()
    settled(page)
    expect(page.get_by_text("Standardised A − standardised B")).to_be_visible()
    pairs = [one.matrix[np.triu_indices(40, 1)] for one in (a, b)]
    i, j = order[4], order[9]
    standard = [
        (one.matrix[i, j] - of.mean()) / of.std() for one, of in zip((a, b), pairs, strict=True)
    ]
    frames.first.scroll_into_view_if_needed()
    page.mouse.move(*place(4, 9))
    expect_pair(4, 9, standard[0] - standard[1])
