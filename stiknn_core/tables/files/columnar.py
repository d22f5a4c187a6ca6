"""Parquet, Arrow and ORC files: counted by what they claim before a column is laid out."""

from __future__ import annotations

import io
import json
import struct
from collections.abc import Iterator
from contextlib import contextmanager

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import orc

from stiknn_core.cost import describe_bytes
from stiknn_core.errors import FileError, StiknnError
from stiknn_core.tables.files.draft import Draft
from stiknn_core.tables.files.frames import normalize_frame
from stiknn_core.tables.files.grids import check_cells, check_letters, check_width
from stiknn_core.tables.files.hugging_face import understood
from stiknn_core.tables.files.laid_out import (
    count_inner_bytes,
    count_letters,
    count_values,
    count_viewed,
    views_of,
)
from stiknn_core.tables.files.messages import adds_words, claimed_bytes, next_message
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
    about = pq.read_metadata(io.BytesIO(data))
    check_width(about.num_columns)
    check_cells(about.num_rows * about.num_columns, "The Parquet file")
    leaves = [about.schema.column(at) for at in range(about.num_columns)]
    values = size = 0
    for place in range(about.num_row_groups):
        group = about.row_group(place)
        columns = [group.column(at) for at in range(group.num_columns)]
        values += sum(column.num_values for column in columns)
        # Bytes of a fixed length (0 elsewhere) are laid out, however often they are the same.
        size += sum(
            max(column.total_uncompressed_size, column.num_values * leaf.length)
            for column, leaf in zip(columns, leaves, strict=True)
        )
    check_cells(values, "The Parquet file")
    _check_size(size, "The Parquet file")
    schema = _without_views(pq.read_schema(io.BytesIO(data)))
    slots = sum(_most_slots(told.type, about.num_rows, values) for told in schema)
    check_cells(slots, "The Parquet file")
    # Text stays in its dictionary until its letters are counted.
    texts = [leaf.path for leaf in leaves if leaf.physical_type == "BYTE_ARRAY"]
    file = pq.ParquetFile(io.BytesIO(data), read_dictionary=texts)
    for place in range(max(file.num_row_groups, 1)):
        part = file.read_row_group(place) if file.num_row_groups else file.read()
        check_letters(count_letters(part), "The Parquet file")
        _check_size(count_inner_bytes(part), "The Parquet file")
        yield part.cast(schema)


def _most_slots(kind: pa.DataType, slots: int, values: int) -> int:
    """Count what a column is laid out as, where an absent list of fixed length takes its room."""
    if isinstance(kind, pa.BaseExtensionType):
        kind = kind.storage_type
    if not pa.types.is_nested(kind):
        return slots
    if pa.types.is_fixed_size_list(kind):
        slots *= kind.list_size
    elif not pa.types.is_struct(kind):
        slots = values
    return sum(_most_slots(kind.field(at).type, slots, values) for at in range(kind.num_fields))


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
    size = words = 0
    while message := next_message(stream):
        if message.type == "dictionary":
            # More words for a dictionary are laid out anew, behind those that were there.
            words += claimed_bytes(message)
            size += words if adds_words(message) else claimed_bytes(message)
        elif message.type == "record batch":
            size += claimed_bytes(message)
        _check_size(size, "The Arrow file")
    with pa.ipc.open_stream(pa.BufferReader(data)) as reader:
        check_width(len(reader.schema))
        for batch in reader:
            views = [view for column in batch.columns for view in views_of(column)]
            check_letters(sum(map(count_viewed, views)), "The Arrow file")
            # Lengths that do not fit end the whole process wherever they are made use of.
            batch.validate(full=True)
            part = pa.Table.from_batches([batch], reader.schema)
            yield part.cast(_without_views(reader.schema))


def _without_views(schema: pa.Schema) -> pa.Schema:
    """Return texts as they were before there were views, for which little is made yet."""
    plain = {pa.string_view(): pa.large_string(), pa.binary_view(): pa.large_binary()}
    fields = [told.with_type(plain.get(told.type, told.type)) for told in schema]
    return pa.schema(fields, schema.metadata)


def _check_size(size: int, what: str) -> None:
    if size > MAX_UNPACKED_BYTES:
        raise FileError(
            f"{what} unpacks to {describe_bytes(size)}; at most "
            f"{describe_bytes(MAX_UNPACKED_BYTES)} are read, so keep fewer rows or columns."
        )


def _joined(parts: Iterator[pa.Table], what: str) -> pa.Table:
    kept: list[pa.Table] = []
    letters = cells = size = 0
    for part in parts:
        cells += sum(count_values(column) for column in part.columns)
        check_cells(cells, what)
        letters += count_letters(part)
        check_letters(letters, what)
        size += count_inner_bytes(part)
        _check_size(size, what)
        kept.append(part)
    if not kept:
        raise FileError(f"{what} holds no row; expected at least one.")
    return pa.concat_tables(kept)


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
