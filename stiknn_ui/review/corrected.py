"""The corrected data: as they came, but for decided labels and without removed rows. Pure."""

from __future__ import annotations

import codecs
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, Literal, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from stiknn_core.errors import LabelError
from stiknn_core.exporting import dataset_to_frame, records_of, to_csv, to_json, vector_texts
from stiknn_core.tables import Table
from stiknn_core.tables.building.crowd import gather
from stiknn_core.tables.cells.labels import label_text
from stiknn_core.tables.files.encoding import decode
from stiknn_core.tables.files.json_edit import NotRecords, edit_json
from stiknn_core.tables.files.sources import unpack
from stiknn_core.types import AnyArray, Dataset
from stiknn_ui.review.decisions import Decision
from stiknn_ui.uploads.files import ReadFile

Form = Literal["csv", "jsonl", "json"]
"""How a corrected table is written: CSV, JSON Lines or JSON."""


class _FormInfo(NamedTuple):
    name: str
    mime: str


FORMS: Final[Mapping[Form, _FormInfo]] = {
    "csv": _FormInfo("CSV", "text/csv"),
    "jsonl": _FormInfo("JSON Lines", "application/x-ndjson"),
    "json": _FormInfo("JSON", "application/json"),
}
"""What each is called on screen, and to a browser."""

_OWN_FORMS: Final[Mapping[str, tuple[Form, ...]]] = {
    "JSON": ("json", "csv"),
    "JSON Lines": ("jsonl", "csv"),
    "Parquet": ("csv", "jsonl"),
    "Arrow": ("csv", "jsonl"),
    "ORC": ("csv", "jsonl"),
}
_JSON: Final = ("JSON", "JSON Lines")
_SEPARATORS: Final = (",", ";", "\t")


def forms_of(table: Table) -> tuple[Form, ...]:
    """Return how a table can be written, that of its file first where it is one of them.

    Files of columns are written by programs, and so are read as CSV or as JSON Lines by others.
    """
    found = _OWN_FORMS.get(str(table.decisions["format"]), ("csv",))
    return ("csv", "jsonl") if table.vectors and found == ("csv",) else found


def corrected_file(
    file: ReadFile,
    label: str,
    decisions: Mapping[int, Decision],
    form: Form,
    annotators: Mapping[str, Any] | None = None,
) -> bytes:
    """Return an uploaded file with the decisions applied, in one of its ``forms_of``.

    A file of JSON keeps every letter but those of decided labels and removed rows, where it is a
    list of records; another one is written anew from its cells. Where the label is what most
    ``annotators`` said (`Crowd.asked`), it becomes a column of its own and theirs stay as they are.
    """
    if annotators is not None and label not in file.table.facts:
        table, every = _voted(file.table, annotators, decisions)
        if form == "csv":
            return corrected_upload(table, label, every)
        return _written_anew(table, label, every, lines=form == "jsonl")
    if form == "csv":
        return corrected_upload(file.table, label, decisions)
    if file.table.decisions["format"] in _JSON:
        try:
            return _edited(file, label, decisions)
        except NotRecords:
            pass
    return _written_anew(file.table, label, decisions, lines=form == "jsonl")


def corrected_upload(table: Table, label: str, decisions: Mapping[int, Decision]) -> bytes:
    r"""Return an uploaded table as CSV with the decisions applied, and nothing else changed.

    Parameters
    ----------
    table : Table
        As it was read.
    label : str
        Its label column.
    decisions : mapping of row to Decision
        By 0-based row of the table. Relabelled rows get the label, removed rows are left out;
        all others change nothing.

    Returns
    -------
    bytes
        UTF-8 with a byte-order mark; separated as the upload where that is by comma, semicolon
        or tab, else by commas; without a header where the upload has none. Vectors are lists of
        numbers, in full. `read_table` gives the same cells back.
    """
    cells, kept = _with_decisions(table, label, decisions)
    for name, vectors in table.vectors.items():
        if not vectors.written:
            cells[name] = pd.Series(vector_texts(vectors.values), cells.index, dtype=object)
    separator = str(table.decisions.get("separator"))
    data = to_csv(
        cells.iloc[kept].reset_index(drop=True),
        separator=separator if separator in _SEPARATORS else ",",
    )
    if table.decisions.get("header", True):
        return data
    mark, line = data[:3], data.index(b"\r\n") + 2
    return mark + data[line:]


