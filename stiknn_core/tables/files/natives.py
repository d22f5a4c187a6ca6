"""Cells that were numbers and yes or no in their file, and stay what they are."""

from __future__ import annotations

import datetime
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Any, Self

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from stiknn_core.tables.cells.text import cell_text
from stiknn_core.types import FloatArray

EMPTY, NUMBER, TEXT, BOOLEAN = range(4)
"""Kinds of cells; those from TEXT on have their value as text."""
_KINDS: dict[type, int] = {float: NUMBER, int: NUMBER, bool: BOOLEAN, type(None): EMPTY}


@dataclass(frozen=True, eq=False)
class NativeColumn:
    """One column: the kind of every cell, the numbers (NaN elsewhere) and the texts (or null)."""

    kinds: NDArray[np.uint8]
    numbers: FloatArray
    texts: pa.Array

    @classmethod
    def empty(cls, n: int) -> Self:
        """Return a column of ``n`` empty cells."""
        nothing = pa.nulls(n, pa.large_string())
        return cls(np.zeros(n, dtype=np.uint8), np.full(n, np.nan), nothing)

    @classmethod
    def joined(cls, parts: Sequence[NativeColumn]) -> Self:
        """Return parts below each other as one column."""
        if len(parts) == 1:
            return cls(parts[0].kinds, parts[0].numbers, parts[0].texts)
        return cls(
            np.concatenate([part.kinds for part in parts]),
            np.concatenate([part.numbers for part in parts]),
            pa.concat_arrays([part.texts for part in parts]),
        )

    def take(self, rows: NDArray[np.intp]) -> NativeColumn:
        """Return some of the rows."""
        return NativeColumn(self.kinds[rows], self.numbers[rows], self.texts.take(pa.array(rows)))

    def text(self) -> pa.Array:
        """Return the cells as text: numbers as short as they can be, empty cells null."""
        native = self.kinds == NUMBER
        if not native.any():
            return self.texts
        values = np.where(native, self.numbers, 0.0)
        whole = (np.abs(values) <= 2**53) & (values == np.floor(values))
        short = pc.cast(pa.array(np.where(whole, values, 0.0).astype(np.int64)), pa.large_string())
        written = pc.cast(pa.array(values), pa.large_string())
        written = pc.if_else(pa.array(whole), short, written)
        odd = native & ~whole & (np.abs(values) >= 1e9)
        if odd.any():
            # Arrow writes large numbers with an exponent earlier than people do.
            cells = written.to_pylist()
            for place in np.flatnonzero(odd):
                cells[place] = repr(float(values[place]))
            written = pa.array(cells, pa.large_string())
        return pc.if_else(pa.array(native), written, self.texts)

    def column(self) -> pd.Series[Any] | None:
        """Return a column of int64, float64 or bool; None if there is text in it, or nothing."""
        filled = self.kinds != EMPTY
        if not filled.any():
            return None
        if (self.kinds == BOOLEAN).all():
            return pd.Series(np.asarray(pc.equal(self.texts, "True")))
        if not (self.kinds[filled] == NUMBER).all():
            return None
        values = self.numbers
        if filled.all() and (np.abs(values) <= 2**53).all() and (values == np.floor(values)).all():
            return pd.Series(values.astype(np.int64))
        return pd.Series(values)


def native_cells(cells: Sequence[Any]) -> NativeColumn:
    """Tell numbers, yes or no, and text apart in cells of Python."""
    n = len(cells)
    kinds = np.fromiter(map(_KINDS.get, map(type, cells), repeat(TEXT)), np.uint8, n)
    for place, cell in enumerate(cells) if int in set(map(type, cells)) else ():
        # No digit is lost of a number that float64 cannot hold.
        if type(cell) is int and not -(2**53) <= cell <= 2**53:
            kinds[place] = TEXT
    numbers = np.full(n, np.nan)
    native = kinds == NUMBER
    if native.all():
        numbers = np.array(cells, dtype=np.float64)
    elif native.any():
        numbers[native] = [cells[place] for place in np.flatnonzero(native).tolist()]
    kinds[native & np.isnan(numbers)] = EMPTY
    if native.all():
        return NativeColumn(kinds, numbers, pa.nulls(n, pa.large_string()))
    told = [
        _written(cell) if kind >= TEXT else None for cell, kind in zip(cells, kinds, strict=True)
    ]
    texts = pc.utf8_trim_whitespace(pa.array(told, pa.large_string()))
    texts = pc.if_else(pc.equal(texts, ""), pa.scalar(None, pa.large_string()), texts)
    kinds[(kinds == TEXT) & np.asarray(texts.is_null())] = EMPTY
    return NativeColumn(kinds, numbers, texts)


def _written(value: Any) -> str:
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    if type(value) is str:
        # NULs at its end are none of a text (`settings.plain`).
        text: str = value.rstrip("\0") if value[-1:] == "\0" else value
        # Half of a pair that stands for one letter cannot be kept.
        return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, datetime.timedelta):
        minutes, seconds = divmod(round(value.total_seconds()), 60)
        return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"
    if isinstance(value, (list, dict)):
        return json.dumps(value, ensure_ascii=False)
    return cell_text(value)


def keep_natives(
    frame: pd.DataFrame, natives: Mapping[str, NativeColumn], rows: NDArray[np.intp]
) -> tuple[pd.DataFrame, dict[str, NDArray[np.bool_]]]:
    """Put native columns in the place of their texts; tell the native cells of the mixed ones.

    ``rows`` are those of the sheet that are left in the frame, which is counted anew from 0.
    """
    frame = frame.reset_index(drop=True)
    made: dict[str, pd.Series[Any]] = {}
    mixed: dict[str, NDArray[np.bool_]] = {}
    for name in frame.columns.intersection(list(natives)):
        body = natives[name].take(rows)
        column = body.column()
        if column is not None:
            made[name] = column
        elif (native := body.kinds == NUMBER).any():
            mixed[name] = native
    return frame.assign(**made) if made else frame, mixed
