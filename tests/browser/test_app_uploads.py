"""Files of many kinds through the running dashboard, one after the other in one visit."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.driver import choose, open_settings, settled
from tests.browser.table_files import HTML, write_all

Wait = Callable[..., Locator]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return write_all(tmp_path_factory.mktemp("tables"))


def open_form(page: Page, address: str) -> None:
    page.goto(f"{address}/data")
    page.get_by_role("button", name="Upload a file").or_(
        page.get_by_role("radio", name="Upload a file")
    ).first.click()
    expect(page.get_by_test_id("stFileUploader")).to_be_visible()


def add(page: Page, path: Path | dict[str, Any]) -> None:
    page.get_by_test_id("stFileUploader").locator("input[type=file]").set_input_files(path)


def go(page: Page, name: str) -> None:
    page.locator(".st-key-page-links").get_by_role("link", name=name).click()


READ = {
    "decimal.csv": ("UTF-8 · separator semicolon · header row · decimal comma", "24 rows, 2 feat"),
    "western.csv": ("Windows-1252 (Western) · separator semicolon", "24 rows, 2 feat"),
    "utf16.txt": ("UTF-16 · separator semicolon", "24 rows, 2 feat"),
    "two_sheets.xlsx": ("Excel · sheet Data from A1", "24 rows, 2 feat"),
    "packed.csv.gz": ("text in gzip · UTF-8 · separator comma", "24 rows, 2 feat"),
    "table.parquet": ("Parquet", "24 rows, 2 feat"),
    "data.arff": ("ARFF · UTF-8", "24 rows, 2 feat"),
    "sparse.txt": ("LIBSVM", "24 rows, 2 feat"),
    "workbook.csv": ("workbook.csv: Excel · sheet Data", "24 rows, 2 feat"),
}
REFUSED = {
    "header_only.csv": "but no row",
    "junk.csv": "neither text nor a known table format",
}


def test_files_of_all_kinds_in_one_visit(
    page: Page, open_app: Callable[..., str], files: dict[str, Path], wait_for_view: Wait
) -> None:
    open_form(page, open_app("app.py"))
    for name, (decided, size) in READ.items():
        add(page, files[name])
        expect(page.get_by_text(f"{name}:").first).to_contain_text(decided)
        settled(page)
        expect(page.get_by_text(size).first).to_be_visible()

    # A file that cannot be read is one sentence, and the table before stays.
    for name, said in REFUSED.items():
        add(page, files[name])
        expect(page.get_by_test_id("stAlert").first).to_contain_text(said)
        expect(page.get_by_text("Until then in use: workbook.csv")).to_be_visible()
        expect(page.get_by_text("24 rows, 2 feat")).to_have_count(0)
        settled(page)

    # Arrays with unusual names: the question offers what is there.
    add(page, files["odd_names.npz"])
    expect(page.get_by_text("No array is called X, data or features")).to_be_visible()
    choose(page, "Array of features", "measured")
    choose(page, "Array of labels", "verdict")
    expect(page.get_by_text("features measured, labels verdict")).to_be_visible()
    expect(page.get_by_text("24 rows, 2 feat").first).to_be_visible()

    # Names and labels with HTML are text wherever they appear.
    add(page, files["html.csv"])
    expect(page.get_by_text("html.csv:").first).to_be_visible()
    expect(page.get_by_text(HTML).first).to_be_visible()
    settled(page)
    assert page.locator("img[src=x]").count() == 0

    # It outlives page changes, and only its name goes into the address.
    go(page, "Explore")
    wait_for_view()
    expect(page.get_by_role("link", name="Data: html.csv")).to_be_visible()
    assert page.locator("img[src=x]").count() == 0
    expect(page).to_have_url(re.compile("file=html.csv.*scaling=standard"))
    assert "img" not in page.url
    open_settings(page)
    choose(page, "Test points", "Held-out rows")
    expect(page.get_by_text("Training: 17 rows")).to_be_visible()
    expect(page.get_by_test_id("linked-view")).to_have_attribute("data-n", "17")
    page.keyboard.press("Escape")
    go(page, "Data")
    expect(page.get_by_text("html.csv:").first).to_be_visible()


def test_another_sheet_and_another_use_of_a_column(
    page: Page, open_app: Callable[..., str], files: dict[str, Path]
) -> None:
    open_form(page, open_app("app.py"))
    add(page, files["two_sheets.xlsx"])
    expect(page.get_by_text("sheet Data from A1")).to_be_visible()
    page.get_by_text("Change how it was read").click()
    choose(page, "Sheet", "Cover")
    expect(page.get_by_text("Until then in use: two_sheets.xlsx")).to_be_visible()
    expect(page.get_by_text("24 rows, 2 feat")).to_have_count(0)
    page.get_by_role("button", name="Back to them").click()
    expect(page.get_by_text("sheet Data from A1")).to_be_visible()

    page.get_by_text("What each column is used for").click()
    page.get_by_role("textbox", name="Find columns").fill("x2")
    page.get_by_role("textbox", name="Find columns").press("Enter")
    settled(page)
    choose(page, "Use all that are found as", "Left out")
    page.get_by_role("button", name="Apply").click()
    expect(page.get_by_text("24 rows, 1 feat").first).to_be_visible()
    expect(page.get_by_text("1 feature column · label kind · 1 left out")).to_be_visible()


def test_a_file_that_is_too_large_gets_a_sentence_and_the_server_lives_on(
    page: Page, open_app: Callable[..., str], files: dict[str, Path]
) -> None:
    open_form(page, open_app("app.py", server_maxUploadSize="1"))
    big = {"name": "big.csv", "mimeType": "text/csv", "buffer": b"x,kind\n" + b"1,a\n" * 400_000}
    add(page, big)
    expect(page.get_by_text("File must be 1.0MB or smaller")).to_be_visible()
    add(page, files["packed.csv.gz"])
    expect(page.get_by_text("text in gzip")).to_be_visible()
    expect(page.get_by_text("24 rows, 2 feat").first).to_be_visible()


def test_a_file_that_takes_long_is_stopped_or_taken_on_another_page(
    page: Page, open_app: Callable[..., str], files: dict[str, Path], tmp_path: Path
) -> None:
    open_form(page, open_app("app.py"))
    add(page, files["decimal.csv"])
    expect(page.get_by_text("24 rows, 2 feat").first).to_be_visible()
    # Marks within marks and line ends within cells are read row by row: many seconds of work.
    row = '{0};"a ""b"" {0};\n";{1}\n'
    rows = "".join(row.format(place, "uv"[place % 2]) for place in range(1_500_000))
    long = tmp_path / "long.csv"
    long.write_text("x;note;kind\n" + rows)

    add(page, long)
    stop = page.get_by_role("button", name="Stop")
    expect(page.get_by_text(re.compile("^long.csv: .*% done$"))).to_be_visible()
    expect(page.get_by_text("24 rows, 2 feat").first).to_be_visible()
    go(page, "Explore")
    expect(page.get_by_role("link", name="Data: decimal.csv")).to_be_visible()
    stop.click()
    expect(page.get_by_text("Reading long.csv was stopped; nothing has changed.")).to_be_visible()
    expect(stop).to_have_count(0)
    page.get_by_role("button", name="Dismiss").click()
    expect(page.get_by_text("was stopped")).to_have_count(0)

    go(page, "Data")
    add(page, files["packed.csv.gz"])
    expect(page.get_by_text("packed.csv.gz:").first).to_be_visible()
