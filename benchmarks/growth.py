"""How time grows with training and test points, and how much memory a large run takes."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.data import problem
from benchmarks.report import Row, best_of
from stiknn_core import interactions

Shapes = dict[int, tuple[int, int]]

N_FIXED, T_FIXED = 1000, 256
# The number that grows, and n and t of the problem.
BY_TRAIN: Shapes = {n: (n, T_FIXED) for n in (1000, 1400, 2000, 2800, 4000)}
BY_TEST: Shapes = {t: (N_FIXED, t) for t in (256, 512, 1024, 2048)}
MEMORY_SIZE = (10_000, 200)
ALLOWANCE_MB = 400


def measure() -> list[Row]:
    """Return the two exponents and the peak memory."""
    return [
        _growth(f"CPU time, t = {T_FIXED}", "n", BY_TRAIN, 2.1),
        _growth(f"CPU time, n = {N_FIXED}", "t", BY_TEST, 1.1),
        _memory(),
    ]


def _growth(what: str, letter: str, shapes: Shapes, limit: float) -> Row:
    slope, seconds = exponent(interactions, shapes)
    spread = f"{seconds[0] * 1e3:.0f}..{seconds[-1] * 1e3:.0f} ms"
    what = f"{what}, {letter} = {min(shapes)}..{max(shapes)}"
    return Row(what, spread, "", f"{letter}^{slope:.2f}", f"<= {letter}^{limit}", slope <= limit)


def exponent(function: Callable[..., object], shapes: Shapes) -> tuple[float, list[float]]:
    """Return the exponent of size in the CPU time of one call a size, and the best times."""
    problems = [problem(*shape) for shape in shapes.values()]
    # The time of all threads together: other work on the machine bends a curve drawn by
    # the clock on the wall far more than its slope differs from the limit.
    calls = [partial(function, *train, *test) for train, test in problems]
    seconds = best_of(5, *calls, clock=time.process_time)
    return float(np.polyfit(np.log(list(shapes)), np.log(seconds), 1)[0]), seconds


def ask_fresh_process(module: str, *sizes: int) -> dict[str, float]:
    """Run a module of this folder by itself, and return what it prints as JSON."""
    command = [sys.executable, "-m", module, *map(str, sizes)]
    answer = subprocess.run(command, capture_output=True, text=True, check=True)
    return dict(json.loads(answer.stdout))


def _memory() -> Row:
    n, t = MEMORY_SIZE
    measured = ask_fresh_process("benchmarks.growth", n, t)
    extra = measured["peak"] - 8 * n * n / 1e6  # the result
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
