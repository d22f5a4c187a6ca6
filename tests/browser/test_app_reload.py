"""F5 with a file of one's own: the tab finds it again, and no other tab does."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.browser.driver import settled

ROWS = "".join(f"{n % 7},{n % 5},{'cat' if n % 3 else 'dog'}\n" for n in range(40))
FILE = {"name": "pets.csv", "mimeType": "text/csv", "buffer": f"x1,x2,kind\n{ROWS}".encode()}


def test_a_reload_keeps_the_file_for_its_tab_alone(
    page: Page,
    profile: BrowserContext,
    open_app: Callable[..., str],
    wait_for_view: Callable[..., Locator],
) -> None:
    page.goto(f"{open_app('app.py')}/data")
    page.get_by_role("radio", name="Upload a file").click()
    page.get_by_test_id("stFileUploader").locator("input[type=file]").set_input_files(FILE)
    expect(page.get_by_text("40 rows, 2 features")).to_be_visible()
    settled(page)
    page.get_by_role("link", name="Explore these data").click()
    wait_for_view()
    expect(page.get_by_test_id("linked-view")).to_have_attribute("data-n", "40")
    settled(page)
    expect(page).to_have_url(re.compile("file=pets.csv"))
    secret = page.evaluate("sessionStorage.getItem('stiknn-upload')")
    assert len(secret) > 40
    assert secret not in page.url

    page.reload()
    wait_for_view()
    expect(page.get_by_test_id("linked-view")).to_have_attribute("data-n", "40")
    expect(page.get_by_text("This link needs the file")).to_have_count(0)
    settled(page)

    other = profile.new_page()
    try:
        other.goto(page.url)
        expect(other.get_by_text("This link needs the file pets.csv")).to_be_visible()
        expect(other.get_by_text("circles")).to_have_count(0)
        other.get_by_test_id("stFileUploader").locator("input[type=file]").set_input_files(FILE)
        expect(other.get_by_test_id("linked-view")).to_have_attribute("data-n", "40")
    finally:
        other.close()

    page.get_by_role("link", name="Data", exact=True).click()
    page.get_by_text("A reload of this tab finds the file again").click()
    settled(page)
    page.wait_for_function("sessionStorage.getItem('stiknn-upload') === null")
    page.reload()
    expect(page.get_by_text("This link needs the file pets.csv").first).to_be_visible()
