"""A measured label from a file of decimal commas to the corrected file, as a person does it."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from stiknn_ui.words import wording
from tests.browser.driver import choose, settled
from tests.browser.review_card import in_view, ready, saved

WRONG = (7, 31, 52)
"""Rows whose rent is that of a much larger or smaller flat."""


def rents() -> bytes:
    """Flats with decimal commas, in which three rents are wrong."""
    rng = np.random.default_rng(4)
    size, way = rng.uniform(30, 110, 80), rng.uniform(0, 9, 80)
    rent = 120 + 9.4 * size - 11.3 * way + rng.normal(0, 6, 80)
    for row in WRONG:
        rent[row] = 1400.25 if rent[row] < np.median(rent) else 200.75
    lines = ["Nr;Fläche;Weg;Miete"]
    lines += [
        f"W{row:02d};{a:.1f};{b:.2f};{c:.2f}".replace(".", ",")
        for row, (a, b, c) in enumerate(zip(size, way, rent, strict=True))
    ]
    return ("\r\n".join(lines) + "\r\n").encode()


def rows_of(text: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text.decode("utf-8-sig"), newline=""), delimiter=";"))


def go(page: Page, name: str) -> None:
    settled(page)
    page.locator(".st-key-page-links").get_by_role("link", name=name).click()


def take(page: Page, button: str) -> bytes:
    with page.expect_download() as event:
        page.get_by_role("button", name=button, exact=True).click()
    return Path(event.value.path()).read_bytes()


def open_upload(page: Page, address: str) -> None:
    page.goto(f"{address}/data")
    page.get_by_role("radio", name="Upload a file").or_(
        page.get_by_role("button", name="Upload a file")
    ).first.click()


@pytest.fixture(scope="module")
def address(open_app: Callable[..., str]) -> str:
    return open_app("app.py")


def test_a_measured_label_is_corrected_in_the_writing_of_its_file(
    page: Page, address: str, wait_for_view: Callable[..., Locator]
) -> None:
    given = rents()
    open_upload(page, address)
    page.get_by_test_id("stFileUploader").locator("input[type=file]").set_input_files(
        {"name": "Mieten.csv", "mimeType": "text/csv", "buffer": given}
    )
    choose(page, "Column with the label", "Miete")
    expect(page.get_by_text("80 rows, 2 feat").first).to_be_visible()
    expect(page.get_by_text("'Miete' is a measured number")).to_be_visible()

    go(page, "Explore")
    view = wait_for_view()
    expect(view.get_by_test_id("scatter")).to_be_visible()
    expect(view.get_by_text("Target", exact=True)).to_be_visible()  # over its colour bar
    go(page, "Suspects")
    expect(page.get_by_test_id("stDataFrame").first).to_be_visible()
    found = json.loads(take(page, "Suspects (JSON)"))["suspects"]
    assert sorted(one["id"] for one in found[:3]) == [f"W{row:02d}" for row in WRONG]

    go(page, "Review")
    ready(page)
    first = in_view(page)["name"]
    assert first == found[0]["id"]
    field = page.get_by_label("Its target is")
    field.click()
    page.keyboard.type("1,812")  # may be two numbers: refused, and stays to be mended
    page.keyboard.press("Enter")
    expect(page.locator(".stiknn-review-progress")).to_contain_text("0 of")
    field.press("ControlOrMeta+a")
    page.keyboard.type("812,5")
    page.keyboard.press("Enter")
    expect(page.locator(".stiknn-review-progress")).to_contain_text("1 of")
    saved(page)
    page.get_by_role("button", name="Take away").click()
    corrected = take(page, "Corrected data (CSV)")
    wanted = [{**row, "Miete": "812,5"} if row["Nr"] == first else row for row in rows_of(given)]
    assert rows_of(corrected) == wanted


@pytest.mark.parametrize("size", [(1280, 720), (390, 844)])
def test_the_sample_of_rents_opens_as_targets(
    page: Page, address: str, wait_for_view: Callable[..., Locator], size: tuple[int, int]
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    open_upload(page, address)
    name = wording.SAMPLES["flats_rents.csv"]
    page.get_by_role("button", name=name).or_(page.get_by_role("radio", name=name)).first.click()
    expect(page.get_by_text("180 rows, 4 feat").first).to_be_visible()
    go(page, "Explore")
    expect(wait_for_view().get_by_text("Target", exact=True)).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
