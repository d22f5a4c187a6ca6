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

from benchmarks.report import Row, format_table, machine
from stiknn_ui.review.decisions import Change, Decision, Record
from stiknn_ui.review.journal import Journal

STEPS = 5_000
WINDOW = 100
LIMIT = 3.0


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
    return [
        Row(
            f"a decision after {STEPS:,} others, beside one of the first {WINDOW}",
            _ms(late),
            _ms(early),
            f"{late / early:.2f} x",
            f"<= {LIMIT:g} x",
            late <= LIMIT * early,
        ),
        Row(
            f"the newest of {STEPS:,} steps, beside reading all of them",
            _ms(newest),
            _ms(whole),
            f"{newest / whole:.3f} x",
            "<= 0.2 x",
            newest <= 0.2 * whole,
        ),
    ]


def _seconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def _ms(seconds: float) -> str:
    return f"{seconds * 1e3:.2f} ms"


def main() -> None:
    """Print machine, versions and the table."""
    print(machine(), end="\n\n", flush=True)
    print(format_table(measure()))


if __name__ == "__main__":
    main()
