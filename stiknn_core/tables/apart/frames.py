"""What runs between the process that reads and the one that waits: JSON, and bytes in pieces.

A frame is one byte that says which of the two, its length in eight bytes, and its content.
"""

from __future__ import annotations

import io
import json
import socket
import struct
import threading
from typing import Any, Final

STATUS: Final = struct.Struct("!i")
"""How a process ended: its exit code, or the signal that ended it as a negative number."""
OUT_OF_MEMORY: Final = 40
"""How a process exits that needed too much memory."""
_HEAD: Final = struct.Struct("!cQ")
_JSON: Final = b"j"
_BYTES: Final = b"b"
PIECE: Final = 4 * 1024 * 1024
"""Most bytes in one piece of cells."""
_MOST_JSON: Final = 64 * 1024 * 1024


class JunkError(Exception):
    """What came is not what a reader sends."""


def json_frame(message: dict[str, Any]) -> bytes:
    """Return the frame of a message."""
    text = json.dumps(message).encode()
    return _HEAD.pack(_JSON, len(text)) + text


class Outbox(io.RawIOBase):
    """Sends messages and, as the file that it is too, bytes; from any thread."""

    def __init__(self, to: socket.socket) -> None:
        super().__init__()
        self._to = to
        self._sending = threading.Lock()

    def send(self, message: dict[str, Any]) -> None:
        """Send a message."""
        with self._sending:
            self._to.sendall(json_frame(message))

    def writable(self) -> bool:
        """Say that it can be written to."""
        return True

    def write(self, content: Any) -> int:
        """Send bytes, in pieces."""
        view = memoryview(content).cast("B")
        for start in range(0, len(view), PIECE):
            piece = view[start : start + PIECE]
            with self._sending:
                self._to.sendall(_HEAD.pack(_BYTES, len(piece)))
                self._to.sendall(piece)
        return len(view)


class Inbox:
    """Puts frames together from what comes; trusts nothing of it.

    Parameters
    ----------
    most_bytes : int
        Most bytes that pieces may have in sum.

    Attributes
    ----------
    cells : bytearray
        All pieces.
    """

    def __init__(self, most_bytes: int) -> None:
        self.cells = bytearray()
        self._most_bytes = most_bytes
        self._rest = bytearray()

    def take(self, content: bytes) -> list[dict[str, Any]]:
        """Take in what came, and return the messages that it completes.

        Raises
        ------
        JunkError
            If it is too much, or no frame.
        """
        self._rest += content
        messages: list[dict[str, Any]] = []
        while len(self._rest) >= _HEAD.size:
            kind, length = _HEAD.unpack_from(self._rest)
            if length > (PIECE if kind == _BYTES else _MOST_JSON):
                raise JunkError(f"a frame of {length} bytes")
            end = _HEAD.size + length
            if len(self._rest) < end:
                break
            body = bytes(self._rest[_HEAD.size : end])
            del self._rest[:end]
            if kind == _BYTES:
                self.cells += body
                if len(self.cells) > self._most_bytes:
                    raise JunkError(f"more than {self._most_bytes} bytes of cells")
            elif kind == _JSON:
                messages.append(_message(body))
            else:
                raise JunkError(f"a frame of kind {kind!r}")
        return messages


def _message(body: bytes) -> dict[str, Any]:
    try:
        found = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise JunkError(f"no JSON: {error}") from None
    if not isinstance(found, dict):
        raise JunkError("JSON that is no object")
    return found
