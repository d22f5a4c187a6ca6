"""A table that was read: its cells, every decision taken on the way, and what to do next."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

import pandas as pd

from stiknn_core.errors import FeatureError, LabelError, ParameterError
from stiknn_core.phrases import listed, quoted
from stiknn_core.tables.cells.columns import ColumnFacts
from stiknn_core.tables.cells.missing import MissingPolicy, Problems, find_problems
from stiknn_core.tables.cells.numbers import NumberFormat
from stiknn_core.tables.cells.roles import Role, propose_roles
from stiknn_core.types import Dataset, Scaling


@dataclass(frozen=True, eq=False)
class Table:
    """A labelled table as it stands in its file.

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
    sheets, array_names, members : tuple of str
        Sheets of a workbook, arrays of an NPZ file, files of a zip that could be chosen.
    roles : read-only mapping of column name to Role
        Proposals, with reasons.
    facts : read-only mapping of column name to ColumnFacts
    style : NumberFormat
        How numbers are written.
    """

    cells: pd.DataFrame = field(repr=False)
    name: str
    decisions: Mapping[str, Any]
    notices: tuple[str, ...]
    roles: Mapping[str, Role] = field(repr=False)
    facts: Mapping[str, ColumnFacts] = field(repr=False)
    style: NumberFormat = field(repr=False)
    unnamed: tuple[str, ...] = ()
    flags: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}), repr=False)
    nominal: tuple[str, ...] = ()
    sheets: tuple[str, ...] = ()
    array_names: tuple[str, ...] = ()
    members: tuple[str, ...] = ()

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

    def columns_with(self, role: str) -> tuple[str, ...]:
        """Names of the columns proposed for a role."""
        return tuple(name for name, told in self.roles.items() if told.role == role)

    @property
    def label(self) -> str | None:
        """The proposed label column, or None."""
        return next(iter(self.columns_with("label")), None)

    @property
    def features(self) -> tuple[str, ...]:
        """The proposed feature columns, words that become one-hot features included."""
        return tuple(
            name for name, told in self.roles.items() if told.role in ("feature", "one-hot")
        )

    def with_label(self, label: str) -> Table:
        """Return the table with another label column and the roles that follow from it."""
        self.require([label], "label")
        flags = {name: flag for name, flag in self.flags.items() if flag != "label"}
        flags[label] = "label"
        roles = propose_roles(
            self.cells, self.facts, unnamed=self.unnamed, flags=flags, nominal=self.nominal
        )
        return dataclasses.replace(self, roles=MappingProxyType(roles))

    def require(self, names: Sequence[str], what: str) -> None:
        """Refuse column names that the table does not have.

        Raises
        ------
        FeatureError, LabelError
            Naming the missing columns and those that are there.
        """
        unknown = [name for name in names if name not in self.facts]
        if unknown:
            error = LabelError if what == "label" else FeatureError
            raise error(
                f"The table has no {what} column {quoted(unknown)}; it has {listed(self.columns)}."
            )

    def problems(
        self,
        features: Sequence[str] | None = None,
        label: str | None = None,
        one_hot: Sequence[str] | None = None,
    ) -> Problems:
        """Count missing and infinite cells by column and row.

        Parameters
        ----------
        features, label
            Columns to look at; None takes the proposed ones.
        one_hot : sequence of str or None
            Those read as words; None takes the proposed ones.
        """
        chosen = self.features if features is None else tuple(features)
        self.require(chosen, "feature")
        told = self.label if label is None else label
        if label is not None:
            self.require([label], "label")
        words = self.columns_with("one-hot") if one_hot is None else one_hot
        return find_problems(self.cells, chosen, told, self.style, words)

    def to_dataset(
        self,
        label: str | None = None,
        features: Sequence[str] | None = None,
        ids: str | None = None,
        *,
        missing: MissingPolicy = "refuse",
        missing_labels: Literal["refuse", "drop_rows"] | None = None,
        one_hot: Sequence[str] | None = None,
        ordered: Mapping[str, Sequence[str]] | None = None,
        true_label: str | bool = True,
        scale: Scaling = "standard",
        name: str | None = None,
    ) -> Dataset:
        """Turn the table into a labelled data set.

        Parameters
        ----------
        label : str or None
            Label column; None takes the proposed one.
        features : sequence of str or None
            Feature columns; None takes the proposed ones, and those in ``one_hot`` and
            ``ordered`` besides.
        ids : str or None
            Column that names the rows; None takes the proposed one, else rows are counted
            from 0 as in the file.
        missing : "refuse", "drop_rows", "drop_columns" or "impute"
            What to do with missing and infinite features. "impute" takes the median of a
            column of numbers and the most frequent word of a column of words; rows with no
            feature at all are left out.
        missing_labels : "refuse", "drop_rows" or None
            What to do with rows without a label; None drops them if ``missing="drop_rows"``.
        one_hot : sequence of str or None
            Columns whose values become one 0/1 feature each (true/false: one feature);
            None takes the proposed ones.
        ordered : mapping of column to levels, or None
            Columns of ordered words with their levels from low to high; they become 0, 1, 2.
        true_label : str or bool
            Column with the true labels; True takes the proposed one, False none.
        scale : Scaling
            Recorded in ``params["scaling"]``; features stay in their own units, because
            scaling is fitted on training rows.
        name : str or None

        Returns
        -------
        Dataset
            Labels as written: int64 where all are plain whole numbers, else text.

        Raises
        ------
        LabelError
            If there is no label column, labels are missing, or they measure something.
        FeatureError
            If there is no feature, one is not numeric, or values are missing or infinite.
        ParameterError
            If an option is not one of those above.
        """
        from stiknn_core.tables.building.converting import convert
        from stiknn_core.tables.building.planning import Choices

        choices = Choices(
            label, features, ids, missing, missing_labels, one_hot, ordered, true_label, scale, name
        )
        train, _ = convert(self, choices)
        return train

    def to_split(
        self,
        *,
        test: Table | None = None,
        column: str | None = None,
        share: float | None = None,
        seed: int = 0,
        **options: Any,
    ) -> tuple[Dataset, Dataset]:
        """Turn the table into a training and a test set.

        Parameters
        ----------
        test : Table or None
            A separate test table, matched by column name.
        column : str or None
            A column that marks the split; None takes the proposed one if neither ``test`` nor
            ``share`` is given.
        share : float or None
            Share of rows to hold out, stratified and seeded.
        seed : int
            Seed of the hold-out.
        **options
            As for ``to_dataset``; words, medians and levels are learned from training rows only.

        Returns
        -------
        train, test : Dataset
            With the same features. The notices of ``test`` tell how many of its rows repeat
            training rows.

        Raises
        ------
        StiknnError
            As for ``to_dataset``; FeatureError too if the test table lacks a column.
        """
        from stiknn_core.tables.building.splitting import split_table

        given = [name for name, value in (("test", test), ("column", column), ("share", share))
                 if value is not None]  # fmt: skip
        if len(given) > 1:
            raise ParameterError(f"Give only one of test, column and share; got {listed(given)}.")
        return split_table(self, test, column, share, seed, options)
