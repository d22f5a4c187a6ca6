"""What a reader hands on: columns of cells and how they were reached."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from stiknn_core.tables.contents import Pictures, Vectors


@dataclass
class Draft:
    """What a reader found, before columns are looked at.

    Attributes
    ----------
    frame : DataFrame
        Index 0..n-1; str, float64, int64 or bool columns.
    decisions : dict
        What was found, and what was decided on the way.
    notices : list of str
    unnamed : tuple of str
        Columns whose name was made up.
    flags : dict of column name to "label", "id", "ignored" or "split"
        Roles that the source itself states.
    nominal : tuple of str
        Columns with a declared list of values.
    sheets, array_names, members, tables : tuple of str
        What else could have been read.
    natives : dict of column name to (n,) bool
        Columns of text in which some cells were numbers in the file: which ones. These are
        written with a decimal point, whatever the other cells use.
    vectors, pictures : dict of column name to Vectors or Pictures
        What those columns of the frame hold beside their text.
    lists : dict of column name to str
        Columns of lists that are no vectors: half a sentence that says why, behind "holds".
    """

    frame: pd.DataFrame
    decisions: dict[str, Any]
    notices: list[str] = field(default_factory=list)
    unnamed: tuple[str, ...] = ()
    flags: dict[str, str] = field(default_factory=dict)
    natives: dict[str, NDArray[np.bool_]] = field(default_factory=dict)
    nominal: tuple[str, ...] = ()
    sheets: tuple[str, ...] = ()
    array_names: tuple[str, ...] = ()
    members: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    vectors: dict[str, Vectors] = field(default_factory=dict)
    pictures: dict[str, Pictures] = field(default_factory=dict)
    lists: dict[str, str] = field(default_factory=dict)
