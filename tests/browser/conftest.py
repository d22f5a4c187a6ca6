"""A browser, a running dashboard, and a page that tolerates no error and no stranger."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from stiknn_view.assets import sources, stub
from tests.browser.chromium import launch_profile
from tests.browser.driver import painted
from tests.browser.server import Server
from tests.patience import BROWSER_PATIENCE

ARTIFACTS = Path("test-artifacts")
OURS = {"127.0.0.1", "localhost"}
# What a page alone can be given; other options (touch, locale) need a context of their own.
OF_PAGE = {"viewport", "color_scheme", "reduced_motion"}
# On a deep link Streamlit looks for its server under the page's address before it looks
# at the root, and Chromium reports the two answers it does not like as errors.
PROBE = re.compile(r"^https?://[^/]+/.+/_stcore/(?:health|host-config)$")

# Of all modules at once: what one sets at its top is in force in the others too.
expect.set_options(timeout=BROWSER_PATIENCE)


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark everything in this folder, so that no test escapes `-m browser`."""
    if Path(__file__).parent in item.path.parents:
        item.add_marker("browser")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Any:
    """Let fixtures know how their test ended."""
    report = yield
    if report.when == "call":
        item.stash[FAILED] = report.failed
    return report


FAILED = pytest.StashKey[bool]()


@pytest.fixture(scope="session")
def profile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserContext]:
    """The context that most pages share, so that Streamlit's code is compiled once."""
    with sync_playwright() as playwright:
        context = launch_profile(playwright, tmp_path_factory.mktemp("profile"))
        yield context
        context.close()


@pytest.fixture(scope="session")
def browser(profile: BrowserContext) -> Browser:
    assert profile.browser is not None
    return profile.browser


@pytest.fixture(scope="session")
def open_app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., str]]:
    """Return a function that starts a script once per choice of options and gives its address.

    ``open_app("app.py", server_maxUploadSize="1")`` passes ``--server.maxUploadSize=1``.
    The theme follows the browser: ``color_scheme`` in the options of its context.
    """
    running: dict[tuple[Any, ...], Server] = {}
    logs = tmp_path_factory.mktemp("streamlit")

    def start(script: str = "app.py", **options: str) -> str:
        key = (script, *sorted(options.items()))
        if key not in running:
            server = Server(script, logs / f"{len(running)}.log", **options)
            running[key] = server
            server.wait()
        return running[key].url

    yield start
    for server in running.values():
        server.stop()


@pytest.fixture
def context_options() -> dict[str, Any]:
    """Options of the browser context; override it in a module for a phone or a dark theme."""
    return {"viewport": {"width": 1280, "height": 900}}


@pytest.fixture
def page(
    browser: Browser,
    profile: BrowserContext,
    context_options: dict[str, Any],
    request: pytest.FixtureRequest,
) -> Iterator[Page]:
    """A fresh page. Its test fails on a console error and on a request to another machine."""
    shared = context_options.keys() <= OF_PAGE
    context = profile if shared else browser.new_context(**context_options)
    sheet = context.new_page()
    if shared:
        _give(sheet, **context_options)
    sheet.set_default_timeout(BROWSER_PATIENCE)
    errors: list[str] = []
    strangers: list[str] = []

    def note(url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme in {"http", "https", "ws", "wss"} and parts.hostname not in OURS:
            strangers.append(url)

    def note_message(message: Any) -> None:
        if message.type == "error" and not PROBE.match(message.location.get("url", "")):
            errors.append(f"{message.text} ({message.location.get('url', '')})")

    sheet.on("request", lambda sent: note(sent.url))
    sheet.on("websocket", lambda socket: note(socket.url))
    sheet.on("console", note_message)
    sheet.on("pageerror", lambda error: errors.append(f"uncaught: {error}"))

    yield sheet

    if request.node.stash.get(FAILED, False):
        ARTIFACTS.mkdir(exist_ok=True)
        name = re.sub(r"[^\w.-]+", "_", request.node.name)
        sheet.screenshot(path=ARTIFACTS / f"{name}.png", full_page=True)
    if shared:
        _leave(sheet)
    else:
        context.close()
    assert not strangers, f"Requests left the machine: {sorted(set(strangers))}; errors: {errors}"
    assert not errors, f"Errors in the browser's console: {errors}"


def _give(sheet: Page, viewport: Any = None, **media: Any) -> None:
    """Apply options of a context to one page."""
    if viewport is not None:
        sheet.set_viewport_size(viewport)
    if media:
        sheet.emulate_media(**media)


def _leave(sheet: Page) -> None:
    """Close a page of the shared context and forget all it has stored, but for caches."""
    parts = urlsplit(sheet.url)
    if parts.hostname in OURS:
        kinds = "cookies,local_storage,indexeddb,websql,service_workers"
        origin = {"origin": f"{parts.scheme}://{parts.netloc}", "storageTypes": kinds}
        sheet.context.new_cdp_session(sheet).send("Storage.clearDataForOrigin", origin)
    sheet.close()


@pytest.fixture
def wait_for_view(page: Page) -> Callable[..., Any]:
    """Return a function that waits until the linked view is painted and gives its locator."""
    return partial(painted, page)


@pytest.fixture
def run_js(page: Page) -> Callable[..., Any]:
    """Return a function that evaluates an expression of what some of our modules export."""
    start = """async ([stub, sources, paths]) => {
        const code = URL.createObjectURL(new Blob([stub], { type: "text/javascript" }));
        const load = (await import(code)).loader(sources);
        Object.assign(globalThis, ...(await Promise.all(paths.map(load))));
    }"""

    def run(modules: list[str], expression: str, argument: Any = None) -> Any:
        page.evaluate(start, [stub("code.js"), sources(), modules])
        return page.evaluate(f"(given) => {expression}", argument)

    return run
