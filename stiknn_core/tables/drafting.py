"""From any source to columns of cells, before anybody looks at what they hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray
from scipy import sparse

from stiknn_core._extras import require
from stiknn_core.errors import FileError
from stiknn_core.tables import arrays as array_files
from stiknn_core.tables.choices import counted, listed
from stiknn_core.tables.encoding import decode
from stiknn_core.tables.frames import FrameTable, normalize_frame, read_parquet
from stiknn_core.tables.headers import Header, find_header, refuse_pivot
from stiknn_core.tables.libsvm import read_libsvm
from stiknn_core.tables.numbers import Decimal, Thousands
from stiknn_core.tables.sources import Content, read_bytes, unpack
from stiknn_core.tables.text import Ragged, read_text
from stiknn_core.tables.unescaping import unescape_columns


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


@dataclass
class Draft:
    """What a reader found, before columns are looked at."""

    frame: pd.DataFrame
    decisions: dict[str, Any]
    notices: list[str]
    unnamed: tuple[str, ...] = ()
    flags: dict[str, str] = field(default_factory=dict)
    nominal: tuple[str, ...] = ()
    sheets: tuple[str, ...] = ()
    array_names: tuple[str, ...] = ()
    members: tuple[str, ...] = ()
    separator: str | None = None


def read_source(source: Any, wanted: Overrides) -> tuple[Draft, str]:
    """Send the source to its reader."""
    if isinstance(source, pd.DataFrame):
        return _from_frame(normalize_frame(source), "DataFrame"), "table"
    if isinstance(source, Mapping):
        found = array_files.arrays_to_table(source, wanted.X, wanted.y)
        return _from_arrays(found, "arrays"), "table"
    if isinstance(source, (tuple, list)) and len(source) == 2 and not _is_number(source[0]):
        return _from_pair(source[0], source[1]), "table"
    if isinstance(source, np.ndarray) or sparse.issparse(source):
        dense = source if isinstance(source, np.ndarray) else array_files.as_matrix(source, "X")[0]
        return _from_arrays(array_files.npy_to_table(dense), "arrays"), "table"
    if source is None or isinstance(source, (int, float, list, tuple, pd.Series)):
        raise FileError(
            f"A table cannot be read from {type(source).__name__}; expected a path, bytes, an open "
            "file, a DataFrame or (X, y) arrays."
        )
    data, found_name = read_bytes(source)
    content = unpack(data, found_name, wanted.member)
    draft = _from_content(content, wanted)
    if content.packing:
        draft.decisions["packing"] = " in ".join(reversed(content.packing))
    draft.members = content.members
    return draft, content.name


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, str, bytes))


def _from_frame(found: FrameTable, kind: str) -> Draft:
    flags = {found.index_name: "id"} if found.index_name else {}
    return Draft(
        found.frame, {"format": kind, "header": True}, list(found.notices),
        flags=flags, nominal=found.nominal,
    )  # fmt: skip


def _from_pair(X: Any, y: Any) -> Draft:
    if not isinstance(X, pd.DataFrame):
        return _from_arrays(array_files.arrays_to_table({"X": X, "y": y}), "arrays")
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
    draft = _from_frame(normalize_frame(frame), "DataFrame")
    draft.flags[name] = "label"
    return draft


def _from_arrays(found: array_files.ArrayTable, kind: str) -> Draft:
    flags = {found.label: "label"} if found.label else {}
    if found.split:
        flags[found.split] = "split"
    decisions: dict[str, Any] = {"format": kind, **found.chosen}
    return Draft(
        found.frame, decisions, list(found.notices), flags=flags, array_names=found.array_names
    )


def _from_content(content: Content, wanted: Overrides) -> Draft:
    if content.kind == "workbook":
        return _from_workbook(content.data, wanted)
    if content.kind == "parquet":
        return _from_frame(read_parquet(content.data), "Parquet")
    if content.kind == "npz":
        found = array_files.arrays_to_table(array_files.load_npz(content.data), wanted.X, wanted.y)
        return _from_arrays(found, "NPZ")
    if content.kind == "npy":
        found = array_files.npy_to_table(array_files.load_npy(content.data))
        return _from_arrays(found, "NPY")
    text = decode(content.data, wanted.encoding)
    if content.kind == "arff":
        require("Reading ARFF files", "files", "arff")
        from stiknn_core.tables.arff import read_arff

        table = read_arff(text.text)
        return Draft(
            table.frame, {"format": "ARFF", "encoding": text.encoding},
            [*text.notices, *table.notices], nominal=table.nominal,
        )  # fmt: skip
    if content.kind == "libsvm" and wanted.separator is None and wanted.header is None:
        frame = read_libsvm(text.text)
        notice = "LIBSVM text was read; pairs that are not written count as 0."
        return Draft(
            frame, {"format": "LIBSVM", "encoding": text.encoding}, [*text.notices, notice],
            flags={"label": "label"},
        )  # fmt: skip
    grid = read_text(
        text.text, separator=wanted.separator, quote=wanted.quote, ragged=wanted.ragged
    )
    decisions = {
        "format": "text",
        "encoding": text.encoding,
        "line_ends": _line_ends(text.text),
        "separator": grid.separator,
        "quote": grid.quote,
    }
    return _from_grid(
        grid.top, grid.columns, wanted, decisions, [*text.notices, *grid.notices], grid.separator
    )


def _line_ends(text: str) -> str:
    start = text[:100_000]
    pairs = start.count("\r\n")
    counts = {
        "CRLF": pairs,
        "LF": start.count("\n") - pairs,
        "CR": start.count("\r") - pairs,
    }
    return max(counts, key=lambda name: counts[name])


def _from_workbook(data: bytes, wanted: Overrides) -> Draft:
    require("Reading Excel files", "files", "openpyxl")
    from stiknn_core.tables.excel import read_excel

    grid = read_excel(data, wanted.sheet)
    decisions = {"format": "Excel", "sheet": grid.sheet, "corner": grid.corner}
    draft = _from_grid(grid.top, grid.columns, wanted, decisions, list(grid.notices), None)
    draft.sheets = grid.sheets
    return draft


def _from_grid(
    top: list[list[str]],
    columns: list[pa.ChunkedArray],
    wanted: Overrides,
    decisions: dict[str, Any],
    notices: list[str],
    separator: str | None,
) -> Draft:
    """Take the header off, and leave out rows and nameless columns with nothing in them."""
    if wanted.header is None:
        refuse_pivot(top)
    header = find_header(top, len(columns), wanted.header)
    if header.first_row >= len(columns[0]):
        raise FileError(
            f"The table has a header ({listed(header.names, 5)}) but no row; expected at least one."
        )
    cells = [column.slice(header.first_row) for column in columns]
    # One step for all columns: building them one by one is slow for thousands.
    frame = pa.Table.from_arrays(cells, names=list(header.names)).to_pandas().astype("str")
    notices = [*notices, *header.notices]
    frame = _without_nothing(frame, header, notices)
    frame, sentence = unescape_columns(frame)
    notices += [sentence] if sentence else []
    unnamed = tuple(header.names[place] for place in header.unnamed)
    flags = {header.names[place]: role for place, role in header.flags.items()}
    decisions["header"] = header.found
    return Draft(
        frame,
        decisions,
        notices,
        unnamed=tuple(name for name in unnamed if name in frame.columns),
        flags={name: role for name, role in flags.items() if name in frame.columns},
        separator=separator,
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
    nameless = {header.names[place] for place in header.unnamed}
    gone = [name for name in frame.columns if name in nameless and frame[name].isna().all()]
    if gone:
        notices.append(f"Left out: {counted(len(gone), 'empty column')} without a name.")
        frame = frame.drop(columns=gone)
    return frame
