"""The Zarr v3 groups of a run: opening, arrays, and text without object arrays.

In the group itself:

``upper`` (n, n)
    Tiles on and above the diagonal, rows and columns in the stored order; NaN elsewhere.
``tiles_written`` (bands, bands) uint8
    1 once a tile is whole.
``order`` (n,) int64
    The training position at each stored place.
``values``, ``quality`` (n,) float64, ``codes``, ``suggested`` (n,) int64, ``xy`` (n, 2)
``ids`` (n,) numbers, or ``ids_text`` and ``ids_ends``: UTF-8, and one past the end of each
``block_of`` (n,), ``block_counts`` (B,) int64, ``block_sums`` (B, B) float64

Below ``work``, until the run is complete: the data, and what ranking has found. Everything that
is not an array of numbers is a JSON attribute.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeAlias

import numpy as np
import zarr
from zarr.abc.store import Store
from zarr.codecs import BloscCodec

from stiknn_core.distributed._checking import (
    check_array,
    check_attributes,
    check_files,
    check_numbers,
    check_size,
    damaged,
)
from stiknn_core.errors import FileError
from stiknn_core.types import AnyArray

FORMAT = "stiknn-interactions-store"
VERSION = 1

# In words: the arrays of the lowest version that will do take no subscript.
StoredArray: TypeAlias = "zarr.Array[Any]"

#: What both ends can name: a folder or URL, or a store object of the zarr package.
Target = str | Store


def as_target(path: Any) -> Target:
    """Return a store as it is, a URL as it is, and a path in full."""
    if isinstance(path, Store):
        return path
    text = str(os.fspath(path)).removeprefix("file://")
    return text if "://" in text else os.path.abspath(text)


def read_group(target: Target) -> zarr.Group | None:
    """Open a run; None if nothing is there, FileError if it is something else, or damaged."""
    try:
        check_files(target)
        group = zarr.open_group(target, mode="r")
    except FileNotFoundError:
        if isinstance(target, str) and os.path.exists(target) and not _empty_folder(target):
            raise FileError(f"{target} exists and is no run of this package.") from None
        return None
    except FileError:
        raise
    except Exception:
        # What a damaged group makes its readers raise has no end, nor what they say of it.
        raise damaged(target, "its description cannot be read") from None
    attributes = dict(group.attrs)
    if attributes.get("format") != FORMAT:
        raise FileError(f"{target} exists and is no run of this package.")
    if attributes.get("version") != VERSION:
        raise FileError(
            f"{target} is in version {attributes.get('version')} of the format; this package "
            f"reads version {VERSION}. Use the release that wrote it."
        )
    check_attributes(attributes, target)
    return group


def open_for_writing(target: Target) -> zarr.Group:
    """Open a run that exists, to add to it."""
    return zarr.open_group(target, mode="r+")


def create_group(target: Target, attributes: dict[str, Any]) -> zarr.Group:
    """Make an empty run with these attributes."""
    marked = {"format": FORMAT, "version": VERSION, **attributes}
    return zarr.create_group(target, zarr_format=3, attributes=marked)


def make_array(
    group: zarr.Group,
    name: str,
    shape: tuple[int, ...],
    dtype: str,
    chunks: tuple[int, ...],
    *,
    shard: tuple[int, ...] | None = None,
    fill: float = 0,
    packed: bool = True,
) -> StoredArray:
    """Make an array of numbers in ``group``, in place of one of that name.

    What is read again at once is better not ``packed``: that took twice as long as reading, to
    save a fifth of the space.
    """
    return group.create_array(
        name,
        shape=shape,
        dtype=dtype,
        chunks=tuple(max(1, size) for size in chunks),
        shards=shard,
        compressors=BloscCodec(cname="lz4", clevel=1, shuffle="shuffle") if packed else None,
        fill_value=fill,
        overwrite=True,
    )


def put(group: zarr.Group, name: str, array: AnyArray, rows: int | None = None) -> None:
    """Store a whole array, ``rows`` of it in a chunk (about 32 MB by default)."""
    array = np.asarray(array)
    width = max(1, array[:1].nbytes)
    rows = max(1, min(len(array), rows or 2**25 // width))
    stored = make_array(group, name, array.shape, array.dtype.str, (rows, *array.shape[1:]))
    if array.size:
        stored[...] = array


def get(group: zarr.Group, name: str) -> AnyArray:
    """Return a whole array."""
    return np.asarray(array_of(group, name)[...])


def array_of(group: zarr.Group, name: str) -> StoredArray:
    """Return an array of ``group``; FileError if it is not there, or cannot be opened."""
    with careful(group, name):
        found = group.get(name)
    if not isinstance(found, zarr.Array):
        raise FileError(
            f"The run at {group.store} has no {name!r}: it was not asked for, is not yet computed "
            "(call interactions_to_zarr again to go on), or is lost."
        )
    return found


def stored_array(group: zarr.Group, name: str, told: Mapping[str, Any]) -> StoredArray:
    """Return an array of a run with these attributes, checked to be what they promise."""
    found = array_of(group, name)
    with careful(group, name):
        check_array(found, name, told, group.store)
    return found


def stored_numbers(group: zarr.Group, name: str, told: Mapping[str, Any]) -> AnyArray:
    """Return a whole array of a run with these attributes, all of it checked."""
    found = stored_array(group, name, told)
    with careful(group, name):
        check_size(found, name, group.store)
        numbers = np.asarray(found[...])
        check_numbers(numbers, name, told, group.store)
    return numbers


@contextmanager
def careful(group: zarr.Group, name: str) -> Iterator[None]:
    """Turn whatever reading an array raises into one sentence."""
    try:
        yield
    except FileError:
        raise
    except Exception:
        raise damaged(group.store, f"its {name!r} cannot be read") from None


def put_ids(group: zarr.Group, ids: AnyArray) -> None:
    """Store numbers as they are, and anything else as text."""
    if ids.dtype.kind in "iufb":
        put(group, "ids", ids)
        return
    words = [str(name).encode("utf-8", "surrogatepass") for name in ids.tolist()]
    put(group, "ids_text", np.frombuffer(b"".join(words), dtype=np.uint8))
    put(group, "ids_ends", np.cumsum([len(word) for word in words], dtype=np.int64))


def get_ids(group: zarr.Group, told: Mapping[str, Any]) -> AnyArray:
    """Return the ids; those that were not numbers as fixed-width text."""
    if "ids" in group:
        return stored_numbers(group, "ids", told)
    text = stored_numbers(group, "ids_text", told).tobytes()
    ends = stored_numbers(group, "ids_ends", told).tolist()
    words = [text[a:b] for a, b in zip([0, *ends], ends, strict=False)]
    with careful(group, "ids_text"):
        return np.array([word.decode("utf-8", "surrogatepass") for word in words], dtype=np.str_)


def plain(value: Any) -> Any:
    """Return a class or block name as JSON can hold it."""
    return value if isinstance(value, str | int | float | bool) else str(value)


def _empty_folder(path: str) -> bool:
    return os.path.isdir(path) and not os.listdir(path)
