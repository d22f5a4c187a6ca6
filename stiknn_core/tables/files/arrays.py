"""Arrays from notebooks, NPZ and NPY files as tables; nothing is ever unpickled."""

from __future__ import annotations

import io
import re
import sys
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from tokenize import TokenError
from typing import Any, cast

import numpy as np
import pandas as pd
from scipy import sparse

from stiknn_core.errors import FileError
from stiknn_core.phrases import listed
from stiknn_core.tables.choices import ChoiceError
from stiknn_core.tables.files.draft import Draft
from stiknn_core.tables.files.frames import cells_of, column_text, native_column, normalize_frame
from stiknn_core.tables.files.grids import check_cells, check_letters, check_width
from stiknn_core.tables.files.matrices import embedding_columns
from stiknn_core.tables.limits import MAX_UNPACKED_BYTES
from stiknn_core.types import AnyArray
from stiknn_core.validation.frames import as_column

_FEATURES = ("x", "data", "features", "images", "inputs", "embeddings")
_LABELS = ("y", "target", "targets", "labels", "label", "classes", "outputs")
_TROUBLE = (
    ValueError, OSError, EOFError, KeyError, zipfile.BadZipFile, zlib.error, TypeError,
    SyntaxError, OverflowError, MemoryError, NotImplementedError, RuntimeError, RecursionError,
    TokenError,  # from numpy's reading of a broken header
)  # fmt: skip


def load_arrays(data: bytes) -> AnyArray | dict[str, AnyArray]:
    """Load the array of an NPY file, or those of an NPZ file by name, without unpickling."""
    try:
        # The header states the size; a small file that claims a huge array is damaged.
        found = np.load(io.BytesIO(data), allow_pickle=False)
        if isinstance(found, np.ndarray):
            return _checked(found)
        with found as archive:
            return {name: _checked(np.asarray(archive[name])) for name in archive.files}
    except FileError:
        raise
    except _TROUBLE as error:
        if "pickled" in str(error) or "Object arrays" in str(error):
            raise FileError(
                "The file holds Python objects, which are never loaded because they can run code; "
                "save numbers or fixed-width text arrays instead."
            ) from None
        raise FileError(f"The array file is damaged ({str(error)[:100]}); save it again.") from None


def _checked(array: AnyArray) -> AnyArray:
    """Return an array; what takes no room in a file is counted, and letters are looked at."""
    if not array.dtype.itemsize:
        check_cells(array.size, "An array")
    if array.dtype.kind == "S":
        check_letters(array.nbytes, "An array")
    if array.dtype.kind == "U" and array.nbytes:
        codes = np.ascontiguousarray(array).view(f"{array.dtype.byteorder}u4")
        if codes.max() > sys.maxunicode:
            raise FileError("The array file is damaged (no such letters); save it again.")
    for name in array.dtype.names or ():
        _checked(array[name])
    return array


def _find(names: Sequence[str], wanted: Sequence[str], suffix: str) -> list[str]:
    """Return array names that end in a usual name, such as ``fold0-x_train``."""
    word = "|".join(wanted)
    joined = rf"[_ -]?{suffix}" if suffix else ""
    swapped = rf"|{suffix}[_ -]?(?:{word})" if suffix else ""
    pattern = re.compile(rf"(?i)^(?:.*[^a-z0-9])?(?:(?:{word}){joined}{swapped})$")
    return [name for name in names if pattern.match(name)]


def arrays_to_table(
    arrays: Mapping[str, Any], X: str | None = None, y: str | None = None, kind: str = "arrays"
) -> Draft:
    """Turn named arrays into a table, those called X and y or by usual names.

    Usual are X and y, data and target, x_train and y_train, with a prefix or not. Test arrays
    beside the training arrays become rows too, told apart by a "split" column. A matrix that is
    called embeddings becomes one column beside all other arrays of its length.
    """
    names = tuple(str(name) for name in arrays)
    if not names:
        raise FileError("The file holds no array; expected X and y.")
    for option, value in (("X", X), ("y", y)):
        if value is not None and value not in names:
            raise ChoiceError(f"There is no array {value!r} for {option}", option, names)
    if X is None and y is None and (draft := embedding_columns(arrays, kind)):
        return draft
    notices: list[str] = []
    if X is None:
        found = _find(names, _FEATURES, "train") or _find(names, _FEATURES, "")
        if not found:
            if len(names) == 1:
                return _single(arrays[names[0]], names, kind)
            raise ChoiceError("No array is called X, data or features", "X", names)
        X = found[0]
        if len(found) > 1:
            notices.append(f"Array {X!r} was taken as features; {listed(found[1:])} are there too.")
    if y is None:
        y = _partner(X, names)
    if y is None:
        raise ChoiceError(f"No array holds the labels of {X!r}", "y", names)
    table, flat = _features_and_labels(arrays[X], arrays[y], X, y)
    notices += flat
    flags = {"label": "label"}
    test_X, test_y = (re.sub(r"(?i)train", "test", name) for name in (X, y))
    if test_X != X and test_y != y and test_X in names and test_y in names:
        test, flat = _features_and_labels(arrays[test_X], arrays[test_y], test_X, test_y)
        if list(test.columns) == list(table.columns):
            parts = np.repeat(["train", "test"], [len(table), len(test)])
            table = pd.concat([table, test], ignore_index=True)
            # Where the kinds differ, such as numbers and words, cells are looked at one by one.
            mixed = table.select_dtypes("object").columns
            table = table.assign(**{name: native_column(table[name]) for name in mixed})
            table["split"] = pd.Series(parts, dtype="str")
            flags["split"] = "split"
            notices.append(f"Rows of {test_X!r} were added and marked as test rows.")
    decisions = {"format": kind, "X": X, "y": y}
    return Draft(table, decisions, notices, flags=flags, array_names=names)


