"""What stands around the digits of a column's cells: nothing, one unit, or marks at some.

One cell is taken apart by one pattern into bracket, sign, what stands before, digits and what
stands behind. What is the same in every cell (a currency, a unit, a per cent sign) is left out
of the number and told.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Final

from stiknn_core.tables.cells.currencies import is_currency
from stiknn_core.tables.cells.moments import is_no_unit
from stiknn_core.tables.cells.numbers import NumberFormat

LEAST_SHARE: Final = 0.5
"""Of a column's different cells; with fewer numbers it is taken for words."""
_LONGEST_UNIT: Final = 20
_LONGEST_FLAG: Final = 2
_MOST_UNITS: Final = 6
_LEAST_ROWS_A_UNIT: Final = 3
_SHORTEST_WORD: Final = 3
_LONGEST_PLURAL: Final = 2

CELL: Final = re.compile(
    r"(?P<open>\(\s*)?(?P<sign>[+-]\s*)?(?P<before>[^\d\s.,'()+-][^\d()+-]{0,9}?)?\s*"
    r"(?P<inner>[+-]\s*)?(?P<body>[.,]?\d[\d.,' ]*?(?:[eEdD][+-]?\d+)?)"
    r"(?P<gap>\s*)(?P<after>[^\d\s.,'()+-][^()]*?|\([^\d()]+\))?(?P<trail>\s*-)?\s*(?P<close>\))?"
)
_MARKS: Final = re.compile(r"[*†‡§¹²³⁴⁵⁶⁷⁸⁹ᵃᵇᶜ]+|[<>≤≥~≈]=?|ca\.?|c\.")
_BOOKED: Final = re.compile(r"(?i)[cd]r\.?")
"""Credit and debit: a sign, and no unit."""
_NOTHING_BOOKED: Final = re.compile(r"(?P<before>\S{1,4}) *-|- *(?P<after>\S{1,4})")
_DENOMINATORS: Final = {2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 20, 32, 64, 100}
_MOST_DAYS: Final = 31
_MOST_MONTHS: Final = 12
FRACTION: Final = re.compile(r"[+-]?(?:\d+[ -])?(\d+)/(\d+)")
_WHOLE: Final = re.compile(r"[+-]?\d+")
_MAY_COUNT: Final = re.compile(r"\d{1,4}")


def parts_of(cells: Sequence[str]) -> list[re.Match[str]]:
    """Take cells apart; those that are no number with something around it are left out."""
    parts = [match for cell in cells if (match := CELL.fullmatch(cell))]
    parts = [one for one in parts if bool(one["open"]) == bool(one["close"])]
    affixed = [(one["after"] or "", _counts(one)) for one in parts]
    amounts = {(after, close): not is_no_unit(after, close=close) for after, close in set(affixed)}
    return [one for one, affix in zip(parts, affixed, strict=True) if amounts[affix]]


def _counts(one: re.Match[str]) -> bool:
    """Tell whether it may be an ordinal: 2e is one, 144066.95e is not."""
    return not one["gap"] and _MAY_COUNT.fullmatch(one["body"]) is not None


