"""Suspects as tasks that Label Studio imports: what is suggested, and what was decided. Pure.

The form is that of https://labelstud.io/guide/predictions: ``data``, ``predictions`` with a
``score``, and ``annotations``. ``docs/exports.md`` has labeling interfaces that fit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Literal

import numpy as np
import pandas as pd

from stiknn_core import __version__
from stiknn_core.exporting import records_of, to_json
from stiknn_core.types import Dataset, IntArray
from stiknn_ui.review.decisions import Decision
from stiknn_ui.review.subject import Subject

Shown = Literal["text", "image", "table"]
"""Name of the object tag that a task is shown by."""

CHOICES: Final = "label"
"""Name of the control tag that holds the classes."""

_AT_ONCE: Final = 2_000


def shown_by(dataset: Dataset) -> Shown:
    """Return what the rows of a data set are: pictures, texts, or neither."""
    kinds = {block.kind for block in dataset.blocks}
    return "image" if "picture" in kinds else "text" if "text" in kinds else "table"


def label_studio_tasks(
    subject: Subject,
    by: str,
    decided: Mapping[int, Decision],
    rows: tuple[pd.DataFrame, IntArray],
    shown: Shown,
) -> bytes:
    """Return one task per point, most suspicious by one score first, as a list of JSON.

    Parameters
    ----------
    subject : Subject
    by : str
        The score that ranks.
    decided : mapping of row of the data set to Decision
    rows : (DataFrame, (m,) int64)
        The table, and the row in it of each of the m points.
    shown : {"text", "image", "table"}
        In a table the columns stand inside ``data["table"]``, else in ``data`` itself.

    Returns
    -------
    bytes
        ``score`` is the suggested class's share of the support, 0 to 1; rank and label quality are
        in ``meta``. Relabelled and kept rows have an annotation; of removed ones it is cancelled.
    """
    return to_json(_tasks(subject, by, decided, rows, shown))


def _tasks(
    subject: Subject,
    by: str,
    decided: Mapping[int, Decision],
    rows: tuple[pd.DataFrame, IntArray],
    shown: Shown,
) -> Iterator[dict[str, Any]]:
    order = subject.order(by)
    frame, row_of = rows
    for start in range(0, len(order), _AT_ONCE):
        points = order[start : start + _AT_ONCE]
        shares = subject.shares(points)
        score = shares[np.arange(len(points)), subject.suggested_codes[points]].tolist()
        quality = subject.scores["quality"][points].tolist()
        records = records_of(frame.iloc[row_of[points]])
        about = [decided.get(row) for row in subject.rows[points].tolist()]
        given, suggested = subject.given[points], subject.suggested[points]
        for place, record in enumerate(records):
            meta: dict[str, Any] = {
                "rank": start + place + 1,
                "given": given[place],
                "label_quality": _number(quality[place]),
            }
            prediction: dict[str, Any] = {"model_version": f"STI-KNN Explorer {__version__}"}
            if _number(score[place]) is not None:
                prediction["score"] = score[place]
            prediction["result"] = _choice("suggested", str(suggested[place]), shown)
            task = {
                "data": {"table": record} if shown == "table" else record,
                "meta": meta,
                "predictions": [prediction],
            }
            decision = about[place]
            if decision is not None and decision.note:
                meta["note"] = decision.note
            annotation = _annotation(decision, str(given[place]), shown)
            yield task | ({"annotations": annotation} if annotation else {})


def _annotation(decision: Decision | None, given: str, shown: Shown) -> Sequence[Mapping[str, Any]]:
    if decision is None or not decision.decides:
        return []
    if decision.action == "remove":
        return [{"was_cancelled": True, "result": []}]
    label = given if decision.action == "keep" else decision.label
    return [{"was_cancelled": False, "result": _choice("decided", label, shown)}]


def _choice(name: str, label: str, shown: Shown) -> list[dict[str, Any]]:
    value = {"choices": [label]}
    return [{"id": name, "from_name": CHOICES, "to_name": shown, "type": "choices", "value": value}]


def _number(value: float) -> float | None:
    return value if np.isfinite(value) else None
