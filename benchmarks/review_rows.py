"""Whether reviewing very many rows is as quick as few: `python -m benchmarks.review_rows`.

Uploads a made-up table in a browser (`make browser-install`), reviews it, takes the corrected file
away, kills the server and comes back. Minutes, nearly all of them for ranking the rows.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import numpy as np
from playwright.sync_api import Page, expect, sync_playwright

from benchmarks.report import Limit, Row, format_seconds, format_table, judged, machine
from tests.browser.chromium import launch
from tests.browser.driver import settled
from tests.browser.review_card import CARD, TITLE, in_view
from tests.browser.server import Server

SIZES = (1_000, 100_000)
COLUMNS = 20
LINK = "space=forest"
PATIENCE = 1_200_000  # ms for what is computed
TIMES = 12
MOST_RATIO = 3.0
# From an event, as the browser stamped it, to the frame in which all of another card stands.
WATCHER = """
window.shown = [];
window.written = [];
window.addEventListener("keydown", ({ timeStamp }) => {
  const card = document.querySelector('[data-testid="review"]');
  let waits = false;
  const look = () => {
    waits ||= card.dataset.waiting !== "0";
    if (!waits && performance.now() - timeStamp > 1000) return; // nothing was decided
    if (waits && card.dataset.waiting === "0") window.written.push(performance.now() - timeStamp);
    else requestAnimationFrame(look);
  };
  if (card) requestAnimationFrame(look);
}, { capture: true });
for (const kind of ["keydown", "click"])
  window.addEventListener(kind, ({ timeStamp, target }) => {
    const card = document.querySelector('[data-testid="review"]');
    if (!card || (kind === "click" && !target.closest(".stiknn-review-list"))) return;
    const before = card.dataset.point;
    const look = () => {
      const whole = card.dataset.point !== before && card.dataset.fetched === "true";
      if (whole) window.shown.push(performance.now() - timeStamp);
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }, { capture: true });
"""


def table(n: int) -> bytes:
    """Return a file of three classes with every tenth label wrong, as this app writes files."""
    rng = np.random.default_rng(1)
    kinds = rng.integers(0, 3, n)
    X = rng.normal(size=(n, COLUMNS)) + 1.2 * np.eye(3, COLUMNS)[kinds]
    wrong = rng.random(n) < 0.1
    labels = np.array(["ash", "beech", "cedar"])[np.where(wrong, (kinds + 1) % 3, kinds)]
    lines = [",".join(["id", *(f"x{column}" for column in range(COLUMNS)), "label"])]
    for row, (line, label) in enumerate(zip(X.tolist(), labels.tolist(), strict=True)):
        lines.append(",".join([f"R{row:07d}", *(f"{cell:.4f}" for cell in line), label]))
    return ("\ufeff" + "\r\n".join([*lines, ""])).encode()


def seconds(act: Callable[[], object]) -> float:
    """Return how long something takes."""
    start = time.perf_counter()
    act()
    return time.perf_counter() - start


def whole(page: Page) -> None:
    """Wait until the card of the point in view stands there with everything on it."""
    button = page.get_by_role("button", name="Rank all rows").or_(
        page.get_by_role("button", name="Compute", exact=True)
    )
    card = page.locator(f'{CARD}[data-fetched="true"]')
    card.or_(button).first.wait_for(timeout=PATIENCE)
    if button.is_visible():
        button.click()
    card.wait_for(timeout=PATIENCE)


def saved(page: Page) -> None:
    """Wait until the server has heard of everything, and the page stands still."""
    expect(page.locator(CARD)).to_have_attribute("data-waiting", "0", timeout=60_000)


def go(page: Page, name: str) -> None:
    """Go to another page by its link."""
    page.locator(".st-key-page-links").get_by_role("link", name=name).click()


def pressed(page: Page, key: str) -> float:
    """Return how long the next card takes after a key."""
    count = page.evaluate("window.shown.length")
    page.keyboard.press(key)
    page.wait_for_function("count => window.shown.length > count", arg=count)
    return float(page.evaluate("window.shown.at(-1)")) / 1e3


def written(page: Page, key: str) -> tuple[float, float]:
    """Return the same for a key that decides, and how long it takes to be written and heard."""
    count = page.evaluate("window.written.length")
    card = pressed(page, key)
    page.wait_for_function("count => window.written.length > count", arg=count)
    return card, float(page.evaluate("window.written.at(-1)")) / 1e3


def kept(page: Page) -> None:
    """Keep the file with the review, and close what was opened for that."""
    more = page.get_by_text("Changes, effect, and where this review is kept")
    more.click()
    page.get_by_role("tab", name="This review").click()
    page.get_by_text("Keep the uploaded file with this review").click()
    settled(page)
    expect(page.get_by_role("checkbox", name="Keep the uploaded file")).to_be_checked()
    more.click()
    settled(page)


def measure(page: Page, server: Server, n: int) -> dict[str, float]:
    """Return what each thing takes with so many rows, in seconds."""
    given, found = table(n), {}
    page.goto(f"{server.url}/data?{LINK}")
    page.get_by_role("radio", name="Upload a file").or_(
        page.get_by_role("button", name="Upload a file")
    ).first.click()
    page.get_by_test_id("stFileUploader").locator("input[type=file]").set_input_files(
        {"name": f"trees-{n}.csv", "mimeType": "text/csv", "buffer": given}
    )
    expect(page.get_by_text(f"{n:,} rows, {COLUMNS} feat").first).to_be_visible(timeout=PATIENCE)
    go(page, "Review")
    found["ranked and opened"] = seconds(lambda: whole(page))
    settled(page)
    kept(page)

    def open_again() -> float:
        go(page, "Data")
        expect(page.get_by_test_id("stFileUploader")).to_be_visible()
        settled(page)
        start = time.perf_counter()
        go(page, "Review")
        whole(page)
        return time.perf_counter() - start

    found["open, ranked before"] = median(open_again() for _ in range(5))
    settled(page)
    page.locator(TITLE).click()
    found["next card"] = median(pressed(page, "n") for _ in range(3 * TIMES))
    found["next card, slowest"] = max(pressed(page, "n") for _ in range(3 * TIMES))
    page.wait_for_timeout(1_500)  # until nobody waits for what these keys did not decide
    took, wanted = [], {}
    for _ in range(TIMES):
        name = in_view(page)["name"]
        took.append(written(page, "2"))
        wanted[name] = "beech"
    found["decide"], found["decided and written"] = map(median, zip(*took, strict=True))
    took = [written(page, "u") for _ in range(TIMES // 2)]
    for _ in took:
        wanted.popitem()
    found["undo"], found["undone and written"] = map(median, zip(*took, strict=True))
    last = page.locator(".stiknn-review-list")
    last.evaluate("list => { list.scrollTop = list.scrollHeight; }")
    page.wait_for_timeout(200)
    before = page.evaluate("window.shown.length")
    page.locator(".stiknn-review-row").last.click()
    page.wait_for_function("count => window.shown.length > count", arg=before)
    found["jump to the end of the queue"] = float(page.evaluate("window.shown.at(-1)")) / 1e3
    slider = page.get_by_role("slider", name="Flag below")
    # The whole of it: counting, queue, histogram, painting.
    moved = """slider => Array.from({ length: 20 }, () => {
        const start = performance.now();
        slider.value = String(Number(slider.value) + Number(slider.step));
        slider.dispatchEvent(new Event("input"));
        return performance.now() - start;
    })"""
    found["move the threshold"] = median(slider.evaluate(moved)) / 1e3
    bulk = page.get_by_role("button", name=re.compile("^Accept [0-9,]+ suggestion"))
    text = bulk.inner_text()

    def let_go() -> None:
        slider.dispatch_event("change")
        expect(bulk).not_to_have_text(text, timeout=60_000)

    found["threshold on the server"] = seconds(let_go)
    settled(page)

    queue = page.locator(".stiknn-review-queue")

    def other_score(name: str, told: str) -> float:
        page.get_by_role("combobox", name="Rank by").click()
        option = page.get_by_role("option", name=re.compile(f"^Rank by {name}"))
        option.wait_for()
        start = time.perf_counter()
        option.click()
        expect(queue).to_contain_text(told)
        return time.perf_counter() - start

    found["another score"] = other_score("Value", "KNN-Shapley value:")
    settled(page)
    other_score("Label quality", "label quality:")
    settled(page)
    bulk.click()
    accept = page.get_by_role("dialog").get_by_role("button", name="Accept")
    accept.wait_for()
    settled(page)
    many = accept.inner_text().split()[-1]
    none = page.get_by_role("button", name="Accept 0 suggestions")

    def take() -> None:
        accept.click()
        expect(none).to_be_visible(timeout=60_000)

    found["accept all suggestions"] = seconds(take)
    settled(page)

    def undo_all() -> None:
        page.keyboard.press("u")
        expect(none).to_have_count(0, timeout=60_000)
        saved(page)

    found["undo all of them"] = seconds(undo_all)
    settled(page)
    page.get_by_role("button", name="Take away").click()

    def take_away() -> None:
        with page.expect_download(timeout=PATIENCE) as event:
            page.get_by_role("button", name="Corrected data (CSV)").click()
        compare(given, Path(event.value.path()).read_bytes(), wanted)

    settled(page)
    found["corrected file, compared"] = seconds(take_away)
    print(f"n = {n:,}: {many} suggestions accepted at once; corrected file as given but for "
          f"{len(wanted)} labels")  # fmt: skip
    address = page.url
    page.goto("about:blank")
    server.crash_and_start_again()

    def come_back() -> None:
        page.goto(address)
        whole(page)

    found["kill -9, start, reload, rank anew"] = seconds(come_back)
    expect(page.locator(".stiknn-review-progress")).not_to_contain_text("0 of ")
    return found


def compare(given: bytes, back: bytes, wanted: dict[str, str]) -> None:
    """Make sure that a corrected file is the given one but for the decisions."""
    lines, others = given.split(b"\r\n"), back.split(b"\r\n")
    assert len(lines) == len(others)
    changed = {}
    for line, other in zip(lines, others, strict=True):
        if line != other:
            assert line.rsplit(b",", 1)[0] == other.rsplit(b",", 1)[0]
            name, label = other.split(b",")[0], other.rsplit(b",", 1)[1]
            changed[name.decode()] = label.decode()
    assert changed.items() <= wanted.items(), (changed, wanted)
    assert changed


def main() -> None:
    """Print machine, versions and the table."""
    sizes = [int(size) for size in sys.argv[1:]] or list(SIZES)
    found = []
    for n in sizes:
        with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
            os.environ["STIKNN_HOME"] = folder
            server = Server("app.py", Path(folder) / "streamlit.log")
            try:
                server.wait()
                browser = launch(playwright)
                context = browser.new_context(viewport={"width": 1280, "height": 720})
                context.add_init_script(WATCHER)
                page = context.new_page()
                page.set_default_timeout(60_000)
                found.append(measure(page, server, n))
                browser.close()
            finally:
                server.stop()
    rows = []
    for name, few in found[0].items():
        many = found[-1][name]
        limit: Limit | None = None if name in UNBOUNDED else ("<=", MOST_RATIO)
        ratio = many / few
        times = format_seconds(many), format_seconds(few)
        rows.append(Row(name, *times, f"{ratio:.1f} x", *judged(ratio, limit, " x")))
    print(f"{machine()}\n\n{sizes[-1]:,} rows beside {sizes[0]:,}, {COLUMNS} columns\n")
    print(format_table(rows))


UNBOUNDED = (
    "ranked and opened",
    "accept all suggestions",
    "undo all of them",
    "corrected file, compared",
    "kill -9, start, reload, rank anew",
)
"""What has to do with all rows, or a third of them, at once."""

if __name__ == "__main__":
    main()
