"""What the messages of an Arrow stream claim to hold, before any of it is laid out."""

from __future__ import annotations

import struct
from typing import Any

import pyarrow as pa


def next_message(stream: Any) -> Any:
    """Return the next message of a stream; None at its end."""
    try:
        return pa.ipc.read_message(stream)
    except EOFError:
        return None


def claimed_bytes(message: Any) -> int:
    """Return the bytes that the parts of one message take, as packed parts state them.

    The place of that statement is in the message's table (Arrow columnar format, Message.fbs):
    header -> (data of a dictionary ->) buffers, and the codec where they are packed.
    """
    told, body = message.metadata.to_pybytes(), message.body
    batch = _uoffset(told, _field(told, _uoffset(told, 0), 2))
    if message.type == "dictionary":
        batch = _uoffset(told, _field(told, batch, 1))
    packed = _field(told, batch, 3)
    buffers = _field(told, batch, 2)
    if not packed or not buffers:
        return int(body.size)
    start = _uoffset(told, buffers)
    (count,) = struct.unpack_from("<I", told, start)
    total = 0
    for place in range(count):
        offset, length = struct.unpack_from("<qq", told, start + 4 + 16 * place)
        if length >= 8:
            (size,) = struct.unpack("<q", body.slice(offset, 8).to_pybytes())
            total += size if size >= 0 else length
    return total


def adds_words(message: Any) -> bool:
    """Tell whether a dictionary goes on from the one before it."""
    told = message.metadata.to_pybytes()
    place = _field(told, _uoffset(told, _field(told, _uoffset(told, 0), 2)), 2)
    return bool(place and told[place])


def _uoffset(data: bytes, place: int) -> int:
    return int(place + struct.unpack_from("<I", data, place)[0])


def _field(data: bytes, table: int, number: int) -> int:
    """Return where a field of a flat table stands; 0 where it is left out."""
    listing = table - struct.unpack_from("<i", data, table)[0]
    (size,) = struct.unpack_from("<H", data, listing)
    if 4 + 2 * number >= size:
        return 0
    (offset,) = struct.unpack_from("<H", data, listing + 4 + 2 * number)
    return int(table + offset) if offset else 0
