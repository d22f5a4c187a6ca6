"""A rectangle of cells as text, before anybody knows which row is the header."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice, zip_longest

import pyarrow as pa
import pyarrow.compute as pc

from stiknn_core.errors import FileError
from stiknn_core.tables.files.natives import NativeColumn
from stiknn_core.tables.limits import MAX_CELLS, MAX_COLUMNS, MAX_LETTERS

_CHUNK_CELLS = 1_500_000


@dataclass(frozen=True, eq=False)
class Grid:
    """Cells of a text or a sheet without any lines above or below the table.

    Attributes
    ----------
    top : list of list of str
        The first rows, blanks around cells removed, for finding the header.
    columns : list of chunked string arrays
        All rows including a header; an empty cell is null.
    decisions : mapping
        How it was read: separator and quote ("" for none), or sheet and corner.
    notices : tuple of str
    sheets : tuple of str
        All sheets that can be chosen.
    natives : sequence of NativeColumn
        Of a sheet: its columns with the values as they are stored.
    """

    top: list[list[str]]
    columns: list[pa.ChunkedArray]
    decisions: Mapping[str, str]
    notices: tuple[str, ...]
    sheets: tuple[str, ...] = ()
    natives: Sequence[NativeColumn] = ()


def check_width(width: int) -> None:
    """Refuse more columns than any labelled table has."""
    if width > MAX_COLUMNS:
        raise FileError(
            f"The table has {width:,} columns; at most {MAX_COLUMNS:,} are read. If the items run "
            "across, turn the table so that each row is one item."
        )


def check_cells(count: int, what: str = "The table") -> None:
    """Refuse more cells than are kept in memory."""
    if count > MAX_CELLS:
        raise FileError(
            f"{what} has more than {MAX_CELLS:,} cells; keep fewer rows or columns, or draw a "
            "sample first."
        )


def check_letters(count: int, what: str = "The table") -> None:
    """Refuse more text than is kept in memory, however few cells it stands in."""
    if count > MAX_LETTERS:
        raise FileError(
            f"{what} has more than {MAX_LETTERS // 1_000_000:,} million letters in its cells; keep "
            "fewer rows, or leave out the columns of long text."
        )


def to_columns(rows: Iterable[Sequence[str]], width: int) -> list[pa.ChunkedArray]:
    """Collect rows of text into one Arrow column for each of ``width`` table columns.

    Shorter rows are filled with empty cells; none may be longer. Blanks around cells are taken
    off, and an empty cell is null.
    """
    blocks: list[tuple[int, pa.Array]] = []
    count = 0
    step = max(_CHUNK_CELLS // width, 16)
    rest = iter(rows)
    while block := list(islice(rest, step)):
        count += len(block)
        check_cells(count * width)
        # Column after column, each below one empty cell: a call of Arrow's takes longer than the
        # few cells that a block of a very wide table has of each.
        cells = list(chain.from_iterable(zip_longest([""] * width, *block, fillvalue="")))
        blocks.append((len(block), clean(pa.array(cells, type=pa.large_string()))))
    return [
        pa.chunked_array(
            [cells.slice(place * (rows + 1) + 1, rows) for rows, cells in blocks],
            type=pa.large_string(),
        )
        for place in range(width)
    ]


def clean(column: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    """Take blanks off cells and make empty ones null."""
    trimmed = pc.utf8_trim_whitespace(column)
    return pc.if_else(pc.equal(trimmed, ""), pa.scalar(None, pa.large_string()), trimmed)
