"""The rows of an upload that points were read from. Pure."""

from __future__ import annotations

import numpy as np
import pandas as pd

from stiknn_core.types import IntArray
from stiknn_ui.review.subject import Subject
from stiknn_ui.uploads.build import Upload

Cells = list[list[tuple[str, str]]]


def in_file(subject: Subject, upload: Upload | None) -> bool:
    """Whether points are rows of the uploaded file: not of a test file, and of these very data."""
    data = subject.analysis.data
    if data.source != "upload" or upload is None or upload.spec.digest != data.digest:
        return False
    from_test_file = subject.analysis.compute.evaluation == "test-file" and subject.side == "test"
    return subject.analysis.dataset.source_rows is not None and not from_test_file


def uploaded_rows(subject: Subject, points: IntArray, upload: Upload | None) -> Cells | None:
    """Return rows as they stand in the uploaded file, whole.

    Returns
    -------
    list of lists of (str, str), or None
        Of each point column and cell; none of a row that noise added. None where they are not
        `in_file`.
    """
    source_rows = subject.analysis.dataset.source_rows
    if upload is None or source_rows is None or not in_file(subject, upload):
        return None
    rows = np.asarray(source_rows)[subject.rows[points]]
    cells = upload.file.table.cells
    names = [str(name) for name in cells.columns]
    taken = cells.iloc[np.maximum(rows, 0)]
    columns = [taken.iloc[:, place].tolist() for place in range(len(names))]
    texts = [["" if pd.isna(cell) else str(cell) for cell in column] for column in columns]
    return [
        list(zip(names, line, strict=True)) if row >= 0 else []
        for row, line in zip(rows.tolist(), zip(*texts, strict=True), strict=True)
    ]
