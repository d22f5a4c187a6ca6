"""The row of an upload that a point was read from. Pure."""

from __future__ import annotations

import pandas as pd

from stiknn_ui.review.subject import Subject
from stiknn_ui.uploads.build import Upload


def uploaded_row(subject: Subject, row: int, upload: Upload | None) -> pd.DataFrame | None:
    """Return a row of the data set as it stands in the uploaded file, whole.

    Returns
    -------
    DataFrame or None
        Columns "column" and "cell"; None for a row that is not of this table.
    """
    analysis = subject.analysis
    data, dataset = analysis.data, analysis.dataset
    if data.source != "upload" or upload is None or upload.spec.digest != data.digest:
        return None
    from_test_file = analysis.compute.evaluation == "test-file" and subject.side == "test"
    if dataset.source_rows is None or dataset.source_rows[row] < 0 or from_test_file:
        return None
    cells = upload.file.table.cells.iloc[int(dataset.source_rows[row])]
    texts = ["" if pd.isna(cell) else str(cell) for cell in cells.tolist()]
    return pd.DataFrame({"column": [str(name) for name in cells.index], "cell": texts})
