"""What is known of a sheet of a workbook before it is read."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from stiknn_core.errors import FileError
from stiknn_core.tables.files.grids import check_cells, check_width
from stiknn_core.tables.files.sheets import Merge
from stiknn_core.tables.limits import MAX_COLUMNS

MOST_ROWS = 1_048_576


@dataclass
class Scan:
    """Counts of one sheet; rows and columns from 0 where they are places."""

    rows: int = 0
    columns: int = 0
    cells: int = 0
    shared: int = 0
    formulas: int = 0
    unstored: list[str] = field(default_factory=list)
    merges: dict[int, list[Merge]] = field(default_factory=dict)
    hidden_rows: set[int] = field(default_factory=set)
    errors: Counter[str] = field(default_factory=Counter)
    gap: tuple[int, int] | None = None
    """Where in the bytes the first far row begins, and the number of the row before."""
    far: int = 0
    """Rows far below that were left out."""
    _hidden: int = 0

    def hide_columns(self, first: int, last: int) -> None:
        """Note hidden columns, from 0; as bits of one number, since a file may name them again."""
        first, last = max(first, 0), min(last, MAX_COLUMNS)
        if first <= last:
            self._hidden |= (1 << last + 1) - (1 << first)

    @property
    def hidden_columns(self) -> set[int]:
        """Places of hidden columns."""
        return {at for at, bit in enumerate(reversed(f"{self._hidden:b}")) if bit == "1"}


def check_area(scan: Scan) -> None:
    """Refuse a sheet whose rectangle is larger than what is kept in memory, or nearly empty."""
    if scan.rows > MOST_ROWS:
        raise FileError(
            f"The sheet claims to reach down to row {scan.rows:,}, but a workbook has at most "
            f"{MOST_ROWS:,}; save it again in a spreadsheet program."
        )
    check_width(scan.columns)
    area = scan.rows * scan.columns
    check_cells(area, "The sheet")
    if area > max(10_000_000, 8 * scan.cells):
        raise FileError(
            f"The sheet reaches over {scan.rows:,} rows and {scan.columns:,} columns, but only "
            f"{scan.cells:,} cells are filled; delete the cells far away from the table."
        )
