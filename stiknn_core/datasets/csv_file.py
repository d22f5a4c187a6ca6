"""A labelled file in one step, for those who need no choices."""

from __future__ import annotations

import os
from typing import IO

from stiknn_core.types import Dataset

CsvSource = str | os.PathLike[str] | bytes | IO[bytes] | IO[str]


def load_csv(path_or_buffer: CsvSource, label: str | None = None) -> Dataset:
    """Read a labelled table as ``read_table`` does, and take what it proposes.

    Short for ``read_table(path_or_buffer).to_dataset(label)``. Those two show every decision
    and can be told otherwise.

    Parameters
    ----------
    path_or_buffer : path, bytes, or open file
        Text with any separator; any other kind that ``read_table`` knows will do as well. An
        open file is read from its start, wherever it stood.
    label : str or None
        Name of the label column; None takes the proposed one.

    Returns
    -------
    Dataset
        Labels as written: int64 where all are plain whole numbers, else text; float64 where they
        are measured numbers. What was left out or looks odd is told in the notices.

    Raises
    ------
    FileError
        If it cannot be read as a table.
    LabelError
        If there is no such label column, labels are missing, or they name nearly every row.
    FeatureError
        If there is no feature, or feature cells are missing or infinite.
    ShapeError
        If there are fewer than two rows.
    """
    # Imported here: the readers take half a second, and generators need none of them.
    from stiknn_core.tables.reading import read_table

    return read_table(path_or_buffer).to_dataset(label)
