"""LIBSVM text (``label index:value ...``) as a table."""

from __future__ import annotations

import io
import re

import numpy as np
import pandas as pd
from sklearn.datasets import load_svmlight_file

from stiknn_core.errors import FileError
from stiknn_core.tables.files.arrays import matrix_frame
from stiknn_core.tables.files.grids import check_cells, check_width

_MISSING_LABEL = re.compile(r"^\d+:")


def read_libsvm(text: str) -> pd.DataFrame:
    """Read LIBSVM text, with the label as written in the column "label"."""
    lines = [line.partition("#")[0].split() for line in text.splitlines()]
    lines = [words for words in lines if words]
    labels = [words[0] for words in lines]
    for number, label in enumerate(labels, start=1):
        if _MISSING_LABEL.match(label) or "," in label:
            raise FileError(
                f"Row {number:,} of the LIBSVM text has no single label; expected one before the "
                "index:value pairs."
            )
    # The labels may be words; the reader wants numbers, and only the features are taken from it.
    body = "\n".join(" ".join(["0", *words[1:]]) for words in lines)
    try:
        matrix, _ = load_svmlight_file(io.BytesIO(body.encode("utf-8")), dtype=np.float64)
    except (ValueError, OverflowError, IndexError, MemoryError) as error:
        raise FileError(f"The LIBSVM text could not be read: {str(error)[:150]}.") from None
    check_width(matrix.shape[1])
    check_cells(matrix.shape[0] * matrix.shape[1])
    if not matrix.shape[1]:
        raise FileError("The LIBSVM text holds labels but no index:value pair; expected features.")
    frame = matrix_frame(matrix.toarray(), "x")
    frame.insert(0, "label", pd.Series(labels, dtype="str"))
    return frame
