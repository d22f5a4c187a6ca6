"""Files of SPSS, Stata and SAS: words for coded values, codes for "no answer" as missing."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import pandas as pd
import pyreadstat

from stiknn_core.errors import FileError
from stiknn_core.phrases import listed
from stiknn_core.tables.files.draft import Draft
from stiknn_core.tables.files.frames import normalize_frame
from stiknn_core.tables.files.grids import check_cells, check_letters, check_width
from stiknn_core.tables.files.refused import reason
from stiknn_core.tables.limits import MAX_CELLS, MAX_LETTERS

_READERS: Final[dict[str, tuple[str, Callable[..., tuple[pd.DataFrame, Any]]]]] = {
    "spss": ("SPSS", pyreadstat.read_sav),
    "spss portable": ("SPSS", pyreadstat.read_por),
    "stata": ("Stata", pyreadstat.read_dta),
    "sas": ("SAS", pyreadstat.read_sas7bdat),
    "sas transport": ("SAS", pyreadstat.read_xport),
}


def read_statistics(data: bytes, kind: str) -> Draft:
    """Read a file of a statistics program."""
    program, read = _READERS[kind]
    # The library reads from a path only.
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table"
        path.write_bytes(data)
        try:
            frame, about = _read(path, read, program)
            frame, worded = _with_words(frame, about.variable_value_labels)
            draft = normalize_frame(frame, program)
            names = dict(zip(frame.columns, draft.frame.columns, strict=True))
            draft.nominal = tuple(str(names[name]) for name in worded)
        except FileError:
            raise
        except Exception as error:  # the library lets through what its parts raise, and no names
            raise FileError(
                f"The {program} file could not be read ({reason(error)}); save it again in "
                f"{program}, or export it as CSV."
            ) from None
    if worded:
        draft.notices.append(
            f"Codes were replaced by the words that the {program} file has for them: "
            f"{listed([str(name) for name in worded])}."
        )
    return draft


def _read(path: Path, read: Callable[..., Any], program: str) -> tuple[pd.DataFrame, Any]:
    _, about = read(str(path), metadataonly=True)
    width = about.number_columns
    if not width:
        raise FileError("The table has no column; expected features and a label.")
    check_width(width)
    # Some files do not say how many rows they have.
    most = about.number_rows
    what = f"The {program} file"
    letters = sum(size for size in about.variable_storage_width.values() if size > 8)
    if most is not None and most >= 0:
        check_cells(most * width, what)
        check_letters(most * letters, what)
    frame, about = read(
        str(path), row_limit=min(MAX_CELLS // width, MAX_LETTERS // max(letters, 1)) + 1
    )
    check_cells(frame.size, what)
    check_letters(len(frame) * letters, what)
    return frame, about


def _with_words(
    frame: pd.DataFrame, labels: Mapping[str, Mapping[Any, str]]
) -> tuple[pd.DataFrame, list[str]]:
    """Put words in the place of codes where every code of a column has one.

    A scale from 1 to 7 of which only the ends have words stays a scale.
    """
    words: dict[str, pd.Series[Any]] = {}
    for name, told in labels.items():
        known = frame[name].dropna() if name in frame.columns else frame.iloc[:0, 0]
        if len(known) and known.isin([*told]).all():
            words[name] = frame[name].map(dict(told)).astype(object)
    return frame.assign(**words), [*words]
