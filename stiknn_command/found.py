"""What `stiknn suspects` finds in one file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pandas as pd

from stiknn_command.limit import Limit


@dataclass(frozen=True, eq=False)
class Found:
    """What was found of one file.

    Attributes
    ----------
    file : str
        As it was named.
    table : DataFrame
        From `rank_suspects`, with ``table_row`` (from 0), ``line`` (of a text file, from
        1; 0 where that is not known) and ``flagged``.
    label : str
        The label column.
    settings : dict
        k, space, score and below.
    limit : Limit or None
    measured : bool
        Whether labels are measured numbers; the table then has low, high and distance.
    """

    file: str
    table: pd.DataFrame
    label: str
    settings: dict[str, Any]
    limit: Limit | None
    measured: bool = False

    @property
    def score(self) -> str:
        """The column that says how doubtful a label is."""
        return "distance" if self.measured else "quality"

    @property
    def flagged(self) -> pd.DataFrame:
        """The rows that are flagged, most doubtful first."""
        return self.table[self.table["flagged"]]

    @property
    def over(self) -> bool:
        """Whether more rows are flagged than may be."""
        return self.limit is not None and self.limit.exceeded(len(self.flagged), len(self.table))