def _partner(X: str, names: Sequence[str]) -> str | None:
    """Return the label array that goes with a feature array."""
    for feature in _FEATURES:
        for label in _LABELS:
            # The last occurrence is the name proper, what stands before it is a prefix.
            swapped = re.sub(rf"(?i)(^|[^a-z0-9]){feature}(?=$|[_ -]|train)", rf"\g<1>{label}", X)
            for name in names:
                if swapped != X and name.lower() == swapped.lower():
                    return name
    others = _find(names, _LABELS, "train") or _find(names, _LABELS, "")
    return others[0] if len(others) == 1 else None


def as_matrix(values: Any, name: str) -> tuple[AnyArray, list[str]]:
    """Return features as a 2-D array, pictures flattened, and sentences about that."""
    if sparse.issparse(values):
        values = cast(Any, values)
        check_width(values.shape[1])
        check_cells(values.shape[0] * values.shape[1], name)
        values = values.toarray()
    array = np.asarray(values)
    notices = []
    if array.ndim == 1:
        array = array.reshape(-1, 1)
    if array.ndim == 0 or array.size == 0:
        raise FileError(f"{name} is empty (shape {array.shape}); expected one row per item.")
    if array.ndim > 2:
        notices.append(f"{name} of shape {array.shape} was flattened to one row per item.")
        array = array.reshape(len(array), -1)
    if array.dtype.names or array.dtype.kind in "cV":
        raise FileError(f"{name} has values of kind {array.dtype}; expected plain numbers.")
    check_width(array.shape[1])
    check_cells(array.size, name)
    return array, notices


def as_labels(values: Any, name: str) -> pd.Series[Any]:
    """Return labels, one per row, as a column of text or native numbers."""
    values = as_column(values, name)
    if isinstance(values, pd.Categorical):
        values = pd.Series(values)
    if isinstance(values, pd.DataFrame) and values.shape[1] == 1:
        values = values.iloc[:, 0]
    if isinstance(values, pd.Series):
        return native_column(values.reset_index(drop=True))
    array = np.asarray(values)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1:
        raise FileError(
            f"{name} has shape {array.shape}; expected one label per row. For one-hot labels take "
            f"{name}.argmax(axis=1)."
        )
    if array.dtype.kind in "cV":
        raise FileError(f"{name} has values of kind {array.dtype}; expected classes or numbers.")
    if array.dtype.kind in "biuf":
        return native_column(pd.Series(array))
    return column_text(cells_of(array))


def _features_and_labels(
    X: Any, y: Any, X_name: str, y_name: str
) -> tuple[pd.DataFrame, list[str]]:
    matrix, notices = as_matrix(X, X_name)
    check_cells(matrix.size + np.size(y), f"{X_name} with {y_name}")
    labels = as_labels(y, y_name)
    if len(labels) != len(matrix):
        raise FileError(
            f"{X_name} has {len(matrix):,} rows but {y_name} has {len(labels):,}; expected one "
            "label per row."
        )
    frame = matrix_frame(matrix, "x")
    frame["label"] = labels
    return frame, notices


def matrix_frame(matrix: AnyArray, prefix: str) -> pd.DataFrame:
    """Return a 2-D array as a frame with columns ``x1``, ``x2``, ..."""
    names = [f"{prefix}{place + 1}" for place in range(matrix.shape[1])]
    if matrix.dtype.kind in "biuf":
        wide = np.int64 if matrix.dtype.kind in "iu" and matrix.dtype.itemsize < 8 else None
        kept = matrix.astype(wide or (bool if matrix.dtype.kind == "b" else np.float64))
        return pd.DataFrame(kept, columns=names)
    cells = cells_of(matrix)
    columns = {name: pd.Series(cells[:, place]) for place, name in enumerate(names)}
    return pd.DataFrame({name: native_column(column) for name, column in columns.items()})


def _single(array: AnyArray, names: tuple[str, ...], kind: str) -> Draft:
    """Take a lone 2-D or structured array as a whole table."""
    if fields := np.asarray(array).dtype.names:
        check_cells(np.size(array) * len(fields), "The array")
        try:
            frame = pd.DataFrame(np.asarray(array).ravel())
        except (ValueError, TypeError) as error:
            raise FileError(f"The array cannot be read as a table: {error}.") from None
        frame = pd.DataFrame({str(name): native_column(frame[name]) for name in frame.columns})
        return Draft(frame, {"format": kind}, array_names=names)
    if np.ndim(array) != 2:
        raise FileError(
            f"The only array has shape {np.shape(array)}; expected a 2-D table, or X and y in one "
            "NPZ file."
        )
    matrix, notices = as_matrix(array, "the array")
    notices.append(f"The array has no column names; they are called col1 to col{matrix.shape[1]}.")
    if matrix.dtype.kind == "O":
        # Numbers among text stay what they are, as in a DataFrame.
        draft = normalize_frame(
            pd.DataFrame(matrix).rename(columns=lambda at: f"col{at + 1}"), kind
        )
        draft.notices[:0], draft.array_names = notices, names
        return draft
    return Draft(matrix_frame(matrix, "col"), {"format": kind}, notices, array_names=names)


def npy_to_table(array: AnyArray, kind: str = "arrays") -> Draft:
    """Turn a lone array, such as that of an NPY file, into a table."""
    if array.nbytes > MAX_UNPACKED_BYTES:
        raise FileError("The array is too large; keep fewer rows or columns.")
    return _single(array, ("array",), kind)
