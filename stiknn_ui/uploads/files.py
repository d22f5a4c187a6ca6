"""An uploaded file, read once: its bytes, how they were read, and the table in them. Pure."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePath
from types import MappingProxyType
from typing import Any, Final

from stiknn_core.tables import Table
from stiknn_core.tables.apart.readers import Progress, read_apart
from stiknn_core.tables.cells.numbers import NumberFormat
from stiknn_core.tables.reading import table_name
from stiknn_ui import ROOT

SAMPLE_FOLDER: Final = ROOT / "sample_data"
"""Small files to try."""

_SAMPLE_ENDINGS: Final = (".csv", ".jsonl", ".zip")
_LOOKED_AT: Final = 500
MOST_DOUBTFUL: Final = 12
"""Columns that are asked about at once."""

NO_OVERRIDES: Final[Mapping[str, Any]] = MappingProxyType({})


@dataclass(frozen=True, eq=False)
class ReadFile:
    """A file and the table in it.

    Attributes
    ----------
    name : str
        File name without folders, with its ending.
    content : bytes
        The file, for reading it again in another way.
    overrides : read-only mapping
        Decisions of a person, for ``read_table``.
    table : Table
    digest : str
        SHA-256 of the content and the overrides: equal digests mean equal tables.
    """

    name: str
    content: bytes = field(repr=False)
    overrides: Mapping[str, Any]
    table: Table
    digest: str

    @cached_property
    def doubtful(self) -> Mapping[str, Mapping[str, NumberFormat]]:
        """The first columns whose numbers could be meant in another way; found once."""
        return self.doubtful_among(self.table.columns)

    def doubtful_among(self, names: Sequence[str]) -> Mapping[str, Mapping[str, NumberFormat]]:
        """Return columns whose numbers could be meant in another way, and the ways by name.

        It takes a look at every cell of such a column. Of thousands of columns only the first
        hundreds are looked at, and of those a few are told.
        """
        found: dict[str, Mapping[str, NumberFormat]] = {}
        changed = self.overrides.get("formats", {})
        for name in names[:_LOOKED_AT]:
            ways = self.table.other_readings(name)
            if ways or name in changed:
                found[name] = ways
            if len(found) == MOST_DOUBTFUL:
                break
        return found


@dataclass(frozen=True, eq=False)
class Trouble:
    """A file that could not be read, kept for reading it in another way.

    Attributes
    ----------
    name : str
    content : bytes
    overrides : mapping
        How it was tried.
    error : Exception
        Why it was refused; anything but a ``StiknnError`` was not foreseen.
    """

    name: str
    content: bytes = field(repr=False)
    overrides: Mapping[str, Any]
    error: Exception


def read_file(
    name: str,
    content: bytes,
    overrides: Mapping[str, Any] = NO_OVERRIDES,
    progress: Progress | None = None,
) -> ReadFile:
    """Read the bytes of a file, whatever it is, in a process of its own.

    Any folder in its name is dropped. What ``progress`` raises stops it and passes through.
    """
    short = PurePath(name.replace("\\", "/")).name or "upload"
    table = read_apart(content, name=table_name(short), progress=progress, **overrides)
    return ReadFile(
        short, content, MappingProxyType(dict(overrides)), table, digest_of(content, overrides)
    )


def digest_of(content: bytes, overrides: Mapping[str, Any] = NO_OVERRIDES) -> str:
    """Return the SHA-256 of a file's bytes and of how they are to be read."""
    digest = hashlib.sha256(content)
    digest.update(b"\0overrides\0" + repr(sorted(overrides.items())).encode())
    return digest.hexdigest()


def sample_files() -> dict[str, Path]:
    """Return the small files that come with the project, by file name."""
    found = sorted(path for path in SAMPLE_FOLDER.glob("*") if path.suffix in _SAMPLE_ENDINGS)
    return {path.name: path for path in found}
