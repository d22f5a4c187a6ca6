"""A store may be damaged, or made to do harm: what is checked before anything of it is believed."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Mapping
from stat import S_ISDIR, S_ISREG
from typing import Any, Final, get_args

import numpy as np
import zarr
from zarr.abc.store import Store
from zarr.storage import LocalStore

from stiknn_core.distributed._layout import cell_of
from stiknn_core.errors import FileError, ParameterError
from stiknn_core.games import index_of
from stiknn_core.types import AnyArray, Metric, Ties

MAX_POINTS: Final = 100_000_000
"""Most training points of a store that is read: arrays of one number each fit any memory."""

_MAX_DESCRIPTION: Final = 2**26
_MAX_BYTES: Final = 2**32

#: What `_format.make_array` writes. Other codecs may run code, or need what is not installed.
_CODECS: Final = {"bytes", "blosc", "sharding_indexed", "crc32c"}

_EVALUATIONS: Final = ("leave-one-out", "test set")


def damaged(where: object, what: str) -> FileError:
    """Return the error that says what is wrong with a store."""
    return FileError(
        f"The store at {where} is damaged: {what}. Compute it again under another path."
    )


def folder_of(target: str | Store) -> str | None:
    """Return the folder that a store lies in; None if it lies anywhere else."""
    if isinstance(target, LocalStore):
        return os.path.abspath(target.root)
    return target if isinstance(target, str) and "://" not in target else None


def check_files(target: str | Store) -> None:
    """Refuse a folder with a link that leads out of it, a device, or a huge description."""
    folder = folder_of(target)
    if folder is None or not os.path.isdir(folder):
        return
    for path, status in _files(folder, folder):
        if os.path.basename(path) == "zarr.json" and status.st_size > _MAX_DESCRIPTION:
            raise damaged(folder, f"the description {os.path.relpath(path, folder)} is too large")


def _files(folder: str, start: str) -> Iterator[tuple[str, os.stat_result]]:
    """Yield the files below ``start``, all of which have to lie in ``folder``."""
    root = os.path.realpath(folder)
    for place, folders, files in os.walk(start):
        for name in (*folders, *files):
            path = os.path.join(place, name)
            if os.path.islink(path):
                inside = os.path.realpath(path)
                if os.path.commonpath([root, inside]) != root:
                    raise FileError(
                        f"The store at {folder} holds a link that leads out of it, "
                        f"{os.path.relpath(path, folder)}. Put the file itself there."
                    )
            status = os.stat(path)
            if S_ISREG(status.st_mode):
                yield path, status
            elif not S_ISDIR(status.st_mode):
                raise damaged(folder, f"{os.path.relpath(path, folder)} is no file")


def check_attributes(told: Mapping[str, Any], where: object) -> None:
    """Refuse a run whose attributes are not what `_request.Request.attributes` writes."""
    n = told.get("n_train")
    rules: dict[str, Callable[[Any], bool]] = {
        "n_train": lambda value: _whole(value) and value <= MAX_POINTS,
        "n_test": _whole,
        "k": _whole,
        "tile": lambda value: _whole(value) and _whole(n) and value <= n,
        "test_chunk": _whole,
        "index": _index,
        "metric": lambda value: value in get_args(Metric),
        "ties": lambda value: value in get_args(Ties),
        "evaluation": lambda value: value in _EVALUATIONS,
        "test_weight": lambda value: _number(value) and value > 0,
        "fingerprint": lambda value: isinstance(value, str),
        "classes": lambda value: _names(value) and len(value) > 0,
        "absent_classes": _names,
        "block_names": lambda value: value is None or (_names(value) and len(value) > 0),
        "dtype": lambda value: value in ("float64", "float32"),
        **{name: lambda value: isinstance(value, bool)
           for name in ("matrix", "prepared", "summarised", "complete")},
    }  # fmt: skip
    if told.get("summarised") is True:
        rules["likelihood"] = _number
        rules["tied_test_points"] = lambda value: value == 0 or _whole(value)
    if told.get("xy_titles") is not None:
        rules["xy_titles"] = lambda value: (
            isinstance(value, list) and len(value) == 2 and all(isinstance(t, str) for t in value)
        )
    if "score" in told:  # not in stores from before there was any other than the plain one
        rules["score"] = lambda value: isinstance(value, str)
    for name, holds in rules.items():
        if name not in told or isinstance(told[name], dict) or not holds(told[name]):
            got = f"is {told[name]!r:.60}" if name in told else "is missing"
            raise damaged(where, f"its {name!r} {got}")


def _index(value: Any) -> bool:
    try:
        return isinstance(value, str) and index_of(value).name == value
    except ParameterError:
        return False


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _names(value: Any) -> bool:
    if not isinstance(value, list) or not all(isinstance(v, str | int | float) for v in value):
        return False
    return len({(type(v), v) for v in value}) == len(value)


def check_array(array: zarr.Array[Any], name: str, told: Mapping[str, Any], where: object) -> None:
    """Refuse an array of another shape or kind than a run with these attributes has."""
    shape, kinds = _expected(name, told)
    names = set(_codec_names(array.metadata.to_dict().get("codecs", ())))
    whole = (array.shards or array.chunks) if array.ndim else ()
    if array.metadata.zarr_format != 3 or not names <= _CODECS:
        raise damaged(where, f"its {name!r} is stored in a way that is not read")
    if shape is not None and array.shape != shape:
        raise damaged(where, f"its {name!r} has the shape {array.shape} in place of {shape}")
    if array.dtype.kind not in kinds or array.dtype.itemsize > 8 or array.ndim == 0:
        raise damaged(where, f"its {name!r} holds {array.dtype} values")
    if any(part > max(1, size) for part, size in zip(whole, array.shape, strict=True)):
        raise damaged(where, f"its {name!r} has pieces of the shape {whole}")
    if name == "upper" and math.prod(array.chunks) > max(1, cell_of(told["tile"])) ** 2:
        raise damaged(where, f"its {name!r} has pieces of the shape {array.chunks}")
    folder = folder_of(array.store_path.store)
    if folder is not None:
        _check_pieces(array, name, whole, "blosc" in names, folder)


def _check_pieces(
    array: zarr.Array[Any], name: str, whole: tuple[int, ...], packed: bool, folder: str
) -> None:
    """Refuse files that are larger than a piece of an array, or that unpack to more."""
    piece = math.prod(whole) * array.dtype.itemsize
    for path, status in _files(folder, os.path.join(folder, name)):
        if os.path.basename(path) == "zarr.json":
            continue
        too_much = status.st_size > 1.1 * piece + 2**20
        if packed and array.shards is None and not too_much:
            with open(path, "rb") as file:
                head = file.read(8)
            too_much = int.from_bytes(head[4:8], "little") > piece
        if too_much:
            raise damaged(folder, f"{os.path.relpath(path, folder)} holds more than its piece")


def _codec_names(codecs: Any) -> Iterator[str]:
    for codec in codecs:
        yield codec["name"]
        inner = codec.get("configuration", {})
        yield from _codec_names(inner.get("codecs", ()))
        yield from _codec_names(inner.get("index_codecs", ()))


def _expected(name: str, told: Mapping[str, Any]) -> tuple[tuple[int, ...] | None, str]:
    """Return shape and kinds of an array; None for the shape of texts, which varies."""
    n, blocks = told["n_train"], len(told["block_names"] or ())
    bands = -(-n // told["tile"])
    known: dict[str, tuple[tuple[int, ...] | None, str]] = {
        "upper": ((n, n), "f"),
        "tiles_written": ((bands, bands), "u"),
        "xy": ((n, 2), "f"),
        "ids": ((n,), "iufb"),
        "ids_text": (None, "u"),
        "block_sums": ((blocks, blocks), "f"),
        "block_counts": ((blocks,), "i"),
        **dict.fromkeys(("values", "quality", "diagonal"), ((n,), "f")),
        **dict.fromkeys(("order", "codes", "suggested", "block_of", "ids_ends"), ((n,), "i")),
    }
    return known[name]


def check_numbers(numbers: AnyArray, name: str, told: Mapping[str, Any], where: object) -> None:
    """Refuse numbers that no run writes: places that are none, or what is not finite."""
    n, classes, blocks = told["n_train"], len(told["classes"]), len(told["block_names"] or ())
    ranges = {"codes": (0, classes), "suggested": (0, classes), "block_of": (-1, blocks)}
    fine = True
    if name in ranges:
        low, high = ranges[name]
        fine = bool(((numbers >= low) & (numbers < high)).all())
    elif name == "order":
        inside = bool(((numbers >= 0) & (numbers < n)).all())
        fine = inside and bool((np.bincount(numbers, minlength=n) == 1).all())
    elif name == "quality":
        fine = bool(((numbers >= 0) & (numbers <= 1 + 1e-9)).all())
    elif name == "ids_ends":
        fine = bool((np.diff(numbers, prepend=0) >= 0).all())
    elif numbers.dtype.kind == "f" and name != "ids":
        fine = bool(np.isfinite(numbers).all())
    if not fine:
        raise damaged(where, f"its {name!r} holds what cannot be")


def check_size(array: zarr.Array[Any], name: str, where: object) -> None:
    """Refuse to read a whole array that would fill the memory."""
    if array.nbytes > _MAX_BYTES:
        raise damaged(where, f"its {name!r} would take {array.nbytes:,} bytes")
