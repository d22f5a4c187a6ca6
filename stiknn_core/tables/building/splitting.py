"""Training and test rows: from a column, a separate table, or a hold-out."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np

from stiknn_core.errors import FeatureError, ParameterError
from stiknn_core.phrases import counted, listed, quoted
from stiknn_core.preparation import holdout_split, repeats_notice
from stiknn_core.sampling import strata_of
from stiknn_core.tables.building.converting import convert, without_label
from stiknn_core.tables.building.parts import Part
from stiknn_core.tables.building.planning import Choices, make_plan
from stiknn_core.tables.cells.labels import label_array, label_text, target_values, unlabelled
from stiknn_core.tables.cells.roles import TRAIN_WORDS
from stiknn_core.tables.described import DescribedTable
from stiknn_core.types import Dataset, IntArray, Notice

_Table = TypeVar("_Table", bound=DescribedTable)

_TRUE_WORDS = {"true", "1", "yes", "1.0"}
_FALSE_WORDS = {"false", "0", "no", "0.0"}


def split_table(
    table: DescribedTable,
    test: DescribedTable | None,
    column: str | int | None,
    share: float | None,
    seed: int,
    options: dict[str, Any],
) -> tuple[Dataset, Dataset]:
    """Carry out ``Table.to_split``; see there."""
    unknown = [name for name in options if name not in Choices.__dataclass_fields__]
    if unknown:
        raise ParameterError(
            f"to_split knows no option {quoted(unknown)}; it takes "
            f"{listed(list(Choices.__dataclass_fields__), 20)}."
        )
    choices = Choices(**options)
    if test is not None:
        chosen, plan = make_plan(table, choices)
        label = plan.label
        if plan.crowd is not None and label not in table.facts:
            label = plan.features[0]  # what the annotators said is asked for where it is read
        matched = match_test_table(chosen, test, features=plan.features, label=label, ids=plan.ids)
        rows = np.arange(test.n_rows, dtype=np.int64)
        return _checked(convert(table, choices, None, Part(matched, rows)))
    if share is not None:
        train_rows, test_rows, notices = _hold_out(table, choices, share, seed)
    else:
        train_rows, test_rows = _rows_by_column(table, column)
        notices = ()
    return _checked(convert(table, choices, train_rows, Part(table, test_rows)), notices)


def _hold_out(
    table: DescribedTable, choices: Choices, share: float, seed: int
) -> tuple[IntArray, IntArray, tuple[str, ...]]:
    chosen, plan = make_plan(table, choices)
    missing = without_label(chosen, plan)
    if plan.crowd is not None:
        missing = missing & (plan.crowd.line >= 0)
    if not plan.drop_unlabelled and missing.any():
        raise unlabelled(plan.named_label, np.flatnonzero(missing), plan.measured)
    if plan.crowd is not None:
        missing = missing | (plan.crowd.line < 0)
    labelled = np.flatnonzero(~missing).astype(np.int64)
    if plan.measured:
        y = target_values(chosen.cells[plan.label], chosen.facts[plan.label])[labelled]
    else:
        told = label_text(chosen.cells[plan.label])
        y = label_array([str(told[row]) for row in labelled])
    split = holdout_split(strata_of(y, plan.measured), share, seed)
    # Bands of targets serve the draw alone.
    told_of = () if plan.measured else split.notices
    return labelled[split.train], labelled[split.test], told_of


def _rows_by_column(table: DescribedTable, column: str | int | None) -> tuple[IntArray, IntArray]:
    """Return training and test rows as a column says; None takes the proposed split column.

    Its values are train/training and anything else, or true and false.
    """
    if column is None:
        column = table.column_with("split")
        if column is None:
            raise ParameterError(
                "No column marks the split", "give column=, share= or a test table", "column"
            )
    (column,) = table.require([column], "split")
    told = label_text(table.cells[column])
    if told.isna().any():
        raise ParameterError(
            f"The split column {column!r} is empty in {counted(int(told.isna().sum()), 'row')}; "
            "say train or test in every row."
        )
    words = told.str.lower()
    values = set(words)
    if values & TRAIN_WORDS:
        train = words.isin(TRAIN_WORDS).to_numpy()
    elif values <= _TRUE_WORDS | _FALSE_WORDS and len(values) == 2:
        train = words.isin(_TRUE_WORDS).to_numpy()
        train = ~train if "test" in column.lower() else train
    else:
        raise ParameterError(
            f"The split column {column!r} holds {listed(sorted(values), 5)}; expected 'train' for "
            "training rows and another word, such as 'test', for the rest."
        )
    if train.all() or not train.any():
        raise ParameterError(
            f"The split column {column!r} puts every row on one side; expected both kinds."
        )
    return np.flatnonzero(train).astype(np.int64), np.flatnonzero(~train).astype(np.int64)


def match_test_table(
    train: DescribedTable,
    test: _Table,
    *,
    features: tuple[str, ...] | None = None,
    label: str | None = None,
    ids: str | None = None,
) -> _Table:
    """Match a test table to a training table by column name.

    Parameters
    ----------
    train, test : DescribedTable
    features, label, ids
        Columns that are needed; None takes those proposed for ``train``.

    Returns
    -------
    Table
        ``test`` with a notice naming columns it has in addition; its columns in any order.

    Raises
    ------
    FeatureError
        If a needed column is missing, naming it and a column that differs only by case.
    """
    needed = [*(train.features if features is None else features), label or train.label]
    missing = [name for name in needed if name and name not in test.facts]
    if missing:
        near = {name.casefold(): name for name in test.columns}
        hints = [
            f"{near[name.casefold()]!r} instead of {name!r}"
            for name in missing
            if name.casefold() in near
        ]
        hint = f" (it has {listed(hints, 3)})" if hints else ""
        raise FeatureError(
            f"The test table lacks {counted(len(missing), 'column')}: "
            f"{quoted(missing)}{hint}; expected the columns of the "
            "training table."
        )
    extra = [name for name in test.columns if name not in train.facts]
    said = [f"The test table also has {quoted(extra)}; not used."] if extra else []
    return dataclasses.replace(test, notices=(*test.notices, *said))


def _checked(
    pair: tuple[Dataset, Dataset | None], notices: tuple[str, ...] = ()
) -> tuple[Dataset, Dataset]:
    """Add what concerns both sides: repeated rows, classes without training rows."""
    train, test = pair
    assert test is not None, "a split always has a test part"
    told = list(notices)
    repeats = repeats_notice(train.X, test.X)
    if repeats:
        told.append(repeats)
    if train.measured:
        return _with_notices(train, notices), _with_notices(test, told)
    new = sorted(set(test.y.tolist()) - set(train.y.tolist()), key=str)
    if new:
        told.append(Notice(f"No training row has the class {quoted(new)}.", "untrained class"))
    absent = sorted(set(train.y.tolist()) - set(test.y.tolist()), key=str)
    if absent:
        told.append(f"No test row has the class {quoted(absent)}.")
    return _with_notices(train, notices), _with_notices(test, told)


def _with_notices(dataset: Dataset, more: Sequence[str]) -> Dataset:
    return dataclasses.replace(dataset, notices=tuple(dict.fromkeys((*dataset.notices, *more))))
