"""Which line of a text file each row of its table stands on, for those who annotate files."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from stiknn_command.reading import Given
from stiknn_core.errors import StiknnError
from stiknn_core.tables.files.encoding import decode
from stiknn_core.tables.files.separators import rows_of
from stiknn_core.types import IntArray

Cells = tuple[str, ...]


def lines_of(given: Given) -> IntArray | None:
    """Return the line, from 1, on which each row begins.

    The file is gone through once more. Header, remarks and what else is no row lies between the
    rows, so each row is looked for by its cells behind the row before.

    Returns
    -------
    (n_rows,) int64 or None
        None where the file is not plain text, or a row is not found as it stands.
    """
    told = given.table.decisions
    if told.get("format") != "text" or told.get("packing"):
        return None
    try:
        data = decode(given.content, told["encoding"]).data
        records = _records(data, told["separator"], told["quote"])
        return _found(_cells(given.table.cells), records)
    except StiknnError:
        return None


def _records(data: bytes, separator: str, quote: str) -> Iterator[tuple[int, Cells]]:
    """Yield the line where each record begins, and its cells that are not empty."""
    end = 0
    blank = [not line.strip() for line in data.splitlines()]
    for line, row in rows_of(data, separator, quote):
        start = end
        end = line
        while start < len(blank) and blank[start]:  # empty lines above it
            start += 1
        yield start + 1, _known(row)


def _cells(frame: pd.DataFrame) -> Iterator[Cells]:
    columns = [
        ["" if empty else str(cell) for cell, empty in zip(column, column.isna(), strict=True)]
        for _, column in frame.items()
    ]
    return (_known(row) for row in zip(*columns, strict=True))


def _known(row: tuple[str, ...] | list[str]) -> Cells:
    """Return cells as they can be compared: without blanks around them and guards of formulas."""
    bare = (cell.strip().lstrip("'") for cell in row)
    return tuple(cell for cell in bare if cell)


def _found(rows: Iterator[Cells], records: Iterator[tuple[int, Cells]]) -> IntArray | None:
    lines: list[int] = []
    for row in rows:
        line = next((line for line, record in records if record == row), None)
        if line is None:
            return None
        lines.append(line)
    return np.array(lines, dtype=np.int64)
