"""What a review is taken away as beside the corrected data: suspects and changes. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from pathlib import PurePath
from typing import Final

import numpy as np
import pandas as pd

from stiknn_core.exporting import to_csv
from stiknn_ui.results.crowd import given_share
from stiknn_ui.results.exports import findings_json, positions_of
from stiknn_ui.review.decisions import Change, Decision, Key, Record, Step
from stiknn_ui.review.subject import Subject

_NOT_IN_FILE_NAMES: Final = re.compile(r"[^A-Za-z0-9.=_-]+")


def decisions_for(decisions: Mapping[Key, Decision], source: str) -> dict[int, Decision]:
    """Return the decisions about one source by its row, those of rows not in use included."""
    return {row: decision for (digest, row), decision in decisions.items() if digest == source}


def suspects_csv(
    subject: Subject,
    by: str,
    decided: Mapping[int, Decision],
    settings: Mapping[str, str | int | float],
) -> bytes:
    """Return one line per point, most suspicious by one score first, with the decision about it.

    Decisions are by row of the data set. Settings become columns named ``setting_...``.
    """
    frame = _suspects(subject, by)
    about = _decisions(subject, by, decided)
    frame["decision"] = ["" if one is None else one.action for one in about]
    frame["new_label"] = ["" if one is None else one.label for one in about]
    frame["note"] = ["" if one is None else one.note for one in about]
    extra = {f"setting_{name}": value for name, value in settings.items()}
    return to_csv(pd.concat([frame, pd.DataFrame(extra, frame.index)], axis=1))


def suspects_json(
    subject: Subject,
    by: str,
    decided: Mapping[int, Decision],
    settings: Mapping[str, str | int | float],
) -> bytes:
    """Return the same as JSON, with the position of each point; see ``findings_json``."""
    frame = _suspects(subject, by)
    order = subject.order(by)
    rows = subject.rows[order]
    told = [
        None
        if one is None
        else {"action": one.action, "new_label": one.label or None, "note": one.note}
        for one in _decisions(subject, by, decided)
    ]
    frame.insert(2, "position", positions_of(subject.analysis.dataset, rows))
    return findings_json(frame, list(subject.scores), settings, told)


def _suspects(subject: Subject, by: str) -> pd.DataFrame:
    order = subject.order(by)
    table: dict[str, object] = {
        "rank": np.arange(1, len(order) + 1),
        "id": subject.names(order),
        "given": subject.given[order],
        "suggested": subject.suggested[order],
    }
    if subject.said is not None:
        table |= {"low": subject.said.low[order], "high": subject.said.high[order]}
    table |= {name: score[order] for name, score in subject.scores.items()}
    if "distance" in table:
        table["distance"] = -subject.scores["distance"][order] + 0.0  # the score is negative
    if subject.analysis.dataset.votes is not None:
        table["annotators"] = given_share(subject.analysis.dataset, subject.rows[order])
    return pd.DataFrame(table)


def _decisions(subject: Subject, by: str, decided: Mapping[int, Decision]) -> list[Decision | None]:
    return [decided.get(row) for row in subject.rows[subject.order(by)].tolist()]


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
