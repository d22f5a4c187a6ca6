"""What a review is taken away as: the corrected data, the suspects, the list of changes. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import PurePath
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from stiknn_core.exporting import dataset_to_frame, to_csv
from stiknn_core.tables import Table
from stiknn_core.tables.cells.labels import label_text
from stiknn_core.types import AnyArray, Dataset
from stiknn_ui.review.decisions import Change, Decision, Key, Record, Step
from stiknn_ui.review.subject import Subject

_SEPARATORS: Final = (",", ";", "\t")
_NOT_IN_FILE_NAMES: Final = re.compile(r"[^A-Za-z0-9.=_-]+")


def decisions_for(decisions: Mapping[Key, Decision], source: str) -> dict[int, Decision]:
    """Return the decisions about one source by its row, those of rows not in use included."""
    return {row: decision for (digest, row), decision in decisions.items() if digest == source}


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
        or tab, else by commas; without a header where the upload has none. `read_table` gives
        the same cells back.
    """
    cells = table.frame
    labels = label_text(cells[label]).to_numpy(dtype=object, copy=True)
    removed = np.zeros(len(cells), dtype=bool)
    for row, decision in decisions.items():
        if decision.action == "relabel":
            labels[row] = decision.label
        elif decision.action == "remove":
            removed[row] = True
    cells[label] = pd.Series(labels, cells.index, dtype=object)
    kept = cells.iloc[np.flatnonzero(~removed)].reset_index(drop=True)
    separator = str(table.decisions.get("separator"))
    data = to_csv(kept, separator=separator if separator in _SEPARATORS else ",")
    if table.decisions.get("header", True):
        return data
    mark, line = data[:3], data.index(b"\r\n") + 2
    return mark + data[line:]


def corrected_data(dataset: Dataset, labels: AnyArray, removed: NDArray[np.bool_]) -> bytes:
    """Return a data set as CSV with other labels and without the removed rows, (n,) each."""
    frame = dataset_to_frame(replace(dataset, y=labels))
    return to_csv(frame.iloc[np.flatnonzero(~removed)].reset_index(drop=True))


def suspects_csv(
    subject: Subject,
    by: str,
    decided: Mapping[int, Decision],
    settings: Mapping[str, str | int | float],
) -> bytes:
    """Return one line per point, most suspicious by one score first, with the decision about it.

    Decisions are by row of the data set. Settings become columns named ``setting_...``.
    """
    order = subject.order(by)
    about = [decided.get(row) for row in subject.rows[order].tolist()]
    table: dict[str, object] = {
        "rank": np.arange(1, len(order) + 1),
        "id": subject.names(order),
        "given": subject.given[order],
        "suggested": subject.suggested[order],
    }
    table |= {name: score[order] for name, score in subject.scores.items()}
    table["decision"] = ["" if one is None else one.action for one in about]
    table["new_label"] = ["" if one is None else one.label for one in about]
    table["note"] = ["" if one is None else one.note for one in about]
    frame = pd.DataFrame(table)
    extra = {f"setting_{name}": value for name, value in settings.items()}
    return to_csv(pd.concat([frame, pd.DataFrame(extra, frame.index)], axis=1))


def changes_table(record: Record, sources: Collection[str]) -> pd.DataFrame:
    """Return one row per change, oldest first; undone steps are there and say so.

    Only ``sources`` count, digests of data: a review may have gone on to others.

    Returns
    -------
    DataFrame
        step, at (UTC), id, old_label and new_label (empty = removed), action ("clear" where a
        decision was taken back, "note" where there is only a note), note, undone.
    """
    lines = [
        {
            "step": step.number,
            "at": step.at,
            "id": change.name,
            "old_label": _label_after(change, change.before),
            "new_label": _label_after(change, change.after),
            "action": "clear" if change.after is None else change.after.action or "note",
            "note": "" if change.after is None else change.after.note,
            "undone": step.undone,
        }
        for step in record.steps
        for change in step.changes
        if change.key[0] in sources
    ]
    columns = ["step", "at", "id", "old_label", "new_label", "action", "note", "undone"]
    return pd.DataFrame(lines, columns=columns)


def unsaved_csv(steps: tuple[Step, ...]) -> bytes:
    """Return steps as CSV, those of all data: what `changes_table` has."""
    record = Record(steps=steps)
    return changes_csv(record, {change.key[0] for step in steps for change in step.changes})


def changes_csv(record: Record, sources: Collection[str]) -> bytes:
    """Return `changes_table` as CSV."""
    return to_csv(changes_table(record, sources))


def file_name(kind: str, name: str, extension: str = "csv") -> str:
    """Return a file name without folders or odd letters that says what is in it.

    The name is that of the data set, or of the uploaded file with its ending.
    """
    stem = PurePath(name.replace("\\", "/")).name
    for _ in range(2):  # "table.csv.gz"
        path = PurePath(stem)
        stem = path.stem if 2 <= len(path.suffix) <= 8 and not path.suffix[1:].isdigit() else stem
    clean = _NOT_IN_FILE_NAMES.sub("-", stem)[:60].strip("-.") or "data"
    return f"{kind}_{clean}.{extension}"


def _label_after(change: Change, decision: Decision | None) -> str:
    if decision is None or decision.action not in ("relabel", "remove"):
        return change.given
    return decision.label if decision.action == "relabel" else ""
