"""Where things stand on the pages with a picture: whole, in view, still, near for the keyboard."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from stiknn_ui.shell import PAGES
from tests.browser.driver import begun, choose, settled

Wait = Callable[..., Locator]
LINK = "dataset=circles&n=120&noise=0.1&flip=0.1&seed=1&k=5"
WIDE = [(1280, 720), (1440, 900), (1920, 1080), (1024, 768)]
PHONE = (390, 844)
LEGENDS = [".stiknn-panel-matrix .stiknn-legend", ".stiknn-panel-scatter .stiknn-legend"]
MOST_TABS = 12


@pytest.fixture(scope="module")
def address(open_app: Callable[..., str]) -> str:
    return open_app("app.py")


def box(place: Locator) -> dict[str, float]:
    found = place.bounding_box()
    assert found is not None
    return dict(found)


def inside(place: Locator, width: int, height: int) -> dict[str, float]:
    """Check that all of it is in the window, and return where it is."""
    found = box(place)
    assert found["x"] >= 0, found
    assert found["y"] >= 0, found
    assert found["x"] + found["width"] <= width, found
    assert found["y"] + found["height"] <= height, found
    return found


def square(page: Page, plot: str) -> None:
    """Check that the square of the data itself is one."""
    size: list[float] = page.get_by_test_id(plot).evaluate(
        """({ layout: { width, height, margin: { l, r, t, b } } }) =>
            [width - l - r, height - t - b]"""
    )
    assert abs(size[0] - size[1]) <= 2, size


def shown(page: Page, address: str, wait: Wait, path: str, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(f"{address}/{path}?{LINK}")
    wait()
    settled(page)


@pytest.mark.parametrize("size", WIDE, ids=str)
def test_explore_shows_both_plots_whole_with_legend_and_status(
    page: Page, address: str, wait_for_view: Wait, size: tuple[int, int]
) -> None:
    shown(page, address, wait_for_view, "explore", size)
    for plot in ("matrix", "scatter"):
        found = inside(page.get_by_test_id(plot), *size)
        assert abs(found["width"] - found["height"]) <= 2
        square(page, plot)
    for place in (*LEGENDS, ".stiknn-status"):
        inside(page.locator(place), *size)
    # They use the room: nearly as high as the window, or as wide as half of it.
    side, (width, height) = found["width"], size
    assert side > min(width / 2 - 60, height - 240)

    assert box(page.locator(".st-key-toolbar"))["height"] < 64, "more than one row of controls"
    assert box(page.locator(".st-key-page-links"))["height"] < 48, "more than one row of links"


# Where things are in every frame until there is a picture; asked one by one they may have moved.
WATCH = """() => {
    window.seen = [];
    const places = [".st-key-news", ".st-key-toolbar-end", ".st-key-toolbar", ".stiknn-skeleton"];
    const look = () => {
        const [news, ...others] = places.map((place) => document.querySelector(place));
        if (others.at(-1)) {
            const boxes = [news, ...others].map((it) => it.getBoundingClientRect().toJSON());
            const bar = news.querySelector("[role=progressbar]") !== null;
            window.seen.push([...boxes, bar, news.scrollWidth - news.clientWidth]);
        }
        requestAnimationFrame(look);
    };
    look();
}"""


@pytest.mark.parametrize("size", [(1280, 720), (1024, 768), PHONE], ids=str)
def test_progress_stands_beside_the_controls_or_over_the_picture_and_moves_nothing(
    page: Page, address: str, wait_for_view: Wait, size: tuple[int, int]
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.add_init_script(f"({WATCH})()")
    page.goto(f"{address}/explore?dataset=circles&n=4000&seed={size[0]}")
    begun(page)
    wait_for_view()
    seen: list[list[Any]] = page.evaluate("seen")
    assert any(progress for *_, progress, _ in seen)
    for news, end, bar, frame, _, outside in seen:
        assert outside <= 0, "words stand outside"
        assert 0 <= news["left"] < news["right"] <= size[0]
        assert 0 <= news["top"] < news["bottom"] <= size[1]
        assert news["left"] >= end["right"] or news["top"] >= end["bottom"]
        assert frame["top"] - bar["bottom"] < 12, "the news push what follows down"
    tops = [frame["top"] for _, _, _, frame, _, _ in seen]
    # By 12 and more where links and controls are less high than what stands in their place.
    assert max(tops) - min(tops) < 8, "the place of the picture moves"


def test_axes_of_two_features_are_equal(page: Page, address: str, wait_for_view: Wait) -> None:
    shown(page, address, wait_for_view, "explore", WIDE[0])
    spans: list[float] = page.get_by_test_id("scatter").evaluate(
        "({ layout }) => [layout.xaxis, layout.yaxis].map(({ range: [a, b] }) => Math.abs(b - a))"
    )
    assert spans[0] == pytest.approx(spans[1])


def test_a_phone_shows_the_matrix_on_its_first_screen(
    page: Page, address: str, wait_for_view: Wait
) -> None:
    shown(page, address, wait_for_view, "explore", PHONE)
    inside(page.get_by_test_id("matrix"), *PHONE)
    square(page, "matrix")
    inside(page.locator(LEGENDS[0]), *PHONE)
    for label in ("k neighbours", "Order", "Colour of points"):
        inside(page.get_by_label(label).first, *PHONE)
    page.get_by_role("button", name="Settings").click()
    inside(page.get_by_role("combobox", name="Test points"), *PHONE)


def test_suspects_shows_table_and_picture_together(
    page: Page, address: str, wait_for_view: Wait
) -> None:
    size = (1280, 720)
    shown(page, address, wait_for_view, "suspects", size)
    table = inside(page.get_by_test_id("stDataFrame").first, *size)
    assert table["height"] > 300
    for plot in ("matrix", "scatter"):
        inside(page.get_by_test_id(plot), *size)
        square(page, plot)
    for place in (*LEGENDS, ".stiknn-status"):
        inside(page.locator(place), *size)
    line = page.get_by_text("Checked against the")
    assert inside(line, *size)["height"] < 30, "the score takes more than one line"


SHIFT = """() => {
    window.shifted = 0;
    new PerformanceObserver((list) => {
        for (const { value } of list.getEntries()) window.shifted += value;
    }).observe({ type: "layout-shift" });
}"""


def test_nothing_moves_while_k_and_order_change(
    page: Page, address: str, wait_for_view: Wait
) -> None:
    shown(page, address, wait_for_view, "explore", (1280, 720))
    page.evaluate(SHIFT)
    before = box(page.get_by_test_id("matrix"))
    k = page.get_by_role("spinbutton", name="k neighbours")
    k.fill("6")
    k.press("Enter")
    expect(page.get_by_text("k = 6 · STII").last).to_be_attached()
    choose(page, "Order", "Class, then value")
    expect(page.get_by_test_id("linked-view")).to_have_attribute("data-order", "value")
    settled(page)
    assert box(page.get_by_test_id("matrix")) == before
    # Whatever moved, also within half a second of a key.
    assert page.evaluate("shifted") < 0.1


def test_the_watch_for_shifts_sees_one(page: Page, address: str, wait_for_view: Wait) -> None:
    """Else the test above could not fail."""
    shown(page, address, wait_for_view, "explore", (1280, 720))
    page.evaluate(SHIFT)
    page.locator(".st-key-toolbar").evaluate("bar => (bar.style.minHeight = '300px')")
    page.wait_for_function("() => shifted >= 0.1")


def test_the_matrix_is_near_for_the_tab_key(page: Page, address: str, wait_for_view: Wait) -> None:
    shown(page, address, wait_for_view, "explore", (1280, 720))
    matrix = page.get_by_role("application").first
    page.keyboard.press("Tab")
    skip = page.get_by_role("button", name="Skip to the picture")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(matrix).to_be_focused()
    page.locator(".st-key-page-links").get_by_role("link", name="Data").click()
    expect(page.get_by_role("heading", name="Data", level=1)).to_be_attached()
    expect(skip).to_have_count(0)


@pytest.mark.parametrize("slug", PAGES)
def test_each_page_has_one_main_heading(page: Page, address: str, slug: Any) -> None:
    path = "" if slug == "home" else slug
    page.goto(f"{address}/{path}?{LINK}")
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_text(PAGES[slug].title)


def test_buttons_of_signs_have_full_names(page: Page, address: str, wait_for_view: Wait) -> None:
    shown(page, address, wait_for_view, "explore", (1280, 720))
    for name in ("Settings", "Copy link", "How to read this", "PNG: Download both plots"):
        expect(page.get_by_role("button", name=name)).to_be_visible()
    nameless = page.locator("button").evaluate_all(
        """buttons => buttons
            .filter((one) => !one.getAttribute("aria-label") && !/\\w{2}/.test(one.innerText))
            .map((one) => one.outerHTML.slice(0, 200))"""
    )
    assert nameless == []


@pytest.mark.parametrize("name", ["Read more", "Glossary"])
def test_help_does_not_cover_what_it_opens(
    page: Page, address: str, wait_for_view: Wait, name: str
) -> None:
    shown(page, address, wait_for_view, "explore", (1280, 720))
    page.get_by_role("button", name="How to read this").click()
    page.get_by_role("button", name=name).click()
    expect(page.get_by_test_id("stDialog")).to_be_visible()
    expect(page.get_by_test_id("stPopoverBody")).to_be_hidden()
    page.keyboard.press("Escape")  # the help, which would be there again
    expect(page.get_by_test_id("stPopoverBody")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("stDialog")).to_have_count(0)


def test_the_wheel_scrolls_the_page_until_the_plot_was_clicked(
    page: Page, address: str, wait_for_view: Wait
) -> None:
    shown(page, address, wait_for_view, "explore", (1280, 720))
    matrix = page.get_by_test_id("matrix")
    page.get_by_role("button", name="Zoom: Dragging zooms").click()
    middle = box(matrix)
    spot = (middle["x"] + middle["width"] / 2, middle["y"] + middle["height"] / 2)
    page.mouse.move(*spot)
    page.mouse.wheel(0, 60)
    top = "() => document.querySelector('[data-testid=stMain]').scrollTop"
    page.wait_for_function(f"() => ({top})() > 20")
    whole = "graph => graph.layout.xaxis.range"
    assert matrix.evaluate(whole) == [0, 120]

    scrolled = page.evaluate(top)
    page.mouse.click(*spot)
    page.mouse.wheel(0, -200)
    page.wait_for_function(
        """() => {
            const { xaxis } = document.querySelector('[data-testid="matrix"]').layout;
            return xaxis.range[1] - xaxis.range[0] < 100;
        }"""
    )
    assert page.evaluate(top) == scrolled, "the page moves while the plot zooms"
