"""The site from a disk, without a connection: the gallery is alive, and axe finds nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from scripts import api_reference
from scripts.website import __main__ as website
from scripts.website import gallery

AXE = Path(__file__).parent / "axe" / "axe.min.js"
# A page of a disk may not fetch its own style sheet, and axe takes a head of a table that holds a
# formula for an empty one.
HOW = {"preload": False, "rules": {"empty-table-header": {"enabled": False}}}
READY = '[data-testid="linked-view"][data-ready="true"]'


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All documents, and the smallest part of gallery and API; the rest is no different."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "style.css").write_text(website.style(), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gallery, "EXHIBITS", gallery.EXHIBITS[2:3])
        website.write_documents(folder)
        website.write_gallery(folder)
        patch.setattr(api_reference, "MODULES", ("stiknn_core.ordering",))
        api_reference.build(folder / "api")
    return folder


@pytest.fixture
def opened(browser: Browser, site: Path) -> Iterator[Callable[..., Page]]:
    """Return a function that opens a page; fail if that asks for anything or says an error."""
    wrong: list[str] = []
    contexts = []

    def go(name: str, **options: Any) -> Page:
        context = browser.new_context(offline=True, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda one: one.type == "error" and wrong.append(one.text))
        page.on(
            "request",
            lambda one: one.url.startswith(("file:", "blob:", "data:")) or wrong.append(one.url),
        )
        page.goto((site / name).as_uri())
        return page

    yield go
    for context in contexts:
        context.close()
    assert not wrong


def test_an_exhibit_is_painted_within_the_gallery_and_answers_a_click(
    opened: Callable[..., Page],
) -> None:
    page = opened("gallery.html", viewport={"width": 1280, "height": 900})
    frame = page.frame_locator("iframe").first
    frame.locator(READY).wait_for()
    frame.locator(".stiknn-class").first.click()
    expect(frame.locator(".stiknn-status")).to_contain_text("points selected")


def test_an_exhibit_opens_alone(opened: Callable[..., Page]) -> None:
    page = opened("gallery.html", viewport={"width": 1280, "height": 900})
    page.get_by_role("link", name="Open Wrong labels alone").click()
    page.locator(READY).wait_for()


@pytest.mark.parametrize("name", ["index", "method", "gallery", "api/stiknn_core/ordering"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_nothing_and_nothing_is_wider_than_the_window(
    opened: Callable[..., Page], name: str, scheme: str, width: int
) -> None:
    page = opened(f"{name}.html", viewport={"width": width, "height": 800}, color_scheme=scheme)
    page.evaluate(AXE.read_text(encoding="utf-8") + "; void 0")
    found = page.evaluate("how => axe.run(how)", HOW)["violations"]
    told = [(one["id"], [node["target"] for node in one["nodes"]]) for one in found]
    assert not told
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == ("rgb(255, 255, 255)" if scheme == "light" else "rgb(18, 21, 28)")
