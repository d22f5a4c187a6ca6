"""Sentences about what the reading of numbers changed, lost or could not read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from stiknn_core.phrases import counted, listed, quoted
from stiknn_core.tables.cells.columns import ColumnFacts, is_plain
from stiknn_core.tables.cells.examples import shown

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


def unread_notices(facts: Iterable[ColumnFacts]) -> list[str]:
    """Name the columns of numbers that were not read for what stands around them."""
    mixed, others = [], []
    for fact in facts:
        if fact.kind == "text" and fact.style.mixed:
            mixed.append(f"{fact.name!r} ({quoted(fact.style.mixed, 3)})")
        elif fact.amounts and not nearly_numbers(fact):
            others.append(f"{fact.name!r} ({short(fact.odd_cells[0][1])!r})")
    told = [
        (mixed, "numbers with different units, which cannot be compared"),
        (others, "numbers with more around them than is left out by itself"),
    ]
    return [
        f"Not read as numbers: {listed(names, _MOST_NAMED)} "
        f"{'holds' if len(names) == 1 else 'hold'} {what}; choose how to read "
        f"{'it' if len(names) == 1 else 'them'}."
        for names, what in told
        if names
    ]


def rounded_notices(facts: Iterable[ColumnFacts]) -> list[str]:
    """Say where whole numbers are too long to be told apart as float64."""
    return [
        f"Column {fact.name!r} holds whole numbers beyond 2^53, which are rounded: of "
        f"{fact.distinct:,} different values {fact.rounded:,} are left; subtract the smallest "
        "one first if it is a feature."
        for fact in facts
        if fact.rounded
    ]


def nines_notices(facts: Iterable[ColumnFacts]) -> list[str]:
    """Say where numbers such as -9999 may stand for no value."""
    told = [f"{fact.name!r} {fact.nines[0]:g} ({fact.nines[1]:,}×)" for fact in facts if fact.nines]
    if not told:
        return []
    return [
        f"Far from all other numbers of their columns: {listed(told, _MOST_NAMED)}; where that "
        "means no value, count it as missing."
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
    cell, value = max(fact.examples, key=lambda pair: (not is_plain(pair[0]), len(pair[0])))
    return f"{short(cell)!r} is {shown(value)}"


def _cells(fact: ColumnFacts) -> str:
    told = [f"row {row:,}: {short(cell)!r}" for row, cell in fact.odd_cells]
    more = fact.not_numeric - len(told)
    return listed(told, 3) + (f" and {more:,} more" if more > 0 else "")


def short(cell: str) -> str:
    """Return a cell in a few letters of one line, for quoting."""
    cell = re.sub(r"\s", " ", cell)  # a no-break blank would be told as an escape
    return cell if len(cell) <= _LONGEST else f"{cell[: _LONGEST - 1]}…"
