"""Parquet, Arrow and ORC files: counted by what they claim before a column is laid out."""

from __future__ import annotations

import io
import json
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyarrow import orc

from stiknn_core.cost import describe_bytes
from stiknn_core.errors import FileError, StiknnError
from stiknn_core.tables.files.draft import Draft
from stiknn_core.tables.files.frames import normalize_frame
from stiknn_core.tables.files.grids import check_cells, check_letters, check_width
from stiknn_core.tables.files.hugging_face import understood
from stiknn_core.tables.files.refused import reason
from stiknn_core.tables.limits import MAX_UNPACKED_BYTES

_NAMES: dict[str, str] = {
    "parquet": "Parquet", "arrow": "Arrow", "arrow stream": "Arrow", "orc": "ORC",
}  # fmt: skip
_TROUBLE = (
    pa.ArrowException, OSError, ValueError, TypeError, KeyError, IndexError, NotImplementedError,
    OverflowError, MemoryError, struct.error, RecursionError, AttributeError,
)  # fmt: skip


def read_columnar(data: bytes, kind: str) -> Draft:
    """Read a file of columns."""
    return as_draft(_read(data, kind), _NAMES[kind])


def read_arrow(data: bytes) -> pa.Table:
    """Return the columns of an Arrow file as they are."""
    return _read(data, "arrow")


def as_draft(content: pa.Table, name: str) -> Draft:
    """Return columns as a draft; ``name`` is what they come from."""
    with _told(name):
        found = understood(content)
        frame = _plain(found.content).to_pandas()
    return found.add_to(normalize_frame(frame, name))


def _read(data: bytes, kind: str) -> pa.Table:
    name = _NAMES[kind]
    with _told(name):
        parts = {"parquet": _parquet, "orc": _orc}.get(kind, _arrow)(data)
        content = _joined(parts, f"The {name} file")
        # Text that is no text would fail much later, wherever a cell is looked at.
        content.validate(full=True)
    return content


@contextmanager
def _told(name: str) -> Iterator[None]:
    """Say in one sentence what the library cannot read."""
    try:
        yield
    except StiknnError:
        raise
    except _TROUBLE as error:
        raise FileError(
            f"The {name} file could not be read ({reason(error)}); write it again or use CSV."
        ) from None


def _parquet(data: bytes) -> Iterator[pa.Table]:
    # Text stays in its dictionary until its letters are counted.
    schema = pq.read_schema(io.BytesIO(data))
    texts = [told.name for told in schema if _is_text(told.type)]
    file = pq.ParquetFile(io.BytesIO(data), read_dictionary=texts)
    check_width(file.metadata.num_columns)
    check_cells(file.metadata.num_rows * file.metadata.num_columns, "The Parquet file")
    values = size = 0
    for place in range(file.num_row_groups):
        group = file.metadata.row_group(place)
        columns = [group.column(at) for at in range(group.num_columns)]
        values += sum(column.num_values for column in columns)
        size += sum(column.total_uncompressed_size for column in columns)
    check_cells(values, "The Parquet file")
    _check_size(size, "The Parquet file")
    for place in range(max(file.num_row_groups, 1)):
        part = file.read_row_group(place) if file.num_row_groups else file.read()
        check_letters(_letters(part), "The Parquet file")
        yield part.cast(schema)


def _orc(data: bytes) -> Iterator[pa.Table]:
    file = orc.ORCFile(io.BytesIO(data))
    check_width(len(file.schema))
    check_cells(file.nrows * len(file.schema), "The ORC file")
    for place in range(file.nstripes):
        yield pa.Table.from_batches([file.read_stripe(place)])
    if not file.nstripes:
        yield file.read()


def _arrow(data: bytes) -> Iterator[pa.Table]:
    if data.startswith(b"ARROW1"):
        # The stream stands in the file as a whole, without the list of its parts at the end.
        data = data[8:]
    stream = pa.BufferReader(data)
    size = 0
    while message := _next_message(stream):
        if message.type in ("record batch", "dictionary"):
            size += _claimed(message)
            _check_size(size, "The Arrow file")
    with pa.ipc.open_stream(pa.BufferReader(data)) as reader:
        check_width(len(reader.schema))
        for batch in reader:
            # Lengths that do not fit end the whole process wherever they are made use of.
            batch.validate(full=True)
            yield pa.Table.from_batches([batch], reader.schema)


def _next_message(stream: Any) -> Any:
    try:
        return pa.ipc.read_message(stream)
    except EOFError:
        return None


