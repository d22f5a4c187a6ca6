"""The widget in a real JupyterLab and a real marimo: `make notebooks-live`.

A home that is not installed is skipped, and the reason says what to install.
"""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.chromium import launch
from tests.browser.driver import View

pytestmark = [pytest.mark.nightly, pytest.mark.timeout(600)]

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 120
N = 30  # points of each class
READY = '[data-testid="linked-view"][data-ready="true"]'
MAKE = f"""\
import numpy as np
from stiknn_core import interactions
rng = np.random.default_rng(0)
X = np.vstack([rng.normal(size=({N}, 2)), rng.normal(size=({N}, 2)) + 4])
view = interactions(X, ["left"] * {N} + ["right"] * {N}, k=5).view(name="Two clouds")
"""
HALF = 2_050  # points of each class, both together more than are shown one by one
BLOCKS = 256
MAKE_BLOCKS = f"""\
import numpy as np
from stiknn_core import RankedNeighbors
rng = np.random.default_rng(0)
X = np.vstack([rng.normal(size=({HALF}, 2)), rng.normal(size=({HALF}, 2)) + 4])
ranked = RankedNeighbors(
    X, ["left"] * {HALF} + ["right"] * {HALF}, k=5, test_rows=np.arange(0, 2 * {HALF}, 100)
)
view = ranked.view(name="Two large clouds")
"""
MARIMO = """\
import marimo

app = marimo.App()

@app.cell
def _():
    import marimo as mo
{make}
    shown = mo.ui.anywidget(view)
    shown
    return mo, shown

@app.cell
def _(mo, shown):
    shown.value
    mo.md(f"SELECTED {{sorted(shown.widget.selected)}} END")

if __name__ == "__main__":
    app.run()
"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        found = launch(playwright)
        yield found
        found.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 1000})
    context.set_default_timeout(1000 * PATIENCE)
    yield context.new_page()
    context.close()


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., str]]:
    """Return a function that starts a module of Python as a server and returns its address."""
    started: list[subprocess.Popen[bytes]] = []
    log = tmp_path / "log.txt"

    def start(module: str, *options: str) -> str:
        if find_spec(module.partition(".")[0]) is None:
            pytest.skip(
                f"{module} is not installed: pip install -r tests/notebooks/requirements.txt"
            )
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = str(probe.getsockname()[1])
        command = [sys.executable, "-m", module, *(one.format(port=port) for one in options)]
        with log.open("wb") as output:
            process = subprocess.Popen(
                command,
                cwd=tmp_path,
                env=home(tmp_path),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # so that it can be ended with its kernels
            )
        started.append(process)
        address = f"http://127.0.0.1:{port}"
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline and process.poll() is None:
            try:
                urllib.request.urlopen(address, timeout=5).close()
                return address
            except (urllib.error.URLError, OSError):
                time.sleep(0.2)
        raise AssertionError(f"{module} did not start:\n{log.read_text()}")

    yield start
    for process in started:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGTERM)
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait(20)


def home(folder: Path) -> dict[str, str]:
    """Return an environment in which nothing is read from or written to the person's own home."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("JUPYTER")}
    return {**kept, "HOME": str(folder), "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "default"}


def notebook(folder: Path, *cells: str) -> Path:
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(one) for one in cells])
    made.metadata["kernelspec"] = {
        "name": "python3",
        "display_name": "Python 3",
        "language": "python",
    }
    path = folder / "view.ipynb"
    nbformat.write(made, path)
    return path


def select_left(page: Page) -> None:
    """Click into the block of the first class, which the view alone answers."""
    page.locator(READY).wait_for()
    view = View(page)
    view.root.scroll_into_view_if_needed()
    view.click_cell(row=5, col=5)
    view.expect_lit(N, N, "block")


