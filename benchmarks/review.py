"""Whether a long review stays as quick as a short one: ratios within one run.

python -m benchmarks.review
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from benchmarks.report import Row, judged, print_table
from stiknn_ui.review.decisions import Change, Decision, Record
from stiknn_ui.review.journal import Journal

STEPS = 5_000
WINDOW = 100


def measure() -> list[Row]:
    """Return how long a decision takes early and late, and how long reading takes."""
    with tempfile.TemporaryDirectory() as folder:
        journal = Journal(Path(folder) / "reviews.sqlite")
        token = journal.new_review()
        known, writing, reading = Record(), [], []
        for row in range(STEPS):
            change = Change(("s" * 64, row), f"P{row}", "1", None, Decision("relabel", "0"))
            writing.append(_seconds(partial(journal.write, token, [change])))
            reading.append(_seconds(partial(journal.record, token, known)))
            known = journal.record(token, known) or known
        whole = statistics.median(_seconds(lambda: journal.record(token)) for _ in range(5))
        journal.close()
    early, late = (statistics.median(part) for part in (writing[:WINDOW], writing[-WINDOW:]))
    newest = statistics.median(reading[-WINDOW:])
    decision = f"a decision after {STEPS:,} others, beside one of the first {WINDOW}"
    step = f"the newest of {STEPS:,} steps, beside reading all of them"
    return [_ratio(decision, late, early, 3, digits=2), _ratio(step, newest, whole, 0.2, digits=3)]


def _ratio(what: str, ours: float, beside: float, most: float, digits: int) -> Row:
    times = f"{ours * 1e3:.2f} ms", f"{beside * 1e3:.2f} ms"
    ratio = ours / beside
    return Row(what, *times, f"{ratio:.{digits}f} x", *judged(ratio, ("<=", most), " x"))


def _seconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


if __name__ == "__main__":
    print_table(measure)
