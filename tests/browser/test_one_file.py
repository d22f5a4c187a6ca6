"""A view in one file: from a disk, without a connection, in light and dark, and in a frame."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from stiknn_core import RankedNeighbors, interactions
from tests.browser.driver import View

AXE = Path(__file__).parent / "axe" / "axe.min.js"
READY = '[data-testid="linked-view"][data-ready="true"]'
N = 30  # points of each class


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(size=(N, 2)), rng.normal(size=(N, 2)) + 4])
    path = tmp_path_factory.mktemp("one") / "view.html"
    interactions(X, ["left"] * N + ["right"] * N, k=5).to_html(path, name="Two clouds")
    return path


@pytest.fixture
def opened(browser: Browser, file: Path) -> Iterator[Callable[..., Page]]:
    """Return a function that opens the file; fail if that asks for anything or says an error."""
    wrong: list[str] = []
    contexts = []

    def go(address: str = "", **options: Any) -> Page:
        context = browser.new_context(offline=True, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda one: one.type == "error" and wrong.append(one.text))
        page.on(
            "request",
            lambda one: one.url.startswith(("file:", "blob:", "data:")) or wrong.append(one.url),
        )
        page.goto(address or file.as_uri())
        return page

    yield go
    for context in contexts:
        context.close()
    assert not wrong


def test_a_click_on_a_block_selects_its_points_in_both_plots(opened: Callable[..., Page]) -> None:
    page = opened(viewport={"width": 1280, "height": 720})
    page.locator(READY).wait_for()
    view = View(page)
    view.click_cell(row=5, col=N + 5)
    view.expect_lit(N, N, "block")
    expect(page.get_by_role("heading", name="Two clouds")).to_be_visible()
    expect(page.get_by_text("only what the two axes show")).to_be_visible()


def test_order_and_colour_are_chosen_and_keep_the_selection(opened: Callable[..., Page]) -> None:
    page = opened(viewport={"width": 1280, "height": 720})
    page.locator(READY).wait_for()
    view = View(page)
    view.click_cell(row=5, col=5)
    page.get_by_label("Order").select_option("value")
    page.get_by_label("Colour of the points").select_option("quality")
    expect(view.root).to_have_attribute("data-order", "value")
    view.expect_lit(N, N, "block")
    expect(page.locator(".stiknn-bar-title", has_text="Label quality")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_nothing_on_any_width_and_ground(
    opened: Callable[..., Page], scheme: str, width: int
) -> None:
    page = opened(viewport={"width": width, "height": 720}, color_scheme=scheme)
    page.locator(READY).wait_for()
    page.get_by_text("The most suspicious labels as a table").click()
    expect(page.get_by_role("cell").first).to_be_visible()
    page.evaluate(AXE.read_text(encoding="utf-8") + "; void 0")
    found = page.evaluate("axe.run()")["violations"]
    told = [(one["id"], [node["target"] for node in one["nodes"]]) for one in found]
    assert not told
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    ground = page.evaluate("getComputedStyle(document.querySelector('main')).backgroundColor")
    assert ground == ("rgb(255, 255, 255)" if scheme == "light" else "rgb(18, 21, 28)")


def test_blocks_of_very_many_points_are_linked_and_sorted_anew(
    opened: Callable[..., Page], tmp_path: Path
) -> None:
    rng = np.random.default_rng(0)
    half = 2_050
    X = np.vstack([rng.normal(size=(half, 2)), rng.normal(size=(half, 2)) + 4])
    labels = ["left"] * half + ["right"] * half
    ranked = RankedNeighbors(X, labels, k=5, test_rows=np.arange(0, 2 * half, 100))
    ranked.to_html(tmp_path / "blocks.html", name="Many")
    page = opened((tmp_path / "blocks.html").as_uri(), viewport={"width": 1280, "height": 720})
    page.locator(READY).wait_for()
    expect(page.get_by_text("mean interactions of 256 blocks of all of them")).to_be_visible()
    page.locator(".stiknn-class").first.click()
    status = page.locator(".stiknn-status")
    expect(status).to_contain_text("128 blocks, 2,050 points selected")
    page.get_by_label("Order").select_option("cluster")
    expect(View(page).root).to_have_attribute("data-order", "cluster")
    expect(status).to_contain_text("128 blocks, 2,050 points selected")
    page.get_by_text("How to read this").click()
    expect(page.get_by_text("is a block of training points")).to_be_visible()


def test_in_a_frame_of_a_course_page_it_works_as_well(
    opened: Callable[..., Page], file: Path, tmp_path: Path
) -> None:
    course = tmp_path / "course.html"
    course.write_text(
        f'<h1>Course</h1><iframe src="{file.as_uri()}" sandbox="allow-scripts" '
        'style="width:1000px;height:650px"></iframe>'
    )
    page = opened(course.as_uri(), viewport={"width": 1280, "height": 720})
    frame = page.frame_locator("iframe")
    frame.locator(READY).wait_for()
    frame.locator(".stiknn-class").first.click()
    expect(frame.locator(".stiknn-status")).to_contain_text(f"{N} points selected")


def test_without_javascript_it_says_what_is_missing(opened: Callable[..., Page]) -> None:
    page = opened(java_script_enabled=False)
    expect(page.get_by_text("for which JavaScript has to be allowed")).to_be_visible()
