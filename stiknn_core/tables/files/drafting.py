"""From any source to columns of cells, before anybody looks at what they hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray
from scipy import sparse

from stiknn_core.errors import FileError
from stiknn_core.phrases import counted, listed
from stiknn_core.tables.cells.numbers import Decimal, NumberFormat, Thousands
from stiknn_core.tables.files import arrays as array_files
from stiknn_core.tables.files.arff import read_arff
from stiknn_core.tables.files.draft import Draft
from stiknn_core.tables.files.encoding import decode
from stiknn_core.tables.files.frames import frame_with_labels, normalize_frame
from stiknn_core.tables.files.grids import Grid
from stiknn_core.tables.files.headers import Header, find_header, refuse_pivot
from stiknn_core.tables.files.json_files import read_json
from stiknn_core.tables.files.leftovers import without_leftovers
from stiknn_core.tables.files.libsvm import read_libsvm
from stiknn_core.tables.files.matrices import join_vectors
from stiknn_core.tables.files.natives import keep_natives
from stiknn_core.tables.files.picture_folders import read_pictures
from stiknn_core.tables.files.sources import Content, read_bytes, take_pair, unpack
from stiknn_core.tables.files.text import Ragged, read_text
from stiknn_core.tables.files.unescaping import unescape_columns
from stiknn_core.tables.files.web_page import read_web_page
from stiknn_core.tables.files.xml_sheets import read_xml_sheet
from stiknn_core.tables.telling import tell
from stiknn_core.validation.extras import require
from stiknn_core.validation.frames import (
    as_frame,
    bunch_labels,
    is_bunch,
    number_of_dimensions,
)
from stiknn_core.validation.settings import plain

_WORKBOOKS = ("workbook", "binary workbook", "old workbook")


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
        File of a zip or tar archive.
    X, y : str
        Arrays of an NPZ file.
    table : str
        Table of an SQLite file or a web page, or list inside a JSON file.
    missing_words : sequence of str
        Words that mean "no value" in columns of numbers.
    formats : mapping of column to NumberFormat
        How the numbers of some columns are written.
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
    table: str | None = None
    missing_words: Sequence[str] | None = None
    formats: Mapping[str, NumberFormat] | None = None
    ragged: Ragged = "refuse"


def read_source(source: Any, wanted: Overrides) -> tuple[Draft, str]:
    """Send the source to its reader."""
    if is_bunch(source):
        return _from_bunch(source), "table"
    if isinstance(source, Mapping) and (wanted.X or wanted.y or _holds_arrays(source)):
        return array_files.arrays_to_table(source, wanted.X, wanted.y), "table"
    if isinstance(source, np.ndarray) or sparse.issparse(source):
        dense = source if isinstance(source, np.ndarray) else array_files.as_matrix(source, "X")[0]
        return array_files.npy_to_table(dense), "table"
    frame = as_frame(source, "The table")
    if isinstance(frame, pd.DataFrame):
        return normalize_frame(frame), "table"
    if isinstance(source, (tuple, list)) and len(source) == 2 and not _is_number(source[0]):
        return _from_pair(source[0], source[1]), "table"
    tell("Opening the file", 0.0)
    data, found_name = read_bytes(source)
    pair = take_pair(data, wanted.member)
    content = pair[0] if pair else unpack(data, found_name, wanted.member)
    tell("Reading the cells", 0.05)
    draft = _from_content(content, wanted)
    if pair:
        join_vectors(draft, array_files.load_arrays(pair[1]), pair[2], wanted.X)
    if content.packing:
        draft.decisions["packing"] = " in ".join(reversed(content.packing))
    draft.members = content.members
    if content.parts > 1:
        draft.notices[:0] = [f"{content.parts:,} parts of the archive were put below each other."]
    return draft, content.name


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, str, bytes))


def _holds_arrays(source: Mapping[Any, Any]) -> bool:
    """Tell a mapping of arrays, one of them a matrix or just X and y, from one of columns."""
    matrix = any(number_of_dimensions(values) != 1 for values in source.values())
    return matrix or {str(key).lower() for key in source} in ({"x", "y"}, set())


def _from_bunch(bunch: Any) -> Draft:
    """Take the data of a Bunch with the names of its features and classes."""
    frame, labels = as_frame(bunch, "The table"), bunch_labels(bunch, "The table")
    if not isinstance(frame, pd.DataFrame):
        return array_files.arrays_to_table({"data": frame, "target": labels})
    named = list(bunch.get("target_names", []))
    # `fetch_openml` gives the name of the column there.
    name = str(named[0]) if len(named) == 1 else "target"
    return frame_with_labels(frame, array_files.as_labels(labels, "target"), name)


def _from_pair(X: Any, y: Any) -> Draft:
    if isinstance(y, pd.Series) and isinstance(X, pd.DataFrame) and not y.index.equals(X.index):
        raise FileError(
            "X and y have different indexes; align them (y = y.loc[X.index]) and try again."
        )
    frame = as_frame(X, "X")
    if not isinstance(frame, pd.DataFrame):
        return array_files.arrays_to_table({"X": frame, "y": y})
    name = getattr(y, "name", None)
    labels = array_files.as_labels(y, "y")
    return frame_with_labels(frame, labels, "label" if name in (None, "") else str(plain(name)))


def _from_content(content: Content, wanted: Overrides) -> Draft:
    data, kind = content.data, content.kind
    if kind in _WORKBOOKS:
        require("Reading Excel files", "files", "python_calamine")
        from stiknn_core.tables.files.excel import read_excel

        return _from_grid(read_excel(data, kind, wanted.sheet), wanted, {"format": "Excel"}, ())
    if kind in ("OpenDocument", "flat OpenDocument", "SpreadsheetML"):
        grid = read_xml_sheet(data, kind, wanted.sheet)
        program = "Excel" if kind == "SpreadsheetML" else "OpenDocument"
        return _from_grid(grid, wanted, {"format": program}, ())
    if kind in ("parquet", "arrow", "arrow stream", "orc"):
        from stiknn_core.tables.files.columnar import read_columnar

        return read_columnar(data, kind)
    if kind in ("spss", "spss portable", "stata", "sas", "sas transport"):
        require("Reading SPSS, Stata and SAS files", "files", "pyreadstat")
        from stiknn_core.tables.files.statistics_files import read_statistics

        return read_statistics(data, kind)
    if kind == "pictures":
        read = partial(_table_beside, wanted=wanted)
        return read_pictures(content, wanted.member, wanted.X, read)
    if kind == "saved set":
        from stiknn_core.tables.files.saved_sets import read_saved_set

        return read_saved_set(content)
    if kind == "sqlite":
        from stiknn_core.tables.files.sqlite_files import read_sqlite

        return read_sqlite(data, wanted.table)
    if kind in ("npz", "npy"):
        arrays = array_files.load_arrays(data)
        if isinstance(arrays, np.ndarray):
            return array_files.npy_to_table(arrays, "NPY")
        return array_files.arrays_to_table(arrays, wanted.X, wanted.y, "NPZ")
    text = decode(content.data, wanted.encoding)
    if kind == "json" and wanted.separator is None:
        found = read_json(text.text, wanted.table)
        if isinstance(found, Grid):
            return _from_grid(found, wanted, {"format": "JSON"}, text.notices)
        found.notices[:0] = text.notices
        return found
    if kind == "web page":
        grid = read_web_page(text.text, wanted.table)
        return _from_grid(grid, wanted, {"format": "web page"}, text.notices)
    if kind == "arff":
        draft = read_arff(text.text)
        draft.decisions["encoding"] = text.encoding
        draft.notices[:0] = text.notices
        return draft
    if kind == "libsvm" and wanted.separator is None and wanted.header is None:
        draft = read_libsvm(text.text)
        draft.decisions["encoding"] = text.encoding
        draft.notices[:0] = text.notices
        return draft
    grid = read_text(text.data, wanted.separator, wanted.quote, wanted.ragged)
    told = {"format": "text", "encoding": text.encoding, "line_ends": _line_ends(text.data)}
    return _from_grid(grid, wanted, told, text.notices)


def _table_beside(content: Content, wanted: Overrides) -> Draft:
    """Read a table that lies in an archive beside what it tells of."""
    return _from_content(content, replace(wanted, member=None))


def _line_ends(data: bytes) -> str:
    start = data[:100_000]
    pairs = start.count(b"\r\n")
    counts = {"CRLF": pairs, "LF": start.count(b"\n") - pairs, "CR": start.count(b"\r") - pairs}
    return max(counts, key=lambda name: counts[name])


def _from_grid(
    grid: Grid, wanted: Overrides, decisions: dict[str, Any], notices: Sequence[str]
) -> Draft:
    """Take the header off, and leave out rows and nameless columns with nothing in them."""
    if wanted.header is None:
        refuse_pivot(grid.top, [str(column[-1]) for column in grid.columns if len(column)])
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
    frame, left_out = without_leftovers(frame, header.found)
    told += left_out
    columns = dict(zip(header.names, grid.natives, strict=True)) if grid.natives else {}
    frame, natives = keep_natives(frame, columns, header.first_row + frame.index.to_numpy())
    before = frame.columns
    frame, sentence = unescape_columns(frame)
    natives = {
        new: natives[old] for old, new in zip(before, frame.columns, strict=True) if old in natives
    }
    told += [sentence] if sentence else []
    return Draft(
        frame,
        {**decisions, **grid.decisions, "header": header.found},
        told,
        unnamed=tuple(name for name in header.unnamed if name in frame.columns),
        flags={name: role for name, role in header.flags.items() if name in frame.columns},
        sheets=grid.sheets,
        natives=natives,
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
        frame = frame.iloc[np.flatnonzero(~empty_row)]
    gone = [name for name in header.unnamed if frame[name].isna().all()]
    if gone:
        notices.append(f"Left out: {counted(len(gone), 'empty column')} without a name.")
        frame = frame.drop(columns=gone)
    return frame
