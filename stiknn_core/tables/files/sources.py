"""From a path, bytes or an open file to the bytes of one table, whatever it is packed in."""

from __future__ import annotations

import gzip
import io
import os
import zipfile
import zlib
from dataclasses import dataclass, field
from lzma import LZMAError
from pathlib import Path
from typing import Any

from stiknn_core.cost import describe_bytes
from stiknn_core.errors import FileError
from stiknn_core.tables.choices import ChoiceError
from stiknn_core.tables.files.sniffing import REFUSED, Kind, sniff_kind
from stiknn_core.tables.limits import MAX_FILE_BYTES, MAX_UNPACKED_BYTES

_DEEPEST = 3
_STEP = 1024 * 1024

_ZIP_TROUBLE = (
    zipfile.BadZipFile,
    zlib.error,
    LZMAError,
    OSError,
    EOFError,
    RuntimeError,  # an encrypted member
    NotImplementedError,  # an unknown packing method
    ValueError,
)


@dataclass(frozen=True)
class Content:
    """The bytes of one table and how they were reached.

    Attributes
    ----------
    data : bytes
    kind : Kind
        A readable kind, never a container.
    name : str
        File name without folders; "table" when there is none.
    packing : tuple of str
        What was unpacked, outermost first, such as ``("gzip",)``.
    members : tuple of str
        Files of the zip it came from, for choosing another one.
    """

    data: bytes = field(repr=False)
    kind: Kind
    name: str
    packing: tuple[str, ...] = ()
    members: tuple[str, ...] = ()


def _too_large(size: int | None) -> FileError:
    what = "more than that" if size is None else describe_bytes(size)
    return FileError(
        f"The file is too large: at most {describe_bytes(MAX_FILE_BYTES)} can be loaded, this one "
        f"has {what}; keep fewer rows or columns, or draw a sample first."
    )


def read_bytes(source: Any) -> tuple[bytes, str]:
    """Return the bytes of a path, bytes-like object or open file, and its name."""
    if isinstance(source, (bytes, bytearray, memoryview)):
        data = bytes(source)
        if len(data) > MAX_FILE_BYTES:
            raise _too_large(len(data))
        return data, "table"
    if isinstance(source, (str, os.PathLike)):
        return _read_path(source)
    return _read_open_file(source)


def _read_path(source: str | os.PathLike[str]) -> tuple[bytes, str]:
    try:
        path = Path(source)
        if path.is_dir():
            raise FileError(f"{path.name!r} is a folder; expected a file with a table.")
        size = path.stat().st_size
        if size > MAX_FILE_BYTES:
            raise _too_large(size)
        return path.read_bytes(), path.name
    except FileNotFoundError:
        raise FileError(f"There is no file {str(source)[:200]!r}; check the path.") from None
    except (OSError, ValueError, TypeError) as error:
        if isinstance(error, FileError):
            raise
        raise FileError(f"The file {str(source)[:200]!r} could not be read: {error}.") from None


def _read_open_file(source: Any) -> tuple[bytes, str]:
    if not hasattr(source, "read"):
        raise FileError(
            f"A table cannot be read from {type(source).__name__}; expected a path, bytes, an open "
            "file, a DataFrame or (X, y) arrays."
        )
    if isinstance(source, io.StringIO):
        data: Any = source.getvalue()
    else:
        try:
            if hasattr(source, "seek"):
                source.seek(0)
            data = source.read(MAX_FILE_BYTES + 1)
        except (OSError, ValueError, TypeError, AttributeError) as error:
            raise FileError(f"The open file could not be read: {error}.") from None
    if isinstance(data, str):
        data = data.encode("utf-8", errors="surrogatepass")
    if not isinstance(data, (bytes, bytearray)):
        raise FileError(
            f"Reading the source gave {type(data).__name__}; expected a file of bytes or text."
        )
    if len(data) > MAX_FILE_BYTES:
        raise _too_large(None)
    name = getattr(source, "name", None)
    return bytes(data), os.path.basename(name) if isinstance(name, str) and name else "table"


def unpack(data: bytes, name: str, member: str | None = None) -> Content:
    """Take a table out of gzip and zip, and tell what it is.

    ``member`` says which file of a zip to read; None takes the only one.
    """
    packing: list[str] = []
    members: tuple[str, ...] = ()
    kind = sniff_kind(data)
    while kind in ("gzip", "zip"):
        if len(packing) == _DEEPEST:
            raise FileError(
                f"The file is packed more than {_DEEPEST} times over; unpack it and load the table."
            )
        packing.append(kind)
        if kind == "gzip":
            data = _unpack_gzip(data)
            name = name[:-3] if name.lower().endswith(".gz") else name
        else:
            data, name, members = _unpack_zip(data, member)
            member = None
        kind = sniff_kind(data)
    if member is not None:
        raise FileError(f"member={member!r} was given, but the file is not a zip; leave it out.")
    if kind == "empty":
        raise FileError("The file is empty; expected a table with a header and rows.")
    if kind in REFUSED:
        raise FileError(REFUSED[kind])
    if kind in ("workbook", "npz"):
        check_members(data)
    return Content(data, kind, name, tuple(packing), members)


def _bomb() -> FileError:
    return FileError(
        f"The file unpacks to more than {describe_bytes(MAX_UNPACKED_BYTES)}; it may be damaged or "
        "a zip bomb, and was not opened further."
    )


def _unpack_gzip(data: bytes) -> bytes:
    parts: list[bytes] = []
    size = 0
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as packed:
            while part := packed.read(_STEP):
                size += len(part)
                if size > MAX_UNPACKED_BYTES:
                    raise _bomb()
                parts.append(part)
    except EOFError:
        raise FileError("The gzip file ends too early; download or copy it again.") from None
    except (OSError, zlib.error):
        raise FileError("The gzip file is damaged; download or copy it again.") from None
    return b"".join(parts)


def check_members(data: bytes) -> None:
    """Refuse a zip container that is damaged, locked or unpacks to too much."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            infos = archive.infolist()
    except _ZIP_TROUBLE:
        raise FileError("The file is damaged; download, save or copy it again.") from None
    if any(info.flag_bits & 1 for info in infos):
        raise FileError("The file is protected by a password; save it without one.")
    if sum(info.file_size for info in infos) > MAX_UNPACKED_BYTES or len(infos) > 20_000:
        raise _bomb()


def _unpack_zip(data: bytes, member: str | None) -> tuple[bytes, str, tuple[str, ...]]:
    check_members(data)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        names = [
            info.filename
            for info in archive.infolist()
            if not info.is_dir()
            and not info.filename.startswith("__MACOSX/")
            and not os.path.basename(info.filename).startswith(".")
        ]
        if not names:
            raise FileError("The zip holds no file; expected one with a table.")
        if member is None and len(names) > 1:
            raise ChoiceError(f"The zip holds {len(names)} files", "member", names)
        chosen = names[0] if member is None else member
        if chosen not in names:
            raise ChoiceError(f"The zip holds no file {chosen!r}", "member", names)
        try:
            with archive.open(chosen) as packed:
                content = packed.read(MAX_UNPACKED_BYTES + 1)
        except _ZIP_TROUBLE as error:
            raise FileError(
                f"{chosen!r} could not be taken out of the zip ({error}); unpack it yourself."
            ) from None
    if len(content) > MAX_UNPACKED_BYTES:
        raise _bomb()
    return content, os.path.basename(chosen), tuple(names)
