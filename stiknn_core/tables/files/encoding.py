"""Which letters the bytes of a text file stand for."""

from __future__ import annotations

import codecs
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from stiknn_core.errors import FileError, ParameterError
from stiknn_core.tables.files.letters import guess_encoding

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)

_SAMPLE = 65_536


@dataclass(frozen=True)
class Decoded:
    """Text as UTF-8 without byte-order mark, and how Python calls the encoding it came in.

    Bytes take a quarter of the memory that text with one rare letter takes.
    """

    data: bytes = field(repr=False)
    encoding: str
    notices: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The text, line ends as they were."""
        return self.data.decode("utf-8")


def decode(data: bytes, encoding: str | None = None) -> Decoded:
    """Turn bytes into text.

    Without an encoding to insist on: by a byte-order mark, UTF-16 by its zero bytes, UTF-8 if it
    fits, else by frequency of letters, else Windows-1252.
    """
    if encoding is not None:
        return Decoded(_recoded(data, encoding), encoding)
    for mark, name in _MARKS:
        if data.startswith(mark):
            return Decoded(_recoded(data, name), name)
    zeros = data[:_SAMPLE].count(b"\x00")
    if zeros:
        even = data[:_SAMPLE:2].count(b"\x00")
        name = "utf-16-be" if even > zeros / 2 else "utf-16-le"
        return Decoded(_recoded(data, name), name)
    if _is_utf8(data):
        return Decoded(data, "utf-8")
    name = _guess(data)
    shown = "Windows-1252" if name == "cp1252" else name
    notice = (
        f"The file is not UTF-8 and was read as {shown}; choose another encoding if letters "
        "look wrong."
    )
    text = data.decode(name, errors="replace") if name == "cp1252" else _decode_as(data, name)
    broken = text.count("\ufffd")
    if broken > 0.05 * len(text):
        raise FileError(
            "The file is neither UTF-8, UTF-16 nor Windows-1252 text; save it as UTF-8, or give "
            "its encoding."
        )
    return Decoded(text.encode("utf-8"), name, (notice,))


def _is_utf8(data: bytes) -> bool:
    """Tell without making a text of it."""
    ends = pa.py_buffer(np.array([0, len(data)], dtype=np.int64))
    whole = pa.Array.from_buffers(pa.large_binary(), 1, [None, ends, pa.py_buffer(data)])
    try:
        whole.cast(pa.large_string())
    except pa.ArrowInvalid:
        return False
    return True


def _recoded(data: bytes, encoding: str) -> bytes:
    if encoding in ("utf-8", "utf-8-sig") and _is_utf8(data):
        return data.removeprefix(codecs.BOM_UTF8)
    # Halves of letters that UTF-16 leaves alone are none in UTF-8.
    return _decode_as(data, encoding).encode("utf-8", "replace")


def _decode_as(data: bytes, encoding: str) -> str:
    try:
        info = codecs.lookup(encoding)
        if not getattr(info, "_is_text_encoding", True):
            raise LookupError
        "".encode(encoding)
    except (LookupError, ValueError, TypeError, UnicodeError):
        raise ParameterError(
            f"encoding must be the name of a text encoding such as 'utf-8' or 'cp1252'; got "
            f"{encoding!r}."
        ) from None
    try:
        return data.decode(encoding).removeprefix("\ufeff")
    except (UnicodeError, ValueError) as error:
        raise FileError(
            f"The file is not {encoding} text ({error}); choose another encoding or leave it out."
        ) from None


def _guess(data: bytes) -> str:
    # A cut through a letter at the end of the sample would rule out the right answer.
    name = guess_encoding(data[:_SAMPLE].rpartition(b"\n")[0] or data[:_SAMPLE])
    try:
        data.decode(name, "replace" if name == "cp1252" else "strict")
    except UnicodeError:
        return "cp1252"
    return name
