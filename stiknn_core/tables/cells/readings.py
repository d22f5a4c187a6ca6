"""In what other ways the numbers of a column could be meant."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, Final

import pandas as pd

from stiknn_core.tables.cells.columns import ColumnFacts
from stiknn_core.tables.cells.numbers import Decimal, NumberFormat, Thousands, parse_numbers
from stiknn_core.tables.cells.told import nearly_numbers
from stiknn_core.tables.cells.unread import span_ways, ways_to_read

_GROUP: Final = re.compile(r"[.,·∙⋅]\d{3}(?!\d)")
_OTHER_MARKS: dict[str, tuple[Decimal, Thousands]] = {
    "point as decimal mark": (".", ","),
    "comma as decimal mark": (",", "."),
}


def other_readings(column: pd.Series[Any], fact: ColumnFacts) -> dict[str, NumberFormat]:
    """Return other formats that all cells of a text column allow, by a name for each.

    Only where something was guessed or left unread; the last leaves the cells words.
    """
    style = fact.style
    found: dict[str, NumberFormat] = {}
    if nearly_numbers(fact):
        either = replace(style, decimal=".", thousands="", either=True)
        if not parse_numbers(column, either).not_numeric.any():
            found["point and comma as decimal marks"] = either
        odd = parse_numbers(column, style).not_numeric
        words = tuple(dict.fromkeys(str(cell) for cell in column[odd]))
        if len(words) <= 100:
            missing = (*style.missing_words, *words)
            found["numbers; the other cells are missing"] = replace(style, missing_words=missing)
        if fact.amounts:
            found |= ways_to_read(column, style)
        return found
    if fact.kind == "text" and (fact.amounts or fact.style.mixed):
        return ways_to_read(column, style)
    if fact.kind == "date":
        return span_ways(column, style)
    if fact.kind != "number" or not fact.examples:
        return found
    if fact.nines:
        there = parse_numbers(column, style).values == fact.nines[0]
        words = tuple(dict.fromkeys(str(cell) for cell in column[there]))
        told = f"numbers; {fact.nines[0]:g} is missing"
        found[told] = replace(style, missing_words=(*style.missing_words, *words))
    if style.scale != 1:
        found[f"numbers as they are, {style.unit} left out"] = replace(style, scale=1.0)
    if style.brackets:
        found["brackets left out, no minus"] = replace(style, brackets=False, marks=("(", ")"))
    for name, marks in _OTHER_MARKS.items():
        other = replace(style, decimal=marks[0], thousands=marks[1])
        if _differs(fact, other) and not parse_numbers(column, other).not_numeric.any():
            found[name] = other
    if found or style.guess:
        found["words, not numbers"] = replace(style, reads=False)
    return found


def _differs(fact: ColumnFacts, other: NumberFormat) -> bool:
    """Tell whether the examples could be read so too, as other numbers."""
    if not any(_GROUP.search(cell) for cell, _ in fact.examples):
        return False  # without a mark before three digits there is one way to read them
    cells = pd.Series([cell for cell, _ in fact.examples], dtype="str")
    read = parse_numbers(cells, other)
    return not read.not_numeric.any() and read.values.tolist() != [v for _, v in fact.examples]
