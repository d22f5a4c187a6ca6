"""A table that was read: its cells, every decision taken on the way, and what to do next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from stiknn_core.errors import ParameterError
from stiknn_core.phrases import listed
from stiknn_core.tables.building.converting import convert
from stiknn_core.tables.building.crowd import Annotators
from stiknn_core.tables.building.features import EncodeKind
from stiknn_core.tables.building.planning import Choices
from stiknn_core.tables.building.settings import USUAL_TEXT, TextSettings
from stiknn_core.tables.building.splitting import split_table
from stiknn_core.tables.cells.labels import guess_measured
from stiknn_core.tables.cells.missing import MissingPolicy, Problems, find_problems
from stiknn_core.tables.described import DescribedTable
from stiknn_core.types import Dataset, Scaling


class Table(DescribedTable):
    """A labelled table as it stands in its file; ``DescribedTable`` lists its attributes."""

    def problems(
        self,
        features: Sequence[str | int] | None = None,
        label: str | int | None = None,
        one_hot: Sequence[str | int] | None = None,
        *,
        measured: bool | None = None,
    ) -> Problems:
        """Count missing and infinite cells by column and row.

        Parameters
        ----------
        features, label
            Columns to look at; None takes the proposed ones.
        one_hot : sequence of str or None
            Those read as words; None takes the proposed ones.
        measured : bool or None
            Whether the label is a measured number; None guesses, as ``to_dataset`` does.
        """
        chosen = self.features if features is None else self.require(features, "feature")
        told = self.label if label is None else self.require([label], "label")[0]
        words = (
            self.columns_with("one-hot", "text")
            if one_hot is None
            else self.require(one_hot, "one-hot")
        )
        if measured is None:
            measured = told is not None and self.guess_measured(told)
        cells, facts = self.cells, self.facts
        return find_problems(cells, chosen, told, facts, words, self.absent, measured=measured)

    def guess_measured(self, label: str) -> bool:
        """Tell whether a column would be taken for a measured number if it were the label."""
        return guess_measured(self.cells[label], self.facts[label])

    def to_dataset(
        self,
        label: str | int | None = None,
        features: Sequence[str | int] | None = None,
        ids: str | int | None = None,
        *,
        missing: MissingPolicy = "refuse",
        missing_labels: Literal["refuse", "drop_rows"] | None = None,
        one_hot: Sequence[str | int] | None = None,
        ordered: Mapping[Any, Sequence[str]] | None = None,
        encode: Mapping[Any, EncodeKind] | None = None,
        text: TextSettings = USUAL_TEXT,
        true_label: str | int | bool = True,
        scale: Scaling = "standard",
        name: str | None = None,
        measured: bool | None = None,
        annotators: Annotators = None,
    ) -> Dataset:
        """Turn the table into a labelled data set.

        Columns are named as they are written: 2 and "2" are one name.

        Parameters
        ----------
        label : str or None
            Label column; None takes the proposed one.
        features : sequence of str or None
            Feature columns; None takes the proposed ones, and those in ``one_hot``,
            ``ordered`` and ``encode`` besides.
        ids : str or None
            Column that names the rows; None takes the proposed one, else rows are counted
            from 0 as in the file.
        missing : "refuse", "drop_rows", "drop_columns" or "impute"
            What to do with missing and infinite features. "impute" takes the median of a
            column of numbers, the most frequent word of a column of words, an empty text, the
            middle date, and the mean of a column of vectors; rows with no feature at all, or
            without a picture, are left out.
        missing_labels : "refuse", "drop_rows" or None
            What to do with rows without a label; None drops them if ``missing="drop_rows"``.
        one_hot : sequence of str or None
            Columns whose values become one 0/1 feature each (true/false: one feature);
            None takes the proposed ones.
        ordered : mapping of column to levels, or None
            Columns of ordered words with their levels from low to high; they become 0, 1, 2.
        encode : mapping of column to kind, or None
            How features are made of some columns, before all proposals: "number", "one-hot",
            "text" (see ``text``), "counts" (how often a word occurs in the training rows, as
            ``log10(1 + rows)``, and the word hashed into at most 16 features; for words of many
            different values), "date" (year, month, day of the week and hour where they vary, and
            days since the first training row), "vector" (its numbers as they are, called
            ``column[0]``, ``column[1]``, ...) or "picture" (principal components, fitted on
            training rows, of the grey pixels, at most 50, and of the gradients, at most 50; each
            of the two with a variance of 1/2 in all). What is made of one column of "one-hot",
            "text", "counts", "vector" or "picture" is one of the data set's ``blocks``.
        text : TextSettings
            How features are made of texts: by default TF-IDF of words and of characters, each text
            of length 1, and the 100 components of a truncated SVD.
        true_label : str or bool
            Column with the true labels; True takes the proposed one, False none.
        scale : Scaling
            Recorded in ``params["scaling"]``; features stay in their own units, because
            scaling is fitted on training rows.
        name : str or None
        measured : bool or None
            Whether the label is a measured number; None guesses: numbers that hardly two rows
            share, or more than 20 different decimals.
        annotators : sequence of str, str, False or None
            Where several people labelled the rows: their columns, one for each, with the same
            classes and nothing (or NA, ?, or -1 beside whole numbers) where they did not; or the
            one column that names who gave the label of each row, where ``ids`` says which rows
            belong together and the first of them gives the features. None takes the proposed
            ones, False none. Beside columns of annotators a label column may hold what was
            agreed on; else the label is what most of them gave, of equal counts the
            class that sorts first, and a notice says how many of those there are.

        Returns
        -------
        Dataset
            Labels as written: int64 where all are plain whole numbers, else text. Measured ones
            are float64; a row without a finite one counts as one without a label. With
            annotators, ``votes`` holds who said what, for ``games.votes`` and
            ``rank_annotators``.

        Raises
        ------
        LabelError
            If there is no label column, labels are missing, they name nearly every row, or
            are no numbers where they are to be measured.
        FeatureError
            If there is no feature, one is not numeric, or values are missing or infinite.
        ParameterError
            If an option is not one of those above.
        """
        choices = Choices(
            label, features, ids, missing, missing_labels, one_hot, ordered, true_label, scale,
            name, encode, text, measured, annotators,
        )  # fmt: skip
        train, _ = convert(self, choices)
        return train

    def to_split(
        self,
        *,
        test: Table | None = None,
        column: str | int | None = None,
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
        given = [name for name, value in (("test", test), ("column", column), ("share", share))
                 if value is not None]  # fmt: skip
        if len(given) > 1:
            raise ParameterError(f"Give only one of test, column and share; got {listed(given)}.")
        return split_table(self, test, column, share, seed, options)
