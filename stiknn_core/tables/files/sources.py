"""From a path, bytes or an open file to the bytes of one table, whatever it is packed in."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import re
import zipfile
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from stiknn_core.cost import describe_bytes
from stiknn_core.errors import FileError
from stiknn_core.phrases import listed
from stiknn_core.tables.choices import ChoiceError
from stiknn_core.tables.files.archives import TROUBLE, Archive, is_picture, layout_of
from stiknn_core.tables.files.refused import refusal
from stiknn_core.tables.files.sniffing import READ, sniff_kind
from stiknn_core.tables.limits import MAX_FILE_BYTES, MAX_UNPACKED_BYTES

_DEEPEST = 3
_STEP = 1024 * 1024
_MOST_MEMBERS = 20_000
# Programs that work in parallel put some thousands of packed files behind each other.
_MOST_STREAMS = 100_000
_PART: Final = re.compile(r"(^|/)(part-\d+[^/]*|\d+\.part)$")
_STREAMS: Final[dict[str, tuple[str, bytes, Callable[[io.BytesIO], Any]]]] = {
    "gzip": (".gz", b"\x1f\x8b\x08", lambda stream: gzip.GzipFile(fileobj=stream)),
    "bzip2": (".bz2", b"BZh", bz2.BZ2File),
    "xz": (".xz", b"\xfd7zXZ\x00", lzma.LZMAFile),
    "zstd": (".zst", b"\x28\xb5\x2f\xfd", lambda stream: pa.CompressedInputStream(stream, "zstd")),
}
"""The ending that the name of a packed file loses, how each begins, and how its content is read."""


@dataclass(frozen=True)
class Content:
    """The bytes of one table and how they were reached.

    Attributes
    ----------
    data : bytes
    kind : str
        One of ``READ``; a container only if it is read as a whole ("pictures", "saved set").
    name : str
        File name without folders; "table" when there is none.
    packing : tuple of str
        What was unpacked, outermost first, such as ``("gzip",)``.
    members : tuple of str
        Files of the archive it came from, for choosing another one.
    parts : int
        How many files of the archive were put below each other.
    """

    data: bytes = field(repr=False)
    kind: str
    name: str
    packing: tuple[str, ...] = ()
    members: tuple[str, ...] = ()
    parts: int = 1


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
    """Take a table out of what it is packed in, and tell what it is.

    ``member`` says which file of a zip or tar archive to read; None takes the only one.
    """
    packing: list[str] = []
    members: tuple[str, ...] = ()
    parts = 1
    kind = sniff_kind(data)
    while kind in _STREAMS or kind in ("zip", "tar"):
        if len(packing) == _DEEPEST:
            raise FileError(
                f"The file is packed more than {_DEEPEST} times over; unpack it and load the table."
            )
        packing.append(kind)
        if kind in _STREAMS:
            data = _unpack_stream(data, kind)
            name = name.removesuffix(_STREAMS[kind][0])
        else:
            with Archive(data, kind) as archive:
                if (whole := _read_as_a_whole(archive, member)) is not None:
                    return Content(data, whole, name, tuple(packing))
                joined = None if member else _join(archive)
                if joined is not None:
                    data, members = joined, archive.names
                    parts = sum(map(bool, map(_PART.search, members)))
                else:
                    data, name, members = _take(archive, member)
            member = None
        kind = sniff_kind(data)
    if member is not None:
        raise FileError(
            f"member={member!r} was given, but the file is not a zip or tar; leave it out."
        )
    if kind == "empty":
        raise FileError("The file is empty; expected a table with a header and rows.")
    if kind not in READ:
        raise FileError(refusal(kind))
    if kind in ("workbook", "binary workbook", "OpenDocument", "npz"):
        check_members(data)
    return Content(data, kind, name, tuple(packing), members, parts)


def take_pair(data: bytes, member: str | None) -> tuple[Content, bytes, str] | None:
    """Take a table and the arrays beside it out of a zip that holds no more than these two files.

    Returns the table, the bytes of the array file and its name; None of anything else, and where
    one file was asked for.
    """
    if member is not None or sniff_kind(data) != "zip":
        return None
    with Archive(data, "zip") as archive:
        files = archive.names
        arrays = [name for name in files if name.lower().endswith((".npy", ".npz"))]
        if len(files) != 2 or len(arrays) != 1:
            return None
        (table,) = set(files) - set(arrays)
        content, name, _ = _take(archive, table)
        values, file, _ = _take(archive, arrays[0])
    if sniff_kind(values) == "npz":
        check_members(values)
    found = unpack(content, name)
    return replace(found, packing=("zip", *found.packing)), values, file


def _bomb() -> FileError:
    return FileError(
        f"The file unpacks to more than {describe_bytes(MAX_UNPACKED_BYTES)}; it may be damaged or "
        "a zip bomb, and was not opened further."
    )


def _unpack_stream(data: bytes, kind: str) -> bytes:
    _, mark, reader = _STREAMS[kind]
    if data.count(mark) > _MOST_STREAMS:
        raise FileError(
            f"The {kind} file is made of more than {_MOST_STREAMS:,} packed files behind each "
            "other; unpack it and load the table."
        )
    parts: list[bytes] = []
    size = 0
    try:
        with reader(io.BytesIO(data)) as packed:
            while part := packed.read(_STEP):
                size += len(part)
                if size > MAX_UNPACKED_BYTES:
                    raise _bomb()
                parts.append(part)
    except EOFError:
        raise FileError(f"The {kind} file ends too early; download or copy it again.") from None
    except (
        OSError,
        zlib.error,
        lzma.LZMAError,
        ValueError,
        pa.ArrowException,
        MemoryError,
    ) as error:
        if isinstance(error, FileError):
            raise
        raise FileError(f"The {kind} file is damaged; download or copy it again.") from None
    return b"".join(parts)


def check_members(data: bytes) -> None:
    """Refuse a zip container that is damaged, locked or unpacks to too much."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            infos = archive.infolist()
    except TROUBLE:
        raise FileError("The file is damaged; download, save or copy it again.") from None
    if any(info.flag_bits & 1 for info in infos):
        raise FileError("The file is protected by a password; save it without one.")
    _check_claims([info.file_size for info in infos])


