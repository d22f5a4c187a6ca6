"""A review of more rows than a matrix has room for, from an upload to the corrected file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.browser.driver import settled
from tests.browser.review_card import CARD, count, in_view, press, saved
from tests.browser.server import Server

ROWS = 5_000
WHOLE = f'{CARD}[data-fetched="true"]'


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server of this module alone, with a place of its own for decisions."""
    place = tmp_path_factory.mktemp("review")
    with pytest.MonkeyPatch.context() as changed:
        changed.setenv("STIKNN_HOME", str(place / "home"))
        running = Server("app.py", place / "server.log")
        running.wait()
        yield running
        running.stop()


def table() -> bytes:
    """Three clouds, every tenth label wrong, and a column that nothing uses; as this app writes."""
    rng = np.random.default_rng(2)
    kinds = rng.integers(0, 3, ROWS)
    X = rng.normal(size=(ROWS, 4)) + 2.0 * np.eye(3, 4)[kinds]
    labels = np.array(["Esche", "Buche", "Zeder"])[(kinds + (rng.random(ROWS) < 0.1)) % 3]
    lines = ["Nr,a,b,c,d,Bemerkung,Art"]
    for row, (cells, label) in enumerate(zip(X.tolist(), labels.tolist(), strict=True)):
        told = ",".join(f"{cell:.3f}" for cell in cells)
        lines.append(f"R{row:05d},{told},Blatt {row} von vielen die da stehen,{label}")
    return ("\ufeff" + "\r\n".join([*lines, ""])).encode()


def whole(page: Page) -> None:
    """Wait until all of the card stands there, for whichever point."""
    page.locator(WHOLE).wait_for(timeout=300_000)


def to_the_end(page: Page) -> None:
    """Go to the last point of the queue, which nothing was fetched of."""
    rows = page.locator(".stiknn-review-list")
    rows.evaluate("list => { list.scrollTop = list.scrollHeight; }")
    row = page.locator(f'.stiknn-review-row[aria-posinset="{ROWS}"]')
    name = row.locator(".stiknn-review-row-name").inner_text()
    row.click()
    expect(page.locator(CARD)).to_have_attribute("data-point", name)
    whole(page)


def test_all_rows_from_an_upload_to_the_corrected_file(server: Server, page: Page) -> None:
    given = table()
    page.goto(f"{server.url}/data?space=features")
    page.get_by_role("radio", name="Upload a file").or_(
        page.get_by_role("button", name="Upload a file")
    ).first.click()
    page.get_by_test_id("stFileUploader").locator("input[type=file]").set_input_files(
        {"name": "Bäume.csv", "mimeType": "text/csv", "buffer": given}
    )
    expect(page.get_by_text(f"{ROWS:,} rows, 4 feat").first).to_be_visible()
    page.locator(".st-key-page-links").get_by_role("link", name="Review").click()
    whole(page)
    settled(page)
    line = page.locator(".stiknn-review-queue")
    expect(line).to_contain_text(re.compile(rf"\d+ of {ROWS:,} lie below"))

    wanted = {}
    for _ in range(3):
        point = in_view(page)
        wanted[point["name"]] = point["suggested"]
        press(page, "a")
    count(page, 3)
    page.keyboard.press("u")
    count(page, 2)
    whole(page)
    wanted.pop(in_view(page)["name"])

    # Cards that were fetched ahead are whole as soon as they are seen.
    for _ in range(30):
        press(page, "n")
    whole(page)

    # Far down everything is fetched when it is looked at, and can be decided as well.
    to_the_end(page)
    expect(page.get_by_text(f"Not flagged; {ROWS:,} of {ROWS:,}")).to_be_visible()
    expect(page.locator(".stiknn-review-nearest tbody tr")).to_have_count(8)
    last = in_view(page)["name"]
    page.get_by_role("tab", name="Row in the file").click()
    cells = page.locator(".stiknn-review-table")
    expect(cells).to_contain_text(f"Blatt {int(last[1:])} von vielen")
    page.get_by_role("tab", name="Columns").click()
    other = next(name for name in ("Buche", "Esche") if name != in_view(page)["given"])
    page.get_by_role("button", name=re.compile(f"^{other}")).click()
    wanted[last] = other
    saved(page)

    page.reload()
    whole(page)
    count(page, 2)
    to_the_end(page)
    expect(page.locator(".stiknn-review-where")).to_contain_text(f"→ {other}")

    page.get_by_role("button", name="Take away").click()
    with page.expect_download() as event:
        page.get_by_role("button", name="Corrected data (CSV)").click()
    back = Path(event.value.path()).read_bytes()
    expected = []
    for text in given.decode().split("\r\n"):
        name, _, rest = text.partition(",")
        expected.append(
            f"{name},{rest.rsplit(',', 1)[0]},{wanted[name]}" if name in wanted else text
        )
    assert back == "\r\n".join(expected).encode()
    assert back != given
