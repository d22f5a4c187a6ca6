"""Check labels: one per row, none missing, all of one kind, and classes rather than measures."""

from __future__ import annotations

import itertools
import math
import numbers
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from stiknn_core.errors import LabelError, ShapeError
from stiknn_core.phrases import counted, numbered
from stiknn_core.types import AnyArray, IntArray
from stiknn_core.validation.frames import as_column
from stiknn_core.validation.settings import plain

#: Kinds that an array shows by its dtype. Whole numbers of 64 bits without a sign may be too
#: large, and go the long way.
_KIND_OF_DTYPE = {"b": "boolean", "i": "number", "U": "text"}

_INTERVAL = re.compile(r"[\[(]([^,]+), ([^,]+)[\])]")

_KIND_WORDS = {"text": "text", "number": "numbers", "boolean": "booleans (True/False)"}


@dataclass(frozen=True, eq=False)
class Labels:
    """Checked labels: Python values, the kind they share, and their classes in order."""

    values: tuple[Any, ...]
    kind: str
    classes: tuple[Any, ...]

    def codes(self, classes: Sequence[Any]) -> IntArray:
        """Return positions in ``classes``, -1 for a label that is not among them."""
        lookup = {label: code for code, label in enumerate(classes)}
        return np.array([lookup.get(label, -1) for label in self.values], dtype=np.int64)


def check_labels(y: Any, name: str) -> Labels:
    """Return the labels in ``y``, or raise a LabelError that says which rows are wrong."""
    column, ordered = one_column(y, name)
    if column.size == 0:
        raise ShapeError(f"{name} must hold at least one label; it is empty.")
    kind = _KIND_OF_DTYPE.get(column.dtype.kind)
    if kind is not None:
        values = tuple(column.tolist())  # one kind by its dtype, and none can be missing
    else:
        missing = np.flatnonzero(pd.isna(column))
        if missing.size:
            raise LabelError(
                f"Every row needs a label; {name} has none in {missing.size:,} of "
                f"{column.size:,} rows ({numbered('row', missing)}, counted from 0). "
                "Fill them in or drop these rows."
            )
        values = tuple(_label(label) for label in column)
        kind = _single_kind(values, name)
        if kind == "number":
            _refuse_measures(values, name)
    present = set(values)
    if ordered is not None:
        return Labels(values, kind, tuple(c for c in ordered if c in present))
    return Labels(values, kind, tuple(sort_classes(present)))


def sort_classes(classes: Any) -> list[Any]:
    """Sort class names for people: numbers and intervals by size, also where they are text."""
    try:
        sizes = {label: _size(label) for label in classes}
    except (TypeError, ValueError, OverflowError):
        return sorted(classes)
    if any(map(math.isnan, itertools.chain(*sizes.values()))):
        return sorted(classes)
    return sorted(classes, key=lambda label: (sizes[label], str(label)))


def _size(label: Any) -> tuple[float, ...]:
    """Return a number, or both ends of an interval such as "(0.5, 2.0]"; ValueError if neither."""
    ends = _INTERVAL.fullmatch(label) if isinstance(label, str) else None
    if ends is not None:
        return float(ends[1]), float(ends[2])
    size = float(label)
    return (size if math.isfinite(size) else math.nan,)


def _label(value: Any) -> Any:
    """Return a label as a Python value; an interval, as of ``pandas.cut``, as text."""
    return str(value) if isinstance(value, pd.Interval) else plain(value)


def class_array(classes: Sequence[Any], codes: IntArray) -> AnyArray:
    """Return the class name of each code in an array of the natural dtype."""
    names = np.array(list(classes))
    return np.asarray(names[codes])


