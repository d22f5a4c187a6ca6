"""What a browser is told of decisions: all of them now and then, else what changed. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from stiknn_ui.review import payload
from stiknn_ui.review.decided import Decided
from stiknn_ui.review.decisions import Decision
from stiknn_ui.review.subject import Subject
from stiknn_view.packing import ViewContent

_MOST: Final = 400  # changes, from which on all decisions are packed anew


@dataclass(frozen=True, eq=False)
class Standing:
    """All decisions on the points of a subject, as the browser got them last.

    Attributes
    ----------
    subject : Subject
    decided : Decided
    content : ViewContent
    """

    subject: Subject
    decided: Decided
    content: ViewContent


def since(
    subject: Subject, decided: Decided, before: Standing | None
) -> tuple[Standing, list[list[Any]]]:
    """Return what the browser holds or gets, and what has changed since: [point, decision]."""
    if before is not None and before.subject is subject:
        kinds = before.decided.kinds
        if decided.kinds[: len(kinds)] == kinds:
            rows = subject.rows
            points = np.flatnonzero(before.decided.codes[rows] != decided.codes[rows])
            if len(points) <= _MOST:
                at = rows[points].tolist()
                changed = zip(points.tolist(), at, strict=True)
                return before, [[point, told(decided.get(row))] for point, row in changed]
    return Standing(subject, decided, payload.decided(subject, decided)), []


def told(decision: Decision | None) -> list[str] | None:
    """Return a decision as the browser writes it."""
    return None if decision is None else [decision.action, decision.label, decision.note]
