"""A home that cannot be written to, seen from a browser: nothing is lost, and nobody is misled."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from stiknn_ui.review.journal import Journal
from tests.browser.review_card import press, ready, saved
from tests.browser.server import Server

LINK = "dataset=circles&n=60&noise=0.1&flip=0.1&seed=1&k=5&index=STII&order=class"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The place for decisions, where a file stands in the way."""
    place = tmp_path / "home"
    place.write_text("")
    return place


@pytest.fixture
def server(home: Path, tmp_path: Path) -> Iterator[Server]:
    with pytest.MonkeyPatch.context() as changed:
        changed.setenv("STIKNN_HOME", str(home))
        running = Server("app.py", tmp_path / "server.log")
        running.wait()
        yield running
        running.stop()


def test_the_warning_stays_and_goes_by_itself(server: Server, page: Page, home: Path) -> None:
    page.goto(f"{server.url}/review?{LINK}")
    ready(page)
    state = page.locator(".stiknn-review-saved")
    warning = page.get_by_role("alert").filter(has_text="not saved")
    for count, key in enumerate("kka", start=1):
        press(page, key)
        told = "1 decision is" if count == 1 else f"{count} decisions are"
        expect(warning).to_contain_text(f"{told} not saved. Decisions cannot be written to")
    saved(page)
    expect(state).to_have_text("Not saved yet: 3 held by the server")

    with page.expect_download() as got:
        page.get_by_role("button", name="Unsaved decisions (CSV)").click()
    lines = got.value.path().read_text("utf-8-sig").splitlines()
    assert len(lines) == 4

    expect(page).to_have_url(re.compile("review="))
    page.reload()
    ready(page)
    expect(warning).to_contain_text("3 decisions are not saved")
    expect(state).to_have_text("Not saved yet: 3 held by the server")

    home.unlink()
    expect(warning).to_have_count(0)
    expect(state).to_have_text("Saved")
    token = parse_qs(urlsplit(page.url).query)["review"][0]
    journal = Journal(home / "reviews.sqlite")
    record = journal.record(token)
    journal.close()
    assert record is not None
    assert [one.action for one in record.decisions.values()].count("keep") == 2
    assert len(record.decisions) == 3
