"""Start the dashboard on a free port of this machine, and stop all of it afterwards."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

from tests.patience import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
HOST = "127.0.0.1"


class Server:
    """A running Streamlit server.

    Parameters
    ----------
    script : str
        What to run, relative to the project's root.
    log : Path
        Where its output goes.
    options : str
        Streamlit's options, with ``_`` for the first dot: ``server_maxUploadSize="1"``.
    """

    def __init__(self, script: str, log: Path, **options: str) -> None:
        self.log = log
        port = free_port()
        self.url = f"http://{HOST}:{port}"
        chosen = {
            "server.address": HOST,
            "server.port": str(port),
            "server.headless": "true",
            "server.fileWatcherType": "none",
            "browser.gatherUsageStats": "false",
            **{name.replace("_", ".", 1): value for name, value in options.items()},
        }
        command = [sys.executable, "-m", "streamlit", "run", script]
        self._command = command + [f"--{name}={value}" for name, value in chosen.items()]
        self._process = self._start()

    def _start(self) -> subprocess.Popen[bytes]:
        with self.log.open("ab") as output:
            # A session of its own, so that it can be stopped with all it has started.
            return subprocess.Popen(
                self._command,
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    @property
    def pid(self) -> int:
        """Its process."""
        return self._process.pid

    def crash_and_start_again(self) -> None:
        """Kill it without a warning, and start it anew at the same address."""
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait(timeout=10)
        self._process = self._start()
        self.wait()

    def wait(self, seconds: float = PATIENCE) -> None:
        """Return once it answers; raise RuntimeError with its output if it does not."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and self._process.poll() is None:
            try:
                with urllib.request.urlopen(f"{self.url}/_stcore/health", timeout=2) as answer:
                    if answer.status == 200:
                        return
            except (urllib.error.URLError, OSError):
                time.sleep(0.1)
        self.stop()
        raise RuntimeError(f"The dashboard did not start:\n{self.log.read_text()}")

    def pause(self) -> None:
        """Freeze it, so that whatever the page still does, it does by itself."""
        os.killpg(self._process.pid, signal.SIGSTOP)

    def resume(self) -> None:
        """Let it run again."""
        os.killpg(self._process.pid, signal.SIGCONT)

    def stop(self) -> None:
        """End it, politely first."""
        for sign in (signal.SIGTERM, signal.SIGKILL):
            if self._process.poll() is not None:
                return
            os.killpg(self._process.pid, sign)
            try:
                self._process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                continue


def free_port() -> int:
    """Return a port on which nobody listens."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])
