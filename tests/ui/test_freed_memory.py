"""What the server frees does not stay with it."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

from stiknn_ui.work import memory

ROOT = Path(__file__).resolve().parents[2]
HOLES = """
import numpy as np
from stiknn_ui.work.memory import keep_little
{first}
del_first = np.ones(3_000_000); del del_first  # from here on, pieces up to 24 MB lie together
kept = [np.ones(100_000) for _ in range(100)]
holes = kept[:-1:2]; del kept[:-1:2]
def mine():
    return int(open("/proc/self/statm").read().split()[1]) * 4096 / 1e6
before = mine(); del holes
print(before - mine())
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other systems do as they like")
def test_holes_between_pieces_go_back() -> None:
    def freed(first: str) -> float:
        code = HOLES.format(first=first)
        # Each such variable of the allocator's own would fix its bounds beforehand.
        env = {name: value for name, value in os.environ.items() if "MALLOC" not in name}
        env.pop("GLIBC_TUNABLES", None)
        run = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            cwd=ROOT,
            check=True,
            env=env,
        )
        return float(run.stdout)

    assert freed("keep_little()") > 35  # of 40 MB
    assert freed("") < 20


def test_a_system_without_it_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ctypes.CDLL", lambda _: object())
    memory.keep_little()
