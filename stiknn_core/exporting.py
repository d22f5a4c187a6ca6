"""CSV that opens properly in a spreadsheet and reads back unchanged, and JSON.

Files of CSV are UTF-8 with a byte-order mark, so that spreadsheets show every letter. A text cell
that a spreadsheet would run as a formula gets an apostrophe in front, which ``read_table`` takes
off again; numbers are left alone. Every column has a name.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, count
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from stiknn_core.errors import FileError, ParameterError, ShapeError
from stiknn_core.tables.cells.annotators import ANNOTATOR
from stiknn_core.tables.cells.formats import looks_numeric
from stiknn_core.tables.files.headers import distinct_names
from stiknn_core.tables.files.unescaping import RISKY
from stiknn_core.types import AnyArray, Dataset

_LONE_MARKS = ("-", "+")
_ODD = frozenset([*RISKY, "'"])
_PLAIN_NUMBER = re.compile(r"[+-]\d+(?:\.\d+)?")


def escape_cell(text: str) -> str:
    """Return text that a spreadsheet shows rather than runs.

    Text that begins, after any apostrophes, with ``=``, ``+``, ``-``, ``@``, tab or carriage
    return gets one more apostrophe, unless it is a number such as ``-1.5`` or a mere ``-``, which
    often stands for a missing value.
    """
    if _PLAIN_NUMBER.fullmatch(text):  # the usual case, at a tenth of the time
        return text
    rest = text.lstrip("'")
    if not rest or rest[0] not in RISKY:
        return text
    if rest == text and (text in _LONE_MARKS or looks_numeric(text)):
        return text
    return "'" + text


def _column_cells(column: pd.Series[Any], decimal: str) -> list[str]:
    # Millions of cells are text that needs nothing.
    return [
        value if type(value) is str and value[:1] not in _ODD else _cell(value, decimal)
        for value in column.tolist()
    ]


def _cell(value: Any, decimal: str) -> str:
    if isinstance(value, str):
        return escape_cell(str(value))
    if value is None or value is pd.NA or value is pd.NaT or value != value:
        return ""
    if isinstance(value, (bool, np.bool_)):
        return str(bool(value))
    if isinstance(value, float):
        return repr(value).replace(".", decimal)
    return str(value) if isinstance(value, int) else escape_cell(str(value))


def to_csv(frame: pd.DataFrame, target: str | Path | None = None, *, separator: str = ",") -> bytes:
    r"""Write a frame as CSV.

    Parameters
    ----------
    frame : DataFrame
        A named index, or one that is not 0..n-1, becomes the first column.
    target : path or None
        Where to write besides returning the bytes.
    separator : "," or ";" or "\t"
        A semicolon also turns the decimal mark into a comma, for spreadsheets in languages
        that write numbers so.

    Returns
    -------
    bytes
        UTF-8 with a byte-order mark, CRLF line ends. Floats in full, so that they read back
        bit for bit.

    Raises
    ------
    ParameterError
        If the separator is none of the three.
    FileError
        If the target cannot be written.
    """
    if separator not in (",", ";", "\t"):
        raise ParameterError(f"separator must be ',', ';' or a tab; got {separator!r}.")
    decimal = "," if separator == ";" else "."
    counter = frame.index.name is None and frame.index.equals(pd.RangeIndex(len(frame)))
    if not counter:
        name = "id" if frame.index.name is None else str(frame.index.name)
        index = pd.Series(frame.index, name=name).reset_index(drop=True)
        frame = pd.concat([index, frame.reset_index(drop=True)], axis=1)
    names, _ = distinct_names([str(name) for name in frame.columns])
    columns = [_column_cells(frame.iloc[:, place], decimal) for place in range(len(names))]
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, delimiter=separator, lineterminator="\r\n")
    writer.writerow([escape_cell(name) for name in names])
    writer.writerows(zip(*columns, strict=True))
    data = b"\xef\xbb\xbf" + stream.getvalue().encode("utf-8", errors="replace")
    if target is not None:
        try:
            Path(target).write_bytes(data)
        except OSError as error:
            raise FileError(f"{str(target)!r} could not be written: {error}.") from None
    return data


def records_of(
    frame: pd.DataFrame, vectors: Mapping[str, AnyArray] | None = None
) -> Iterator[dict[str, Any]]:
    """Yield the rows of a frame as JSON has them: text, numbers, true, false and null.

    Parameters
    ----------
    frame : DataFrame of n rows
    vectors : mapping of column to (n, d) array, or None
        Columns that become lists of numbers, exact to the last bit; null where a row has none.

    Notes
    -----
    Time and memory grow with one row at a time.
    """
    names = [str(name) for name in frame.columns]
    lists = dict(vectors or {})
    columns = [
        map(_vector, lists[name]) if name in lists else map(_plain, frame.iloc[:, place])
        for place, name in enumerate(names)
    ]
    return (dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True))


def to_json(records: Iterable[Mapping[str, Any]], *, lines: bool = False) -> bytes:
    """Write records as JSON, one a line, in UTF-8.

    Parameters
    ----------
    records : iterable of mapping
    lines : bool
        Whether each line stands for itself (JSON Lines); else they are one list.

    Returns
    -------
    bytes
        `read_table` gives the same records back.
    """
    stream = io.BytesIO()
    if not lines:
        stream.write(b"[")
    for number, record in enumerate(records):
        if number or not lines:
            stream.write(b"\n" if lines or not number else b",\n")
        text = json.dumps(record, ensure_ascii=False, allow_nan=False)
        stream.write(text.encode("utf-8", errors="replace"))
    stream.write(b"\n" if lines else b"\n]\n")
    return stream.getvalue()


def vector_texts(values: AnyArray) -> list[str | None]:
    """Return (n, d) vectors as lists of JSON, exact to the last bit; None where one is absent."""
    return [None if row is None else json.dumps(row) for row in map(_vector, values)]


def _vector(row: AnyArray) -> list[float | None] | None:
    values: list[float | None] = row.tolist()
    if np.isfinite(row).all():
        return values
    if np.isnan(row).all():
        return None
    return [value if known else None for value, known in zip(values, np.isfinite(row), strict=True)]


def _plain(value: Any) -> Any:
    """Return a cell as JSON can hold it; infinite numbers are text, since JSON has none."""
    if value is None or value is pd.NA or value is pd.NaT or value != value:
        return None
    if isinstance(value, (np.bool_, np.integer, np.floating)):
        value = value.item()
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        return str(value)
    return value if isinstance(value, (str, bool, int, float)) else str(value)


def dataset_to_frame(dataset: Dataset) -> pd.DataFrame:
    """Return a data set as a frame: id, features, label, and the truth where it is known.

    Returns
    -------
    DataFrame of n rows
        Columns "id", the features, "label", "true_label" if there is one, and one for each
        annotator, such as "annotator anna"; where a feature has one of these names, it keeps it
        and the added column gets a number.
    """
    features = dict(zip(dataset.feature_names, dataset.X.T, strict=True))

    def free(name: str) -> str:
        numbered = (f"{name} ({number})" for number in count(2))
        return next(fresh for fresh in chain([name], numbered) if fresh not in features)

    columns = {free("id"): dataset.ids, **features, free("label"): dataset.y}
    if dataset.y_true is not None:
        columns[free("true_label")] = dataset.y_true
    if dataset.votes is not None:
        words = np.array([*dataset.votes.classes, None], dtype=object)
        for name, said in zip(dataset.votes.annotators, dataset.votes.said.T, strict=True):
            columns[free(name if ANNOTATOR.match(name) else f"annotator {name}")] = words[said]
    return pd.DataFrame(columns)


def matrix_to_frame(matrix: AnyArray, ids: Sequence[Any]) -> pd.DataFrame:
    """Return an (n, n) matrix as a frame with ids on both axes, the first column called "id".

    Raises
    ------
    ShapeError
        If the matrix is not square or there is not one id per row.
    """
    values = np.asarray(matrix)
    if values.ndim != 2 or values.shape[0] != values.shape[1] or len(ids) != len(values):
        raise ShapeError(
            f"Expected a square matrix with one id per row; got the shape {values.shape} and "
            f"{len(ids):,} ids."
        )
    names, _ = distinct_names(["id", *(str(name) for name in ids)])
    frame = pd.DataFrame(values, columns=names[1:])
    frame.insert(0, names[0], pd.Series(list(ids)))
    return frame
