"""Make sure that there is a browser for the tests: `python -m scripts.install_browser`.

One that is installed is used. Otherwise Debian's own package where we may install it,
and else the download that Playwright offers.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

from tests.browser.chromium import find_browser


def main() -> None:
    """Print the browser that will be used; end with an error if none could be had."""
    # Installing another one would not mend a path that was named by hand.
    by_hand = "STIKNN_BROWSER" in os.environ
    for install in () if by_hand else (_with_apt, _with_playwright):
        if find_browser() is None:
            install()
    path = find_browser()
    if path is None:
        raise SystemExit(
            "No Chromium or Chrome could be found or installed. Install one by hand, "
            "or set STIKNN_BROWSER to the path of one."
        )
    print(f"Browser for the tests: {path}")


def _with_apt() -> None:
    if shutil.which("apt-get") is None or os.geteuid() != 0:
        return
    print("Installing Chromium with apt-get", flush=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for step in (["update", "-qq"], ["install", "-y", "-qq", "chromium"]):
        subprocess.run(["apt-get", *step], env=environment, stdin=subprocess.DEVNULL)


def _with_playwright() -> None:
    print("Downloading Chromium with Playwright", flush=True)
    command = [sys.executable, "-m", "playwright", "install", "chromium"]
    if sys.platform == "linux" and os.geteuid() == 0:
        command.insert(-1, "--with-deps")
    subprocess.run(command, stdin=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
