"""A review in a real browser: by keys, across reloads and a crash, and seen by nobody else."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.driver import settled
from tests.browser.review_card import count, in_view, press, ready, saved
from tests.browser.server import Server

LINK = "dataset=circles&n=120&noise=0.1&flip=0.1&seed=1&k=5&index=STII&order=class"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server of this module alone, with a place of its own for decisions.

    The tests share it as people do: each has a review of its own.
    """
    place = tmp_path_factory.mktemp("review")
    with pytest.MonkeyPatch.context() as changed:
        changed.setenv("STIKNN_HOME", str(place / "home"))
        running = Server("app.py", place / "server.log")
        running.wait()
        yield running
        running.stop()


def rows_of_file() -> list[dict[str, str]]:
    """Two clouds, every tenth label wrong, and columns that no computation uses."""
    rng = np.random.default_rng(5)
    rows = []
    for n in range(100):
        kind = n % 2
        x, y = rng.normal(loc=3.0 * kind, size=2)
        label = kind if n % 10 else 1 - kind
        rows.append(
            {
                "Nr": f"P{n:03d}",
                "Länge": f"{x:.3f}",
                "Breite": f"{y:.3f}",
                "Bemerkung": f'sagt "{n}", und {n + 1} weitere Wörter; die stehen nur da',
                "Art": ("café", "Łódź")[label],
            }
        )
    return rows


