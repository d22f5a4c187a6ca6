"""From any source to columns of cells, before anybody looks at what they hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray
from scipy import sparse

from stiknn_core.errors import FileError
from stiknn_core.phrases import counted, listed
from stiknn_core.tables.cells.numbers import Decimal, Thousands
from stiknn_core.tables.files import arrays as array_files
from stiknn_core.tables.files.draft import Draft
from stiknn_core.tables.files.encoding import decode
from stiknn_core.tables.files.frames import normalize_frame, read_parquet
from stiknn_core.tables.files.grids import Grid
from stiknn_core.tables.files.headers import Header, find_header, refuse_pivot
from stiknn_core.tables.files.libsvm import read_libsvm
from stiknn_core.tables.files.sources import Content, read_bytes, unpack
from stiknn_core.tables.files.text import Ragged, read_text
from stiknn_core.tables.files.unescaping import unescape_columns
from stiknn_core.tables.telling import tell
from stiknn_core.validation.extras import require


@dataclass(frozen=True)
class Overrides:
    """Decisions a person insists on; None leaves one to the content.

    Attributes
    ----------
    encoding : str
        Encoding of a text file, such as "cp1252".
    separator, quote : str
        One character, or "" for none.
    decimal : "." or ","
    thousands : "", ",", ".", " " or "'"
    header : bool or int
        Whether there is a header row, or its number from 0.
    sheet : str or int
        Sheet of a workbook.
    member : str
        File of a zip.
    X, y : str
        Arrays of an NPZ file.
    missing_words : sequence of str
        Words that mean "no value" in columns of numbers.
    ragged : "refuse" or "drop"
        What to do with rows of the wrong length.
    """

    encoding: str | None = None
    separator: str | None = None
    quote: str | None = None
    decimal: Decimal | None = None
    thousands: Thousands | None = None
    header: bool | int | None = None
    sheet: str | int | None = None
    member: str | None = None
    X: str | None = None
    y: str | None = None
    missing_words: Sequence[str] | None = None
    ragged: Ragged = "refuse"


def read_source(source: Any, wanted: Overrides) -> tuple[Draft, str]:
    """Send the source to its reader."""
    if isinstance(source, pd.DataFrame):
        return normalize_frame(source), "table"
    if isinstance(source, Mapping):
        return array_files.arrays_to_table(source, wanted.X, wanted.y), "table"
    if isinstance(source, (tuple, list)) and len(source) == 2 and not _is_number(source[0]):
        return _from_pair(source[0], source[1]), "table"
    if isinstance(source, np.ndarray) or sparse.issparse(source):
        dense = source if isinstance(source, np.ndarray) else array_files.as_matrix(source, "X")[0]
        return array_files.npy_to_table(dense), "table"
    tell("Opening the file", 0.0)
    data, found_name = read_bytes(source)
    content = unpack(data, found_name, wanted.member)
    tell("Reading the cells", 0.05)
    draft = _from_content(content, wanted)
    if content.packing:
        draft.decisions["packing"] = " in ".join(reversed(content.packing))
    draft.members = content.members
    return draft, content.name


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, str, bytes))


def _from_pair(X: Any, y: Any) -> Draft:
    if not isinstance(X, pd.DataFrame):
        return array_files.arrays_to_table({"X": X, "y": y})
    labels = array_files.as_labels(y, "y")
    if isinstance(y, pd.Series) and not y.index.equals(X.index):
        raise FileError(
            "X and y have different indexes; align them (y = y.loc[X.index]) and try again."
        )
    if len(labels) != len(X):
        raise FileError(
            f"X has {len(X):,} rows but y has {len(labels):,}; expected one label per row."
        )
    frame = X.copy(deep=False)
    name = "label" if getattr(y, "name", None) is None else str(y.name)
    while name in frame.columns:
        name += " (label)"
    frame[name] = labels.to_numpy()
    draft = normalize_frame(frame)
    draft.flags[name] = "label"
    return draft


def _from_content(content: Content, wanted: Overrides) -> Draft:
    if content.kind == "workbook":
        require("Reading Excel files", "files", "openpyxl")
        from stiknn_core.tables.files.excel import read_excel

        return _from_grid(read_excel(content.data, wanted.sheet), wanted, {"format": "Excel"}, ())
    if content.kind == "parquet":
        return read_parquet(content.data)
    if content.kind in ("npz", "npy"):
        arrays = array_files.load_arrays(content.data)
        if isinstance(arrays, np.ndarray):
            return array_files.npy_to_table(arrays, "NPY")
        return array_files.arrays_to_table(arrays, wanted.X, wanted.y, "NPZ")
    text = decode(content.data, wanted.encoding)
    if content.kind == "arff":
        require("Reading ARFF files", "files", "arff")
        from stiknn_core.tables.files.arff import read_arff

        draft = read_arff(text.text)
        draft.decisions["encoding"] = text.encoding
        draft.notices[:0] = text.notices
        return draft
    if content.kind == "libsvm" and wanted.separator is None and wanted.header is None:
        frame = read_libsvm(text.text)
        notice = "LIBSVM text was read; pairs that are not written count as 0."
        return Draft(
            frame, {"format": "LIBSVM", "encoding": text.encoding}, [*text.notices, notice],
            flags={"label": "label"},
        )  # fmt: skip
    grid = read_text(text.text, wanted.separator, wanted.quote, wanted.ragged)
    found = {"format": "text", "encoding": text.encoding, "line_ends": _line_ends(text.text)}
    return _from_grid(grid, wanted, found, text.notices)


def _line_ends(text: str) -> str:
    start = text[:100_000]
    pairs = start.count("\r\n")
    counts = {"CRLF": pairs, "LF": start.count("\n") - pairs, "CR": start.count("\r") - pairs}
    return max(counts, key=lambda name: counts[name])


def _from_grid(
    grid: Grid, wanted: Overrides, decisions: dict[str, Any], notices: Sequence[str]
) -> Draft:
    """Take the header off, and leave out rows and nameless columns with nothing in them."""
    if wanted.header is None:
        refuse_pivot(grid.top)
    header = find_header(grid.top, len(grid.columns), wanted.header)
    if header.first_row >= len(grid.columns[0]):
        raise FileError(
            f"The table has a header ({listed(header.names, 5)}) but no row; expected at least one."
        )
    cells = [column.slice(header.first_row) for column in grid.columns]
    # One step for all columns: building them one by one is slow for thousands.
    frame = pa.Table.from_arrays(cells, names=list(header.names)).to_pandas().astype("str")
    told = [*notices, *grid.notices, *header.notices]
    frame = _without_nothing(frame, header, told)
    frame, sentence = unescape_columns(frame)
    told += [sentence] if sentence else []
    return Draft(
        frame,
        {**decisions, **grid.decisions, "header": header.found},
        told,
        unnamed=tuple(name for name in header.unnamed if name in frame.columns),
        flags={name: role for name, role in header.flags.items() if name in frame.columns},
        sheets=grid.sheets,
    )


def _without_nothing(frame: pd.DataFrame, header: Header, notices: list[str]) -> pd.DataFrame:
    empty_row: NDArray[np.bool_] = np.asarray(frame.isna().all(axis=1), dtype=bool)
    if empty_row.all():
        raise FileError(
            f"The table has a header ({listed(header.names, 5)}) but only empty rows; expected at "
            "least one row with values."
        )
    if empty_row.any():
        count = int(empty_row.sum())
        notices.append(f"Left out: {counted(count, 'empty row')}.")
        frame = frame.iloc[np.flatnonzero(~empty_row)].reset_index(drop=True)
    gone = [name for name in header.unnamed if frame[name].isna().all()]
    if gone:
        notices.append(f"Left out: {counted(len(gone), 'empty column')} without a name.")
        frame = frame.drop(columns=gone)
    return frame
