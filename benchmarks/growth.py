"""How time grows with training and test points, and how much memory a large run takes."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from benchmarks.data import problem
from benchmarks.report import Row, best_of
from stiknn_core import interactions

TRAIN_SIZES = (1000, 1400, 2000, 2800, 4000)
TEST_SIZES = (256, 512, 1024, 2048)
MEMORY_SIZE = (10_000, 200)
ALLOWANCE_MB = 400


def measure() -> list[Row]:
    """Return the two exponents and the peak memory."""
    by_train = [(n, 256) for n in TRAIN_SIZES]
    by_test = [(1000, t) for t in TEST_SIZES]
    return [
        _growth("CPU time, t = 256", TRAIN_SIZES, by_train, "n", 2.1),
        _growth("CPU time, n = 1000", TEST_SIZES, by_test, "t", 1.1),
        _memory(),
    ]


def _growth(
    what: str, sizes: Sequence[int], problems: list[tuple[int, int]], letter: str, limit: float
) -> Row:
    calls = []
    for n, t in problems:
        train, test = problem(n, t)
        calls.append(lambda train=train, test=test: interactions(*train, *test))
    slope, seconds = exponent(sizes, calls)
    spread = f"{seconds[0] * 1e3:.0f}..{seconds[-1] * 1e3:.0f} ms"
    what = f"{what}, {letter} = {sizes[0]}..{sizes[-1]}"
    return Row(what, spread, "", f"{letter}^{slope:.2f}", f"<= {letter}^{limit}", slope <= limit)


def exponent(
    sizes: Sequence[int], calls: Sequence[Callable[[], object]]
) -> tuple[float, list[float]]:
    """Return the exponent of size in the CPU time of one call a size, and the best times."""
    # The time of all threads together: other work on the machine bends a curve drawn by
    # the clock on the wall far more than its slope differs from the limit.
    seconds = best_of(5, *calls, clock=time.process_time)
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0]), seconds


def _memory() -> Row:
    n, t = MEMORY_SIZE
    answer = subprocess.run(
        [sys.executable, "-m", "benchmarks.growth", str(n), str(t)],
        capture_output=True,
        text=True,
        check=True,
    )
    measured = json.loads(answer.stdout)
    result = 8 * n * n / 1e6
    extra = measured["peak"] - result
    return Row(
        f"peak memory of a process, n = {n:,}, t = {t}",
        f"result + {extra:.0f} MB",
        f"{measured['imports']:.0f} MB after import",
        "",
        f"<= result + {ALLOWANCE_MB} MB",
        extra <= ALLOWANCE_MB,
    )


def peak_mb() -> float:
    """Return the most memory this process ever held, in MB (a million bytes)."""
    status = Path("/proc/self/status")
    if status.exists():
        # getrusage would also count what the parent held when it started this process.
        line = next(line for line in status.read_text().splitlines() if "VmHWM" in line)
        return int(line.split()[1]) * 1024 / 1e6
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1e6 if sys.platform == "darwin" else peak * 1024 / 1e6


def _run_once(n: int, t: int) -> None:
    imports = peak_mb()
    train, test = problem(n, t)
    interactions(*train, *test)
    print(json.dumps({"imports": imports, "peak": peak_mb()}))


if __name__ == "__main__":
    _run_once(*map(int, sys.argv[1:]))
