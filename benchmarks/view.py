"""Measure the pages in Chromium and print one table: `python -m benchmarks.view`.

All of it takes some ten minutes; `python -m benchmarks.view pictures upload` measures a part.
Needs a browser (`make browser-install`) and a machine that does nothing else.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Callable

from playwright.sync_api import Browser, sync_playwright

from benchmarks import view_gestures, view_opening, view_steps
from benchmarks.report import Row, format_table, machine
from benchmarks.view_browser import running
from tests.browser.chromium import launch
from tests.browser.server import Server

REPEAT = 5

PARTS: dict[str, Callable[[Browser, Server, int], list[Row]]] = {
    "pictures": view_opening.pictures,
    "pages": view_steps.switches,
    "k": view_steps.neighbours,
    "review": view_steps.decisions,
    "upload": view_steps.uploads,
    "highlights": view_gestures.highlights,
    "slow": view_opening.slow,
}
"""What is measured on one warm server; "start" starts its own."""
START = "start"


def measure(parts: list[str], repeat: int) -> tuple[str, list[Row]]:
    """Return the browser's version and the rows of some parts."""
    rows: list[Row] = []
    with sync_playwright() as playwright:
        browser = launch(playwright)
        if START in parts:
            rows += view_opening.starts(browser, repeat)
        if wanted := [part for part in PARTS if part in parts]:
            with running() as server:
                server.wait()
                for part in wanted:
                    rows += PARTS[part](browser, server, repeat)
        version = browser.version
        browser.close()
    return version, rows


def main() -> None:
    """Print machine, versions and the table."""
    known = [START, *PARTS]
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", help=f"of {', '.join(known)}; all without any")
    parser.add_argument("--repeat", type=int, default=REPEAT, help="times that each is measured")
    given = parser.parse_args()
    if unknown := set(given.parts) - set(known):
        parser.error(f"there is no part {', '.join(sorted(unknown))}; choose of {', '.join(known)}")
    with tempfile.TemporaryDirectory() as home:
        os.environ["STIKNN_HOME"] = home  # the decisions that are measured are nobody's
        version, rows = measure(given.parts or known, given.repeat)
    print(f"{machine()}, Chromium {version}\n")
    print(format_table(rows))


if __name__ == "__main__":
    main()
