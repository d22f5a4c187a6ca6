"""Columns of vectors and of pictures as columns of Arrow, and back from what need not be true."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
import pyarrow as pa

from stiknn_core.tables.apart.frames import JunkError
from stiknn_core.tables.apart.values import rebuilt
from stiknn_core.tables.contents import Pictures, Vectors
from stiknn_core.tables.limits import MAX_CELLS
from stiknn_core.types import AnyArray

MOST_WIDE = 100_000
"""Most numbers of one vector."""
_MOST_BYTES = 8 * MAX_CELLS
"""Of one column: as much as the numbers in all cells of a table take."""


def told_of(vectors: Mapping[str, Vectors], pictures: Mapping[str, Pictures]) -> dict[str, Any]:
    """Return the names of the columns, in the order of `arrays_of`."""
    return {
        "vectors": [[name, column.written] for name, column in vectors.items()],
        "pictures": list(pictures),
    }


def arrays_of(vectors: Mapping[str, Vectors], pictures: Mapping[str, Pictures]) -> list[pa.Array]:
    """Return one array for each column of vectors, and three for each of pictures."""
    found = [_matrix(column.values) for column in vectors.values()]
    for column in pictures.values():
        thumbnails = pa.array(list(column.thumbnails), pa.large_binary())
        found += [thumbnails, _matrix(column.grey), _matrix(column.gradients)]
    return found


def _matrix(values: AnyArray) -> pa.Array:
    flat = pa.array(np.ascontiguousarray(values).ravel())
    return pa.FixedSizeListArray.from_arrays(flat, values.shape[1])


def columns_from(
    known: Any, found: Sequence[pa.ChunkedArray]
) -> tuple[Mapping[str, Vectors], Mapping[str, Pictures]]:
    """Return the columns that `told_of` and `arrays_of` tell of.

    Raises
    ------
    JunkError
        If the two do not fit each other.
    """
    told = known if isinstance(known, dict) else {}
    vectors = rebuilt(tuple[tuple[str, bool], ...], told.get("vectors"))
    pictures = rebuilt(tuple[str, ...], told.get("pictures"))
    if len(found) != len(vectors) + 3 * len(pictures):
        raise JunkError(f"{len(found)} arrays for vectors and pictures")
    left = iter(found)
    floats = (pa.float32(), pa.float64())
    return (
        MappingProxyType(
            {name: Vectors(_values(next(left), floats), written) for name, written in vectors}
        ),
        MappingProxyType(
            {
                name: Pictures(
                    _thumbnails(next(left)),
                    _values(next(left), (pa.uint8(),)),
                    _values(next(left), (pa.float32(),)),
                )
                for name in pictures
            }
        ),
    )


def _values(column: pa.ChunkedArray, kinds: Sequence[pa.DataType]) -> AnyArray:
    kind = column.type
    if not pa.types.is_fixed_size_list(kind) or kind.value_type not in kinds:
        raise JunkError(f"a column of {kind} in the place of vectors")
    width = kind.list_size
    size = len(column) * width * kind.value_type.bit_width // 8
    if not 0 < width <= MOST_WIDE or size > _MOST_BYTES or column.null_count:
        raise JunkError(f"{len(column)} vectors of {width} numbers")
    flat = pa.chunked_array([piece.flatten() for piece in column.chunks], kind.value_type)
    if flat.null_count:
        raise JunkError("vectors with nulls")
    values: AnyArray = flat.to_numpy().reshape(len(column), width)
    return values


def _thumbnails(column: pa.ChunkedArray) -> tuple[bytes, ...]:
    if column.type != pa.large_binary() or column.null_count:
        raise JunkError(f"a column of {column.type} in the place of pictures")
    return tuple(column.to_pylist())
