"""Check features: a finite numeric table, with the same columns in training and test."""

from __future__ import annotations

import numbers
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from stiknn_core.errors import FeatureError, ShapeError
from stiknn_core.phrases import counted, listed, numbered
from stiknn_core.types import AnyArray, FloatArray
from stiknn_core.validation.frames import as_frame
from stiknn_core.validation.sentinels import is_sentinel
from stiknn_core.validation.settings import plain


@dataclass(frozen=True, eq=False)
class Features:
    """A checked table: ``X`` (n, d) float64, column names if it had any, ids of its rows."""

    X: FloatArray
    columns: tuple[Any, ...] | None
    ids: AnyArray


def check_features(
    X: Any, name: str, columns: tuple[Any, ...] | None = None, width: int | None = None
) -> Features:
    """Return ``X`` as float64 with its columns in the order of ``columns``, if these are given.

    Whatever has named columns counts as a DataFrame, see `frames.as_frame`. ``width`` is the number
    of columns there should be, for the advice where there are none. Raises FeatureError for text,
    missing or infinite values, marks for missing ones, and other columns than ``columns``;
    ShapeError for anything that is not a filled two-dimensional table.
    """
    _refuse_sparse(X, name)
    X = as_frame(X, name)
    _refuse_sparse(X, name)  # as the data of a Bunch may be
    if isinstance(X, pd.Series):
        X = X.to_numpy()
    if isinstance(X, pd.DataFrame):
        frame = X if columns is None else _in_order(X, name, columns)
        table = _frame_to_float(frame, name)
        names: tuple[Any, ...] | None = tuple(frame.columns)
        ids = _index_ids(X.index)
    else:
        table = _array_to_float(X, name, width)
        names = None
        ids = np.arange(table.shape[0])
    if table.shape[0] == 0:
        raise ShapeError(f"{name} must have at least one row; it has none.")
    if table.shape[1] == 0:
        raise ShapeError(f"{name} must have at least one feature column; it has none.")
    _refuse_gaps(table, name, names)
    _refuse_marks(table, name, names)
    return Features(np.ascontiguousarray(table), names, ids)


def _refuse_sparse(X: Any, name: str) -> None:
    if sparse.issparse(X):
        raise FeatureError(
            f"{name} must be a dense table; got a sparse one. Convert it with .toarray()."
        )


def _index_ids(index: pd.Index) -> AnyArray:
    whole = pd.api.types.is_integer_dtype(index.dtype) and not index.hasnans
    if whole and (len(index) == 0 or int(index.max()) <= np.iinfo(np.int64).max):
        return np.array(index, dtype=np.int64)  # a copy: results outlive the frame
    return np.array([str(plain(label)) for label in index], dtype=str)


def _in_order(frame: pd.DataFrame, name: str, columns: tuple[Any, ...]) -> pd.DataFrame:
    """Return a frame with its columns in this order, matched by name as it is written.

    Of columns with one name the first is matched with the first.
    """
    wanted, found = _numbered(columns), _numbered(frame.columns)
    absent = [column for column in wanted if column not in found]
    extra = [column for column in found if column not in wanted]
    if absent or extra:
        told = []
        if absent:
            told.append(f"lacks {listed(column for column, _ in absent)}")
        if extra:
            told.append(f"has {listed(column for column, _ in extra)} besides")
        raise FeatureError(
            f"{name} must have the columns of X; it {' and '.join(told)}. "
            "Rename, add or drop columns so that both tables agree."
        )
    return frame.iloc[:, [found[column] for column in wanted]]


def _numbered(columns: Iterable[Any]) -> dict[tuple[str, int], int]:
    """Return the place of each column by its name, and how many before it have the same name."""
    seen: Counter[str] = Counter()
    places = {}
    for place, column in enumerate(columns):
        written = str(plain(column))
        places[written, seen[written]] = place
        seen[written] += 1
    return places


def _frame_to_float(frame: pd.DataFrame, name: str) -> FloatArray:
    other = [
        str(plain(column))
        for place, (column, dtype) in enumerate(frame.dtypes.items())
        if pd.api.types.is_complex_dtype(dtype)
        or not (
            pd.api.types.is_numeric_dtype(dtype)
            or pd.api.types.is_bool_dtype(dtype)
            or (pd.api.types.is_object_dtype(dtype) and _are_numbers(frame.iloc[:, place].dropna()))
        )
    ]
    if other:
        raise FeatureError(
            f"Features must be numbers; {name} has {counted(len(other), 'other column')} "
            f"({listed(other)}). Encode or leave out these columns."
        )
    try:
        table = frame.to_numpy(dtype=_common_type(frame), na_value=np.nan)
    except MemoryError:  # as of sparse columns, which are spread here
        raise ShapeError(
            f"{name} of shape {frame.shape} needs {8e-9 * frame.size:,.1f} GB as a dense table, "
            "more than this machine can give. Use fewer rows or columns."
        ) from None
    return _to_float(table, name)


def _common_type(frame: pd.DataFrame) -> type[Any]:
    # Objects are converted by NumPy, which says where one is too large.
    return object if any(map(pd.api.types.is_object_dtype, frame.dtypes)) else np.float64


