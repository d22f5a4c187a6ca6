"""Without the compiler: every loop is also plain Python that can be stepped through."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SMALL = [
    "tests/core/test_goldens.py",
    "tests/core/test_oracle.py::test_bigger_tie_groups[STII-3]",
    "tests/core/test_oracle.py::test_bigger_tie_groups[BII-2]",
    "tests/core/test_ranking.py::test_sorted_by_all_digits",
]
CODE = f"""
import pytest
from stiknn_core import precompile
from stiknn_core._kernels import packed
precompile.precompile()
assert type(packed.add_pairs).__name__ == "function", "the compiler was at work"
raise SystemExit(pytest.main(["-q", "-p", "no:cacheprovider", *{SMALL}]))
"""


@pytest.mark.slow
def test_every_way_through_runs_and_small_cases_come_out_the_same() -> None:
    answer = subprocess.run(
        [sys.executable, "-W", "error", "-c", CODE],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "OMP_NUM_THREADS": "1"},
    )
    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert "passed" in answer.stdout
    assert "skipped" not in answer.stdout
