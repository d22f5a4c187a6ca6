"""What `stiknn completion` prints, in a real zsh and a real fish, where they are installed."""

from __future__ import annotations

import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.documents import ROOT
from tests.patience import PATIENCE

LINES = [
    ("stiknn sus", "suspects"),
    ("stiknn suspects --fo", "--format"),
    ("stiknn suspects a.csv --format g", "github"),
    ("stiknn a.csv --no", "--no-browser"),
    ("stiknn suspects tab", "table.csv"),
]
pytestmark = pytest.mark.slow


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a file of its own, and the command in another."""
    (tmp_path / "bin").mkdir()
    command = tmp_path / "bin" / "stiknn"
    run = f'PYTHONPATH={ROOT} exec {sys.executable} -m stiknn_command "$@"'
    command.write_text(f"#!/bin/sh\n{run}\n")
    command.chmod(0o755)
    (tmp_path / "table.csv").touch()
    return tmp_path


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not installed")
def test_fish(folder: Path) -> None:
    asked = "; ".join(f"complete -C '{line}'; echo END" for line, _ in LINES)
    run = subprocess.run(
        ["fish", "--no-config", "-c",
         f"set -gx PATH {folder}/bin $PATH; stiknn completion fish | source; {asked}"],
        cwd=folder, env={**os.environ, "HOME": str(folder)}, capture_output=True, text=True,
    )  # fmt: skip
    told = [
        [one.split("\t")[0] for one in part.split("\n") if one]
        for part in run.stdout.split("END\n")
    ]
    assert told[:-1] == [[wanted] for _, wanted in LINES], run.stderr


@pytest.mark.skipif(shutil.which("zsh") is None, reason="zsh is not installed")
def test_zsh(folder: Path) -> None:
    process, terminal = pty.fork()
    if process == 0:
        os.chdir(folder)
        os.environ.update(HOME=str(folder), TERM="dumb")
        os.execvp("zsh", ["zsh", "-f", "-i"])

    def until(wanted: str, typed: str) -> None:
        """Type, and read until something has come."""
        os.write(terminal, typed.encode())
        came, deadline = "", time.monotonic() + PATIENCE
        while not re.search(wanted, came):
            assert time.monotonic() < deadline, f"{typed!r} gave {came!r}"
            if select.select([terminal], [], [], 0.2)[0]:
                came += os.read(terminal, 65536).decode(errors="replace")

    try:
        until("is ready\r", f"export PATH={folder}/bin:$PATH; echo is ''ready\n")
        until("loaded is\r", "autoload -U compinit; compinit -u -D; echo loaded ''is\n")
        until("known is\r", "eval \"$(stiknn completion zsh)\"; echo known ''is\n")
        for line, wanted in LINES:
            head, _, _ = line.rpartition(" ")
            until(re.escape(f"{head} {wanted}"), f"{line}\t")
            os.write(terminal, b"\x15")  # takes the line away
    finally:
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        os.close(terminal)
