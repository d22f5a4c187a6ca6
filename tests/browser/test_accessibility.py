"""Every page for everyone: what axe finds, a phone's width, and Explore by the Tab key alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from stiknn_ui.shell import PAGES, Slug
from tests.browser.driver import painted, settled
from tests.tables.drawn import two_classes, zipped
from tests.ui.row_contents import messages

LINK = "dataset=circles&n=80&noise=0.1&flip=0.1&seed=1&k=5"
LARGE = "dataset=blobs&n=4300&classes=3&eval=hold-out&share=0.02"
AXE = Path(__file__).parent / "axe" / "axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]
BAD = {"serious", "critical"}
# What is Streamlit's own and no style of ours can mend: (rule, part of the page).
# The label of a widget that is switched off is pale, as the rule allows, but Streamlit does not
# tie it to its field, so axe cannot know that it belongs to one that is off.
NOT_OURS = [("color-contrast", '[data-testid="stWidgetLabel"][disabled]')]

WITH_VIEW = {"home", "explore", "point", "suspects"}
# What shows that another page is complete; one that is not named here has ended its run.
READY = {
    "data": ".js-plotly-plot",
    "review": '[data-testid="review"][data-ready="true"]',
    "compare": ".st-key-downloads, .stDownloadButton",
}


@pytest.fixture(scope="module")
def address(open_app: Callable[..., str]) -> str:
    return open_app("app.py")


def open_page(page: Page, address: str, slug: Slug, link: str = LINK) -> None:
    """Open a page and wait for all of it: the code of its elements comes after their data."""
    script = Path(PAGES[slug].script).stem
    page.goto(address if script == "app" else f"{address}/{script}?{link}")
    complete(page, slug)


def complete(page: Page, slug: Slug) -> None:
    if slug in WITH_VIEW:
        painted(page)
    else:
        page.locator(READY.get(slug, '[data-testid="stApp"]')).first.wait_for()
    settled(page)


def select_by_keys(page: Page) -> None:
    page.get_by_role("application").first.focus()
    for key in ("ArrowRight", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    expect(page.get_by_text("Selection.", exact=True)).to_be_visible()
    settled(page)


def ask_for_a_file(page: Page) -> None:
    page.get_by_role("radio", name="Upload a file").or_(
        page.get_by_role("button", name="Upload a file")
    ).first.click()
    expect(page.get_by_test_id("stFileUploader")).to_be_visible()
    settled(page)


# Brings a page into a state with more on it than at first.
PREPARE: dict[str, Callable[[Page], None]] = {"explore": select_by_keys, "data": ask_for_a_file}


def show_all(page: Page) -> None:
    """Make the window as high as the page: axe judges no colours outside of it."""
    height = page.get_by_test_id("stMain").evaluate("main => main.scrollHeight")
    page.set_viewport_size({"width": 1280, "height": height + 200})
    settled(page)


def stand_still(page: Page) -> None:
    """Let colours change at once: on its way from one to another, each has another contrast."""
    page.add_style_tag(content="* { transition: none !important; animation: none !important; }")


def violations(page: Page) -> list[str]:
    """Return what axe calls serious or critical, a line for each element."""
    found: list[dict[str, Any]] = page.evaluate(
        """async ([values, ours]) => {
            const options = { runOnly: { type: "tag", values }, resultTypes: ["violations"] };
            const { violations } = await axe.run(document, options);
            const known = (id, target) => ours.some(
                ([rule, part]) => id === rule && document.querySelector(target)?.closest(part)
            );
            return violations.flatMap(({ id, impact, nodes }) => nodes
                .filter(({ target }) => !known(id, target[0]))
                .map(({ html, failureSummary }) => ({ id, impact, html, failureSummary })));
        }""",
        [RULES, NOT_OURS],
    )
    return [
        f"{one['impact']} {one['id']}: {one['html'][:150]} ({one['failureSummary']})"
        for one in found
        if one["impact"] in BAD
    ]


def violations_at_rest(page: Page) -> list[str]:
    """Return what is found where no script runs: a run fades what it may draw anew.

    A change of theme starts one that is only about to be seen. What is wrong stays so.
    """
    found: list[str] = []
    for _ in range(3):
        expect(page.locator('[data-stale="true"]')).to_have_count(0)
        settled(page)
        found = violations(page)
        if not found:
            break
    return found


def in_theme(page: Page, scheme: Any) -> None:
    """Switch the theme, which follows the browser, and wait until all of it has."""
    page.emulate_media(color_scheme=scheme)
    page.wait_for_function(
        """scheme => {
            const app = document.querySelector('[data-testid="stApp"]');
            const view = document.querySelector('[data-testid="linked-view"]');
            const dark = scheme === "dark";
            return getComputedStyle(app).colorScheme === scheme
                && (!view || view.classList.contains("stiknn-dark") === dark);
        }""",
        arg=scheme,
    )


@pytest.mark.parametrize(
    ("slug", "link"),
    [
        *(pytest.param(slug, LINK, id=slug) for slug in PAGES),
        pytest.param("explore", LARGE, id="explore-blocks"),
    ],
)
def test_no_page_keeps_anyone_out_in_either_theme_or_is_too_wide_for_a_phone(
    page: Page, address: str, slug: Slug, link: str
) -> None:
    open_page(page, address, slug, link)
    PREPARE.get(slug, settled)(page)
    keeps_nobody_out(page)


FILES: dict[str, tuple[Callable[[], bytes], str]] = {
    "messages.csv": (messages, "40 rows,"),
    "pictures.zip": (lambda: zipped(two_classes(12)), "24 rows,"),
}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("slug", ["data", "explore", "point", "suspects", "review"])
def test_rows_with_texts_or_pictures_keep_nobody_out_either(
    page: Page, address: str, slug: Slug, name: str
) -> None:
    make, told = FILES[name]
    page.goto(f"{address}/data?space=features")
    ask_for_a_file(page)
    settled(page)  # a file that is given while the page still changes may be lost
    page.get_by_test_id("stFileUploader").locator("input[type=file]").set_input_files(
        {"name": name, "mimeType": "application/octet-stream", "buffer": make()}
    )
    expect(page.get_by_text(told).first).to_be_visible()
    settled(page)
    if slug != "data":
        links = page.locator(".st-key-page-links")
        links.get_by_role("link", name=PAGES[slug].title).click()
        complete(page, slug)
    if slug == "explore":
        select_by_keys(page)
    keeps_nobody_out(page)


def keeps_nobody_out(page: Page) -> None:
    """Look at a page in both themes, and at its width on a phone."""
    page.mouse.move(0, 0)
    show_all(page)
    page.evaluate(AXE.read_text(encoding="utf-8"))
    stand_still(page)
    for scheme in ("light", "dark"):
        in_theme(page, scheme)
        found = violations_at_rest(page)
        assert not found, f"{scheme}:\n" + "\n".join(found)

    page.set_viewport_size({"width": 390, "height": 844})
    settled(page)
    page.evaluate("() => new Promise(done => setTimeout(done, 300))")  # sizes follow the width
    for part in ("html", '[data-testid="stMain"]'):
        wide, seen = page.locator(part).evaluate("part => [part.scrollWidth, part.clientWidth]")
        assert wide <= seen, f"{part} is {wide} pixels wide, of which a phone shows {seen}"


# Looks of what has the focus and of what surrounds it: one of them has to change.
FOCUSED = """async () => {
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    const looks = (node) => {
        const found = [];
        for (let part = node; part && found.length < 9; part = part.parentElement) {
            const style = getComputedStyle(part);
            const outline = style.outlineStyle === "none" ? "" : style.outline;
            found.push([outline, style.boxShadow, style.borderColor, style.backgroundColor]);
        }
        return JSON.stringify(found);
    };
    const before = window.focusedBefore;
    const node = document.activeElement;
    // The whole of the page needs no frame, and a table moves its own from cell to cell.
    const apart = !before || before.node === node || before.node.tagName === "MAIN";
    const seen = apart || looks(before.node) !== before.looks;
    const words = node.tagName === "MAIN" ? "" : (node.querySelector("p") ?? node).innerText;
    const name = node.getAttribute("aria-label") ?? words;
    window.focusedBefore = { node, looks: looks(node) };
    (window.focusedNodes ??= new Set()).add(node);
    return { name, seen, out: node === document.body };
}"""
LEFT_OUT = """() => [...document.querySelectorAll(
    "a[href], button, input, select, textarea, [tabindex], [role=button], [role=slider]"
)].filter((node) => {
    const { width, height } = node.getBoundingClientRect();
    const hidden = getComputedStyle(node).visibility === "hidden" || !width || !height;
    // These do what the arrow keys do in the field beside them.
    const arrows = node.matches('[data-testid^="stNumberInputStep"], [aria-label="Open"]');
    return !hidden && !node.disabled && !arrows && !window.focusedNodes.has(node);
}).map((node) => node.outerHTML.slice(0, 200))"""
MOST_STOPS = 120


def test_the_tab_key_reaches_all_of_explore_in_order_and_gets_out_again(
    page: Page, address: str
) -> None:
    open_page(page, address, "explore")
    stand_still(page)
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Skip to the picture")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to main content")).to_be_focused()
    expect(page.get_by_role("link", name="Skip to main content")).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("stMain")).to_be_focused()

    page.evaluate("document.activeElement.blur()")
    select_by_keys(page)
    page.get_by_role("button", name="Skip to the picture").focus()
    stops, unseen = [page.evaluate(FOCUSED)["name"]], []
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        stop = page.evaluate(FOCUSED)
        if not stop["seen"]:
            unseen.append(stops[-1])
        if stop["out"]:
            break
        stops.append(stop["name"])
    assert stop["out"], f"The focus never leaves the page; the last stops are {stops[-8:]}"
    assert not unseen, f"Nobody sees that the focus is on {unseen}"
    assert page.evaluate(LEFT_OUT) == []

    wanted = [
        *("Skip to the picture", "Skip to main content", "Home", "Data", "Explore", "Suspects"),
        *("Review", "Data: "),
        *("k neighbours", "Order", "Colour of points", "Settings", "Copy link", "How to read"),
        *("Select", "Matrix of STII"),
        *("Scatter of 80 points", "Matrix (CSV)", "Points (CSV)"),
    ]
    met = iter(stops)
    for name in wanted:
        assert any(stop.startswith(name) for stop in met), f"{name} is not in its place in {stops}"

    page.keyboard.press("Shift+Tab")
    assert page.evaluate(FOCUSED)["name"] == stops[-1]
