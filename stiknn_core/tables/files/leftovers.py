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
from stiknn_core.tables.cells.formats import find_formats, looks_numeric
from stiknn_core.tables.cells.numbers import MISSING_WORDS, PLAIN, is_text, parse_numbers
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
_MOST_REMARKS: Final = 30
_REMARK: Final = re.compile(
    r"(?i)^(sources?|quellen?|notes?|anmerkung(en)?|hinweise?|stand|fuentes?|notas?|fonti?|legend|"
    r"legende|bron|uwaga|źródło)\b|^[*†©_]|^\(?[0-9a-z]{1,2}\)|\S \S.* "
)
"""How such a line begins; else it is of three words and more."""
RULE: Final = re.compile(r"[-=_:+|*]{2,}")
_QUESTION_ID: Final = re.compile(r'\{"ImportId":.*\}')
UNIT: Final = re.compile(r"[\[(].{0,20}[\])]|-|")
_LOOKED_AT: Final = 200
_UNNAMED: Final = 3
"""So many kinds of rows occur without a header."""
_MOST_KINDS: Final = 3
_MOSTLY: Final = 0.6


def without_leftovers(frame: pd.DataFrame, named: bool) -> tuple[pd.DataFrame, list[str]]:
    """Leave out rows that are no data; return the rest, counted as before, and sentences.

    Only below a header, where columns are ``named``, a row can say more of them.
    """
    notices: list[str] = []
    for find, sentence in _ROWS if named else _ROWS[:_UNNAMED]:
        rows = find(frame)
        if 0 < len(rows) < len(frame):
            one, several = sentence
            what = one if len(rows) == 1 else several
            notices.append(
                f"Left out: {numbered('row', frame.index[rows].tolist())}, which {what}."
            )
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


def _remarks(frame: pd.DataFrame) -> IntArray:
    """Find lines of text below the table: sources, footnotes, the name of the office."""
    first = frame.columns[0]
    if frame.shape[1] < 2 or not is_text(frame[first]):
        return _none()
    count = 0
    for row in range(len(frame) - 1, max(len(frame) - _MOST_REMARKS, 0), -1):
        told = frame.iloc[row]
        cell = "" if pd.isna(told.iloc[0]) else str(told.iloc[0])
        if told.iloc[1:].notna().any() or looks_numeric(cell) or not _REMARK.search(cell):
            break
        count += 1
    return np.arange(len(frame) - count, len(frame), dtype=np.int64)


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


def _questions(frame: pd.DataFrame) -> IntArray:
    """Find what Qualtrics writes below the names: the questions, and below those their ids."""
    for row in range(min(2, len(frame) - 1)):
        filled = [cell for cell in _texts(frame.iloc[row]).values() if cell]
        if filled and all(map(_QUESTION_ID.fullmatch, filled)):
            return np.arange(row + 1, dtype=np.int64)
    return _none()


def _units(frame: pd.DataFrame) -> IntArray:
    """Find a first row of units: words over numbers, and brackets or nothing over words."""
    over_numbers, others = _over(frame, 0)
    return np.zeros(int(over_numbers > 0 and not others), dtype=np.int64)


def _kinds(frame: pd.DataFrame) -> IntArray:
    """Find first rows that say more of the columns: words over all numbers, new ones over words.

    One column of numbers is not enough for this: its first cell may be a word for no value.
    """
    count = 0
    while count < _MOST_KINDS and _over(frame, count)[0] > 1:
        count += 1
    return np.arange(count, dtype=np.int64)


def _over(frame: pd.DataFrame, row: int) -> tuple[int, int]:
    """Count words of a row over numbers, and those over other words; (0, 0) in a row of data."""
    if len(frame) < row + 3:
        return 0, 0
    over_numbers = others = 0
    for name, cell in _texts(frame.iloc[row]).items():
        word = bool(cell) and cell not in MISSING_WORDS
        if word and looks_numeric(cell):
            return 0, 0  # soonest in most tables
        below = frame[name].iloc[row + 1 : _LOOKED_AT].dropna().astype(str)
        # Also a word for no value, such as "x", may be a class.
        if not UNIT.fullmatch(cell) and below.eq(cell).any():
            return 0, 0
        below = below[~below.isin(MISSING_WORDS)]
        numbers = sum(map(looks_numeric, below))
        if numbers > _MOSTLY * len(below):
            over_numbers += word
        else:
            others += not UNIT.fullmatch(cell)
    return over_numbers, others


def _totals(frame: pd.DataFrame) -> IntArray:
    """Find a last row that is called a total and sums up what stands above."""
    word = _total_word(frame)
    if word is None and not _begins_total(frame):
        return _none()
    formats, _ = find_formats([frame[name] for name in frame.columns], None)
    sums = 0
    for name in frame.columns:
        numbers = parse_numbers(frame[name], formats.get(name, PLAIN)).values
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


def _begins_total(frame: pd.DataFrame) -> bool:
    """Tell whether the last row begins like "Total Income"; only its sums say whether it is one."""
    first = next(iter(_texts(frame.iloc[-1]).values())).casefold()
    return len(frame) >= _LEAST_SUMMED and first.split(" ")[0] in TOTALS


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


_ROWS: Final[tuple[tuple[Callable[[pd.DataFrame], IntArray], tuple[str, str]], ...]] = (
    (_remarks, ("is a remark below the table", "are remarks below the table")),
    (_rules, ("is a line of dashes", "are lines of dashes")),
    (_totals, ("sums up the rows above", "sum up the rows above")),
    (_headers, ("repeats the header", "repeat the header")),
    (_questions, ("explains the columns of a survey", "explain the columns of a survey")),
    (_units, ("names the units", "name the units")),
    (_kinds, ("says what the columns hold", "say what the columns hold")),
)