def write(rows: list[dict[str, str]]) -> bytes:
    target = io.StringIO(newline="")
    writer = csv.DictWriter(target, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return target.getvalue().encode()


def keep(page: Page) -> None:
    """Tick the box; a run that the opening began may draw it anew, as it was, under the click."""
    box = page.get_by_role("checkbox", name="Keep the uploaded file with this review")
    for _ in range(5):
        settled(page)
        if box.is_checked():
            return
        page.get_by_text("Keep the uploaded file with this review").click()
        page.wait_for_timeout(500)
    settled(page)
    expect(box).to_be_checked()


def test_ten_suspects_by_keys_through_a_crash_to_a_corrected_file(
    server: Server, page: Page
) -> None:
    given = rows_of_file()
    page.goto(f"{server.url}/data")
    page.get_by_role("radio", name="Upload a file").or_(
        page.get_by_role("button", name="Upload a file")
    ).first.click()
    page.get_by_test_id("stFileUploader").locator("input[type=file]").set_input_files(
        {"name": "Pflanzen.csv", "mimeType": "text/csv", "buffer": write(given)}
    )
    expect(page.get_by_text("100 rows, 2 feat").first).to_be_visible()
    page.locator(".st-key-page-links").get_by_role("link", name="Review").click()
    ready(page)
    page.get_by_text("Changes, effect, and where this review is kept").click()
    page.get_by_role("tab", name="This review").click()
    keep(page)
    expect(page).to_have_url(re.compile("review="))
    settled(page)

    # The row as it stands in the file, with columns that nothing uses; by keyboard too.
    page.get_by_role("tab", name="Row in the file").press("Enter")
    card = page.locator(".stiknn-review-table")
    row = next(one for one in given if one["Nr"] == in_view(page)["name"])
    expect(card).to_contain_text(row["Bemerkung"])
    expect(page.get_by_role("tab", name="Row in the file")).to_be_focused()
    page.get_by_role("tab", name="Columns").click()
    other = card.get_by_role("button", name=f"for {in_view(page)['suggested']}")
    other.press("Enter")
    expect(other).to_have_attribute("aria-pressed", "true")
    expect(other).to_be_focused()

    wanted: dict[str, str | None] = {}  # new label by name; None = removed
    for key in "aaak":
        point = in_view(page)
        if key == "a":
            wanted[point["name"]] = point["suggested"]
        press(page, key)
    point = in_view(page)
    wanted[point["name"]] = None
    press(page, "x")

    page.reload()
    ready(page)
    count(page, 5)
    # A letter that was typed into a note is no key.
    point = in_view(page)
    page.keyboard.press("m")
    expect(page.get_by_role("textbox", name="Note")).to_be_focused()
    page.keyboard.type("ask about this")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Note: ask about this")).to_be_visible()
    count(page, 5)  # it decides nothing
    assert in_view(page)["name"] == point["name"]
    figure = "1" if point["given"] == "Łódź" else "2"
    wanted[point["name"]] = {"1": "café", "2": "Łódź"}[figure]
    press(page, figure)
    for key in "sa":
        point = in_view(page)
        if key == "a":
            wanted[point["name"]] = point["suggested"]
        press(page, key)

    saved(page)
    address = page.url
    page.goto("about:blank")  # a page that waits for its server fills the console with errors
    server.crash_and_start_again()
    page.goto(address)
    ready(page)
    count(page, 7, skipped=1)
    page.keyboard.press("u")  # the last acceptance, made before the crash
    count(page, 6, skipped=1)
    undone = in_view(page)
    assert wanted.pop(undone["name"]) == undone["suggested"]
    page.keyboard.press("y")
    count(page, 7, skipped=1)
    wanted[undone["name"]] = undone["suggested"]
    if in_view(page)["name"] == undone["name"]:
        press(page, "n")  # moving on changes nothing
    for _ in range(2):
        point = in_view(page)
        accepted = point["suggested"] != point["given"]
        if accepted:
            wanted[point["name"]] = point["suggested"]
        press(page, "a" if accepted else "k")

    saved(page)
    page.get_by_role("button", name="Take away").click()
    with page.expect_download() as event:
        page.get_by_role("button", name="Corrected data (CSV)").click()
    text = Path(event.value.path()).read_text(encoding="utf-8-sig")
    back = list(csv.DictReader(io.StringIO(text, newline="")))
    expected = []
    for row in given:
        new = wanted.get(row["Nr"], row["Art"])
        if new is not None:
            expected.append({**row, "Art": new})
    assert back == expected
    assert len(expected) == 99
    assert sum(one != two for one, two in zip(given, [*expected, {}], strict=True)) > 1


def test_another_visitor_sees_nothing_without_the_link(
    server: Server, page: Page, browser: Browser
) -> None:
    page.goto(f"{server.url}/review?{LINK}")
    ready(page)
    point = in_view(page)
    press(page, "a")
    count(page, 1)
    saved(page)
    expect(page).to_have_url(re.compile("review="))

    elsewhere = browser.new_context()

    def other(context: BrowserContext, address: str) -> Page:
        sheet = context.new_page()
        sheet.goto(address)
        ready(sheet)
        return sheet

    stranger = other(elsewhere, f"{server.url}/review?{LINK}")
    count(stranger, 0)
    assert in_view(stranger)["name"] == point["name"]
    invented = re.sub("review=.{22}", "review=" + "A" * 22, page.url)
    guesser = other(elsewhere, invented)
    count(guesser, 0)

    # A second tab with the link goes on with the same review; neither overwrites the other.
    second = other(page.context, page.url)
    count(second, 1)
    name = in_view(second)["name"]
    second.keyboard.press("k")
    count(second, 2)
    saved(second)
    assert in_view(page)["name"] == name
    page.keyboard.press("x")
    expect(page.get_by_role("alert").filter(has_text="another window decided")).to_be_visible()
    count(page, 2)
    row = page.locator(".stiknn-review-row").filter(has=page.get_by_text(name, exact=True))
    expect(row).to_contain_text("kept")
    saved(page)
    page.reload()
    ready(page)
    count(page, 2)
    page.keyboard.press("u")
    count(page, 1)
    second.close()
    elsewhere.close()


def test_the_line_the_bulk_and_the_copies(server: Server, page: Page) -> None:
    page.goto(f"{server.url}/review?{LINK}&copies=0.5&space=forest")
    ready(page)
    slider = page.get_by_role("slider", name="Flag below")
    slider.focus()
    page.keyboard.press("End")
    expect(page.get_by_text("all 180 points are flagged.")).to_be_visible()
    page.keyboard.press("Home")
    expect(page.get_by_text("none lies below")).to_be_visible()
    expect(page.get_by_role("button", name="Accept 0 suggestions")).to_be_disabled()
    page.keyboard.press("End")
    expect(page.get_by_text("all 180 points are flagged.")).to_be_visible()
    bulk = page.get_by_role("button", name=re.compile(r"^Accept [1-9]\d* suggestions"))
    bulk.click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("would change")
    settled(page)
    page.keyboard.press("x")  # the keys of the page behind a dialog rest
    dialog.get_by_role("button", name=re.compile(r"^Accept \d+$")).click()
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("button", name="Accept 0 suggestions")).to_be_disabled()
    expect(page.locator(".stiknn-review-progress")).not_to_contain_text(re.compile("^0 of"))
    page.keyboard.press("u")
    count(page, 0)
    saved(page)

    # A group of copies is decided as one, unless it is asked not to.
    for _ in range(40):
        if page.get_by_text("Decide for all").count():
            break
        press(page, "n")
    listed = page.get_by_text(re.compile(r"identical rows with")).inner_text()
    size = int(re.search(r"\d+", listed).group())  # type: ignore[union-attr]
    assert size >= 2
    page.keyboard.press("k")
    count(page, size)
