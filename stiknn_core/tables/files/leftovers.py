"""Rows inside a table that are no data: units, rules, repeated headers, totals.

They come from instruments, consoles, files put behind each other and spreadsheets. Each makes
a column of numbers one of words, so they are left out and told.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from stiknn_core.phrases import numbered
from stiknn_core.tables.cells.formats import looks_numeric
from stiknn_core.tables.cells.numbers import MISSING_WORDS, is_text
from stiknn_core.types import IntArray

TOTALS: Final = {
    "all", "total", "totals", "grand total", "sum", "gesamt", "summe", "insgesamt",
    "gesamtergebnis", "ensemble", "somme", "total général", "total general", "suma", "totale",
    "totaal", "razem", "total result", "overall", "gesamtsumme", "subtotal", "somma",
    "合計", "总计",
}  # fmt: skip
"""What summaries call the row or column that adds up the others, in lower case."""

_MEANS: Final = {
    "average", "mean", "mittelwert", "durchschnitt", "moyenne", "promedio", "media", "gemiddelde",
}  # fmt: skip
_LEAST_SUMMED: Final = 4
RULE: Final = re.compile(r"[-=_:+|*]{2,}")
UNIT: Final = re.compile(r"[\[(].{0,20}[\])]|-|")
_LOOKED_AT: Final = 200


def without_leftovers(frame: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """Leave out rows that are no data; return the rest, counted as before, and sentences."""
    notices: list[str] = []
    for find, sentence in _KINDS:
        rows = find(frame)
        if 0 < len(rows) < len(frame):
            one, several = sentence
            what = one if len(rows) == 1 else several
            notices.append(f"Left out: {numbered('row', rows.tolist())}, which {what}.")
            keep: NDArray[np.bool_] = np.ones(len(frame), dtype=bool)
            keep[rows] = False
            frame = frame.iloc[np.flatnonzero(keep)]
    word = _total_word(frame)
    if word is not None:
        notices.append(
            f"The last row is called {word!r}; if it sums up the rows above, take it out of the "
            "file."
        )
    return frame, notices


def _texts(row: pd.Series[Any]) -> dict[str, str]:
    return {str(name): "" if pd.isna(cell) else str(cell) for name, cell in row.items()}


def _headers(frame: pd.DataFrame) -> IntArray:
    """Find rows that say the column names again."""
    found = None
    for name in frame.columns:
        if not is_text(frame[name]):
            return _none()
        same = (frame[name] == name).fillna(False).to_numpy(dtype=bool)
        found = same if found is None else found & same
        if not found.any():
            return _none()
    return _none() if found is None else np.flatnonzero(found).astype(np.int64)


def _rules(frame: pd.DataFrame) -> IntArray:
    """Find lines such as ``---+---`` under the header and at the end."""
    rows = [row for row in dict.fromkeys((0, len(frame) - 1)) if _is_rule(frame.iloc[row])]
    return np.array(rows, dtype=np.int64)


def _is_rule(row: pd.Series[Any]) -> bool:
    filled = [cell for cell in _texts(row).values() if cell]
    return bool(filled) and all(RULE.fullmatch(cell) for cell in filled)


def _units(frame: pd.DataFrame) -> IntArray:
    """Find a first row of units: words over numbers, and brackets or nothing over words."""
    if len(frame) < 3:
        return _none()
    first = _texts(frame.iloc[0])
    over_numbers = 0
    for name, cell in first.items():
        below = frame[name].iloc[1:_LOOKED_AT].dropna().astype(str)
        below = below[~below.isin(MISSING_WORDS)]
        numeric = bool(len(below)) and all(map(looks_numeric, below))
        if numeric and cell and cell not in MISSING_WORDS:
            if looks_numeric(cell):
                return _none()
            over_numbers += 1
        elif not numeric and not UNIT.fullmatch(cell):
            return _none()
    return np.zeros(1, dtype=np.int64) if over_numbers else _none()


def _totals(frame: pd.DataFrame) -> IntArray:
    """Find a last row that is called a total and sums up what stands above."""
    if _total_word(frame) is None:
        return _none()
    sums = 0
    for name in frame.columns:
        numbers = pd.to_numeric(frame[name], errors="coerce").to_numpy(dtype=np.float64)
        above, last = numbers[:-1], numbers[-1]
        size = float(np.nansum(np.abs(above)))
        if np.isnan(last) or not size:
            continue
        total = float(np.nansum(above))
        mean = total / np.isfinite(above).sum()
        if not np.isclose(last, [total, mean], rtol=1e-9, atol=1e-9 * size).any():
            return _none()
        sums += 1
    return np.array([len(frame) - 1], dtype=np.int64) if sums else _none()


def _total_word(frame: pd.DataFrame) -> str | None:
    """Return what the last row is called, if that is a word for totals and no row above has it."""
    if len(frame) < _LEAST_SUMMED:
        return None
    for name, cell in _texts(frame.iloc[-1]).items():
        if cell.strip(" :").casefold() in TOTALS | _MEANS:
            above = frame[name].iloc[:-1]
            return None if (above == frame[name].iloc[-1]).any() else cell
    return None


def _none() -> IntArray:
    return np.empty(0, dtype=np.int64)


_KINDS: Final[tuple[tuple[Callable[[pd.DataFrame], IntArray], tuple[str, str]], ...]] = (
    (_rules, ("is a line of dashes", "are lines of dashes")),
    (_headers, ("repeats the header", "repeat the header")),
    (_units, ("names the units", "name the units")),
    (_totals, ("sums up the rows above", "sum up the rows above")),
)
