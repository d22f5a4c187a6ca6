"""From text cells to a Dataset: which column is what, and what is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from stiknn_core.errors import FeatureError, FileError, LabelError, ParameterError
from stiknn_core.types import Dataset, FloatArray, IntArray
from stiknn_core.validation.wording import names_text, rows_text

LABEL_NAMES = ("label", "class", "target", "y")

# float() would also read "1_000", which no table means as a number.
_NUMBER = re.compile(
    r"\s*[+-]?((\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|nan|inf|infinity)\s*", re.IGNORECASE | re.ASCII
)
_WHOLE = re.compile(r"\s*[+-]?\d{1,18}\s*", re.ASCII)
# More distinct fractions than this are measured values, however often they repeat.
_MANY_CLASSES = 50
# What data-frame exports call a nameless index column.
_UNNAMED = re.compile(r"(Unnamed: \d+)?")


def dataset_from_columns(
    header: Sequence[str], rows: Sequence[Sequence[str]], *, label: str | None, name: str
) -> Dataset:
    """Turn a header and equally long rows of text into a Dataset.

    See ``load_csv`` for the rules and the errors.
    """
    columns: dict[str, list[str]] = {}
    cells = [list(column) for column in zip(*rows, strict=True)]
    ids, notices = _row_ids(header, cells)
    for number, column in enumerate(cells):
        if number == 0 and ids is not None:
            continue
        title = header[number].strip() or f"column {number + 1}"
        if title in columns:
            raise FileError(
                f"the column name {title!r} occurs more than once; give every column its own name."
            )
        columns[title] = column

    label = _label_column(list(columns), label)
    y = _labels(label, columns.pop(label))
    X, feature_names, left_out = _features(columns)
    if not feature_names:
        raise FileError(_no_features(label, left_out, header))
    if left_out:
        notices.append(f"Left out, since they are not numeric: {names_text(left_out)}.")
    notices.extend(_label_hints(y))
    return Dataset(
        X=X,
        y=np.array(y, dtype=object),
        name=name,
        feature_names=tuple(feature_names),
        ids=np.arange(len(rows)) if ids is None else ids,
        params={"file": name, "label": label},
        notices=tuple(notices),
    )


def _row_ids(
    header: Sequence[str], cells: Sequence[Sequence[str]]
) -> tuple[IntArray | None, list[str]]:
    if len(cells) < 2 or not _UNNAMED.fullmatch(header[0].strip()):
        return None, []
    if not all(_WHOLE.fullmatch(cell) for cell in cells[0]):
        return None, []
    ids = np.array([int(cell) for cell in cells[0]], dtype=np.int64)
    if len(np.unique(ids)) < len(ids):
        return None, []
    return ids, ["The unnamed first column counts the rows: used as point ids, not as a feature."]


def _label_column(names: Sequence[str], label: str | None) -> str:
    if label is not None:
        wanted = label.strip() if isinstance(label, str) else label
        if wanted not in names:
            raise ParameterError(
                f"label must be one of the columns {names_text(names)}; got {label!r}."
            )
        return wanted
    lowered = [name.lower() for name in names]
    for usual in LABEL_NAMES:
        if usual in lowered:
            return names[lowered.index(usual)]
    return names[-1]


def _labels(name: str, cells: list[str]) -> list[str]:
    missing = [row for row, cell in enumerate(cells) if not cell.strip()]
    if missing:
        raise LabelError(
            f"{len(missing)} of {len(cells)} labels in column {name!r} are missing "
            f"({rows_text(missing)}); fill them in or drop those rows."
        )
    distinct = set(cells)
    many = 2 * len(distinct) > len(cells) or len(distinct) > _MANY_CLASSES
    if many and all(_NUMBER.fullmatch(cell) for cell in distinct):
        numbers = np.array([float(cell) for cell in distinct])
        if not np.array_equal(numbers, np.round(numbers)):
            raise LabelError(
                f"column {name!r} holds measurements, not classes ({len(distinct)} different "
                f"numbers in {len(cells)} rows); sort them into a few bins, or choose "
                "another label column."
            )
    return cells


def _features(columns: dict[str, list[str]]) -> tuple[FloatArray, list[str], list[str]]:
    """Return X, the names of its columns, and what was left out with the reason."""
    numeric: dict[str, FloatArray] = {}
    left_out: list[str] = []
    for name, cells in columns.items():
        filled = [cell for cell in cells if cell.strip()]
        words = sum(not _NUMBER.fullmatch(cell) for cell in filled)
        if words or not filled:
            reason = f"{words} of {len(cells)} cells" if filled else "all cells blank"
            left_out.append(f"{name} ({reason})")
        else:
            numeric[name] = np.array([float(cell) if cell.strip() else np.nan for cell in cells])
    _check_finite(numeric)
    X = np.column_stack(list(numeric.values())) if numeric else np.empty((0, 0))
    return X, list(numeric), left_out


def _check_finite(numeric: dict[str, FloatArray]) -> None:
    bad = {name: ~np.isfinite(column) for name, column in numeric.items()}
    total = sum(int(mask.sum()) for mask in bad.values())
    if not total:
        return
    places = "; ".join(
        f"{name}: {rows_text(np.flatnonzero(mask).tolist())}"
        for name, mask in bad.items()
        if mask.any()
    )
    cells = "cell is" if total == 1 else "cells are"
    raise FeatureError(
        f"{total} feature {cells} missing or infinite ({places}); "
        "fill them in, or drop those rows or columns."
    )


def _no_features(label: str, left_out: Sequence[str], header: Sequence[str]) -> str:
    if left_out:
        return (
            f"the file has no numeric column beside the label {label!r}: "
            f"{names_text(left_out)} not numeric. At least one is needed."
        )
    return (
        f"the file has only the label column {label!r}; "
        f"at least one numeric column is needed.{separator_hint(header)}"
    )


def separator_hint(header: Sequence[str]) -> str:
    """Return a sentence if a one-column header looks like columns without commas."""
    if len(header) == 1 and re.search(r"[;\t|]", header[0]):
        return " The columns seem to be separated by something other than commas."
    return ""


def _label_hints(y: Sequence[str]) -> list[str]:
    distinct = sorted(set(y))
    hints = []
    if len(distinct) == 1:
        hints.append(f"All rows have the same class, {distinct[0]!r}.")
    elif len(distinct) == len(y):
        hints.append("Every row has a class of its own; is this the right label column?")
    alike: dict[str, list[str]] = {}
    for one in distinct:
        alike.setdefault(one.strip().casefold(), []).append(repr(one))
    for group in alike.values():
        if len(group) > 1:
            hints.append(
                f"The classes {' and '.join(group)} differ only in case or blanks; "
                "they are kept apart."
            )
    return hints
