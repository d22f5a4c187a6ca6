"""DataFrames of all libraries, and files of columns, as table columns."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from stiknn_core.errors import FileError
from stiknn_core.phrases import counted
from stiknn_core.tables.contents import Vectors
from stiknn_core.tables.files.draft import Draft
from stiknn_core.tables.files.grids import check_cells, check_width
from stiknn_core.tables.files.headers import distinct_names
from stiknn_core.tables.files.lists import Lists, is_list, list_text, lists_of
from stiknn_core.tables.files.natives import NUMBER, native_cells
from stiknn_core.types import AnyArray
from stiknn_core.validation.settings import plain


def column_text(values: Any) -> pd.Series[str]:
    """Return cells of any kind as text; None, NaN, NaT and blanks become missing."""
    return pd.Series(native_cells([_bare(value) for value in values]).text(), dtype="str")


def cells_of(values: AnyArray) -> AnyArray:
    """Return the cells of an array as Python has them, moments to the microsecond."""
    kind = values.dtype.kind
    if kind in "mM" and np.datetime_data(values.dtype)[0] in ("ns", "ps", "fs", "as"):
        values = values.astype(f"{kind}8[us]")
    return values.astype(object)


def native_column(column: pd.Series[Any]) -> pd.Series[Any]:
    """Return a column as bool, int64, float64 or text, whatever it was.

    Whole numbers with gaps become float64; 64-bit integers beyond the exact range of float64
    become text, so that no digit is lost. Durations are numbers of seconds.
    """
    return native_and_text(column)[0]


def native_and_text(column: pd.Series[Any]) -> tuple[pd.Series[Any], NDArray[np.bool_] | None]:
    """Do the same, and tell which cells were numbers where text is among them."""
    kind = column.dtype
    if pd.api.types.is_bool_dtype(kind) and not column.isna().any():
        return pd.Series(column.to_numpy(dtype=bool)), None
    if pd.api.types.is_integer_dtype(kind):
        known = column.dropna()
        if len(known) and max(abs(int(known.max())), abs(int(known.min()))) > 2**53:
            return column_text(column.astype(object)), None
        if not column.isna().any():
            return pd.Series(column.to_numpy(dtype=np.int64)), None
        return pd.Series(column.to_numpy(dtype=np.float64, na_value=np.nan)), None
    if pd.api.types.is_float_dtype(kind):
        return pd.Series(column.to_numpy(dtype=np.float64, na_value=np.nan)), None
    if pd.api.types.is_complex_dtype(kind):
        raise FileError(f"Column {column.name!r} holds complex numbers; expected real ones.")
    if pd.api.types.is_timedelta64_dtype(kind):
        return pd.Series(column.dt.total_seconds().to_numpy(dtype=np.float64)), None
    values = [_bare(value) for value in column.astype(object)]
    cells = native_cells(values)
    whole = cells.column()
    if whole is not None:
        return whole, None
    # Whole numbers that are too long for float64 are kept as text, and are native all the same.
    native = (cells.kinds == NUMBER) | np.array([type(value) is int for value in values])
    return pd.Series(cells.text(), dtype="str"), native if native.any() else None


def _bare(value: Any) -> Any:
    """Return a cell as Python has it; None where it says that there is none."""
    if value is None or value is pd.NA or value is pd.NaT:
        return None
    value = plain(value)
    return float(value) if isinstance(value, Decimal | Fraction) else value


def _cells_and_lists(
    column: pd.Series[Any],
) -> tuple[pd.Series[Any], NDArray[np.bool_] | None, Lists]:
    """Return the cells of a column, which are numbers among text, and the vectors of its lists."""
    if isinstance(column.dtype, pd.ArrowDtype) and pa.types.is_nested(column.dtype.pyarrow_dtype):
        column = column.astype(object)
    if column.dtype != object:
        return *native_and_text(column), Lists()
    found = lists_of(column) or Lists()
    if found.vectors is None:
        held = [list_text(cell) if isinstance(cell, np.ndarray) else cell for cell in column]
        return *native_and_text(pd.Series(held, dtype=object, name=column.name)), found
    text = counted(found.vectors.values.shape[1], "number")
    # What is no vector is shown as it is.
    none = np.asarray(np.isnan(found.vectors.values).all(axis=1))
    shown = [(cell if not is_list(cell) else list_text(cell)) if no else text
             for cell, no in zip(column, none, strict=True)]  # fmt: skip
    return column_text(shown), None, found


def _column_name(name: Any) -> str:
    if isinstance(name, tuple):
        return " / ".join(str(plain(part)) for part in name if str(part))
    return "" if name is None else str(plain(name))


def normalize_frame(frame: pd.DataFrame, kind: str = "DataFrame") -> Draft:
    """Copy a DataFrame into plain columns, keeping a meaningful index as a column."""
    if not frame.shape[1]:
        raise FileError("The table has no column; expected features and a label.")
    if not len(frame):
        raise FileError("The table has column names but no row; expected at least one.")
    check_width(frame.shape[1])
    check_cells(frame.size)
    names, notices = distinct_names([_column_name(name) for name in frame.columns])
    columns: list[pd.Series[Any]] = []
    vectors: dict[str, Vectors] = {}
    lists: dict[str, str] = {}
    natives: dict[str, NDArray[np.bool_]] = {}
    for place, name in enumerate(names):
        column = frame.iloc[:, place].reset_index(drop=True)
        cells, native, found = _cells_and_lists(column.rename(name))
        columns.append(cells)
        if native is not None:
            natives[name] = native
        if pd.api.types.is_timedelta64_dtype(column.dtype):
            notices.append(f"Column {name!r}: durations are read as seconds.")
        notices += found.notices
        if found.vectors is not None:
            vectors[name] = found.vectors
        elif found.why_not:
            lists[name] = found.why_not
    nominal = tuple(
        name
        for name, kind in zip(names, frame.dtypes, strict=True)
        if isinstance(kind, pd.CategoricalDtype)
    )
    flags: dict[str, str] = {}
    counter = isinstance(frame.index, pd.RangeIndex) and frame.index.equals(
        pd.RangeIndex(len(frame))
    )
    if not counter:
        old = frame.index.to_frame(index=False)
        index_name = _column_name(frame.index.name) or "index"
        while index_name in names:
            index_name += " (index)"
        texts = old.iloc[:, 0] if old.shape[1] == 1 else old.astype(str).agg(" / ".join, axis=1)
        columns.insert(0, native_column(pd.Series(texts)))
        names.insert(0, index_name)
        flags[index_name] = "id"
    result = pd.DataFrame(dict(zip(names, columns, strict=True)))
    decisions = {"format": kind, "header": True}
    return Draft(
        result, decisions, notices, flags=flags, nominal=nominal, vectors=vectors, lists=lists,
        natives=natives,
    )  # fmt: skip


def frame_with_labels(X: pd.DataFrame, labels: pd.Series[Any], name: str) -> Draft:
    """Return a table of features and their labels, one per row, under a name of their own."""
    if len(labels) != len(X):
        raise FileError(
            f"X has {len(X):,} rows but y has {len(labels):,}; expected one label per row."
        )
    taken = {_column_name(column) for column in X.columns}
    while name in taken:
        name += " (label)"
    draft = normalize_frame(X.assign(**{name: labels.to_numpy()}))
    draft.flags[name] = "label"
    return draft
