"""Labels: classes, read as text as written and never as quantities, or measured numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np
import pandas as pd

from stiknn_core.errors import LabelError
from stiknn_core.phrases import counted, numbered, quoted
from stiknn_core.tables.cells.columns import ColumnFacts, same_but_for_case
from stiknn_core.tables.cells.numbers import is_text, parse_numbers
from stiknn_core.tables.cells.text import cell_text
from stiknn_core.types import AnyArray, FloatArray
from stiknn_core.validation.settings import plain

_MOST_ODD: Final = 0.5
"""Share of cells that are no number in a column that is one but for slips."""
_WHOLE = re.compile(r"^(?:0|-?[1-9]\d{0,17})$")


def label_text(column: pd.Series[Any]) -> pd.Series[str]:
    """Return a column as label text; only empty cells are missing.

    Text stays as written (``NA``, ``01``, ``True``); native whole numbers have no ".0", even
    where a gap made the column decimal.
    """
    if is_text(column):
        return column
    codes, values = pd.factorize(column)
    names = np.array([*(cell_text(plain(value)) for value in values), None], dtype=object)
    return pd.Series(names[codes], index=column.index, dtype="str")


_MANY: Final = 50
_FEW_EACH: Final = 0.1
"""More different numbers than this, with fewer than ten rows each, are no classes."""


def looks_continuous(column: pd.Series[Any], fact: ColumnFacts) -> bool:
    """Tell whether a column measures something, rather than naming classes.

    Decimals are a measurement when there are many different ones, or hardly two rows agree;
    whole numbers and words only when nearly every row has its own.
    """
    n = len(column)
    distinct = fact.distinct
    if distinct <= 2:
        return False
    if fact.kind == "number" and not fact.whole:
        return distinct > 20 or distinct > 0.5 * n
    if fact.kind == "number":
        return n >= 10 and (distinct > 0.5 * n or distinct > 1000)
    return n >= 10 and distinct > 0.9 * n


def guess_measured(column: pd.Series[Any], fact: ColumnFacts) -> bool:
    """Tell whether a label is taken for a measured number: numbers that name no classes.

    Rents in tens of euros or ages are whole and shared by rows, but there are many of them, and
    few rows of each.
    """
    if fact.kind != "number":
        return False
    many = fact.distinct > _MANY and fact.distinct > _FEW_EACH * len(column)
    return many or looks_continuous(column, fact)


def check_measured(fact: ColumnFacts) -> None:
    """Refuse a label column whose filled cells are not all numbers."""
    if fact.kind == "number":
        return
    if fact.kind in ("empty", "vector", "picture"):
        check_label(pd.Series(dtype="str"), fact)
    (row, cell) = fact.odd_cells[0] if fact.odd_cells else (0, "")
    where = f", such as {cell!r:.40} in row {row}" if fact.odd_cells else ""
    raise LabelError(
        f"The label column {fact.name!r} is no measured number: {fact.not_numeric:,} of "
        f"{fact.filled:,} cells are not numeric{where}; mend them, take it for classes, or choose "
        "another column."
    )


def target_values(column: pd.Series[Any], fact: ColumnFacts) -> FloatArray:
    """Return a label column of numbers as they are written there, (n,); NaN = not finite."""
    values = parse_numbers(column, fact.style).values
    return np.where(np.isfinite(values), values, np.nan)


def target_notices(name: str, targets: FloatArray) -> list[str]:
    """Say that a label is taken for a measured number, and where all are the same."""
    if len(targets) and (targets == targets[0]).all():
        return [f"The label {name!r} is {targets[0]:.6g} in every row, so none can be doubted."]
    low, high = float(targets.min()), float(targets.max())
    return [f"The label {name!r} is a measured number, from {low:.6g} to {high:.6g}."]


def check_label(column: pd.Series[Any], fact: ColumnFacts) -> None:
    """Refuse a label column that measures something or names every row."""
    if fact.kind == "empty":
        raise LabelError(
            f"The label column {fact.name!r} is empty; choose a column with class names."
        )
    if fact.kind in ("vector", "picture"):
        raise LabelError(
            f"The label column {fact.name!r} holds {fact.kind}s; choose a column with class names."
        )
    if not looks_continuous(column, fact):
        return
    if 0 < fact.not_numeric <= _MOST_ODD * fact.filled:
        check_measured(fact)
    if fact.kind == "number":
        raise LabelError(
            f"The label column {fact.name!r} has {fact.distinct:,} different numbers in "
            f"{len(column):,} rows, which is a measurement; expected classes, so take it for a "
            "measured number or choose another column."
        )
    raise LabelError(
        f"The label column {fact.name!r} has {fact.distinct:,} different values in "
        f"{len(column):,} rows; expected classes that several rows share, so choose another column."
    )


def unlabelled(name: str | None, rows: Iterable[int], measured: bool = False) -> LabelError:
    """Return the error that refuses rows without a label, or without a finite target.

    None for a name: labels of annotators.
    """
    gone = list(rows)
    if name is None:
        return LabelError(
            f"No annotator labelled {counted(len(gone), 'row')} ({numbered('row', gone)})",
            "fill them in, or leave those rows out with missing_labels='drop_rows'",
            "missing_labels",
        )
    missing = counted(len(gone), f"label in {name!r} is", f"labels in {name!r} are")
    return LabelError(
        f"{missing} missing{' or infinite' if measured else ''} ({numbered('row', gone)})",
        "fill them in, or leave those rows out with missing_labels='drop_rows'",
        "missing_labels",
    )


def label_notices(name: str, labels: Sequence[str]) -> list[str]:
    """Point out what may be a slip: one class only, or names that differ by case or blanks."""
    classes = sorted(set(labels))
    notices = []
    if len(classes) == 1:
        notices.append(f"There is one class only, {classes[0]!r}.")
    for group in same_but_for_case(classes)[:5]:
        told = quoted(group)
        notices.append(f"Classes {told} in {name!r} differ only by case or blanks.")
    if len(classes) > 50:
        notices.append(f"The label {name!r} has {counted(len(classes), 'class', 'classes')}.")
    return notices


def label_array(labels: Sequence[str]) -> AnyArray:
    """Return labels as an array: int64 where every one is a plain whole number, else text.

    A plain whole number reads back exactly as written (no leading zero or plus), so 1, 2, 10
    sort as numbers and ``01`` stays ``01``.
    """
    codes, classes = pd.factorize(np.asarray(labels, dtype=object), sort=True)
    names = [str(value) for value in classes]
    if all(_WHOLE.match(value) for value in names):
        return np.array([int(value) for value in names], dtype=np.int64)[codes]
    # Fixed-width text would give one very long name's width to every row.
    short = max(map(len, names), default=0) <= 200
    return np.array(names, dtype=str if short else object)[codes]


def one_spelling(labels: Sequence[str], known: Sequence[str]) -> list[str]:
    """Give true and false one spelling each, the commonest in ``known``.

    ``TRUE`` comes from spreadsheets and ``True`` from Python; they are one answer, unlike
    ``Yes`` and ``yes``, which are only pointed out.
    """
    counts = pd.Series(list(known), dtype=object).value_counts()
    chosen: dict[str, str] = {}
    for spelling in counts.index:
        chosen.setdefault(str(spelling).casefold(), str(spelling))
    return [chosen.get(told.casefold(), told) for told in labels]