def _claimed(message: Any) -> int:
    """Return the bytes that the parts of one message take, as packed parts state them.

    The place of that statement is in the message's table (Arrow columnar format, Message.fbs):
    header -> (data of a dictionary ->) buffers, and the codec where they are packed.
    """
    told, body = message.metadata.to_pybytes(), message.body
    batch = _uoffset(told, _field(told, _uoffset(told, 0), 2))
    if message.type == "dictionary":
        batch = _uoffset(told, _field(told, batch, 1))
    packed = _field(told, batch, 3)
    buffers = _field(told, batch, 2)
    if not packed or not buffers:
        return int(body.size)
    start = _uoffset(told, buffers)
    (count,) = struct.unpack_from("<I", told, start)
    total = 0
    for place in range(count):
        offset, length = struct.unpack_from("<qq", told, start + 4 + 16 * place)
        if length >= 8:
            (size,) = struct.unpack("<q", body.slice(offset, 8).to_pybytes())
            total += size if size >= 0 else length
    return total


def _uoffset(data: bytes, place: int) -> int:
    return int(place + struct.unpack_from("<I", data, place)[0])


def _field(data: bytes, table: int, number: int) -> int:
    """Return where a field of a flat table stands; 0 where it is left out."""
    listing = table - struct.unpack_from("<i", data, table)[0]
    (size,) = struct.unpack_from("<H", data, listing)
    if 4 + 2 * number >= size:
        return 0
    (offset,) = struct.unpack_from("<H", data, listing + 4 + 2 * number)
    return int(table + offset) if offset else 0


def _check_size(size: int, what: str) -> None:
    if size > MAX_UNPACKED_BYTES:
        raise FileError(
            f"{what} unpacks to {describe_bytes(size)}; at most "
            f"{describe_bytes(MAX_UNPACKED_BYTES)} are read, so keep fewer rows or columns."
        )


def _joined(parts: Iterator[pa.Table], what: str) -> pa.Table:
    kept: list[pa.Table] = []
    letters = cells = 0
    for part in parts:
        cells += sum(_values(column) for column in part.columns)
        check_cells(cells, what)
        letters += _letters(part)
        check_letters(letters, what)
        kept.append(part)
    if not kept:
        raise FileError(f"{what} holds no row; expected at least one.")
    return pa.concat_tables(kept)


def _values(column: pa.ChunkedArray) -> int:
    """Count the cells of a column with the values inside of lists and records."""
    return sum(_nested(chunk) for chunk in column.chunks)


def _nested(array: pa.Array) -> int:
    if pa.types.is_nested(array.type):
        inner = array.flatten()
        return len(array) + sum(map(_nested, inner if isinstance(inner, list) else [inner]))
    return len(array)


def _letters(part: pa.Table) -> int:
    """Count the bytes of text, of a dictionary as often as its words are used."""
    total = 0
    for column in part.columns:
        for chunk in column.chunks:
            if pa.types.is_dictionary(chunk.type):
                sizes = _sizes(chunk.dictionary)
                chunk = None if sizes is None else pc.take(sizes, chunk.indices)
            else:
                chunk = _sizes(chunk)
            total += 0 if chunk is None else int(pc.sum(pc.cast(chunk, pa.int64())).as_py() or 0)
    return total


def _sizes(array: pa.Array) -> pa.Array | None:
    return pc.binary_length(array) if _is_text(array.type) else None


def _is_text(kind: pa.DataType) -> bool:
    known = (
        pa.types.is_string, pa.types.is_large_string, pa.types.is_binary, pa.types.is_large_binary,
        pa.types.is_string_view, pa.types.is_binary_view,
    )  # fmt: skip
    return any(test(kind) for test in known)


def _is_vector(kind: pa.DataType) -> bool:
    known = (pa.types.is_list, pa.types.is_large_list, pa.types.is_fixed_size_list)
    if not any(test(kind) for test in known):
        return False
    return bool(pa.types.is_integer(kind.value_type) or pa.types.is_floating(kind.value_type))


def _plain(content: pa.Table) -> pa.Table:
    """Put text in the place of records, and of lists of anything but numbers."""
    for place, told in enumerate(content.schema):
        if pa.types.is_nested(told.type) and not _is_vector(told.type):
            cells = content.column(place).to_pylist()
            texts = [
                None if c is None else json.dumps(c, default=str, ensure_ascii=False) for c in cells
            ]
            check_letters(sum(len(text or "") for text in texts))
            content = content.set_column(place, told.name, pa.array(texts, pa.large_string()))
    return content
