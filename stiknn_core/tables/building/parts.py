"""Rows of a table on their way to a data set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from stiknn_core.tables.described import DescribedTable
from stiknn_core.types import IntArray


@dataclass(frozen=True)
class Part:
    """Rows of a table that are for training or for testing, and what became of them.

    Attributes
    ----------
    table : DescribedTable
    rows : (m,) int64
        0-based rows of the table.
    log : list of str
        Sentences a person should see; grows on the way to a data set.
    """

    table: DescribedTable
    rows: IntArray
    log: list[str] = field(default_factory=list)

    def column(self, name: str) -> pd.Series[Any]:
        """Return the cells of one column in these rows."""
        column = self.table.cells[name]
        return column if len(self.rows) == len(column) else column.iloc[self.rows]

    def frame(self, names: Sequence[str]) -> pd.DataFrame:
        """Return the cells of some columns in these rows."""
        cells = self.table.cells[list(names)]
        return cells if len(self.rows) == len(cells) else cells.iloc[self.rows]

    @property
    def absent(self) -> dict[str, NDArray[np.bool_]]:
        """These rows without a vector or a picture, by column that holds such, each (m,) bool."""
        return {name: gone[self.rows] for name, gone in self.table.absent.items()}
