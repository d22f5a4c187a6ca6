"""Waiting for a process that reads: how far it is, what comes of it, and how it ended."""

from __future__ import annotations

import json
import logging
import selectors
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from typing import Any, Final, Self

from stiknn_core.errors import FileError
from stiknn_core.tables.apart import packing
from stiknn_core.tables.apart.frames import OUT_OF_MEMORY, STATUS, Inbox, JunkError
from stiknn_core.tables.apart.limits import Limits
from stiknn_core.tables.apart.refusals import rebuilt_error
from stiknn_core.tables.apart.values import told
from stiknn_core.tables.table import Table

_LOOK: Final = 0.1  # seconds from one look at who waits to the next
_STARTS_WITHIN: Final = 120.0
_AT_ONCE: Final = 1024 * 1024
_LAST_WORDS: Final = 8000
_MOST_STAGE: Final = 100
_NO_MEMORY: Final = (b"memory allocation of", b"bad_alloc", b"Cannot allocate", b"MemoryError")
_logger = logging.getLogger(__name__)


class ServerLostError(Exception):
    """The server that makes the processes has ended."""


class Ends:
    """Three connections to one process: data, life and errors; near ends here, far ones to send."""

    def __init__(self) -> None:
        self._open = ExitStack()
        pairs = [socket.socketpair() for _ in range(3)]
        self.near, self.far = zip(*pairs, strict=True)
        self.data, self.life, self.errors = self.near
        for end in (*self.near, *self.far):
            self._open.enter_context(end)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def arrived(self) -> None:
        """Close the far ends, once they are open elsewhere."""
        for end in self.far:
            end.close()


class Waiting:
    """Waits for one file.

    Parameters
    ----------
    limits : Limits
    progress : callable
        See ``read_apart``.
    """

    def __init__(self, limits: Limits, progress: Callable[[str, float], None]) -> None:
        self._limits = limits
        self._progress = progress
        self._doing: tuple[str, float] = ("", 0.0)
        self._known: dict[str, Any] = {}

    def run(
        self,
        ends: Ends,
        server: subprocess.Popen[bytes],
        content: bytes,
        request: Mapping[str, Any],
    ) -> Table:
        """Send the file, wait, and return its table.

        Raises
        ------
        ServerLostError
            If the server ends meanwhile, or does not begin.
        StiknnError
            If the file cannot be read.
        """
        self._known = {}  # nothing of a server that was lost before
        inbox = Inbox(self._limits.memory + len(content))
        try:
            self._await_beginning(ends, server, inbox)
            deadline = time.monotonic() + self._limits.seconds
            with _folder() as folder:
                self._send(ends.data, content, {**request, "folder": folder})
                table, status, words = self._await_end(ends, inbox, deadline)
        except JunkError as error:
            _logger.error("what came of a file makes no sense: %s", error)
            raise _broken_down() from None
        if table is None:
            raise self._ended(status, words)
        return table

    def _await_beginning(self, ends: Ends, server: subprocess.Popen[bytes], inbox: Inbox) -> None:
        until = time.monotonic() + _STARTS_WITHIN
        ends.data.settimeout(_LOOK)
        came = b""
        while not inbox.take(came):
            self._progress(*self._doing)
            if server.poll() is not None or time.monotonic() > until:
                raise ServerLostError
            with suppress(TimeoutError):
                came = ends.data.recv(_AT_ONCE)
        ends.arrived()

    def _send(self, data: socket.socket, content: bytes, request: Mapping[str, Any]) -> None:
        limits = {"memory": self._limits.memory, "cpu": self._limits.cpu}
        line = json.dumps({**told(request), **limits, "bytes": len(content)}) + "\n"
        data.settimeout(self._limits.seconds)
        with suppress(OSError):  # an early end is told by how it ended
            data.sendall(line.encode())
            data.sendall(content)

    def _await_end(
        self, ends: Ends, inbox: Inbox, deadline: float
    ) -> tuple[Table | None, bytes, bytes]:
        """Return the table, or else how the process ended and its last words."""
        said: dict[socket.socket, bytes] = {ends.life: b"", ends.errors: b""}
        waited = {ends.data, ends.life}
        with selectors.DefaultSelector() as selector:
            for end in ends.near:
                end.setblocking(False)
                selector.register(end, selectors.EVENT_READ, end)
            while waited:
                self._progress(*self._doing)
                if time.monotonic() > deadline:
                    raise self._limits.too_slow()
                for key, _ in selector.select(_LOOK):
                    end = key.data
                    came = _received(end)
                    if not came:
                        selector.unregister(end)
                        waited.discard(end)
                    elif end is not ends.data:
                        said[end] = (said[end] + came)[-_LAST_WORDS:]
                    elif self._all_there(inbox.take(came)):
                        known, names = self._known.get("table"), self._known.get("columns")
                        return packing.rebuild(known, names, inbox.cells), b"", b""
        return None, said[ends.life], said[ends.errors]

    def _all_there(self, messages: list[dict[str, Any]]) -> bool:
        """Take note of messages; True if all of a table has come."""
        for message in messages:
            if "refused" in message:
                raise rebuilt_error(message["refused"])
            if "failed" in message:
                _logger.error("a file was read into an error: %s", message["failed"])
                raise _broken_down()
            if "stage" in message:
                self._doing = _stage(message["stage"], message.get("share"))
            self._known |= message
        return self._known.get("done") is True

    def _ended(self, status: bytes, words: bytes) -> Exception:
        """Return what is to be said of a process that ended without a word."""
        if len(status) != STATUS.size:
            return ServerLostError()
        (code,) = STATUS.unpack(status)
        _logger.error("a process that read a file ended with %s: %s", code, words)
        if code == -signal.SIGXCPU:
            return self._limits.too_slow()
        # Nobody here kills with that signal and waits on: it is a system short of memory.
        short = code in (OUT_OF_MEMORY, -signal.SIGKILL) or any(one in words for one in _NO_MEMORY)
        return self._limits.too_much() if short else _broken_down()


@contextmanager
def _folder() -> Iterator[str | None]:
    """Make a place for files that a library reads from a path only; a killed process leaves them.

    None where nothing may be written.
    """
    try:
        made = tempfile.TemporaryDirectory(prefix="stiknn-", ignore_cleanup_errors=True)
    except OSError:
        yield None
        return
    with made as folder:
        yield folder


def _stage(stage: Any, share: Any) -> tuple[str, float]:
    if not isinstance(stage, str) or type(share) not in (int, float):
        raise JunkError("no word on progress")
    return stage[:_MOST_STAGE], min(max(float(share), 0.0), 1.0)


def _received(end: socket.socket) -> bytes:
    try:
        return end.recv(_AT_ONCE)
    except ConnectionError:
        return b""


def _broken_down() -> FileError:
    return FileError(
        "The file could not be read: reading it broke down in a way that nobody foresaw; save it "
        "in another format, such as CSV, and load that."
    )
