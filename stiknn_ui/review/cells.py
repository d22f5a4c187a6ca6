"""Cells of the file of decisions to values and back. What this app cannot have written is damage.

Names, labels and notes are JSON text, since a text of SQLite can hold no lone surrogates.
"""

from __future__ import annotations

import json
from typing import Any, Final, TypeVar

from stiknn_ui.review.decisions import DONE, Decision

Kind = TypeVar("Kind")

written: Final = json.JSONEncoder().encode
"""Returns what a cell holds of a text; ``json.dumps`` takes three times as long."""


class DamagedError(ValueError):
    """A cell holds what nobody here writes."""


class Decisions:
    """Reads and writes decisions; many thousands of rows hold the same few."""

    def __init__(self) -> None:
        self._values: dict[Any, Decision] = {}
        self._texts: dict[Decision, str] = {}

    def value(self, cell: object) -> Decision | None:
        """Return the decision that a cell holds; None for an empty one.

        Raises
        ------
        DamagedError
        """
        if cell is None:
            return None
        found = self._values.get(cell)
        if found is None:
            found = self._values[cell] = _decision(cell)
        return found

    def text(self, decision: Decision | None) -> str | None:
        """Return what a cell holds of a decision."""
        if decision is None:
            return None
        found = self._texts.get(decision)
        if found is None:
            told = [decision.action, decision.label, decision.note]
            found = self._texts[decision] = json.dumps(told)
        return found


def exactly(kind: type[Kind], cell: object) -> Kind:
    """Return a cell that holds this kind of value.

    Raises
    ------
    DamagedError
    """
    if type(cell) is not kind:
        raise DamagedError(f"expected {kind.__name__}, found {type(cell).__name__}")
    return cell


def words(cell: object) -> str:
    """Return the text that a cell holds as JSON.

    Raises
    ------
    DamagedError
    """
    if type(cell) is str and cell[:1] == cell[-1:] == '"' and cell.isprintable():
        inside = cell[1:-1]
        if '"' not in inside and "\\" not in inside:
            return inside  # JSON has nothing else to say of it
    return exactly(str, _parsed(cell))


def _decision(cell: object) -> Decision:
    told = _parsed(cell)
    if type(told) is not list or len(told) != 3 or not all(type(one) is str for one in told):
        raise DamagedError("no decision")
    if told[0] not in DONE:
        raise DamagedError("a decision of a kind that there is not")
    return Decision(*told)


def _parsed(cell: object) -> Any:
    try:
        return json.loads(exactly(str, cell))
    except (ValueError, RecursionError) as error:
        raise DamagedError(str(error)) from error
