"""Tables and columns of other libraries, and of none, as those of pandas; all names are kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import narwhals as nw
import numpy as np
import pandas as pd
import pyarrow as pa

from stiknn_core.errors import FeatureError, LabelError, ShapeError
from stiknn_core.phrases import listed

# With gaps they would become floats, which hold no whole number beyond 2^53.
_WITH_GAPS: Final[dict[pa.DataType, Any]] = {
    pa.bool_(): pd.BooleanDtype(),
    pa.int8(): pd.Int8Dtype(),
    pa.int16(): pd.Int16Dtype(),
    pa.int32(): pd.Int32Dtype(),
    pa.int64(): pd.Int64Dtype(),
    pa.uint8(): pd.UInt8Dtype(),
    pa.uint16(): pd.UInt16Dtype(),
    pa.uint32(): pd.UInt32Dtype(),
    pa.uint64(): pd.UInt64Dtype(),
}


def is_bunch(value: Any) -> bool:
    """Tell whether this is what the loaders of scikit-learn return; it is not imported for that."""
    return isinstance(value, dict) and type(value).__name__ == "Bunch"


def number_of_dimensions(values: Any) -> int:
    """Return how many dimensions an array would have; rows of different length count as two."""
    try:
        return np.ndim(values)
    except ValueError:
        return 2


def as_frame(X: Any, name: str) -> Any:
    """Return what has named columns as a DataFrame, and anything else as it is.

    Named columns have DataFrames of Polars and other libraries, Arrow tables, record arrays,
    mappings of names to columns, lists of records and the data of a Bunch.
    """
    if isinstance(X, np.ndarray):
        return pd.DataFrame(X.ravel()) if X.dtype.names else X
    if isinstance(X, pd.DataFrame | pd.Series):
        return X
    if is_bunch(X):
        return _bunch_features(X, name)
    if isinstance(X, Mapping):
        return _of_columns(X, name)
    if isinstance(X, list | tuple):
        return _of_records(X) if X and all(isinstance(row, Mapping) for row in X) else X
    if isinstance(X, pa.RecordBatch):
        X = pa.table(X)
    if not isinstance(X, pa.Table):
        found: Any = nw.from_native(X, pass_through=True)
        if isinstance(found, nw.LazyFrame):
            raise FeatureError(
                f"{name} must be a table that is in memory; got a lazy one, "
                f"{type(nw.to_native(found)).__name__}. Collect it (or compute it) first."
            )
        if not isinstance(found, nw.DataFrame):
            return X
        return _of_frame(found)
    return _of_arrow(X)


def _of_frame(found: Any) -> pd.DataFrame:
    """Return a DataFrame of another library; what Arrow cannot hold comes as Python objects."""
    objects = [name for name, kind in found.schema.items() if kind == nw.Object]
    if not objects:
        return _of_arrow(found.to_arrow())
    rest = found.drop(objects)
    frame = _of_arrow(rest.to_arrow()) if rest.columns else pd.DataFrame()
    told = {name: pd.Series(found[name].to_list(), dtype=object) for name in objects}
    ordered: pd.DataFrame = frame.assign(**told)[found.columns]
    return ordered


def as_column(y: Any, name: str) -> Any:
    """Return a column of labels of another library as one of pandas, and others as they are."""
    if isinstance(y, np.ndarray | pd.Series | pd.Index | pd.Categorical | list | tuple | str):
        named = isinstance(y, np.ndarray) and y.dtype.names
        return as_frame(y, name) if named else y
    if is_bunch(y):
        return bunch_labels(y, name)
    if not isinstance(y, pa.Array | pa.ChunkedArray):
        found: Any = nw.from_native(y, pass_through=True, allow_series=True)
        if not isinstance(found, nw.Series):
            return as_frame(y, name)
        if found.dtype == nw.Object:
            return pd.Series(found.to_list(), dtype=object)
        y = found.to_arrow()
    return _of_arrow(pa.table({"y": y}))["y"]


def bunch_labels(bunch: Any, name: str) -> Any:
    """Return the target of a Bunch, by the names of its classes where it has them."""
    if bunch.get("target") is None:
        raise LabelError(f"{name} is a Bunch without a target; pass the labels by themselves.")
    target = as_column(bunch["target"], name)
    codes = np.asarray(target)
    names = [str(one) for one in np.ravel(bunch.get("target_names", []))]
    # `fetch_openml` gives the name of the column in place of those of the classes.
    told = codes.ndim == 1 and codes.dtype.kind in "iu" and 1 < len(set(names)) == len(names)
    if not told or not len(codes) or codes.min() < 0 or codes.max() >= len(names):
        return target
    return pd.Categorical.from_codes(codes, pd.Index(names), ordered=True)


def _bunch_features(bunch: Any, name: str) -> Any:
    if "data" not in bunch:
        raise FeatureError(f"{name} is a Bunch without data; pass the features by themselves.")
    data, names = as_frame(bunch["data"], name), bunch.get("feature_names")
    if isinstance(data, np.ndarray) and data.ndim == 2 and np.shape(names) == data.shape[1:]:
        return pd.DataFrame(data, columns=list(names))
    return data


def _of_columns(columns: Mapping[Any, Any], name: str) -> Any:
    """Return a mapping of names to columns as a DataFrame; one of single values as it is."""
    if not columns or any(number_of_dimensions(column) != 1 for column in columns.values()):
        return columns
    sizes = {str(key): len(column) for key, column in columns.items()}
    if len(set(sizes.values())) > 1:
        raise ShapeError(
            f"{name} must have columns of one length; got "
            f"{listed(f'{size:,} in {key}' for key, size in sizes.items())}."
        )
    return pd.DataFrame({key: _column(column) for key, column in columns.items()})


def _of_records(rows: Any) -> pd.DataFrame:
    names = dict.fromkeys(key for row in rows for key in row)
    return pd.DataFrame({key: _column([row.get(key) for row in rows]) for key in names})


def _column(values: Any) -> Any:
    """Return a column without its index; whole numbers with gaps stay whole."""
    values = as_column(values, "A column")
    if isinstance(values, list | tuple):
        kinds = {type(value) for value in values} - {type(None)}
        if kinds <= {int} or kinds <= {bool}:
            return pd.Series(pd.array(values))
        return pd.Series(values, dtype=None if kinds <= {float} else object)
    return values.reset_index(drop=True) if isinstance(values, pd.Series) else values


def _of_arrow(table: pa.Table) -> pd.DataFrame:
    for place, entry in enumerate(table.schema):
        if pa.types.is_decimal(entry.type):
            numbers = table.column(place).cast(pa.float64())
            table = table.set_column(place, entry.name, numbers)
    frame: pd.DataFrame = table.to_pandas(types_mapper=_WITH_GAPS.get, ignore_metadata=True)
    return frame