def as_in_file(table: Table, label: str, decisions: Mapping[int, Decision]) -> dict[int, Decision]:
    """Return decisions on measured numbers with these written as those of the label's column."""
    style = table.facts[label].style

    def written(told: str) -> str:
        number = float(told)
        if style.scale != 1:
            number = float(f"{number / style.scale:.15g}")  # 0.941 is 94.1 %
        text = repr(number).removesuffix(".0").replace(".", style.decimal)
        return f"{text}{' ' if style.unit != '%' else ''}{style.unit}" if style.unit else text

    if not _is_text(table.frame[label]):
        return dict(decisions)  # numbers of their own, without a writing
    return {
        row: replace(one, label=written(one.label)) if one.action == "relabel" else one
        for row, one in decisions.items()
    }


def corrected_data(dataset: Dataset, labels: AnyArray, removed: NDArray[np.bool_]) -> bytes:
    """Return a data set as CSV with other labels and without the removed rows, (n,) each."""
    frame = dataset_to_frame(replace(dataset, y=labels))
    return to_csv(frame.iloc[np.flatnonzero(~removed)].reset_index(drop=True))


def _voted(
    table: Table, annotators: Mapping[str, Any], decisions: Mapping[int, Decision]
) -> tuple[Table, dict[int, Decision]]:
    """Return the table with the majority as a column, and decisions on all rows of one item."""
    asked = annotators["asked"]
    if not isinstance(asked, str):
        asked = [name for name in asked if name in table.facts]
    crowd = gather(table, asked, annotators["label"], annotators["ids"])
    if crowd is None:
        raise LabelError("The file has no column of an annotator any more.")
    together = crowd.together
    by_item = {int(together[row]): decision for row, decision in decisions.items()}
    every = {row: by_item[item] for row, item in enumerate(together.tolist()) if item in by_item}
    return replace(table, cells=crowd.table.cells, facts=crowd.table.facts), every


def _with_decisions(
    table: Table, label: str, decisions: Mapping[int, Decision]
) -> tuple[pd.DataFrame, NDArray[np.intp]]:
    """Return the cells with other labels, all rows, and the rows that are kept."""
    cells = table.frame
    labels = label_text(cells[label]).to_numpy(dtype=object, copy=True)
    kept = np.ones(len(cells), dtype=bool)
    for row, decision in decisions.items():
        if decision.action == "relabel":
            labels[row] = decision.label
        elif decision.action == "remove":
            kept[row] = False
    cells[label] = pd.Series(labels, cells.index, dtype=object)
    return cells, np.flatnonzero(kept)


def _edited(file: ReadFile, label: str, decisions: Mapping[int, Decision]) -> bytes:
    table, wanted = file.table, file.overrides
    content = unpack(file.content, file.name, wanted.get("member")).data
    text = decode(content, wanted.get("encoding")).text
    given = label_text(table.frame[label])
    changes = {
        row: decision.label if decision.action == "relabel" else None
        for row, decision in decisions.items()
        if decision.action in ("relabel", "remove")
    }
    edited = edit_json(
        text,
        label,
        given.astype(object).where(given.notna(), None).tolist(),
        changes,
        lines=table.decisions["format"] == "JSON Lines",
        table=str(table.decisions.get("table", "")),
    )
    mark = codecs.BOM_UTF8 if content.startswith(codecs.BOM_UTF8) else b""
    return mark + edited.encode("utf-8")


def _written_anew(
    table: Table, label: str, decisions: Mapping[int, Decision], *, lines: bool
) -> bytes:
    numbers = not _is_text(table.frame[label])
    cells, kept = _with_decisions(table, label, decisions)
    if numbers:
        # A class of numbers stays one; a name among them makes all of them text.
        read = pd.to_numeric(cells[label], errors="coerce")
        if read.notna().sum() == cells[label].notna().sum():
            cells[label] = read.convert_dtypes()
    vectors = {name: column.values[kept] for name, column in table.vectors.items()}
    return to_json(records_of(cells.iloc[kept], vectors), lines=lines)


def _is_text(column: pd.Series[Any]) -> bool:
    return pd.api.types.is_string_dtype(column.dtype) or column.dtype == object
