"""What a table that was read holds, and how it is looked up."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from stiknn_core.errors import FeatureError, LabelError
from stiknn_core.phrases import listed, quoted
from stiknn_core.tables.cells.causes import FEATURE_ROLES, Role
from stiknn_core.tables.cells.columns import ColumnFacts
from stiknn_core.tables.cells.examples import examples_of
from stiknn_core.tables.cells.numbers import NumberFormat
from stiknn_core.tables.cells.readings import other_readings
from stiknn_core.tables.cells.roles import propose_roles
from stiknn_core.tables.contents import Pictures, Vectors
from stiknn_core.validation.settings import plain


@dataclass(frozen=True, eq=False)
class DescribedTable:
    """A table as it stands in its file, with what was found out about it.

    Attributes
    ----------
    name : str
        File name without ending.
    decisions : read-only mapping
        What was found: format, packing, line_ends, corner; and what can be overridden in
        ``read_table``: encoding, separator, quote, decimal, thousands, header, sheet, X, y,
        missing_words.
    notices : tuple of str
        Sentences a person should see.
    sheets, array_names, members, tables : tuple of str
        Sheets of a workbook, arrays of an NPZ file, files of a zip or tar archive, and tables of
        an SQLite or JSON file that could be chosen.
    roles : read-only mapping of column name to Role
        Proposals, with reasons.
    facts : read-only mapping of column name to ColumnFacts
    vectors, pictures : read-only mapping of column name to Vectors or Pictures
        What those columns hold beside the text of their cells.
    """

    cells: pd.DataFrame = field(repr=False)
    name: str
    decisions: Mapping[str, Any]
    notices: tuple[str, ...]
    roles: Mapping[str, Role] = field(repr=False)
    facts: Mapping[str, ColumnFacts] = field(repr=False)
    unnamed: tuple[str, ...] = ()
    flags: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}), repr=False)
    nominal: tuple[str, ...] = ()
    sheets: tuple[str, ...] = ()
    array_names: tuple[str, ...] = ()
    members: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    vectors: Mapping[str, Vectors] = field(default_factory=lambda: MappingProxyType({}), repr=False)
    pictures: Mapping[str, Pictures] = field(
        default_factory=lambda: MappingProxyType({}), repr=False
    )

    @property
    def frame(self) -> pd.DataFrame:
        """The cells as a DataFrame of text or native numbers; writing to it changes a copy."""
        return self.cells.copy(deep=False)

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.cells)

    @property
    def columns(self) -> tuple[str, ...]:
        """Column names in order."""
        return tuple(str(name) for name in self.cells.columns)

    def columns_with(self, *roles: str) -> tuple[str, ...]:
        """Names of the columns proposed for any of some roles."""
        return tuple(name for name, told in self.roles.items() if told.role in roles)

    def column_with(self, role: str) -> str | None:
        """Name of the first column proposed for a role, or None."""
        return next(iter(self.columns_with(role)), None)

    @property
    def label(self) -> str | None:
        """The proposed label column, or None."""
        return self.column_with("label")

    @property
    def features(self) -> tuple[str, ...]:
        """The proposed feature columns, those that become several features each included."""
        return self.columns_with(*FEATURE_ROLES)

    @property
    def absent(self) -> dict[str, NDArray[np.bool_]]:
        """Rows without a vector or a picture, by column that holds such, each (n,) bool."""
        held: dict[str, Vectors | Pictures] = {**self.vectors, **self.pictures}
        return {name: one.absent for name, one in held.items()}

    def other_readings(self, column: Any) -> dict[str, NumberFormat]:
        """Return other ways to read a column's numbers, by name, for ``read_table(formats=)``.

        Empty where nothing was guessed and no cell was left unread.
        """
        (column,) = self.require([column], "feature")
        return other_readings(self.cells[column], self.facts[column])

    def examples(self, column: Any) -> tuple[tuple[str, str], ...]:
        """Return a few cells of a column as they stand in the file, and what was read from each.

        Cells that were read in different ways come first: numbers, cells without a value, cells
        that are no number.
        """
        (column,) = self.require([column], "feature")
        return examples_of(self.cells[column], self.facts[column])

    def with_label(self, label: Any) -> Self:
        """Return the table with another label column and the roles that follow from it."""
        (label,) = self.require([label], "label")
        flags = {name: flag for name, flag in self.flags.items() if flag != "label"}
        flags[label] = "label"
        roles = propose_roles(self.cells, self.facts, self.unnamed, flags, self.nominal)
        return dataclasses.replace(self, roles=MappingProxyType(roles))

    def require(self, names: Sequence[Any], what: str) -> tuple[str, ...]:
        """Return column names as they are written, and refuse those that the table does not have.

        A column that was called 2 in a frame is found by 2 and by "2".
        """
        written = tuple(str(plain(name)) for name in names)
        unknown = [name for name in written if name not in self.facts]
        if unknown:
            error = LabelError if what == "label" else FeatureError
            raise error(
                f"The table has no {what} column {quoted(unknown)}; it has {listed(self.columns)}."
            )
        return written
