"""The way to a page and back: links with a selection, one press of Back, and few bytes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from stiknn_ui.asked.selection import written_selection
from stiknn_view.selection import Selection
from tests.browser.driver import View, settled
from tests.patience import BROWSER_PATIENCE

Wait = Callable[..., Locator]
LINK = "dataset=circles&n=80&noise=0.1&flip=0.1&seed=1&k=5&index=STII&order=class"
REFUSE = "navigator.clipboard.writeText = () => Promise.reject(new Error('refused'));"


@pytest.fixture(scope="module")
def address(open_app: Callable[..., str]) -> str:
    return open_app("app.py")


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page that may use a clipboard."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    sheet = context.new_page()
    sheet.set_default_timeout(BROWSER_PATIENCE)
    yield sheet
    context.close()


def copied(page: Page) -> str:
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    found: str = page.evaluate("navigator.clipboard.readText()")
    return found


def ranges(view: View, side: str) -> str:
    ids = view.root.evaluate(f"root => root.stiknnView.model.current.{side}")
    return written_selection(Selection(tuple(ids), tuple(ids)))


def test_one_click_copies_the_link_and_what_is_selected(
    page: Page, address: str, wait_for_view: Wait
) -> None:
    page.goto(f"{address}/explore?{LINK}")
    wait_for_view()
    settled(page)
    bare = copied(page)
    assert urlsplit(bare)._replace(query="").geturl() == f"{address}/explore"
    assert "selected" not in bare
    assert parse_qs(urlsplit(bare).query)["seed"] == ["1"]
    expect(page.get_by_role("button", name="Copy link")).to_be_visible()  # it says so for a while

    view = View(page)
    page.get_by_role("application", name=re.compile("^Scatter")).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    view.expect_lit(1, 1, "scatter")
    one = view.root.evaluate("root => root.stiknnView.model.current.rows[0]")
    with_one = copied(page)
    assert with_one == f"{bare}&selected={one}"

    page.goto(with_one)
    wait_for_view()
    View(page).expect_lit(1, 1, "link")
    expect(page.get_by_text("One point is selected")).to_be_visible()
    settled(page)
    page.keyboard.press("Escape")
    View(page).click_cell(5, 5)
    View(page).expect_lit(40, 40, "block")
    assert copied(page).endswith("selected=" + ranges(view, "rows"))
    View(page).click_cell(5, 45)  # two classes, of more points than a link holds
    expect(page.get_by_role("button", name="Copy link")).to_be_visible()
    View(page).expect_lit(40, 40, "block")
    assert "selected" not in copied(page)


def test_a_browser_that_refuses_shows_the_link(
    page: Page, address: str, wait_for_view: Wait
) -> None:
    page.add_init_script(REFUSE)
    page.goto(f"{address}/explore?{LINK}")
    wait_for_view()
    settled(page)
    page.get_by_role("button", name="Copy link").click()
    field = page.get_by_role("textbox", name="Link to this page")
    expect(field).to_be_focused()
    assert field.input_value().startswith(f"{address}/explore?dataset=circles&n=80")
    assert field.evaluate("field => field.selectionEnd - field.selectionStart") > 50


def test_back_leaves_a_page_with_one_press_whatever_was_changed_on_it(
    page: Page, address: str, wait_for_view: Wait
) -> None:
    page.goto(address)
    wait_for_view()
    page.locator(".st-key-page-links").get_by_role("link", name="Explore").click()
    page.locator(".st-key-explore-view [data-ready=true]").wait_for()
    for k in (6, 7, 8):
        settled(page)
        box = page.get_by_role("spinbutton", name="k neighbours")
        box.fill(str(k))
        box.press("Enter")
        page.wait_for_url(f"**/explore?*k={k}&*")
    page.go_back()
    expect(page).to_have_title(re.compile("^Home"))
    expect(page).to_have_url(re.compile(f"^{re.escape(address)}/(\\?|$)"))
    page.go_forward()
    expect(page).to_have_title(re.compile("^Explore"))
    page.wait_for_url("**/explore?*k=8&*")


def test_an_example_in_a_new_tab_is_selected_as_it_says(
    page: Page, address: str, wait_for_view: Wait
) -> None:
    page.goto(address)
    wait_for_view()
    card = page.locator(".st-key-example-copies")
    link = card.get_by_role("link", name="New tab")
    expect(link).to_have_attribute("href", re.compile("selected=[0-9,-]+$"))
    page.goto(link.get_attribute("href") or "")
    wait_for_view()
    View(page).expect_lit(2, 2, "link")
    expect(page.get_by_text("A point and its copy are selected.")).to_be_visible()
    # Without the selection, a link says nothing of one.
    page.goto(page.url.partition("&selected=")[0])
    wait_for_view()
    View(page).expect_lit(0, 0, "none")
    expect(page.get_by_text("Copies: what to see here.")).to_be_visible()
    expect(page.get_by_text("are selected")).to_have_count(0)


def test_a_first_visit_brings_two_megabytes_at_most(page: Page, address: str) -> None:
    sent: list[int] = []
    devtools = page.context.new_cdp_session(page)
    devtools.send("Network.enable")
    devtools.on("Network.loadingFinished", lambda event: sent.append(event["encodedDataLength"]))
    devtools.on(
        "Network.webSocketFrameReceived",
        lambda event: sent.append(len(event["response"]["payloadData"]) * 3 // 4),
    )
    page.goto(f"{address}/explore")
    page.locator('[data-testid="linked-view"][data-ready="true"]').wait_for()
    settled(page)
    page.wait_for_load_state("networkidle")
    assert 1_000_000 < sum(sent) < 2_000_000
