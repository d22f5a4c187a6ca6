"""What is shown, as one block of bytes, and the checks before it is packed.

Layout (little endian)::

    4 bytes   magic "STK1"
    4 bytes   uint32, length of the header
    16 bytes  content id, ASCII: the start of the SHA-256 of all that follows
    header    UTF-8 JSON, padded with blanks to a multiple of 8 bytes
    sections  raw arrays at the offsets the header names, each padded to 8 bytes

The matrix travels as int16 *codes* ``q``, read as ``scale * q * |q|``. The square spends
the 16 bits evenly over magnitudes: a cell a million times weaker than the strongest one
still keeps 3 % accuracy, where plain fixed point would make it zero. Exact zeros stay
exact, and the sign never changes except to zero.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stiknn_core.errors import ShapeError

MAGIC = b"STK1"
PREAMBLE = struct.Struct("<4sI16s")
CODE_LIMIT = 32_767
ID_LENGTH = 16

_ALIGN = 8


@dataclass(frozen=True, eq=False)
class ViewContent:
    """What one linked view shows, ready to be sent.

    Attributes
    ----------
    payload : bytes
        The block described at the top of this module. Sent once, never changed.
    content_id : str
        Names the payload; equal inputs give equal ids.
    points_id : str
        Names what is selected and zoomed (points or blocks, and where they are drawn):
        equal for two results on the same ones, so that zoom and selection outlive a
        change of k.
    n : int
        Number of rows of the matrix: points, or blocks of points.
    """

    payload: bytes
    content_id: str
    points_id: str
    n: int


def pack(
    header: dict[str, Any],
    sections: dict[str, NDArray[Any]],
    named: Sequence[str],
    placed: Sequence[str],
) -> ViewContent:
    """Put header and sections, each array in its own type, into one block.

    ``named`` of the header and ``placed`` of the sections belong to the rows of the matrix and to
    where they are drawn, not to one result on them.
    """
    points = hashlib.sha256(json.dumps([header[part] for part in named]).encode())
    for section in placed:
        points.update(sections[section].tobytes())
    points_id = points.hexdigest()[:ID_LENGTH]
    blocks: list[bytes] = []
    table: dict[str, list[int]] = {}
    offset = 0
    for name, array in sections.items():
        block = _padded(np.ascontiguousarray(array).tobytes(), b"\0")
        table[name] = [offset, array.size]
        offset += len(block)
        blocks.append(block)
    text = json.dumps(header | {"points": points_id, "sections": table}, ensure_ascii=False)
    head = _padded(text.encode(), b" ")
    digest = hashlib.sha256(head)
    for block in blocks:
        digest.update(block)
    content_id = digest.hexdigest()[:ID_LENGTH]
    preamble = PREAMBLE.pack(MAGIC, len(head), content_id.encode())
    return ViewContent(b"".join([preamble, head, *blocks]), content_id, points_id, header["n"])


def squeeze(content: ViewContent) -> bytes:
    """Return the payload for a narrow way, as gzip; ``alone/squeezed.js`` undoes it.

    Of the codes of cells all low bytes come first, then all high ones: these repeat.
    """
    whole = bytearray(content.payload)
    length = PREAMBLE.unpack_from(whole)[1]
    header = json.loads(whole[PREAMBLE.size : PREAMBLE.size + length])
    offset, count = header["sections"]["cells"]
    start = PREAMBLE.size + length + offset
    codes = np.frombuffer(whole, np.uint8, 2 * count, start).reshape(-1, 2)
    whole[start : start + 2 * count] = codes.T.tobytes()
    return gzip.compress(whole, mtime=0)


def pack_typed(kind: str, header: dict[str, Any], sections: dict[str, NDArray[Any]]) -> ViewContent:
    """Put header and sections into one block that says of each section what it is made of.

    Read by ``shared/contents.js``, whatever the kind; ``header`` holds ``n``.
    """
    types = {name: array.dtype.str[1:] for name, array in sections.items()}
    return pack({"kind": kind, "types": types, **header}, sections, ("kind",), ())


def joined(parts: Sequence[bytes]) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
    """Return bytes one after the other, and where each part ends."""
    ends = np.cumsum(np.fromiter(map(len, parts), np.int64, len(parts))).astype("<i4")
    return np.frombuffer(b"".join(parts), dtype=np.uint8), ends


def encode_cells(
    cells: NDArray[np.float64], limit: int = CODE_LIMIT
) -> tuple[NDArray[np.int16], float]:
    """Return int16 codes ``q`` and the scale with ``cells ~ scale * q * |q|``.

    The error is at most ``|cell| / |q|``, and zero for a zero cell; ``limit`` is the largest code.
    """
    magnitude = np.abs(cells)
    largest = float(magnitude.max(initial=0.0))
    scale = largest / limit**2
    if scale == 0.0:  # all zero, or too small for a float to hold the scale
        return np.zeros(cells.shape, dtype="<i2"), 0.0
    steps = np.rint(np.sqrt(magnitude / scale))
    return np.copysign(np.minimum(steps, limit), cells).astype("<i2"), scale


def decode_cells(codes: NDArray[np.int16], scale: float) -> NDArray[np.float64]:
    """Undo :func:`encode_cells`; what the browser does, written again for tests."""
    wide = codes.astype(np.float64)
    return scale * wide * np.abs(wide)


def square(name: str, given: ArrayLike, rows: str) -> NDArray[np.float64]:
    """Return a square matrix with at least one row; ``rows`` says what a row is."""
    cells = np.asarray(given, dtype=np.float64)
    if cells.ndim != 2 or cells.shape[0] != cells.shape[1] or cells.shape[0] == 0:
        raise ShapeError(f"{name} must be square with at least one {rows}; got {cells.shape}.")
    return cells


def symmetric(name: str, cells: NDArray[np.float64]) -> None:
    """Refuse cells that are not finite, or differ from their transpose."""
    if not np.isfinite(cells).all():
        raise ShapeError(f"{name} must hold finite numbers only; got NaN or infinity.")
    if not np.array_equal(cells, cells.T):
        raise ShapeError(f"{name} must be symmetric; got one that differs from its transpose.")


def floats(
    name: str, given: ArrayLike, shape: tuple[int, ...], fits: str = "the matrix"
) -> NDArray[np.float32]:
    """Return float32 of exactly this shape."""
    array = np.asarray(given, dtype=np.float64)
    if array.shape != shape:
        raise ShapeError(f"{name} must have shape {shape} to fit {fits}; got {array.shape}.")
    return array.astype("<f4")


def indices(
    name: str, given: Any, n: int | None, bound: int, each: str = "points"
) -> NDArray[np.int32]:
    """Return int32 in ``0..bound - 1``, ``n`` of them unless n is None."""
    array = np.asarray(given).astype(np.int64).reshape(-1)
    if n is not None and len(array) != n:
        raise ShapeError(f"{name} must have one entry for each of {n} {each}; got {len(array)}.")
    if array.size and not (0 <= array.min() and array.max() < bound):
        raise ShapeError(f"{name} must lie in 0..{bound - 1}; got {array.min()}..{array.max()}.")
    return array.astype("<i4")


def texts(name: str, given: Sequence[Any], n: int | None = None, each: str = "points") -> list[str]:
    """Return names as text, ``n`` of them unless n is None."""
    if n is not None and len(given) != n:
        raise ShapeError(f"{name} must name each of the {n} {each}; got {len(given)} names.")
    return [str(item) for item in given]


def target_sections(
    targets: ArrayLike | None, proposed: ArrayLike | None, n: int, fits: str, prefix: str = ""
) -> dict[str, NDArray[np.float32]]:
    """Return the sections of measured targets, given and suggested ones; none without any."""
    if targets is None:
        return {}
    given = floats("targets", targets, (n,), fits)
    told = given if proposed is None else floats("proposed", proposed, (n,), fits)
    names = ("targets", "proposed") if not prefix else (f"{prefix}Targets", f"{prefix}Proposed")
    return dict(zip(names, (given, told), strict=True))


def _padded(block: bytes, filler: bytes) -> bytes:
    return block + filler * (-len(block) % _ALIGN)
