"""How much columns of Arrow hold: cells, letters and bytes, counted before they are copied."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from stiknn_core.errors import FileError


def views_of(array: pa.Array) -> Iterator[pa.Array]:
    """Yield the texts of an array that may all stand in one place of few bytes."""
    kind = array.type
    if pa.types.is_list_view(kind) or pa.types.is_large_list_view(kind):
        raise FileError(
            "The Arrow file holds lists as views, which may claim any number of values; write "
            "them as plain lists."
        )
    if pa.types.is_string_view(kind) or pa.types.is_binary_view(kind):
        yield array
    elif pa.types.is_dictionary(kind):
        yield from views_of(array.dictionary)
    elif pa.types.is_struct(kind):
        for place in range(kind.num_fields):
            yield from views_of(array.field(place))
    elif pa.types.is_nested(kind) and hasattr(array, "values"):
        yield from views_of(array.values)


def count_viewed(array: pa.Array) -> int:
    """Count the letters of views before they are looked at."""
    return int(np.maximum(_view_sizes(array), 0).sum(dtype=np.int64))


def _view_sizes(array: pa.Array) -> NDArray[np.int32]:
    """Return the first of the four numbers of each view."""
    sizes = np.frombuffer(array.buffers()[1], np.int32)[::4]
    return sizes[array.offset : array.offset + len(array)]


def count_values(column: pa.ChunkedArray) -> int:
    """Count the cells of a column with the values inside of lists and records."""
    return sum(_nested(chunk) for chunk in column.chunks)


def _nested(array: pa.Array) -> int:
    array = _stored(array)
    inner = _inner(array) if pa.types.is_nested(array.type) else []
    return len(array) + sum(map(_nested, inner))


def _stored(array: pa.Array) -> pa.Array:
    return array.storage if isinstance(array, pa.ExtensionArray) else array


def _inner(array: pa.Array) -> list[pa.Array]:
    """Return what stands in lists and records."""
    if pa.types.is_map(array.type):
        return [array.keys, array.items]
    if not hasattr(array, "flatten"):
        raise FileError(
            f"A column has values of kind {str(array.type)[:100]}, which is not read; write it as "
            "plain values."
        )
    inner = array.flatten()
    return inner if isinstance(inner, list) else [inner]


def count_letters(part: pa.Table) -> int:
    """Count the bytes of text, of a dictionary as often as its words are used."""
    return sum(
        _text(chunk, _is_string if pa.types.is_nested(chunk.type) else lambda _: True)
        for column in part.columns
        for chunk in column.chunks
    )


def count_inner_bytes(part: pa.Table) -> int:
    """Count the bytes in lists and records that are no text, such as pictures."""
    return sum(
        _text(chunk, lambda kind: not _is_string(kind))
        for column in part.columns
        for chunk in column.chunks
        if pa.types.is_nested(chunk.type)
    )


def _text(array: pa.Array, wanted: Callable[[pa.DataType], bool]) -> int:
    array = _stored(array)
    kind = array.type
    if pa.types.is_nested(kind):
        return sum(_text(inner, wanted) for inner in _inner(array))
    indices = array.indices if pa.types.is_dictionary(kind) else None
    values = array if indices is None else array.dictionary
    if not wanted(values.type) or (sizes := _sizes(values)) is None:
        return 0
    sizes = pc.cast(sizes if indices is None else pc.take(sizes, indices), pa.int64())
    return int(pc.sum(sizes).as_py() or 0)


def _is_string(kind: pa.DataType) -> bool:
    known = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
    return any(test(kind) for test in known)


def _sizes(array: pa.Array) -> pa.Array | None:
    """Return the bytes of each text; None where there is none."""
    kind = array.type
    if pa.types.is_nested(kind):
        raise FileError(
            "A column has a dictionary of lists or records, which is not read; write it as plain "
            "values."
        )
    if pa.types.is_string_view(kind) or pa.types.is_binary_view(kind):
        return pa.array(_view_sizes(array))
    if pa.types.is_fixed_size_binary(kind):
        return pa.array(np.full(len(array), kind.byte_width))
    return pc.binary_length(array) if _is_text(kind) else None


def _is_text(kind: pa.DataType) -> bool:
    known = (
        pa.types.is_string, pa.types.is_large_string, pa.types.is_binary, pa.types.is_large_binary,
    )  # fmt: skip
    return any(test(kind) for test in known)
