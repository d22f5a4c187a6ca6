"""A table as one message and a stream of cells, and back from what need not be true."""

from __future__ import annotations

import io
from dataclasses import fields
from typing import Any, Final

import pandas as pd
import pyarrow as pa

from stiknn_core.tables.apart.columns import arrays_of, columns_from, told_of
from stiknn_core.tables.apart.frames import PIECE, JunkError, Outbox
from stiknn_core.tables.apart.values import parts, told
from stiknn_core.tables.cells.numbers import arrow_text, is_text
from stiknn_core.tables.limits import MAX_CELLS, MAX_COLUMNS
from stiknn_core.tables.table import Table

_APART: Final = frozenset({"cells", "vectors", "pictures"})
_KINDS: Final = (pa.large_string(), pa.float64(), pa.int64(), pa.bool_())


def send(table: Table, to: Outbox) -> None:
    """Send a table: what is known of it, its cells, and that this is all."""
    known = {field.name: getattr(table, field.name) for field in fields(table)}
    cells, vectors, pictures = (known.pop(name) for name in ("cells", "vectors", "pictures"))
    more = told_of(vectors, pictures)
    to.send({"table": told(known) | {"more": more}, "columns": list(table.columns)})
    arrays = [_array(column) for _, column in cells.items()] + arrays_of(vectors, pictures)
    content = pa.Table.from_arrays(arrays, names=[str(place) for place in range(len(arrays))])
    with io.BufferedWriter(to, PIECE) as stream:
        with pa.ipc.new_stream(stream, content.schema) as writer:
            writer.write_table(content)
        stream.flush()
        to.send({"done": True})


def _array(column: pd.Series[Any]) -> pa.Array:
    array = arrow_text(column) if is_text(column) else pa.array(column.to_numpy())
    if array.type not in _KINDS:
        raise TypeError(f"a table holds a column of {column.dtype}")
    return array


def rebuild(known: Any, names: Any, cells: bytearray) -> Table:
    """Return the table that a message and a stream of cells tell of.

    Raises
    ------
    JunkError
        If they do not fit the classes of a table, or each other.
    """
    if not isinstance(known, dict) or not _are_names(names):
        raise JunkError("a table without columns")
    found = parts(Table, known, _APART)
    for name in ("roles", "facts"):
        if list(found[name]) != names:
            raise JunkError(f"{name} of other columns than the table has")
    frame, others = _content(names, cells)
    vectors, pictures = columns_from(known.get("more"), others)
    if not vectors.keys() | pictures.keys() <= set(names):
        raise JunkError("vectors or pictures of other columns than the table has")
    return Table(cells=frame, vectors=vectors, pictures=pictures, **found)


def _are_names(names: Any) -> bool:
    return (
        isinstance(names, list)
        and 0 < len(names) <= MAX_COLUMNS + 1
        and all(isinstance(name, str) for name in names)
        and len(set(names)) == len(names)
    )


def _content(names: list[str], cells: bytearray) -> tuple[pd.DataFrame, list[pa.ChunkedArray]]:
    """Return the cells, and the columns behind them."""
    try:
        with pa.ipc.open_stream(pa.py_buffer(cells)) as stream:
            if len(stream.schema) < len(names):
                raise JunkError(f"{len(stream.schema)} columns in the place of {len(names)}")
            content = stream.read_all()
        content.validate(full=True)
    except (pa.ArrowException, OSError, ValueError, OverflowError, MemoryError) as error:
        raise JunkError(f"no stream of cells: {str(error)[:200]}") from None
    if content.num_rows * len(names) > MAX_CELLS + content.num_rows or not content.num_rows:
        raise JunkError(f"a table of {content.num_rows} rows and {len(names)} columns")
    others = content.columns[len(names) :]
    content = content.select(range(len(names)))
    for column in content.columns:
        if column.type not in _KINDS or (column.null_count and column.type != _KINDS[0]):
            raise JunkError(f"a column of {column.type} with {column.null_count} nulls")
    frame: pd.DataFrame = content.to_pandas()
    frame.columns = pd.Index(names)
    return frame, others