def affixes(
    parts: Sequence[re.Match[str]], plain: NumberFormat, *, native: bool
) -> tuple[NumberFormat, list[re.Match[str]]]:
    """Find what stands around the digits, and which of the parts are numbers with that.

    A unit has to stand at every text but zero (a native 0.05 among "5 %" is what it says).
    Letters before numbers are a currency or else a name, as in "P001", and the cells are no
    numbers.
    """
    counts: Counter[tuple[str, str]] = Counter()
    for one in parts:
        counts[(one["before"] or "").strip(), (one["after"] or "").strip()] += 1
    bare = counts.pop(("", ""), 0)
    if not counts:
        return plain, list(parts)
    around = {affix for pair in counts for affix in pair if affix}
    if any(_BOOKED.fullmatch(affix) for affix in around):
        return plain, [one for one in parts if not _affixed(one)]
    symbols = {affix for affix in around if _MARKS.fullmatch(affix)}
    if _are_bands(counts, bare, symbols):
        return plain, []
    zeros = sum(not re.search(r"[1-9]", one["body"]) for one in parts if not _affixed(one))
    words = around - symbols
    unit = _one_unit(words)
    if unit:
        marks = tuple(sorted(around - {unit}))
        before = any(pair[0] in words for pair in counts)
        lacking = bare + sum(count for pair, count in counts.items() if not words & {*pair})
        all_have = lacking <= zeros
        if unit in ("%", "‰") and all_have:
            scale = 0.01 if unit == "%" else 0.001
            found = replace(plain, unit=unit, marks=marks, scale=scale, bare=native)
            return found, list(parts)
        if is_currency(unit) or (not before and all_have and len(unit) <= _LONGEST_UNIT):
            bare_too = native or is_currency(unit)
            return replace(plain, unit=unit, marks=marks, bare=bare_too), list(parts)
    # The flags of statistics offices stand apart: "12.5 b".
    flags = {
        (one["after"] or "").strip()
        for one in parts
        if one["gap"] and len((one["after"] or "").strip("()")) <= _LONGEST_FLAG
        if one["after"] != "%"
    }
    few = bare >= LEAST_SHARE * len(parts)
    if around <= symbols or (few and around <= symbols | flags):
        return replace(plain, marks=tuple(sorted(around))), list(parts)
    units = {before if is_currency(before) else "" if before else after for before, after in counts}
    if (
        not bare
        and "" not in units
        and 1 < len(units) <= _MOST_UNITS
        and (_LEAST_ROWS_A_UNIT * len(units) <= len(parts))
    ):
        return replace(plain, mixed=tuple(sorted(units))), []
    return plain, [one for one in parts if not _affixed(one)]


def _are_bands(counts: Counter[tuple[str, str]], bare: int, symbols: AbstractSet[str]) -> bool:
    """Tell whether all cells are bounds, some from above and some from below: "<=50", ">50"."""
    sides = {mark[0] in "<≤" for mark in symbols if mark[0] in "<>≤≥"}
    return not bare and len(sides) == 2 and all(symbols & {*pair} for pair in counts)


def nothing_booked(cells: Sequence[str], unit: str) -> tuple[str, ...]:
    """Return the cells by which accountants say that there is nothing: a currency and a dash."""
    if not is_currency(unit):
        return ()
    found = [(cell, _NOTHING_BOOKED.fullmatch(cell)) for cell in cells if unit in cell]
    return tuple(cell for cell, one in found if one and unit in (one["before"], one["after"]))


def are_fractions(cells: Sequence[str]) -> bool:
    """Tell fractions, some of them whole, from pairs of measurements such as 120/80, and from days.

    Days and months are pairs too.
    """
    found = [FRACTION.fullmatch(cell) for cell in cells]
    whole = [one is None and _WHOLE.fullmatch(cell) for cell, one in zip(cells, found, strict=True)]
    pairs = [(int(one[1]), int(one[2])) for one in found if one]
    if len(pairs) + sum(map(bool, whole)) < len(cells) or 2 * len(pairs) < len(cells):
        return False
    below = {bottom for _, bottom in pairs}
    days = all(top <= _MOST_DAYS and bottom <= _MOST_MONTHS for top, bottom in pairs)
    padded = any(part[:1] == "0" != part for one in found if one for part in one.groups())
    if 0 in below or padded:
        return False
    if len(below) == 1:
        return not (days and any(top > bottom for top, bottom in pairs))
    return below <= _DENOMINATORS and all(top < bottom for top, bottom in pairs)


def _one_unit(words: AbstractSet[str]) -> str:
    """Return the one unit there is, the singular of one and its plural, or nothing."""
    if not words:
        return ""
    first = min(words, key=len)
    longest = len(first.rstrip(".")) + _LONGEST_PLURAL
    alike = all(
        word.rstrip(".") == first.rstrip(".")
        or (
            len(first) >= _SHORTEST_WORD
            and word.isalpha()
            and word.startswith(first)
            and len(word) <= longest
        )
        for word in words
    )
    return first if alike else ""


def _affixed(one: re.Match[str]) -> bool:
    return bool(one["before"] or one["after"])
