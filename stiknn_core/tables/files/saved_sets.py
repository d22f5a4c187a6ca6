"""Folders that `save_to_disk` of Hugging Face's `datasets` wrote, in an archive, as a table."""

from __future__ import annotations

import json
import posixpath
from typing import Any, Final

import pyarrow as pa

from stiknn_core.errors import FileError
from stiknn_core.phrases import listed, quoted
from stiknn_core.tables.cells.roles import SPLIT_WORDS, TRAIN_WORDS
from stiknn_core.tables.files.archives import Archive
from stiknn_core.tables.files.columnar import as_draft, read_arrow
from stiknn_core.tables.files.draft import Draft
from stiknn_core.tables.files.grids import check_cells
from stiknn_core.tables.files.sources import Content
from stiknn_core.tables.limits import MAX_UNPACKED_BYTES, MEGABYTE

_STATE: Final = "state.json"
_SPLIT: Final = "split"


def read_saved_set(content: Content) -> Draft:
    """Read the parts of a saved set below each other, with a column that tells its splits."""
    with Archive(content.data, content.packing[-1]) as archive:
        folders = _folders(archive)
        sizes = sum(archive.size(shard) for shards in folders.values() for shard in shards)
        if sizes > MAX_UNPACKED_BYTES:
            raise FileError(
                "The parts of the saved set unpack to more than is read; keep fewer rows "
                "(select) and save it again."
            )
        parts = {
            folder: pa.concat_tables([_shard(archive, name) for name in shards])
            for folder, shards in folders.items()
        }
    joined, split = _joined(parts)
    draft = as_draft(joined, "Hugging Face")
    if split:
        draft.notices.append(f"Column {split!r} tells the splits {quoted(_names(parts))}.")
        words = {name.casefold() for name in _names(parts)}
        if words <= SPLIT_WORDS and words & TRAIN_WORDS and split in draft.frame.columns:
            draft.flags[split] = "split"
    return draft


def _names(parts: dict[str, Any]) -> list[str]:
    return [posixpath.basename(folder) for folder in parts]


def _folders(archive: Archive) -> dict[str, list[str]]:
    """Return the files of rows by folder, as the notes beside them tell."""
    found: dict[str, list[str]] = {}
    for name in sorted(archive.names):
        if posixpath.basename(name) != _STATE:
            continue
        folder, told = posixpath.dirname(name), _json(archive, name)
        if told.get("_indices_data_files") or told.get("_indices_files"):
            raise FileError(
                f"{name!r} tells that rows stand in another order than in their files; call "
                "flatten_indices() and save the set again."
            )
        files = told.get("_data_files")
        shards = [
            posixpath.join(folder, str(one.get("filename")))
            for one in (files if isinstance(files, list) else [])
            if isinstance(one, dict)
        ]
        missing = [shard for shard in shards if shard not in archive.names]
        if missing or not shards:
            raise FileError(
                f"{name!r} names files of rows that are not there ({quoted(missing, 3) or 'none'})"
                "; pack the whole folder again."
            )
        found[folder] = shards
    if not found:
        raise FileError(
            "The archive holds a part of a saved set, without its state.json; pack the whole "
            "folder again."
        )
    order = _order(archive)
    return dict(sorted(found.items(), key=lambda one: order.get(posixpath.basename(one[0]), 0)))


def _order(archive: Archive) -> dict[str, int]:
    """Return the place of each split, where the set tells it."""
    for name in archive.names:
        if posixpath.basename(name) == "dataset_dict.json":
            splits = _json(archive, name).get("splits")
            if isinstance(splits, list):
                return {str(split): place for place, split in enumerate(splits)}
    return {}


def _json(archive: Archive, name: str) -> dict[str, Any]:
    try:
        told = json.loads(archive.read(name, MEGABYTE))
    except FileError as error:
        raise FileError(f"{name!r} {error}; pack the folder again.") from None
    except (ValueError, RecursionError):
        told = None
    if not isinstance(told, dict):
        raise FileError(f"{name!r} is damaged; save the set again.")
    return told


def _shard(archive: Archive, name: str) -> pa.Table:
    try:
        data = archive.read(name, MAX_UNPACKED_BYTES)
    except FileError as error:
        raise FileError(f"{name!r} {error}; pack the folder again.") from None
    return read_arrow(data)


def _joined(parts: dict[str, pa.Table]) -> tuple[pa.Table, str | None]:
    """Return all rows and, of several parts, the name of the column that tells them apart."""
    if len(parts) == 1:
        return next(iter(parts.values())), None
    first = next(iter(parts.values())).schema
    odd = [folder for folder, part in parts.items() if part.schema.names != first.names]
    if odd:
        raise FileError(
            f"The splits {listed(map(repr, _names(parts)))} have different columns; save the one "
            "that is meant by itself."
        )
    check_cells(sum(part.num_rows for part in parts.values()) * (len(first) + 1))
    split = _SPLIT
    while split in first.names:
        split += " (saved)"
    told = [
        part.append_column(split, pa.array([name] * part.num_rows, pa.large_string()))
        for name, part in zip(_names(parts), parts.values(), strict=True)
    ]
    try:
        joined = pa.concat_tables(told, promote_options="permissive")
    except pa.ArrowException:
        raise FileError(
            f"The splits {listed(map(repr, _names(parts)))} have columns of different kinds; save "
            "the one that is meant by itself."
        ) from None
    return joined, split
