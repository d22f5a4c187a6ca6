"""Cells that were numbers and yes or no in their file, and stay what they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from stiknn_core.types import FloatArray

EMPTY, NUMBER, TEXT, BOOLEAN = range(4)
"""Kinds of cells; those from TEXT on have their value as text."""


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
