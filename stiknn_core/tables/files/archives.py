"""The files of a zip or tar by name, and nothing that lies outside of it."""

from __future__ import annotations

import io
import lzma
import re
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Sequence
from typing import Final, Self

from stiknn_core.cost import describe_bytes
from stiknn_core.errors import FileError
from stiknn_core.tables.limits import MAX_PICTURES

TROUBLE: Final = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    OSError,
    EOFError,
    RuntimeError,  # an encrypted member
    NotImplementedError,  # an unknown packing method
    ValueError,
    OverflowError,  # a place beyond all files
)
"""What reading a zip raises where it is damaged or of an unknown kind."""

MOST_FILES: Final = MAX_PICTURES + 20_000
"""Most files of an archive: pictures, and others beside them."""
_LONGEST_PATH: Final = 4096
_ENTRY: Final = b"PK\x01\x02"  # one in the list of each file
_JUNK: Final = ("Thumbs.db", "desktop.ini")
_PICTURE: Final = re.compile(r"(?i)\.(jpe?g|jpe|jfif|png|webp|bmp|dib|tiff?|gif)$")
_SAVED: Final = re.compile(r"(^|/)(dataset_info|state|dataset_dict)\.json$")


class Archive:
    """Files of a zip or tar that lies in memory.

    Attributes
    ----------
    kind : "zip" or "tar"
    names : tuple of str
        Files in their order, by path inside of it, without links and what systems leave behind.
    outside : tuple of str
        Files whose path leads out of it; they are never read.
    """

    def __init__(self, data: bytes, kind: str) -> None:
        self.kind = kind
        self._zip: zipfile.ZipFile | None = None
        self._entries: dict[str, zipfile.ZipInfo] = {}
        self._parts: dict[str, tuple[int, int]] = {}
        self._data = data
        self._outside: list[str] = []
        if kind == "zip":
            self._open_zip()
        else:
            self._open_tar()
        self.names = tuple(self._entries or self._parts)
        self.outside = tuple(self._outside)

    def __enter__(self) -> Self:
        """Return it."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        if self._zip is not None:
            self._zip.close()

    def _open_zip(self) -> None:
        if self._data.count(_ENTRY) > MOST_FILES:
            raise _too_many()
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(self._data))
            infos = self._zip.infolist()
        except TROUBLE:
            raise FileError("The file is damaged; download, save or copy it again.") from None
        if any(info.flag_bits & 1 for info in infos):
            raise FileError("The file is protected by a password; save it without one.")
        for info in infos:
            link = stat.S_ISLNK(info.external_attr >> 16)
            if not info.is_dir() and not link and (name := self._inside(info.filename)):
                self._entries[name] = info

    def _open_tar(self) -> None:
        try:
            with tarfile.open(fileobj=io.BytesIO(self._data), mode="r:") as archive:
                looked = 0
                while info := archive.next():
                    looked += 1
                    if looked > MOST_FILES:
                        raise _too_many()
                    archive.members = []  # type: ignore[attr-defined]  # or it would keep them all
                    # A sparse file may claim any size, and a link leads out of the archive.
                    plain = info.isreg() and not info.issparse()
                    if plain and (name := self._inside(info.name)):
                        self._parts[name] = info.offset_data, info.size
        except (tarfile.TarError, *TROUBLE) as error:
            if isinstance(error, FileError):
                raise
            raise FileError("The tar archive is damaged; download or copy it again.") from None

    def _inside(self, name: str) -> str | None:
        """Return a path with plain strokes; None where it leads out, or is but a left-over."""
        if len(name) > _LONGEST_PATH:
            raise FileError(
                f"The {self.kind} names a file with {len(name):,} letters, which no system takes; "
                "pack the files anew."
            )
        steps = name.replace("\\", "/").split("/")
        if steps[0] == "" or ".." in steps or steps[0].endswith(":"):
            self._outside.append(name)
            return None
        steps = [step for step in steps if step not in ("", ".")]
        if not steps or steps[0] == "__MACOSX" or steps[-1].startswith(".") or steps[-1] in _JUNK:
            return None
        return "/".join(steps)

    def size(self, name: str) -> int:
        """Return the bytes that a file claims to have."""
        return self._entries[name].file_size if self._zip else self._parts[name][1]

    def read(self, name: str, most: int) -> bytes:
        """Return a file.

        Raises
        ------
        FileError
            If it has more than ``most`` bytes or is damaged; the end of a sentence about it.
        """
        if self.size(name) > most:
            raise FileError(f"has more than {describe_bytes(most)}")
        if self._zip is None:
            start, size = self._parts[name]
            return self._data[start : start + size]
        try:
            with self._zip.open(self._entries[name]) as packed:
                content = packed.read(most + 1)
        except TROUBLE:
            raise FileError("could not be taken out of the zip") from None
        if len(content) > most:
            raise FileError(f"has more than {describe_bytes(most)}")
        return content


def _too_many() -> FileError:
    return FileError(
        f"The archive lists more than {MOST_FILES:,} files; at most {MAX_PICTURES:,} pictures are "
        "read, so draw a sample first."
    )


def is_picture(name: str) -> bool:
    """Tell whether a file is called like a picture that is read."""
    return _PICTURE.search(name) is not None


def layout_of(names: Sequence[str]) -> str | None:
    """Tell "saved set" or "pictures" by the names of an archive's files; None is any other.

    One picture beside other files is a logo rather than data.
    """
    if any(_SAVED.search(name) for name in names) and any(n.endswith(".arrow") for n in names):
        return "saved set"
    pictures = sum(map(is_picture, names))
    return "pictures" if pictures > 1 or pictures == len(names) == 1 else None