def _are_numbers(cells: Iterable[Any]) -> bool:
    return all(isinstance(cell, numbers.Real | Decimal | np.bool_) for cell in cells)


def _array_to_float(X: Any, name: str, width: int | None = None) -> FloatArray:
    if isinstance(X, np.ma.MaskedArray):
        X = np.ma.filled(X.astype(np.float64), np.nan)
    try:
        table = np.asarray(X)
    except ValueError:
        raise ShapeError(
            f"{name} must be a table with rows of equal length; its rows differ in length."
        ) from None
    if table.ndim != 2:
        hint = f" {_reshaping(name, len(table), width)}" if table.ndim == 1 else ""
        raise ShapeError(
            f"{name} must have two dimensions (rows, features); got shape {table.shape}.{hint}"
        )
    if table.dtype.kind == "O":
        table = np.where(pd.isna(table), np.nan, table)
        if not _are_numbers(table.flat):
            raise FeatureError(
                f"Features must be numbers; {name} holds text or other objects. Encode them first."
            )
    if table.dtype.kind not in "biufO":
        raise FeatureError(f"Features must be numbers; {name} holds {table.dtype} values.")
    return _to_float(table, name)


def _reshaping(name: str, length: int, width: int | None) -> str:
    """Say what a row of numbers may have been meant to be, where X has ``width`` columns."""
    one_row = f"{name}.reshape(1, -1) for a single row"
    if width is None:
        return f"Use {name}.reshape(-1, 1) for a single feature, or {one_row}."
    if width == 1:
        return f"Use {name}.reshape(-1, 1) for a single feature."
    if width == length:
        return f"Use {one_row}."
    return f"X has {width:,} columns: give as many numbers for each row."


def _to_float(table: AnyArray, name: str) -> FloatArray:
    try:
        return np.asarray(table, dtype=np.float64)
    except OverflowError:
        raise FeatureError(
            f"Features must be numbers below 1.8e308; {name} holds larger ones. Rescale them."
        ) from None


def _refuse_gaps(table: FloatArray, name: str, columns: tuple[Any, ...] | None) -> None:
    bad = ~np.isfinite(table)
    if not bad.any():
        return
    n_missing = int(np.isnan(table).sum())
    n_infinite = int(bad.sum()) - n_missing
    kinds = [
        part
        for part in (
            counted(n_missing, "missing value") if n_missing else "",
            counted(n_infinite, "infinite value") if n_infinite else "",
        )
        if part
    ]
    raise FeatureError(
        f"Features must be finite numbers; {name} has {' and '.join(kinds)} in "
        f"{_places(bad, columns)}. Fill or drop them first."
    )


def _refuse_marks(table: FloatArray, name: str, columns: tuple[Any, ...] | None) -> None:
    bad = is_sentinel(table)
    if bad.any():
        count = counted(int(bad.sum()), "value that looks", "values that look")
        raise FeatureError(
            f"Features must be measured numbers; {name} has {count} like a mark for missing "
            f"({table[bad][0]:.5g}) in {_places(bad, columns)}. Fill or drop them first, or "
            "rescale the column if it was measured so."
        )


def _places(bad: AnyArray, columns: tuple[Any, ...] | None) -> str:
    """Say in which rows and columns of a table bad cells are."""
    where = np.flatnonzero(bad.any(axis=0))
    labels = [columns[c] if columns is not None else int(c) for c in where]
    rows = numbered("row", np.flatnonzero(bad.any(axis=1)))
    return f"{rows} (counted from 0), {numbered('column', labels)}"


def check_cosine(X: FloatArray, name: str) -> None:
    """Refuse rows of zeros, whose direction is undefined."""
    zero = np.flatnonzero(~X.any(axis=1))
    if zero.size:
        raise FeatureError(
            f"The cosine metric needs rows that are not all zero; {name} has "
            f"{counted(zero.size, 'zero row')} ({numbered('row', zero)}, counted from 0). "
            "Drop them or choose another metric."
        )


def check_distances(distances: Any, n_test: int | None, n_train: int) -> FloatArray:
    """Return precomputed distances as (n_test, n_train) float64, or say which cell is wrong."""
    _refuse_sparse(distances, "The distance matrix")
    table = _array_to_float(distances, "the distance matrix")
    expected = (table.shape[0] if n_test is None else n_test, n_train)
    if table.shape != expected:
        turned = " It may be transposed." if table.shape == expected[::-1] else ""
        raise ShapeError(
            "With metric='precomputed' the distances must have one row per test point and one "
            f"column per training point, here {expected}; got {table.shape}.{turned}"
        )
    bad = np.argwhere(~(np.isfinite(table) & (table >= 0)))
    if bad.size:
        row, column = (int(position) for position in bad[0])
        raise FeatureError(
            "Distances must be finite and not negative; "
            f"{counted(len(bad), 'cell is', 'cells are')} not, the first at row {row}, "
            f"column {column} ({table[row, column]:g}), counted from 0."
        )
    return np.ascontiguousarray(table)
