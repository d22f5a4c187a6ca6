"""The columns of an upload as rows of a table, and what an edit of it means. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import pandas as pd

from stiknn_core.phrases import counted, listed
from stiknn_core.tables.cells.causes import Cause
from stiknn_ui.uploads.build import Upload
from stiknn_ui.uploads.choices import FEATURE_USES, Use
from stiknn_ui.words import wording

MOST_SHOWN: Final = 200
"""Rows of the table of columns; a search leads to the others."""
USE: Final = "used as"
IN_FILE: Final = "in the file"
READ_AS: Final = "read as"

_KINDS: Final = {
    "number": "numbers",
    "boolean": "true, false",
    "date": "dates",
    "text": "words",
    "vector": "vectors",
    "picture": "pictures",
    "empty": "nothing",
}
_UNREAD: Final[tuple[Cause, ...]] = ("unread", "mixed units", "nearly number")
_MOST_LETTERS: Final = 30
_MOST_TOLD: Final = 3
_BY_NAME: Final[Mapping[str, Use]] = {name: use for use, name in wording.USES.items()}  # type: ignore[misc]


def summary(upload: Upload) -> str:
    """Say in a few words what the columns are used for."""
    uses = upload.uses
    count = Counter("feature" if use in FEATURE_USES else use for use in uses.values())
    parts = [counted(count["feature"], "feature column")]
    for use, title in (("label", "label"), ("id", "rows named by"), ("truth", "true label")):
        name = next((name for name, told in uses.items() if told == use), None)
        if name is not None:
            parts.append(f"{title} {name}")
    if count["annotator"]:
        parts.append(counted(count["annotator"], "annotator"))
    for name, use in uses.items():
        if use == "annotator name":
            parts.append(f"annotators named by {name}")
    if count["ignored"]:
        parts.append(f"{count['ignored']:,} left out")
    return " · ".join(parts)


def unused_columns(upload: Upload) -> tuple[dict[str, Use], str]:
    """Return the columns that are left out and could be used, and what else is, why."""
    usable = upload.offers
    return usable, _with_reasons(upload, [name for name in _left_out(upload) if name not in usable])


def unread_columns(upload: Upload) -> tuple[int, str]:
    """Return how many columns of numbers are left out since they were not read, and which, why."""
    roles = upload.table.roles
    unread = [name for name in _left_out(upload) if roles[name].cause in _UNREAD]
    return len(unread), _with_reasons(upload, unread)


def _left_out(upload: Upload) -> list[str]:
    """Return the columns that nobody chose to leave out."""
    chosen = {name for name, _ in upload.choices.uses}
    return [name for name, use in upload.uses.items() if use == "ignored" and name not in chosen]


def _with_reasons(upload: Upload, names: Sequence[str]) -> str:
    return listed([f"{name} ({upload.reasons[name]})" for name in names], _MOST_TOLD)


def found_columns(upload: Upload, search: str) -> list[str]:
    """Return the columns whose name, use or reason holds the words looked for, in order."""
    wanted = search.strip().casefold()
    if not wanted:
        return list(upload.table.columns)
    return [
        name
        for name, use in upload.uses.items()
        if wanted in f"{name}\n{wording.USES[use]}\n{upload.reasons[name]}".casefold()
    ]


def columns_frame(upload: Upload, names: Sequence[str]) -> pd.DataFrame:
    """Return one row per column: name, use, why, what it holds, and cells beside their reading."""
    shown = [upload.table.examples(name) for name in names]
    reasons = upload.reasons
    chosen = {name for name, _ in upload.choices.uses}
    facts = upload.table.facts
    return pd.DataFrame(
        {
            "column": list(names),
            USE: [wording.USES[upload.uses[name]] for name in names],
            IN_FILE: [_joined(cell for cell, _ in pairs) for pairs in shown],
            READ_AS: [_joined(told for _, told in pairs) for pairs in shown],
            "why": [
                f"your choice; it {reasons[name]}" if name in chosen else f"it {reasons[name]}"
                for name in names
            ],
            "holds": [_KINDS[facts[name].kind] for name in names],
            "different": [facts[name].distinct for name in names],
            "missing": [facts[name].missing for name in names],
        }
    )


def edits_of(state: Mapping[str, Any] | None, names: Sequence[str]) -> list[tuple[str, Use]]:
    """Return what a table editor reports as changed: column and its new use.

    Never raises: what a browser sends is outside input.
    """
    if not isinstance(state, Mapping):
        return []
    found: list[tuple[str, Use]] = []
    for row, changes in dict(state.get("edited_rows", {})).items():
        use = _BY_NAME.get(str(dict(changes).get(USE)))
        if use is not None and str(row).isdecimal() and int(row) < len(names):
            found.append((names[int(row)], use))
    return found


def order_from(text: str, levels: Sequence[str]) -> tuple[str, ...]:
    """Read an order such as ``"low < middle < high"``; words left out keep their order behind."""
    told = [word.strip() for word in text.split("<")]
    known = list(dict.fromkeys(word for word in told if word in levels))
    return (*known, *(word for word in levels if word not in known))


def _joined(texts: Iterable[str]) -> str:
    cut = [
        text if len(text) <= _MOST_LETTERS else f"{text[: _MOST_LETTERS - 1]}…" for text in texts
    ]
    return " · ".join(cut)
