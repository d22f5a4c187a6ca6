"""An archive of pictures as a table: labels by folder, or from a table among its files."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import pandas as pd

from stiknn_core.cost import describe_bytes
from stiknn_core.errors import FileError
from stiknn_core.phrases import counted, quoted
from stiknn_core.tables.cells.roles import SPLIT_WORDS
from stiknn_core.tables.choices import ChoiceError
from stiknn_core.tables.files.archives import Archive, is_picture
from stiknn_core.tables.files.draft import Draft
from stiknn_core.tables.files.picture_names import Naming, naming_column
from stiknn_core.tables.files.picture_vectors import add_embeddings, features_of_vectors
from stiknn_core.tables.files.pictures import Measured, check_number, measure, rows_of
from stiknn_core.tables.files.sources import Content, unpack
from stiknn_core.tables.limits import MAX_PICTURE_BYTES, MAX_PICTURES_BYTES, MAX_UNPACKED_BYTES

Reader = Callable[[Content], Draft]

_TABLE: Final = re.compile(
    r"(?i)\.(csv|tsv|tab|jsonl?|ndjson|xlsx|xlsm|xlsb|xls|ods|parquet|feather|arrow|orc|sqlite3?|db|"
    r"sav|dta|sas7bdat|arff)(\.(gz|bz2|xz|zst))?$"
)
_TEXT: Final = re.compile(r"(?i)\.txt(\.(gz|bz2|xz|zst))?$")
_ARRAY: Final = re.compile(r"(?i)\.np[yz]$")
_MOST_TABLES: Final = 10


@dataclass(frozen=True)
class _Files:
    """Files of an archive by what they are, each sorted."""

    pictures: tuple[str, ...]
    tables: tuple[str, ...]
    arrays: tuple[str, ...]
    others: tuple[str, ...]


def read_pictures(content: Content, member: str | None, wanted: str | None, read: Reader) -> Draft:
    """Read an archive of pictures; ``read`` reads a table that lies in it.

    ``member`` says which table that is, ``wanted`` which matrix of several.
    """
    with Archive(content.data, content.packing[-1]) as archive:
        files = _sorted_out(archive)
        if len(files.pictures) < 2 and not files.tables:
            raise FileError(
                f"The {archive.kind} holds one picture; expected many of them, in a folder for "
                "each class (cats/1.png) or with a table that names them."
            )
        notices = _left_out(archive, files)
        named = _named(archive, files, member, read, notices)
        if named is not None and named.naming is None:
            return named.draft  # a table that was asked for, and names no picture
        labels, splits = folder_labels(files.pictures)
        if named is None and not labels:
            raise _without_labels(archive.kind, files)
        if named is not None and named.naming is not None:
            draft, column, rows = named.draft, named.naming.column, named.naming.rows
            used, places = np.unique(rows[rows >= 0], return_inverse=True)
            measured = _measured(archive, [files.pictures[at] for at in used])
            again = np.full(len(rows), -1, dtype=np.intp)
            again[rows >= 0] = places
            draft.pictures[column] = rows_of(measured.pictures, again)
        else:
            draft = _by_folder(files.pictures, labels, splits, notices)
            measured = _measured(archive, files.pictures)
            draft.pictures["file"] = measured.pictures
            rows = np.arange(len(files.pictures))
        notices += measured.notices
        draft.notices += notices
        add_embeddings(draft, archive, files.arrays, len(files.pictures), rows, wanted)
    features_of_vectors(draft)
    return draft


def _measured(archive: Archive, names: Sequence[str]) -> Measured:
    return measure(names, lambda at: archive.read(names[at], MAX_PICTURE_BYTES))


def _sorted_out(archive: Archive) -> _Files:
    names = sorted(archive.names)
    pictures = [name for name in names if is_picture(name)]
    check_number(len(pictures))
    size = sum(map(archive.size, pictures))
    if size > MAX_PICTURES_BYTES:
        raise FileError(
            f"The pictures unpack to {describe_bytes(size)}; at most "
            f"{describe_bytes(MAX_PICTURES_BYTES)} are read, so draw a sample first."
        )
    tables = [name for name in names if _TABLE.search(name)]
    # A text is a table only where nothing else is; as a rule it says what the pictures are.
    tables = tables or [name for name in names if _TEXT.search(name)]
    arrays = [name for name in names if _ARRAY.search(name)]
    taken = {*pictures, *tables, *arrays}
    others = [name for name in names if name not in taken]
    return _Files(tuple(pictures), tuple(tables), tuple(arrays), tuple(others))


def _left_out(archive: Archive, files: _Files) -> list[str]:
    told = []
    if archive.outside:
        told.append(
            f"Left out: {counted(len(archive.outside), 'file')} whose path leads out of the "
            f"{archive.kind} ({quoted(archive.outside, 3)})."
        )
    if files.others:
        count = counted(len(files.others), "file that is", "files that are")
        told.append(
            f"Left out: {count} neither a picture that is read nor a table "
            f"({quoted(files.others, 3)})."
        )
    return told


@dataclass(frozen=True, eq=False)
class _Named:
    """A table among the files, and which of its columns names the pictures."""

    file: str
    draft: Draft
    naming: Naming | None = field(repr=False)


def _named(
    archive: Archive, files: _Files, member: str | None, read: Reader, notices: list[str]
) -> _Named | None:
    """Return the table that names the pictures; None where no table does."""
    if member is not None:
        found = _look_into(archive, member, files.pictures, read)
        if found.naming is None and not found.draft.pictures:
            count = counted(len(files.pictures), "picture")
            found.draft.notices.append(
                f"Left out: {count}, since no column of {member!r} names them."
            )
        else:
            notices += _unmatched(found, files.pictures)
        return found
    if len(files.tables) > _MOST_TABLES:
        raise ChoiceError(
            f"The {archive.kind} holds pictures and {len(files.tables)} tables",
            "member",
            files.tables,
        )
    naming, trouble = [], []
    for name in files.tables:
        try:
            found = _look_into(archive, name, files.pictures, read)
        except FileError as error:
            trouble.append((name, error))
            continue
        if found.naming is not None:
            naming.append(found)
    if len(naming) > 1:
        tables = [found.file for found in naming]
        raise ChoiceError(
            f"{len(naming)} tables name the pictures of the {archive.kind}", "member", tables
        )
    if not naming:
        if len(files.tables) == len(trouble) == 1 and not folder_labels(files.pictures)[0]:
            raise trouble[0][1]
        if files.tables:
            notices.append(f"Left out: {quoted(files.tables, 3)}, where no column names pictures.")
        return None
    notices += _unmatched(naming[0], files.pictures)
    return naming[0]


def _look_into(archive: Archive, name: str, pictures: Sequence[str], read: Reader) -> _Named:
    try:
        data = archive.read(name, MAX_UNPACKED_BYTES)
    except FileError as error:
        raise FileError(f"{name!r} {error}; unpack it yourself.") from None
    draft = read(unpack(data, os.path.basename(name)))
    found = naming_column(draft.frame, pictures, os.path.dirname(name))
    return _Named(name, draft, None if draft.pictures else found)


def _unmatched(found: _Named, pictures: Sequence[str]) -> list[str]:
    """Say which column names the pictures, and what is left on both sides."""
    if found.naming is None:
        return []
    column, rows = found.naming.column, found.naming.rows
    told = [f"Column {column!r} of {found.file!r} names the pictures."]
    gone = np.flatnonzero(rows < 0)
    if len(gone):
        cells = found.draft.frame[column].iloc[gone].fillna("")
        few = quoted([str(cell)[:100] for cell in cells], 3)
        told.append(
            f"{counted(len(gone), 'row matches', 'rows match')} no picture and "
            f"{'counts' if len(gone) == 1 else 'count'} as missing: {few}."
        )
    unnamed = sorted(set(range(len(pictures))) - set(rows.tolist()))
    if unnamed:
        count = counted(len(unnamed), "picture")
        few = quoted([pictures[at] for at in unnamed], 3)
        told.append(f"Left out: {count} that no row names ({few}).")
    known = rows[rows >= 0]
    if again := len(known) - len(np.unique(known)):
        told.append(f"{counted(again, 'row names', 'rows name')} a picture of another row again.")
    return told


def folder_labels(pictures: Sequence[str]) -> tuple[list[str | None], list[str | None]]:
    """Return the label and the split of each picture by its folders; empty where there is none.

    Folders that all are in say nothing; then come, where all first ones are words for that, those
    of a split; the next is the label.
    """
    folders = _below([name.split("/")[:-1] for name in pictures])
    splits: list[str | None] = []
    if all(steps and steps[0].casefold() in SPLIT_WORDS for steps in folders) and folders:
        splits = [steps[0] for steps in folders]
        folders = _below([steps[1:] for steps in folders])
    labels = [steps[0] if steps else None for steps in folders]
    return (labels, splits) if len(set(labels) - {None}) > 1 else ([], [])


def _below(folders: list[list[str]]) -> list[list[str]]:
    """Take off the folders that all are in."""
    while folders and all(folders) and len({steps[0] for steps in folders}) == 1:
        folders = [steps[1:] for steps in folders]
    return folders


def _by_folder(
    pictures: Sequence[str],
    labels: Sequence[str | None],
    splits: Sequence[str | None],
    notices: list[str],
) -> Draft:
    loose = [name for name, label in zip(pictures, labels, strict=True) if label is None]
    if loose:
        count = counted(len(loose), "picture lies", "pictures lie")
        notices.append(f"{count} in no folder of a class, without a label ({quoted(loose, 3)}).")
    columns = {"file": list(pictures), "label": list(labels)}
    flags = {"label": "label"}
    if splits:
        columns["split"] = list(splits)
        flags["split"] = "split"
    frame = pd.DataFrame({name: pd.Series(cells, dtype="str") for name, cells in columns.items()})
    return Draft(frame, {"format": "pictures"}, flags=flags)


def _without_labels(kind: str, files: _Files) -> FileError:
    count = counted(len(files.pictures), "picture")
    if files.tables:
        problem = (
            f"The {kind} holds {count}, and no column of {quoted(files.tables, 3)} names them; "
            f"expected file names such as {files.pictures[0]!r}"
        )
        return ChoiceError(problem, "member", files.tables)
    return FileError(
        f"The {kind} holds {count} in one folder; expected a folder for each class (cats/1.png) or "
        "a table that names them."
    )
