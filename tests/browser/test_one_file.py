"""A view in one file: from a disk, offline, in light and dark, on paper, and in a frame."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest
from numpy.typing import NDArray
from PIL import Image
from playwright.sync_api import Browser, Locator, Page, expect

from stiknn_core import RankedNeighbors, games, interactions
from stiknn_ui.review.report import build_report
from stiknn_ui.review.report_figures import for_report
from tests.browser.driver import View

AXE = Path(__file__).parent / "axe" / "axe.min.js"
READY = '[data-testid="linked-view"][data-ready="true"]'
N = 30  # points of each class
PAPER = 794 - 2 * 38  # pixels across A4 within the margins that Chromium leaves


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(size=(N, 2)), rng.normal(size=(N, 2)) + 4])
    path = tmp_path_factory.mktemp("one") / "view.html"
    interactions(X, ["left"] * N + ["right"] * N, k=5).to_html(path, name="Two clouds")
    return path


@pytest.fixture(scope="module")
def file_of_blocks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rng = np.random.default_rng(0)
    half = 2_050
    X = np.vstack([rng.normal(size=(half, 2)), rng.normal(size=(half, 2)) + 4])
    labels = ["left"] * half + ["right"] * half
    path = tmp_path_factory.mktemp("many") / "blocks.html"
    ranked = RankedNeighbors(X, labels, k=5, test_rows=np.arange(0, 2 * half, 100))
    ranked.to_html(path, name="Many")
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
@pytest.mark.parametrize("rows", ["points", "blocks"])
def test_axe_finds_nothing_on_any_width_and_ground(
    opened: Callable[..., Page], request: pytest.FixtureRequest, rows: str, scheme: str, width: int
) -> None:
    path: Path = request.getfixturevalue("file" if rows == "points" else "file_of_blocks")
    page = opened(path.as_uri(), viewport={"width": width, "height": 720}, color_scheme=scheme)
    page.locator(READY).wait_for()
    expect(View(page).root).to_have_attribute("data-kind", rows)
    page.get_by_text("How to read this").click()
    page.get_by_text("The most suspicious labels as a table").click()
    expect(page.get_by_role("cell").first).to_be_visible()
    page.evaluate(AXE.read_text(encoding="utf-8") + "; void 0")
    found = page.evaluate("axe.run()")["violations"]
    told = [(one["id"], [node["target"] for node in one["nodes"]]) for one in found]
    assert not told
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    ground = page.evaluate("getComputedStyle(document.querySelector('main')).backgroundColor")
    assert ground == ("rgb(255, 255, 255)" if scheme == "light" else "rgb(18, 21, 28)")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_paper_it_is_whole_and_dark_on_white(opened: Callable[..., Page], scheme: str) -> None:
    page = opened(viewport={"width": 1280, "height": 720}, color_scheme=scheme)
    page.locator(READY).wait_for()
    expect(page.get_by_test_id("scatter").locator(".xtitle")).to_be_visible()  # Plotly has drawn
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(print_background=True))) == 1
    page.emulate_media(media="print", color_scheme=scheme)  # type: ignore[arg-type]
    for gone in (".stiknn-home-controls", ".stiknn-tools", "summary"):
        for part in page.locator(gone).all():
            expect(part).to_be_hidden()
    assert page.locator(".stiknn-home").evaluate("home => getComputedStyle(home).colorScheme") == (
        "light"
    )
    right = "part => part.getBoundingClientRect().right"
    for part in page.locator(".stiknn-plot").all():
        assert part.evaluate(right) <= PAPER
    keys = page.locator(".stiknn-panel-scatter .stiknn-legend")
    assert keys.evaluate("keys => keys.scrollHeight <= keys.clientHeight")

    heading = grey(page.get_by_role("heading", name="Two clouds"))
    assert (heading.min(), heading.max()) == (0, 255)
    scatter = grey(page.get_by_test_id("scatter").locator("xpath=.."))
    assert np.median(scatter) == 255
    assert scatter.min() < 60, "its axes are black"
    matrix = grey(page.get_by_test_id("matrix").locator("xpath=.."))
    middle = matrix.shape[0] // 2
    within, between = matrix[50 : middle - 20, 50 : middle - 20], matrix[50 : middle - 20, middle:]
    assert np.median(within) < 120 < 220 < np.median(between), "far from zero is dark"


def test_the_report_of_a_review_is_whole_on_paper_and_its_words_on_a_phone(
    opened: Callable[..., Page], tmp_path: Path
) -> None:
    changes = {"step": [1], "at": ["2026-11-28T10:00:00Z"], "id": ["P1"], "action": ["relabel"],
               "note": ["seen in the field " * 20], "undone": [False]}  # fmt: skip
    figure = for_report(go.Figure(go.Scatter(x=[1, 2], y=[1, 2])), 480)
    path = tmp_path / "review.html"
    path.write_bytes(
        build_report(
            title="Field", made="now", summary=[], effect=[], effect_table=None, settings={},
            figures=[("Points", figure)], changes=pd.DataFrame(changes),
        )
    )  # fmt: skip
    page = opened(path.as_uri(), viewport={"width": 1280, "height": 720})
    plot = page.locator(".js-plotly-plot")
    expect(plot.locator(".main-svg").first).to_be_visible()
    # A figure keeps the pixels of the screen on paper, which emulated media would redraw.
    wide = plot.evaluate("plot => plot.offsetWidth")
    page.emulate_media(media="print")
    zoom = float(plot.evaluate("plot => getComputedStyle(plot).zoom"))
    assert 0.9 * PAPER < wide * zoom <= PAPER
    page.emulate_media(media="screen")
    page.set_viewport_size({"width": 390, "height": 720})
    head = page.get_by_text("note", exact=True).locator("xpath=..")
    assert head.evaluate("row => row.offsetHeight") < 40, "a word is broken into lines"


def grey(part: Locator) -> NDArray[np.uint8]:
    """Return the lightness of what a part of the page shows, 0 (black) to 255."""
    with Image.open(io.BytesIO(part.screenshot())) as picture:
        return np.asarray(picture.convert("L"))


def test_blocks_of_very_many_points_are_linked_and_sorted_anew(
    opened: Callable[..., Page], file_of_blocks: Path
) -> None:
    page = opened(file_of_blocks.as_uri(), viewport={"width": 1280, "height": 720})
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


def test_points_of_measured_targets_are_coloured_by_target(page: Page, tmp_path: Path) -> None:
    X = np.random.default_rng(1).normal(size=(30, 2))
    target = tmp_path / "targets.html"
    interactions(X, X[:, 0], k=3, score=games.measured()).to_html(target)
    page.goto(target.as_uri())
    options = page.get_by_label("Colour of the points").locator("option")
    expect(options).to_have_text(["Target", "Value", "Interaction with the selection"])
