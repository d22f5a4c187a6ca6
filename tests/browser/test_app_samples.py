"""Texts, embeddings and pictures from the file to the corrected one, as a person does it."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from stiknn_ui.words import wording
from tests.browser.driver import settled
from tests.browser.review_card import count, in_view, press, ready, saved

SAMPLES = Path(__file__).parents[2] / "sample_data"
KEYS = "aakaaaxaaa"
Wanted = Mapping[str, str | None]
"""The new label by name of the row; None where it is removed."""


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


def csv_but_for(given: bytes, wanted: Wanted) -> Any:
    rows = rows_of(given.decode("utf-8-sig"))
    changed = [{**row, "label": wanted.get(row["id"], row["label"])} for row in rows]
    return [row for row in changed if row["label"] is not None]


def lines_but_for(given: bytes, wanted: Wanted) -> Any:
    kept = []
    for line in given.splitlines(keepends=True):
        record = json.loads(line)
        new = wanted.get(record["id"], record["label"])
        if new is not None:
            old = f'"label": "{record["label"]}"'.encode()
            kept.append(line.replace(old, f'"label": "{new}"'.encode()))
    return b"".join(kept)


def paths_but_for(given: bytes, wanted: Wanted) -> Any:
    with zipfile.ZipFile(io.BytesIO(given)) as archive:
        paths = sorted(archive.namelist())
    told = [{"file": path, "label": wanted.get(path, Path(path).parent.name)} for path in paths]
    return [row for row in told if row["label"] is not None]


def csv_rows(taken: bytes) -> Any:
    return rows_of(taken.decode("utf-8-sig"))


Read = Callable[[bytes], Any]
CASES: dict[str, tuple[str, Callable[[bytes, Wanted], Any], Read]] = {
    "messages.csv": ("CSV", csv_but_for, csv_rows),
    "message_vectors.jsonl": ("JSON Lines", lines_but_for, bytes),
    "digits_wrong.zip": ("CSV", paths_but_for, csv_rows),
}


def go(page: Page, name: str) -> None:
    settled(page)
    page.locator(".st-key-page-links").get_by_role("link", name=name).click()


def take(page: Page, button: str) -> bytes:
    with page.expect_download() as event:
        page.get_by_role("button", name=button, exact=True).click()
    return Path(event.value.path()).read_bytes()


@pytest.mark.parametrize("name", CASES)
def test_a_sample_is_cleaned_and_comes_back_equal_but_for_ten_decisions(
    name: str, page: Page, open_app: Callable[..., str], wait_for_view: Callable[..., Locator]
) -> None:
    form, expected, read = CASES[name]
    page.goto(f"{open_app('app.py')}/data")
    page.get_by_role("radio", name="Upload a file").or_(
        page.get_by_role("button", name="Upload a file")
    ).first.click()
    page.get_by_role("button", name=wording.SAMPLES[name]).or_(
        page.get_by_role("radio", name=wording.SAMPLES[name])
    ).first.click()
    expect(page.get_by_text("400 rows,").first).to_be_visible()

    go(page, "Explore")
    expect(wait_for_view()).to_have_attribute("data-n", "400")
    go(page, "Suspects")
    expect(page.get_by_test_id("stDataFrame").first).to_be_visible()
    found = json.loads(take(page, "Suspects (JSON)"))["suspects"]
    assert sorted(one["position"] for one in found) == [*range(400)]

    go(page, "Review")
    ready(page)
    assert in_view(page)["name"] == found[0]["id"]
    wanted: dict[str, str | None] = {}
    for key in KEYS:
        point = in_view(page)
        if key == "a":
            assert point["suggested"] != point["given"]
            wanted[point["name"]] = point["suggested"]
        elif key == "x":
            wanted[point["name"]] = None
        press(page, key)
    count(page, len(KEYS))
    saved(page)
    page.get_by_role("button", name="Take away").click()
    given = (SAMPLES / name).read_bytes()
    assert read(take(page, f"Corrected data ({form})")) == expected(given, wanted)
    tasks = json.loads(take(page, "Tasks for Label Studio (JSON)"))
    assert len(tasks) == 400
    assert sum("annotations" in task for task in tasks) == len(KEYS)
