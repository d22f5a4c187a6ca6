"""Find a Chromium that runs here, and start it the way every browser test needs it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Playwright

COMMANDS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MAC_APPS = ("Chromium", "Google Chrome")

# No sandbox: inside a container, as root, Chromium has none to offer. The rest keeps it
# from talking to anyone, so that a test can insist on "no request leaves the machine".
FLAGS = (
    "--no-sandbox",
    "--headless=new",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # No name but this machine's is found. Playwright's own way to stop requests would turn the
    # browser's cache off, and each page would load and compile all of Streamlit's code again.
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost",
)


class BrowserMissingError(RuntimeError):
    """There is no browser to test with."""


def find_browser() -> str | None:
    """Return the path of a Chromium or Chrome that starts, or None.

    ``STIKNN_BROWSER`` names one by hand. Otherwise the machine's own comes first, then
    the one Playwright may have downloaded.
    """
    by_hand = os.environ.get("STIKNN_BROWSER")
    if by_hand:
        return by_hand if _starts(by_hand) else None
    return next((path for path in _candidates() if _starts(path)), None)


def launch(playwright: Playwright) -> Browser:
    """Start a headless Chromium with an empty profile; refuse, if there is none."""
    return playwright.chromium.launch(executable_path=_path(), args=list(FLAGS))


def launch_profile(playwright: Playwright, folder: Path) -> BrowserContext:
    """Start a headless Chromium with a profile on the disk; refuse, if there is none.

    Its one lasting context keeps files and compiled code over pages, which halves and more what
    a page takes to load (0.7 in place of 1.8 seconds of the browser's work when measured).
    """
    return playwright.chromium.launch_persistent_context(
        folder, executable_path=_path(), args=list(FLAGS)
    )


def _path() -> str:
    path = find_browser()
    if path is None:
        raise BrowserMissingError(
            "The browser tests need Chromium or Chrome and found none that starts; "
            "run `make browser-install`, or set STIKNN_BROWSER to its path."
        )
    return path


def _candidates() -> list[str]:
    installed = [shutil.which(command) for command in COMMANDS]
    applications = [
        str(root / f"{name}.app" / "Contents" / "MacOS" / name)
        for root in (Path("/Applications"), Path.home() / "Applications")
        for name in MAC_APPS
    ]
    return [path for path in [*installed, *applications, _downloaded()] if path]


def _downloaded() -> str | None:
    """Return where Playwright keeps its own download, if there is one.

    Asked of a fresh process: only one Playwright may run in a process at a time.
    """
    code = (
        "from playwright.sync_api import sync_playwright\n"
        "with sync_playwright() as playwright: print(playwright.chromium.executable_path)"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    path = answer.stdout.strip()
    return path if path and Path(path).exists() else None


def _starts(path: str) -> bool:
    """Tell whether it is a real browser (Ubuntu's ``chromium-browser`` may be a stub)."""
    try:
        answer = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return answer.returncode == 0 and "Chrom" in answer.stdout