def _read_as_a_whole(archive: Archive, member: str | None) -> str | None:
    """Return what kind an archive is whose files belong together; None if one of them is meant."""
    layout = layout_of(archive.names)
    if member is None or layout is None:
        return layout
    # A table beside pictures may name them.
    beside = layout == "pictures" and member in archive.names and not is_picture(member)
    return layout if beside else None


def _join(archive: Archive) -> bytes | None:
    """Put the parts of one text below each other, which Spark and others write side by side."""
    names = sorted(name for name in archive.names if archive.size(name))
    if len(names) < 2 or not all(map(_PART.search, names)):
        return None
    _check_sizes(archive)
    parts = [archive.read(name, MAX_UNPACKED_BYTES) for name in names]
    if {sniff_kind(part) for part in parts} not in ({"text"}, {"json"}):
        return None
    header = parts[0].partition(b"\n")[0] + b"\n"
    if header.strip()[:1] != b"{" and all(part.startswith(header) for part in parts):
        parts[1:] = [part.removeprefix(header) for part in parts[1:]]
    return b"\n".join(parts)


def _check_sizes(archive: Archive) -> None:
    _check_claims([*map(archive.size, archive.names)])


def _check_claims(sizes: Sequence[int]) -> None:
    if len(sizes) > _MOST_MEMBERS:
        raise FileError(
            f"The archive holds {len(sizes):,} files; at most {_MOST_MEMBERS:,} are looked through "
            "for a table, so pack the table alone."
        )
    if sum(sizes) > MAX_UNPACKED_BYTES:
        raise _bomb()


def _take(archive: Archive, member: str | None) -> tuple[bytes, str, tuple[str, ...]]:
    _check_sizes(archive)
    chosen = _choose(archive, member)
    try:
        content = archive.read(chosen, MAX_UNPACKED_BYTES)
    except FileError as error:
        raise FileError(f"{chosen!r} {error}; unpack it yourself.") from None
    return content, os.path.basename(chosen), archive.names


def _choose(archive: Archive, member: str | None) -> str:
    """Return the file of an archive that is meant."""
    names = archive.names
    if not names and archive.outside:
        told = listed([repr(name) for name in archive.outside], 3)
        raise FileError(
            f"The paths of all files lead out of the {archive.kind} ({told}), and nothing outside "
            "of it is ever read; pack the files anew."
        )
    if not names:
        raise FileError(f"The {archive.kind} holds no file; expected one with a table.")
    # Spark marks a finished folder by a file without content.
    names = tuple(name for name in names if archive.size(name)) or names
    if member is None and len(names) > 1:
        raise ChoiceError(f"The {archive.kind} holds {len(names)} files", "member", names)
    chosen = names[0] if member is None else member
    if chosen not in names:
        raise ChoiceError(f"The {archive.kind} holds no file {chosen!r}", "member", names)
    return chosen
