"""ARFF files, as saved by Weka, OpenML and KEEL."""

from __future__ import annotations

import re

import arff
import pandas as pd

from stiknn_core.errors import FileError
from stiknn_core.tables.cells.text import cell_text
from stiknn_core.tables.files.draft import Draft
from stiknn_core.tables.files.grids import check_cells
from stiknn_core.tables.files.headers import distinct_names

# liac-arff knows neither dates nor the ranges and role lines of KEEL.
_DATE = re.compile(r"(?im)^([ \t]*@attribute[ \t]+(?:'[^'\n]*'|\"[^\"\n]*\"|\S+)[ \t]+)date\b.*$")
_RANGE = re.compile(
    r"(?im)^([ \t]*@attribute[ \t]+\S+[ \t]+(?:real|integer|numeric))[ \t]*\[[^\]\n]*\][ \t]*$"
)
_ROLES = re.compile(r"(?im)^[ \t]*@(inputs?|outputs?)\b.*$")


def read_arff(text: str) -> Draft:
    """Read ARFF text, dense or sparse; attributes that are not numeric come as text."""
    head, mark, body = _split(text.replace("\r\n", "\n").replace("\r", "\n"))
    head = _ROLES.sub("", _RANGE.sub(r"\1", _DATE.sub(r"\1string", head)))
    try:
        content = arff.loads(head + mark + body)
    except arff.ArffException as error:
        raise FileError(f"The ARFF file could not be read: {_reason(error)}.") from None
    except (ValueError, IndexError, KeyError, TypeError, AttributeError, StopIteration,
            RecursionError, OverflowError) as error:  # fmt: skip
        raise FileError(
            f"The ARFF file is damaged ({type(error).__name__}); save it again or use CSV."
        ) from None
    attributes, rows = content["attributes"], content["data"]
    if not attributes:
        raise FileError("The ARFF file declares no attribute; expected @attribute lines.")
    if not rows:
        raise FileError("The ARFF file holds no row after @data; expected at least one.")
    check_cells(len(rows) * len(attributes), "The ARFF file")
    names, notices = distinct_names([str(name) for name, _ in attributes])
    columns: dict[str, pd.Series[float] | pd.Series[str]] = {}
    for place, (name, (_, kind)) in enumerate(zip(names, attributes, strict=True)):
        cells = [row[place] for row in rows]
        if isinstance(kind, str) and kind.upper() in ("NUMERIC", "REAL", "INTEGER"):
            columns[name] = pd.Series(cells, dtype="float64")
        else:
            texts = [cell_text(cell).strip() or None for cell in cells]
            columns[name] = pd.Series(texts, dtype="str")
    nominal = tuple(
        name for name, (_, kind) in zip(names, attributes, strict=True) if not isinstance(kind, str)
    )
    return Draft(pd.DataFrame(columns), {"format": "ARFF"}, notices, nominal=nominal)


def _reason(error: arff.ArffException) -> str:
    try:
        told = str(error)
    except (ValueError, TypeError):
        # The message is a template, and a percent sign of the file in it breaks the filling in.
        told = f"line {error.line} is malformed"
    return re.sub(r"\s+", " ", told).strip().rstrip(".")[:200]


def _split(text: str) -> tuple[str, str, str]:
    found = re.search(r"(?im)^[ \t]*@data\b[^\n]*(\n|$)", text)
    if found is None:
        raise FileError("The ARFF file has no @data line; expected one before the rows.")
    return text[: found.start()], text[found.start() : found.end()], text[found.end() :]
