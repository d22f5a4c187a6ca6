"""Reads files in a process of their own, from any thread: ``read_apart`` is all that is needed."""

from __future__ import annotations

import atexit
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from stiknn_core.errors import FileError
from stiknn_core.tables.apart.limits import Limits, limits_from
from stiknn_core.tables.apart.waiting import Ends, ServerLostError, Waiting
from stiknn_core.tables.files.sources import read_bytes
from stiknn_core.tables.table import Table

Progress = Callable[[str, float], None]
"""Called often while a file is read; what it raises stops that and passes through."""

_MODULE: Final = "stiknn_core.tables.apart.server"
_ROOT: Final = Path(__file__).resolve().parents[3]
# One thread, so that a fork is whole, and memory that is counted when it is used.
_ENVIRONMENT: Final[Mapping[str, str]] = {
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    "JE_ARROW_MALLOC_CONF": "background_thread:false",
    "MALLOC_ARENA_MAX": "2",
    # What is large is given back when it is freed; else the holes it leaves count as reserved.
    "MALLOC_MMAP_THRESHOLD_": "4194304",
    "MKL_NUM_THREADS": "1",
    "OBJC_DISABLE_INITIALIZE_FORK_SAFETY": "YES",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "VECLIB_MAXIMUM_THREADS": "1",
}
_ENDS_WITHIN: Final = 10.0


class Readers:
    """The server that makes a process for each file, started when it is needed and again."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None

    def start(self) -> None:
        """Start the server, unless it runs; it is ready a few seconds later."""
        with self._lock:
            self._start()

    def close(self) -> None:
        """End the server and all that it reads."""
        with self._lock:
            self._end()

    def read(self, content: bytes, request: Mapping[str, Any], waiting: Waiting) -> Table:
        """Read a file; once more, by a new server, where the server ended meanwhile."""
        for _ in range(2):
            with suppress(ServerLostError), Ends() as ends:
                with self._lock:
                    process = self._start()
                    self._hand_over(ends)
                return waiting.run(ends, process, content, request)
        raise FileError(
            "The file could not be read, since the process that reads files ends at once; try "
            "again, or ask whoever runs this server to look at its log."
        )

    def _start(self) -> subprocess.Popen[bytes]:
        if self._process is not None and self._process.poll() is None:
            return self._process
        self._end()
        near, far = socket.socketpair()
        paths = [str(_ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
        with far:
            self._process = subprocess.Popen(
                [sys.executable, "-m", _MODULE, str(far.fileno())],
                pass_fds=[far.fileno()],
                stdin=subprocess.DEVNULL,
                process_group=0,  # Ctrl-C is for whoever started this; with that it ends
                env={**os.environ, **_ENVIRONMENT, "PYTHONPATH": os.pathsep.join(paths)},
            )
        self._control = near
        return self._process

    def _hand_over(self, ends: Ends) -> None:
        assert self._control is not None
        try:
            socket.send_fds(self._control, [b"f"], [end.fileno() for end in ends.far])
        except OSError:
            self._end()
            raise ServerLostError from None

    def _end(self) -> None:
        if self._control is not None:
            self._control.close()
        if self._process is not None:
            try:
                self._process.wait(_ENDS_WITHIN)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._control = self._process = None


_READERS: Final = Readers()
start = _READERS.start
close = _READERS.close
atexit.register(close)


def read_apart(
    content: bytes,
    *,
    name: str | None = None,
    progress: Progress | None = None,
    limits: Limits | None = None,
    **overrides: Any,
) -> Table:
    """Read a table as ``read_table`` does, in a process of its own.

    Parameters
    ----------
    content : bytes
        The file.
    name : str or None
        What to call the table.
    progress : callable or None
        Called several times a second with what is being done and how much of all is behind. What
        it raises ends the process and passes through: that is how reading is stopped.
    limits : Limits or None
        What it may take; None asks the environment.
    **overrides
        As for ``read_table``.

    Returns
    -------
    Table

    Raises
    ------
    StiknnError
        As ``read_table`` does; a FileError too where it takes too much, or breaks down.
    """
    read_bytes(content)  # refuses what is too large, before it is sent
    waiting = Waiting(limits or limits_from(), progress or (lambda stage, share: None))
    return _READERS.read(content, {"name": name, "overrides": overrides}, waiting)
