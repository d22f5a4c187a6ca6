"""Sentences about what the reading of numbers changed, lost or could not read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from stiknn_core.phrases import counted, listed
from stiknn_core.tables.cells.columns import ColumnFacts

_MOST_NAMED: Final = 5
_LONGEST: Final = 30


def guess_notices(facts: Iterable[ColumnFacts]) -> list[str]:
    """Say where more than digits and marks was read: a unit left out, brackets as minus."""
    groups: dict[str, list[ColumnFacts]] = {}
    for fact in facts:
        if fact.kind == "number" and fact.style.guess and fact.examples:
            groups.setdefault(fact.style.guess, []).append(fact)
    return [f"{_columns(told)}: {guess} ({_example(told[0])})." for guess, told in groups.items()]


def lost_notices(facts: Iterable[ColumnFacts]) -> list[str]:
    """Count the cells of columns of numbers that hold something and were read as no value."""
    lost = [
        f"{fact.name!r} {fact.missing:,} ({listed([repr(word) for word in fact.words], 3)})"
        for fact in facts
        if fact.kind == "number" and fact.words
    ]
    if not lost:
        return []
    return [f"Missing values with words for them, by column: {listed(lost, _MOST_NAMED)}."]


def odd_notices(facts: Iterable[ColumnFacts]) -> list[str]:
    """Name the columns that are numbers but for some cells."""
    odd = [fact for fact in facts if nearly_numbers(fact)]
    return [
        f"Column {fact.name!r} is a number except in {counted(fact.not_numeric, 'cell')} "
        f"({_cells(fact)}); mend them, or count them as missing."
        for fact in odd[:_MOST_NAMED]
    ] + (
        [f"{len(odd) - _MOST_NAMED:,} more columns are numbers but for some cells."]
        if len(odd) > _MOST_NAMED
        else []
    )


def rounded_notices(facts: Iterable[ColumnFacts]) -> list[str]:
    """Say where whole numbers are too long to be told apart as float64."""
    return [
        f"Column {fact.name!r} holds whole numbers beyond 2^53, which are rounded: of "
        f"{fact.distinct:,} different values {fact.rounded:,} are left; subtract the smallest "
        "one first if it is a feature."
        for fact in facts
        if fact.rounded
    ]


def mixed_notices(facts: Mapping[str, ColumnFacts], natives: Mapping[str, int]) -> list[str]:
    """Say where text among native numbers of a workbook was read as numbers too."""
    mixed = [
        f"{name!r} ({counted(count, 'cell')} of text)"
        for name, count in natives.items()
        if facts[name].kind == "number" and count
    ]
    if not mixed:
        return []
    return [
        f"Cells of numbers and numbers written as text are mixed, and both were read: "
        f"{listed(mixed, _MOST_NAMED)}."
    ]


def nearly_numbers(fact: ColumnFacts) -> bool:
    """Tell whether a column is numbers but for at most half of its cells."""
    return fact.kind == "text" and 0 < fact.not_numeric <= 0.5 * fact.filled


def _columns(facts: list[ColumnFacts]) -> str:
    names = listed([repr(fact.name) for fact in facts], _MOST_NAMED)
    return f"Column {names}" if len(facts) == 1 else f"Columns {names}"


def _example(fact: ColumnFacts) -> str:
    cell, value = max(fact.examples, key=lambda pair: len(pair[0]))
    return f"{_short(cell)!r} is {value:.12g}"


def _cells(fact: ColumnFacts) -> str:
    shown = [f"row {row:,}: {_short(cell)!r}" for row, cell in fact.odd_cells]
    more = fact.not_numeric - len(shown)
    return listed(shown, 3) + (f" and {more:,} more" if more > 0 else "")


def _short(cell: str) -> str:
    cell = re.sub(r"\s", " ", cell)  # a no-break blank would be told as an escape
    return cell if len(cell) <= _LONGEST else f"{cell[: _LONGEST - 1]}…"
