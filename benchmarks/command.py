"""How long the command takes from a cold start: `python -m benchmarks.command`.

Every number is of new processes, from their start. CPU seconds, of all cores, stand beside: what
else the machine does lengthens the times by the clock alone.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import numpy as np
import pandas as pd
from playwright.sync_api import Browser, sync_playwright
from uv import find_uv_bin

from benchmarks.report import Limit, Row, format_seconds, judged, print_table
from benchmarks.view_browser import fresh_page
from tests.browser.chromium import launch

ROOT = Path(__file__).resolve().parents[1]
_ADDRESS = re.compile(rb"^STI-KNN Explorer: (\S+)$", re.MULTILINE)


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=3)
    repeat = parser.parse_args().repeat
    print_table(lambda: measure(repeat))


def measure(repeat: int) -> list[Row]:
    """Return all rows of the table."""
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        large, small = _table(folder, 10_000, 20), _table(folder, 1_000, 10)
        run(["-m", "stiknn_core.precompile"])
        browser = launch(playwright)
        rows = [
            row("import stiknn_core",
                [run(["-c", "import stiknn_core"]) for _ in range(repeat)], ("<", 0.8)),
            row("stiknn suspects, 10,000 x 20",
                [run([*_STIKNN, "suspects", large, "-q"]) for _ in range(repeat)], ("<=", 20)),
            row("… where nothing was compiled", [_uncompiled(large, folder)], None),
            row("stiknn FILE of 1,000 x 10 to its first picture",
                [_picture(small, browser, folder) for _ in range(repeat)], ("<=", 8)),
        ]  # fmt: skip
        browser.close()
        return [*rows, _wheel(folder)]


_STIKNN = ("-m", "stiknn_command")


def run(words: Sequence[object], where: Path = ROOT) -> tuple[float, float]:
    """Run Python in a folder; return its seconds by the clock and of the processor."""
    before, start = _used(), time.perf_counter()
    subprocess.run(
        [sys.executable, *map(str, words)], cwd=where, check=True, stdout=subprocess.DEVNULL
    )
    return time.perf_counter() - start, _used() - before


def row(what: str, found: Sequence[tuple[float, float]], limit: Limit | None) -> Row:
    """Return the row of some runs: the median by the clock, and that of the processor."""
    clock, used = (median(times) for times in zip(*found, strict=True))
    worst = max(seconds for seconds, _ in found)
    ours = f"{format_seconds(clock)} (worst of {len(found)}: {format_seconds(worst)})"
    return Row(what, ours, f"CPU {format_seconds(used)}", "", *judged(clock, limit, " s"))


def _used() -> float:
    told = resource.getrusage(resource.RUSAGE_CHILDREN)
    return told.ru_utime + told.ru_stime


def _table(folder: Path, n: int, d: int) -> Path:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    frame = pd.DataFrame(X, columns=[f"x{i}" for i in range(d)]).round(4)
    label = (X[:, 0] + X[:, 1] * X[:, 2] > 0) ^ (rng.random(n) < 0.05)
    path = folder / f"{n}.csv"
    frame.assign(label=np.where(label, "yes", "no")).to_csv(path, index=False)
    return path


def _uncompiled(table: Path, folder: Path) -> tuple[float, float]:
    """Run a copy of the packages: compiled loops are taken along from beside their sources."""
    copy = folder / "copy"
    for package in ("stiknn_command", "stiknn_core"):
        leave = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / package, copy / package, ignore=leave)
    return run([*_STIKNN, "suspects", table, "-q"], copy)


def _picture(table: Path, browser: Browser, folder: Path) -> tuple[float, float]:
    """Return the seconds from the start of the command to matrix and points in a browser."""
    used, start = _used(), time.perf_counter()
    with _opened(table, folder / "log") as address, fresh_page(browser) as page:
        page.goto(address)
        page.wait_for_function("window.stiknnBench.firstPicture !== null")
        seconds = time.perf_counter() - start
    return seconds, _used() - used


@contextmanager
def _opened(table: Path, log: Path) -> Iterator[str]:
    """Start the dashboard on a file, give the address that it says, and end it."""
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, *_STIKNN, table, "--no-browser"], cwd=ROOT, stdout=output,
            stderr=output, start_new_session=True,
        )  # fmt: skip
    try:
        while (said := _ADDRESS.search(log.read_bytes())) is None:
            if process.poll() is not None:
                raise RuntimeError(log.read_text())
            time.sleep(0.02)
        yield said[1].decode()
    finally:
        os.killpg(process.pid, signal.SIGINT)
        process.wait(timeout=30)


def _wheel(folder: Path) -> Row:
    command = [find_uv_bin(), "build", "--quiet", "--wheel", "--out-dir", str(folder), str(ROOT)]
    subprocess.run(command, check=True)
    (wheel,) = folder.glob("*.whl")
    size = wheel.stat().st_size / 1e6
    return Row("the wheel", f"{size:.2f} MB", "", "", *judged(size, ("<", 3), " MB"))


if __name__ == "__main__":
    main()
