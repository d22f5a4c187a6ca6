"""The whole dashboard in a real browser: links, page changes, uploads, stopping, the table."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from stiknn_ui.asked.spec import DataSpec
from stiknn_ui.results.sources import build
from tests.browser.driver import View, begun, settled

Wait = Callable[..., Locator]
LINK = "dataset=circles&n=200&noise=0.1&flip=0.1&seed=1&k=5&index=STII&order=class"
DATA = build(DataSpec(n=200, flip=0.1, seed=1))
OF_CLASS = [int((DATA.y == label).sum()) for label in (0, 1)]


@pytest.fixture(scope="module")
def address(open_app: Callable[..., str]) -> str:
    return open_app("app.py")


def click_block(page: Page, view: Locator, row_class: int, column_class: int) -> None:
    """Click in the middle of a block of the default order, which begins with class 0."""
    middle = [OF_CLASS[0] / 2, OF_CLASS[0] + OF_CLASS[1] / 2]
    page.get_by_test_id("matrix").scroll_into_view_if_needed()
    page.mouse.click(*View(page).spot("matrix", middle[column_class], middle[row_class]))
    expect(view).to_have_attribute("data-selection", "block")


def expect_lit(view: Locator, rows: int, cols: int) -> None:
    expect(view).to_have_attribute("data-selected-rows", str(rows))
    expect(view).to_have_attribute("data-selected-cols", str(cols))


def set_number(page: Page, label: str, value: int) -> None:
    box = page.get_by_role("spinbutton", name=label)
    box.fill(str(value))
    box.press("Enter")


def go(page: Page, name: str) -> None:
    page.locator(".st-key-page-links").get_by_role("link", name=name).click()


@pytest.mark.parametrize("path", ["/", f"/explore?{LINK}", f"/suspects?{LINK}"])
def test_a_cold_deep_link_paints_the_picture(
    page: Page, address: str, wait_for_view: Wait, path: str
) -> None:
    page.goto(address + path)
    view = wait_for_view()
    expect(view).to_have_attribute("data-n", "150" if path == "/" else "200")
    expect(view).to_have_attribute("data-order", "class")
    expect(page.get_by_text("leave-one-out").last).to_be_visible()


def test_home_begins_with_ones_own_data_and_is_short_above_the_picture(
    page: Page, address: str, wait_for_view: Wait
) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(address)
    wait_for_view()
    settled(page)
    top = page.get_by_test_id("linked-view").bounding_box()
    assert top is not None
    assert top["y"] < 230
    uploader = page.get_by_test_id("stFileUploader")
    box = uploader.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] < top["y"]
    rows = "".join(f"{n % 7},{n % 5},{'cat' if n % 3 else 'dog'}\n" for n in range(44))
    file = {"name": "pets.csv", "mimeType": "text/csv", "buffer": f"a,b,kind\n{rows}".encode()}
    uploader.locator("input[type=file]").set_input_files(file)
    expect(page.get_by_test_id("linked-view")).to_have_attribute("data-n", "44")
    expect(page).to_have_url(re.compile(f"^{re.escape(address)}/explore"))


def test_a_cold_deep_link_to_the_data_shows_them(page: Page, address: str) -> None:
    page.goto(f"{address}/data?dataset=moons&n=70&flip=0&seed=2")
    expect(page.get_by_text("70 rows, 2 features")).to_be_visible()
    expect(page.locator(".js-plotly-plot")).to_be_visible()


def test_a_block_lights_up_and_stays_lit_while_k_and_page_change(
    page: Page, address: str, wait_for_view: Wait
) -> None:
    page.goto(f"{address}/explore?{LINK}")
    view = wait_for_view()
    click_block(page, view, 0, 1)
    expect_lit(view, *OF_CLASS)
    expect(page.get_by_text("All pairs are between different classes")).to_be_visible()

    page.get_by_role("button", name="Zoom into the matrix").click()
    zoomed = "graph => graph.layout.xaxis.range[1] - graph.layout.xaxis.range[0]"
    matrix = page.get_by_test_id("matrix")
    View(page).expect_width(100)  # where the zoom comes to rest
    width = matrix.evaluate(zoomed)
    set_number(page, "k neighbours", 7)
    expect(page.get_by_text("k = 7 · STII").last).to_be_visible()
    expect_lit(view, *OF_CLASS)
    assert matrix.evaluate(zoomed) == width

    go(page, "Data")
    expect(page.get_by_text("200 rows, 2 features")).to_be_visible()
    go(page, "Explore")
    view = wait_for_view()
    expect_lit(view, *OF_CLASS)
    expect(page.get_by_role("spinbutton", name="k neighbours")).to_have_value("7")
    assert matrix.evaluate(zoomed) == width
    expect(page).to_have_url(re.compile("k=7"))


def test_ticked_rows_light_up_by_point_even_after_sorting(
    page: Page, address: str, wait_for_view: Wait
) -> None:
    page.goto(f"{address}/suspects?{LINK}")
    view = wait_for_view()
    table = page.get_by_test_id("stDataFrame").first
    table.scroll_into_view_if_needed()
    box = table.bounding_box()
    assert box is not None
    grid = table.locator("table[role=grid]")
    grid.locator("[role=columnheader]").first.wait_for(state="attached")
    headers = grid.locator("[role=columnheader]").all_text_contents()
    assert "KNN-Shapley value" in headers
    before = grid.locator("[role=row]").nth(3).inner_text()

    # The grid is a canvas with a table for screen readers behind it; a click in the head sorts.
    table.click(position={"x": 395.0, "y": 17.0})
    expected = grid.locator("[role=row]").nth(3)
    expect(expected).not_to_have_text(before, use_inner_text=True)
    point = int(expected.locator("[role=gridcell]").nth(1).inner_text())
    page.mouse.click(box["x"] + 15, box["y"] + 35 * 3 + 17)

    expect_lit(view, 1, 1)
    expect(view).to_have_attribute("data-selection", "table")
    settled(page)
    expect(page.get_by_text("One point is selected")).to_be_visible()
    again = grid.locator("[role=row][aria-selected=true]")
    expect(again).to_have_count(1)
    assert int(again.locator("[role=gridcell]").nth(1).inner_text()) == point


def test_a_block_ticks_its_rows_in_the_table(page: Page, address: str, wait_for_view: Wait) -> None:
    page.goto(f"{address}/suspects?{LINK}")
    view = wait_for_view()
    click_block(page, view, 0, 0)
    expect_lit(view, OF_CLASS[0], OF_CLASS[0])
    expect(page.get_by_text(f"All {OF_CLASS[0]} points are of class 0")).to_be_visible()
    rows = page.get_by_test_id("stDataFrame").first.locator("[role=row][aria-selected=true]")
    expect(rows.first).to_be_attached()


def test_new_data_clear_the_selection(page: Page, address: str, wait_for_view: Wait) -> None:
    page.goto(f"{address}/explore?{LINK}")
    click_block(page, wait_for_view(), 0, 1)
    go(page, "Data")
    set_number(page, "Points", 50)
    expect(page.get_by_text("50 rows, 2 features", exact=True)).to_be_visible()
    go(page, "Explore")
    view = wait_for_view()
    expect(view).to_have_attribute("data-n", "50")
    expect_lit(view, 0, 0)


def test_of_other_data_only_the_frame_is_there_and_stop_leaves_it_so(
    page: Page, address: str, wait_for_view: Wait
) -> None:
    page.goto(f"{address}/explore?{LINK}")
    wait_for_view()
    go(page, "Data")
    set_number(page, "Points", 3700)
    expect(page.get_by_text("3,700 rows, 2 features")).to_be_visible()
    go(page, "Explore")
    expect(page.get_by_test_id("frame")).to_be_visible()
    begun(page)
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(page.get_by_text("Stopped.")).to_be_visible()
    expect(page.get_by_role("button", name="Compute")).to_be_visible()
    expect(page.get_by_test_id("linked-view")).to_have_count(0)


def test_a_bad_file_is_a_sentence_and_the_data_stay(
    page: Page, address: str, tmp_path: Path
) -> None:
    good, bad = tmp_path / "pets.csv", tmp_path / "bad.csv"
    rows = "".join(f"{n % 7},{n % 5},{'cat' if n % 2 else 'dog'}\n" for n in range(30))
    good.write_text("x1,x2,kind\n" + rows)
    bad.write_text("x1,kind\n")
    page.goto(f"{address}/data")
    page.get_by_text("Upload a file", exact=True).click()
    page.locator("input[type=file]").set_input_files(good)
    expect(page.get_by_text("30 rows, 2 features")).to_be_visible()
    page.locator("input[type=file]").set_input_files(bad)
    expect(page.get_by_text("but no row")).to_be_visible()
    expect(page.get_by_text("30 rows, 2 features")).to_have_count(0)
    expect(page.get_by_text("Traceback")).to_have_count(0)
    assert "dataset" not in page.url


def test_downloads_arrive_each_time_and_change_nothing(
    page: Page, address: str, wait_for_view: Wait
) -> None:
    page.goto(f"{address}/explore?{LINK}")
    view = wait_for_view()
    for name, size in (("Matrix (CSV)", 201), ("Points (CSV)", 201)):
        for _ in range(3):
            page.keyboard.press("Escape")
            expect_lit(view, 0, 0)
            # Where a download is quick, two clicks would be a double click, which clears.
            page.wait_for_timeout(500)
            click_block(page, view, 0, 1)
            # At once, while the server still answers the selection.
            with page.expect_download() as event:
                page.get_by_role("button", name=name).click()
            text = Path(event.value.path()).read_text(encoding="utf-8-sig")
            assert len(list(csv.reader(io.StringIO(text)))) == size
            assert "seed=1" in event.value.suggested_filename
    expect_lit(view, *OF_CLASS)


def test_a_bad_link_says_so_once_and_works(page: Page, address: str, wait_for_view: Wait) -> None:
    told = "dataset=nowhere is not known; circles is used. k=abc is not known; 5 is used."
    page.goto(f"{address}/explore?dataset=nowhere&k=abc&n=100")
    view = wait_for_view()
    expect(view).to_have_attribute("data-n", "100")
    expect(page.get_by_text(told)).to_be_visible()
    page.get_by_role("button", name="Dismiss").click()
    expect(page.get_by_text(told)).to_have_count(0)


@pytest.fixture
def phone(browser: Any) -> Any:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    yield context.new_page()
    context.close()


def test_nothing_is_cut_off_on_a_phone(phone: Page, address: str) -> None:
    """Opened on a phone; that all pages fit when made as narrow is checked with axe."""
    phone.goto(f"{address}/explore")
    phone.locator('[data-testid="linked-view"][data-ready=true]').wait_for()
    widths = phone.get_by_test_id("stMain").evaluate("main => [main.scrollWidth, main.clientWidth]")
    assert widths[0] <= widths[1]