def one_column(y: Any, name: str) -> tuple[AnyArray, list[Any] | None]:
    """Return labels as a 1-D array, with the order of the classes if ``y`` has one."""
    y = as_column(y, name)
    if isinstance(y, pd.DataFrame):
        if y.shape[1] != 1:
            raise LabelError(
                f"{name} must hold one label per row; it has {counted(y.shape[1], 'column')}. "
                "Choose the column with the label."
            )
        y = y.iloc[:, 0]
    if isinstance(y, pd.Series | pd.Index | pd.Categorical):
        dtype = y.dtype
        ordered = None
        if isinstance(dtype, pd.CategoricalDtype) and dtype.ordered:
            ordered = [_label(category) for category in dtype.categories]
        return np.asarray(y.astype(object)), ordered
    if isinstance(y, np.ma.MaskedArray):
        masked, y = np.ma.getmaskarray(y), y.data.astype(object)
        y[masked] = None
    if isinstance(y, list | tuple):
        # NumPy would turn [1, "1"] into two equal strings: keep what was given.
        column = np.empty((len(y), 1), dtype=object)
        for row, label in enumerate(y):
            if isinstance(label, list | tuple | np.ndarray) and np.shape(label) != ():
                raise LabelError(
                    f"{name} must hold one label per row; row {row} holds "
                    f"{counted(len(label), 'value')}. Choose the column with the label."
                )
            column[row, 0] = label
    elif isinstance(y, str | bytes) or np.ndim(y) == 0:
        raise ShapeError(f"{name} must be a sequence with one label per row; got {y!r:.60}.")
    else:
        column = np.asarray(y)
    if column.ndim == 2 and column.shape[1] == 1:
        column = column[:, 0]
    kind = column.dtype.kind
    if kind == "V" or (kind in "mM" and not np.isnat(column).any()):
        raise LabelError(
            f"Labels must be text, numbers or booleans; {name} holds {column.dtype} values. "
            "Convert them to text."
        )
    if column.ndim != 1:
        raise LabelError(
            f"{name} must hold one label per row; got an array of shape {column.shape}. "
            "Choose the column with the label (for one-hot labels, take argmax)."
        )
    return column, None


def _kind(label: Any) -> str:
    if isinstance(label, bool):
        return "boolean"
    if isinstance(label, str):
        return "text"
    if isinstance(label, numbers.Real):
        return "number"
    return type(label).__name__


def _single_kind(values: tuple[Any, ...], name: str) -> str:
    kinds = Counter(map(_kind, values))
    if len(kinds) > 1:
        parts = ", ".join(f"{n:,} × {_KIND_WORDS.get(kind, kind)}" for kind, n in kinds.items())
        raise LabelError(
            f"Labels must all be of one kind; {name} mixes {parts}. "
            "Convert them to one kind, for example all to text."
        )
    kind = next(iter(kinds))
    if kind == "number" and any(isinstance(v, int) and abs(v) >= 2**63 for v in values):
        raise LabelError(
            f"Whole numbers as labels must fit 64 bits; {name} holds larger ones. "
            "Convert them to text."
        )
    if kind not in _KIND_WORDS:
        raise LabelError(
            f"Labels must be text, numbers or booleans; {name} holds {kind} values. "
            "Convert them to text."
        )
    return kind


def _refuse_measures(values: tuple[Any, ...], name: str) -> None:
    broken = [v for v in values if isinstance(v, float) and not v.is_integer()]
    if broken:
        raise LabelError(
            f"This method is for classes; {name} holds measured numbers "
            f"({len(set(values)):,} different values in {len(values):,} rows, such as "
            f"{broken[0]:.6g}). Bin them into classes first."
        )


def check_same_kind(train: Labels, test: Labels) -> None:
    """Refuse test labels that could never equal a training label."""
    if train.kind != test.kind:
        raise LabelError(
            "Training and test labels must be of one kind; y holds "
            f"{_KIND_WORDS[train.kind]} (such as {train.values[0]!r}) and y_test holds "
            f"{_KIND_WORDS[test.kind]} (such as {test.values[0]!r}). Convert one of them."
        )


def encode_labels(y: Any) -> tuple[tuple[Any, ...], IntArray]:
    """Return the classes of labels, in order, and the position of each label among them."""
    labels = check_labels(y, "y")
    return labels.classes, labels.codes(labels.classes)