def open_lab(
    serve: Callable[..., str], page: Page, folder: Path, *cells: str
) -> tuple[Path, Callable[[int], None]]:
    """Open a notebook in JupyterLab; return its path, and a function that runs a cell of it."""
    path = notebook(folder, *cells)
    # It asks whether to fetch news, which is a dialog above the notebook.
    settings = folder / ".jupyter/lab/user-settings/@jupyterlab/apputils-extension"
    settings.mkdir(parents=True)
    quiet = {"fetchNews": "false", "checkForUpdates": False}
    (settings / "notification.jupyterlab-settings").write_text(json.dumps(quiet))
    address = serve(
        "jupyterlab",
        *("--no-browser", "--allow-root", "--ip=127.0.0.1", "--port={port}"),
        *("--IdentityProvider.token=", "--LabApp.extension_manager=readonly"),
    )
    page.goto(f"{address}/lab/tree/{path.name}")

    def run(cell: int) -> None:
        code = page.locator(".jp-Notebook .jp-CodeCell").nth(cell)
        prompt = code.locator(".jp-InputPrompt").first
        deadline = time.monotonic() + PATIENCE
        # A key that comes before the kernel does is lost without a word.
        while not re.search(r"[\d*]", prompt.inner_text()) and time.monotonic() < deadline:
            code.locator(".cm-content").click()
            page.keyboard.press("Shift+Enter")
            page.wait_for_timeout(2000)

    page.locator(".jp-Notebook .jp-CodeCell").first.wait_for()
    page.locator('.jp-NotebookPanel-toolbar [data-status="idle"]').wait_for()
    return path, run


def test_jupyterlab_selects_both_ways_and_exports_a_living_page(
    serve: Callable[..., str], page: Page, browser: Browser, tmp_path: Path
) -> None:
    path, run = open_lab(
        serve,
        page,
        tmp_path,
        f"{MAKE}view",
        "print('SELECTED', sorted(view.selected))",
        "view.selected = [3, 40, 41]",
    )
    run(0)
    select_left(page)
    run(1)
    told = page.locator(".jp-OutputArea-output pre", has_text="SELECTED")
    expect(told).to_have_text(re.compile(re.escape(f"SELECTED {list(range(N))}")))
    run(2)
    expect(page.get_by_test_id("linked-view")).to_have_attribute("data-selected-rows", "3")

    page.keyboard.press("Control+s")
    page.wait_for_function("() => !document.title.startsWith('*')")
    deadline = time.monotonic() + PATIENCE
    while "SELECTED" not in outputs(path) and time.monotonic() < deadline:
        time.sleep(0.2)
    exported = export(path)
    reader = browser.new_context(offline=True).new_page()
    reader.goto(exported.as_uri())
    reader.frame_locator('iframe[title="Interactions"]').locator(READY).wait_for(
        timeout=1000 * PATIENCE
    )
    reader.context.close()


def test_jupyterlab_reads_back_the_points_of_blocks(
    serve: Callable[..., str], page: Page, tmp_path: Path
) -> None:
    _, run = open_lab(
        serve,
        page,
        tmp_path,
        f"{MAKE_BLOCKS}view",
        "print('SELECTED', len(view.selected), min(view.selected), max(view.selected))",
    )
    run(0)
    page.locator(READY).wait_for()
    view = View(page)
    expect(view.root).to_have_attribute("data-kind", "blocks")
    view.root.scroll_into_view_if_needed()
    view.click_cell(row=5, col=5)
    view.expect_lit(BLOCKS // 2, BLOCKS // 2, "block")
    run(1)
    told = page.locator(".jp-OutputArea-output pre", has_text="SELECTED")
    expect(told).to_have_text(f"SELECTED {HALF} 0 {HALF - 1}")


def outputs(path: Path) -> str:
    return str([cell.get("outputs") for cell in nbformat.read(path, as_version=4).cells])


def export(path: Path) -> Path:
    """Export a notebook to HTML, as people do to give it away."""
    command = [sys.executable, "-m", "nbconvert", "--to", "html", str(path)]
    subprocess.run(command, check=True, env=home(path.parent), timeout=PATIENCE)
    return path.with_suffix(".html")


def test_marimo_tells_the_next_cell_what_is_selected(
    serve: Callable[..., str], page: Page, tmp_path: Path
) -> None:
    script = tmp_path / "view.py"
    make = "\n".join(f"    {line}" for line in MAKE.splitlines())
    script.write_text(MARIMO.format(make=make))
    address = serve(
        "marimo",
        *("run", script.name, "--headless", "--no-token", "--host=127.0.0.1", "--port={port}"),
    )
    page.goto(address)
    expect(page.get_by_text("SELECTED [] END")).to_be_visible(timeout=1000 * PATIENCE)
    select_left(page)
    expect(page.get_by_text(f"SELECTED {list(range(N))} END")).to_be_visible()
