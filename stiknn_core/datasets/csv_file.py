"""Reading a well-formed comma-separated file into a Dataset.

Python's own ``csv`` does the splitting: unlike a data-frame reader it never guesses
what "NA", "True" or "007" might mean, so labels stay exactly as written.
"""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

from stiknn_core.datasets._table import dataset_from_columns, separator_hint
from stiknn_core.errors import FileError
from stiknn_core.types import Dataset

CsvSource = str | os.PathLike[str] | bytes | IO[bytes] | IO[str]


def load_csv(path_or_buffer: CsvSource, label: str | None = None) -> Dataset:
    """Read a comma-separated table with one label column and numeric features.

    The file is UTF-8 (a byte-order mark is fine) with one header row. Blank lines are
    skipped; rows named in messages count data rows from 1.

    Parameters
    ----------
    path_or_buffer : path, bytes, or open file
        An open file is read from its start, wherever it stood.
    label : str or None
        Name of the label column. None: the first column called label, class, target
        or y, in that order of preference and in any case; else the last column.

    Returns
    -------
    Dataset
        ``y`` is an object array of str, exactly as written. Features are all other
        columns in which every filled cell is a number; the rest are left out with a
        notice. An unnamed first column of distinct whole numbers becomes ``ids``.

    Raises
    ------
    FileError
        If the file cannot be read, is not UTF-8 text, or is no table with a header,
        at least two rows, a label column and a numeric column.
    LabelError
        If labels are missing, or are measurements rather than classes.
    FeatureError
        If cells of a numeric column are blank, NaN or infinite.
    ParameterError
        If ``label`` is not a column of the file.
    """
    raw, name = _read(path_or_buffer)
    text = raw if isinstance(raw, str) else _decode(raw)
    header, rows = _split(text.removeprefix("\ufeff"))
    return dataset_from_columns(header, rows, label=label, name=name)


def _read(source: CsvSource) -> tuple[bytes | str, str]:
    if isinstance(source, bytes):
        return source, "table"
    if isinstance(source, (str, os.PathLike)):
        path = Path(source)
        try:
            return path.read_bytes(), path.stem
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise FileError(
                f"the file {str(path)!r} could not be read: {reason}. Check the path."
            ) from error
    if not hasattr(source, "read"):
        raise FileError(f"expected a path, bytes or an open file; got {type(source).__name__}.")
    try:
        if source.seekable():
            source.seek(0)
        content: Any = source.read()
    except (OSError, ValueError) as error:
        raise FileError(f"the open file could not be read: {error}. Open it again.") from error
    given = getattr(source, "name", None)
    return content, Path(given).stem if isinstance(given, str) and given else "table"


def _decode(raw: bytes) -> str:
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FileError(
            f"the file is not UTF-8 text (first odd byte at position {error.start}). "
            "Save it as 'CSV UTF-8' and load it again."
        ) from error
    return text


def _split(text: str) -> tuple[list[str], list[list[str]]]:
    if "\0" in text:
        raise FileError("the file is not text but binary. Save the table as CSV first.")
    if not text.strip():
        raise FileError("the file is empty; a header row and at least two data rows are needed.")
    lines = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        table = [row for row in lines if row]
    except csv.Error as error:
        raise FileError(
            f"the file could not be split into cells near line {lines.line_num}: {error}. "
            "Check the quotation marks there."
        ) from error
    header, rows = table[0], table[1:]
    _check_widths(header, rows)
    if len(rows) < 2:
        found = "only a header row" if not rows else "a header and only one data row"
        raise FileError(f"the file has {found}; at least two data rows are needed.")
    return header, rows


def _check_widths(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    wrong = next((i for i, row in enumerate(rows) if len(row) != len(header)), None)
    if wrong is not None:
        raise FileError(
            f"data row {wrong + 1} has {len(rows[wrong])} cells, but the header has "
            f"{len(header)}. Check for stray or missing commas.{separator_hint(header)}"
        )
