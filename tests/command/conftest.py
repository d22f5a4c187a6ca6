"""What the tests of the command share: small tables, and the command run in this process."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from stiknn_command.main import main


@dataclass(frozen=True)
class Run:
    """What became of a command: its exit code, and what it said."""

    code: int
    out: str
    err: str


Command = Callable[..., Run]


@pytest.fixture
def command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Command:
    """Return a function that runs ``stiknn`` with some words, in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def run(*words: str, given: bytes = b"") -> Run:
        capfd.readouterr()
        stdin = io.TextIOWrapper(io.BytesIO(given))
        monkeypatch.setattr(sys, "stdin", stdin)
        code = main(words)
        told = capfd.readouterr()
        return Run(code, told.out, told.err)

    return run


def table_text(n: int = 60, wrong: tuple[int, ...] = (5, 40)) -> str:
    """Return two clear clusters as CSV, with some wrong labels and a name for each row."""
    rng = np.random.default_rng(0)
    lines = ["name,height,width,kind"]
    for row in range(n):
        kind = row % 2
        x, y = rng.normal(4 * kind, 0.5, 2)
        label = "ab"[kind ^ (row in wrong)]
        lines.append(f"item {row},{x:.4f},{y:.4f},{label}")
    return "\n".join(lines) + "\n"


@pytest.fixture
def table(command: Command) -> Path:
    """Write that table into the folder of the command."""
    path = Path("table.csv")
    path.write_text(table_text(), encoding="utf-8")
    return path
