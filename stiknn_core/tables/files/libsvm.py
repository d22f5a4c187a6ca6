"""LIBSVM text (``label index:value ...``) as a table."""

from __future__ import annotations

import io
import re
from array import array

import numpy as np
import pandas as pd

from stiknn_core.errors import FileError
from stiknn_core.phrases import counted
from stiknn_core.tables.files.draft import Draft
from stiknn_core.tables.files.grids import check_cells, check_width

_NO_LABEL = re.compile(r"^(?:\d+|qid):")


def read_libsvm(text: str) -> Draft:
    """Read LIBSVM text, with the label as written in the column "label".

    Indices begin at 0 or 1, whichever occurs first; a query's number (``qid:``) is its own column.
    """
    labels: list[str] = []
    queries: list[str | None] = []
    rows, places, values = array("i"), array("i"), array("d")
    for number, line in enumerate(io.StringIO(text), start=1):
        label, *pairs = line.partition("#")[0].split() or [""]
        if not label:
            continue
        if _NO_LABEL.match(label) or "," in label:
            raise FileError(
                f"Line {number:,} of the LIBSVM text has no single label; expected one before the "
                "index:value pairs."
            )
        query = pairs.pop(0)[4:] if pairs and pairs[0].startswith("qid:") else None
        for pair in pairs:
            index, _, value = pair.partition(":")
            try:
                check_width(int(index))
                places.append(int(index))
                values.append(float(value))
            except FileError:
                raise
            except (ValueError, OverflowError):
                raise FileError(
                    f"Line {number:,} of the LIBSVM text holds {pair[:40]!r}; expected an index, a "
                    "colon and a number."
                ) from None
        rows.extend([len(labels)] * len(pairs))
        check_cells(len(places), "The LIBSVM text")
        labels.append(label)
        queries.append(query)
    if not places:
        raise FileError("The LIBSVM text holds labels but no index:value pair; expected features.")
    return _spread(labels, queries, rows, places, values)


def _spread(
    labels: list[str], queries: list[str | None], rows: array[int], places: array[int],
    values: array[float],
) -> Draft:  # fmt: skip
    """Fill in the zeros, once it is known how many there are."""
    first = min(min(places), 1)
    if first < 0:
        raise FileError(f"The LIBSVM text has an index {first}; expected indices from 0 or 1 on.")
    width = max(places) - first + 1
    check_cells(len(labels) * width, "The LIBSVM text")
    # Laid out as a frame has it, which would copy it otherwise.
    matrix = np.zeros((len(labels), width), order="F")
    matrix[np.array(rows), np.array(places) - first] = values
    columns: dict[str, pd.Series[str] | np.ndarray] = {"label": pd.Series(labels, dtype="str")}
    notices = ["LIBSVM text was read; pairs that are not written count as 0."]
    flags = {"label": "label"}
    if any(queries):
        columns["qid"] = pd.Series(queries, dtype="str")
        flags["qid"] = "ignored"
        told = counted(len({*queries} - {None}), "query", "queries")
        notices.append(f"Numbers of {told} (qid:) are kept in a column that is no feature.")
    names = [f"x{at + first}" for at in range(width)]
    features = pd.DataFrame(matrix, columns=names, copy=False)
    frame = pd.concat([pd.DataFrame(columns), features], axis=1)
    return Draft(frame, {"format": "LIBSVM"}, notices, flags=flags)
