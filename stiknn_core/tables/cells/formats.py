"""How the numbers of a column are written: found column by column, each with its own marks.

One cell is taken apart by one pattern into bracket, sign, what stands before, digits and what
stands behind. What is the same in every cell (a currency, a unit, a per cent sign) is left out
of the number and told; which of point and comma is the decimal mark follows from the cells,
and where these allow both, from the other columns of the file.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from stiknn_core.tables.cells.moments import are_names, is_no_unit
from stiknn_core.tables.cells.numbers import (
    DECIMALS,
    PLAIN,
    THOUSANDS,
    Decimal,
    NumberFormat,
    Thousands,
    arrow_text,
    body_pattern,
    is_text,
    parse_numbers,
    plain_values,
)
from stiknn_core.tables.cells.writing import is_currency, plain_marks

_SAMPLE: Final = 3_000
_LEAST_SHARE: Final = 0.5
"""Of a column's different cells; with fewer numbers it is taken for words."""
_LONGEST_UNIT: Final = 20
_LONGEST_FLAG: Final = 2
_MOST_UNITS: Final = 6
_LEAST_ROWS_A_UNIT: Final = 3
_LONGEST_CELL: Final = 80

_CELL: Final = re.compile(
    r"(?P<open>\(\s*)?(?P<sign>[+-]\s*)?(?P<before>[^\d\s.,'()+-][^\d()+-]{0,9}?)?\s*"
    r"(?P<inner>[+-]\s*)?(?P<body>[.,]?\d[\d.,' ]*?(?:[eEdD][+-]?\d+)?)"
    r"(?P<gap>\s*)(?P<after>[^\d\s.,'()+-][^()]*?)?(?P<trail>\s*-)?\s*(?P<close>\))?"
)
_MARKS: Final = re.compile(r"[*†‡§¹²³⁴⁵⁶⁷⁸⁹ᵃᵇᶜ]+|[<>≤≥~≈]=?|ca\.?|c\.")
_DENOMINATORS: Final = {2, 3, 4, 5, 6, 8, 10, 16, 20, 32, 64, 100}
_MOST_DAYS: Final = 31
_MOST_MONTHS: Final = 12
_FRACTION: Final = re.compile(r"[+-]?(?:\d+ )?(\d+)/(\d+)")


_ANY_BODY: Final = re.compile(
    "|".join(body_pattern(d, t) for d in DECIMALS for t in THOUSANDS if d != t)
)


def looks_numeric(cell: str) -> bool:
    """Tell whether a cell could be a number in any usual writing, its unit and sign apart."""
    with suppress(ValueError):  # the usual case, at a tenth of the time
        float(cell)
        return "_" not in cell and "nan" not in cell.lower()
    told = plain_marks(cell)
    found = _CELL.fullmatch(told) if len(told) <= _LONGEST_CELL else None
    if found is None or bool(found["open"]) != bool(found["close"]):
        return False
    around = [found["before"], found["after"]]
    known = all(not one or one in ("%", "‰") or is_currency(one) for one in around)
    return known and _ANY_BODY.fullmatch(found["body"]) is not None


@dataclass(frozen=True)
class Seen:
    """What the cells of one column allow.

    Attributes
    ----------
    style : NumberFormat
        Brackets, unit and the like; its marks are still to be chosen.
    pairs : tuple of (decimal, thousands)
        Marks with which most cells are numbers; several where the cells do not tell.
    decides : bool
        Whether they tell which decimal mark it is.
    """

    style: NumberFormat
    pairs: tuple[tuple[Decimal, Thousands], ...]
    decides: bool


def find_formats(
    columns: Sequence[pd.Series[Any]],
    separator: str | None,
    *,
    decimal: Decimal | None = None,
    thousands: Thousands | None = None,
    missing_words: tuple[str, ...] = PLAIN.missing_words,
    natives: Mapping[str, Any] = {},
) -> tuple[dict[str, NumberFormat], list[str]]:
    """Find how the numbers of each column are written, and say what was doubtful.

    Parameters
    ----------
    columns : sequence of Series
        Text columns are looked at; native ones need no format.
    separator : str or None
        Of the file: a semicolon is chosen by programs that need the comma for decimals.
    decimal, thousands, missing_words
        What a person insists on, for all columns.
    natives : mapping of column to (n,) bool
        Cells of text columns that were native numbers, which say nothing about writing.

    Returns
    -------
    formats : dict of column to NumberFormat
    doubts : list of str
        Sentences.
    """
    plain = NumberFormat(missing_words=missing_words)
    allowed = [
        (d, t)
        for d in DECIMALS
        for t in THOUSANDS
        if d != t and decimal in (None, d) and thousands in (None, t)
    ]
    seen: dict[str, Seen] = {}
    for column in columns:
        if is_text(column):
            name = str(column.name)
            seen[name] = _look_at(column, plain, allowed, natives.get(name))
    votes = Counter(one.pairs[0][0] for one in seen.values() if one.decides)
    usual = None if votes["."] == votes[","] else votes.most_common(1)[0][0]
    formats: dict[str, NumberFormat] = {}
    doubts: dict[str, list[str]] = {}
    for name, one in seen.items():
        pair, doubt = _choose(one.pairs, usual, separator)
        formats[name] = replace(one.style, decimal=pair[0], thousands=pair[1])
        if doubt and decimal is None and thousands is None:
            doubts.setdefault(doubt, []).append(name)
    return formats, list(doubts)


def native_writing(
    frame: pd.DataFrame,
    natives: Mapping[str, NDArray[np.bool_]],
    formats: Mapping[str, NumberFormat],
) -> pd.DataFrame:
    """Write native numbers among text with the decimal mark of that text.

    Python wrote them with a point; a column is read in one way.
    """
    changed = {}
    for name, native in natives.items():
        if formats[name].decimal == ",":
            cells = arrow_text(frame[name])
            commas = pc.replace_substring(cells, ".", ",")
            changed[name] = pd.Series(pc.if_else(pa.array(native), commas, cells), dtype="str")
    return frame.assign(**changed) if changed else frame


def _choose(
    pairs: Sequence[tuple[Decimal, Thousands]], usual: Decimal | None, separator: str | None
) -> tuple[tuple[Decimal, Thousands], str | None]:
    """Choose among marks that fit alike, and say where it was a guess."""
    first = {mark: next((pair for pair in pairs if pair[0] == mark), None) for mark in DECIMALS}
    point, comma = first["."], first[","]
    if point is None or comma is None:
        return pairs[0], None
    if point[1] == comma[1]:  # no mark that could be either: "12", "1 234"
        return (comma if usual == "," else point), None
    if usual is not None:
        return (comma if usual == "," else point), None
    if point[1] == "":
        return point, _DOUBT["1.234"] if separator == ";" else None
    return (comma, _DOUBT["1,234;"]) if separator == ";" else (point, _DOUBT["1,234"])


_DOUBT: Final = {
    "1.234": (
        "Numbers such as 1.234 were read with a decimal point; if it marks thousands, set "
        "the decimal mark to a comma."
    ),
    "1,234;": (
        "Numbers such as 1,234 were read with a decimal comma; if it marks thousands, "
        "set the decimal mark to a point."
    ),
    "1,234": (
        "Numbers such as 1,234 were read with the comma as thousands mark; if it is a decimal "
        "comma, set the decimal mark to a comma."
    ),
}


def _look_at(
    column: pd.Series[Any],
    plain: NumberFormat,
    allowed: Sequence[tuple[Decimal, Thousands]],
    native: Any,
) -> Seen:
    """Look at some different cells; at those that do not fit too, where some do not."""
    cells = arrow_text(column)
    if native is not None:
        cells = cells.filter(pa.array(~native))
    cells = pc.drop_null(cells)
    if native is None and are_names(cells, str(column.name)):
        return Seen(replace(plain, reads=False), tuple(allowed), decides=False)
    if (".", "") in allowed and _is_plain(cells):
        decides = _has_point(cells)
        pairs = tuple(pair for pair in allowed if pair[0] == "." or not decides)
        return Seen(plain, pairs, decides)
    some = _different(cells)
    seen = _look(some, plain, allowed, native=native is not None)
    if len(cells) <= _SAMPLE:
        return seen
    tried = replace(seen.style, decimal=seen.pairs[0][0], thousands=seen.pairs[0][1])
    odd = parse_numbers(pd.Series(cells, dtype="str"), tried).not_numeric
    if odd.any() and seen.style.reads and odd.mean() < _LEAST_SHARE:
        some += _different(cells.filter(pa.array(odd)))
        seen = _look(some, plain, allowed, native=native is not None)
    return seen


_COULD_BE_GROUPED: Final = r"^[+-]?([1-9]\d{0,2}(\.\d{3})+|\d+)$"


def _is_plain(cells: pa.Array) -> bool:
    """Tell whether all cells are numbers as computers write them, and no point parts thousands."""
    if plain_values(cells) is None:
        return False
    if not _has_point(cells):
        return True
    return not all(
        pc.all(pc.match_substring_regex(some, _COULD_BE_GROUPED)).as_py()
        for some in (cells.slice(0, 100), cells)
    )


def _has_point(cells: pa.Array) -> bool:
    return any(
        pc.any(pc.match_substring(some, ".")).as_py() for some in (cells.slice(0, 100), cells)
    )


def _different(cells: pa.Array) -> list[str]:
    """Return different cells from the beginning and all over the column."""
    head = cells.slice(0, _SAMPLE)
    if len(cells) > 2 * _SAMPLE:
        step = len(cells) // _SAMPLE
        head = pa.concat_arrays([head, cells.take(pa.array(range(0, len(cells), step)))])
    found: list[str] = pc.unique(head).to_pylist()
    return found


def _look(
    cells: Sequence[str],
    plain: NumberFormat,
    allowed: Sequence[tuple[Decimal, Thousands]],
    *,
    native: bool,
) -> Seen:
    words = set(plain.missing_words)
    told = [plain_marks(cell) for cell in cells if cell not in words]
    told = [cell for cell in told if cell not in words]
    nothing = Seen(plain, tuple(allowed), decides=False)
    with_digit = [
        cell for cell in told if len(cell) <= _LONGEST_CELL and any(map(str.isdigit, cell))
    ]
    if len(with_digit) < _LEAST_SHARE * len(told) or not with_digit:
        return nothing
    if all(_FRACTION.fullmatch(cell) for cell in with_digit):
        return replace(nothing, style=replace(plain, fraction=_are_fractions(with_digit)))
    parts = [match for cell in with_digit if (match := _CELL.fullmatch(cell))]
    parts = [one for one in parts if bool(one["open"]) == bool(one["close"])]
    amounts = {
        affix: not is_no_unit(affix[0] or "", close=not affix[1])
        for affix in {(one["after"], one["gap"]) for one in parts}
    }
    parts = [one for one in parts if amounts[one["after"], one["gap"]]]
    if len(parts) < _LEAST_SHARE * len(told):
        return nothing
    style, fitting = _affixes(parts, plain, native=native)
    if style.mixed:
        return replace(nothing, style=style)
    if len(fitting) < _LEAST_SHARE * len(told):
        return nothing
    style = replace(
        style,
        brackets=any(one["open"] for one in fitting),
        trailing_minus=any(one["trail"] for one in fitting),
    )
    bodies = [one["body"] for one in fitting]
    fits = {
        pair: sum(bool(pattern.fullmatch(body)) for body in bodies)
        for pair in allowed
        for pattern in [re.compile(body_pattern(*pair))]
    }
    most = max(fits.values())
    if most < _LEAST_SHARE * len(told):
        return nothing
    pairs = tuple(pair for pair in allowed if fits[pair] == most)
    return Seen(style, pairs, decides=len({pair[0] for pair in pairs}) == 1)


def _affixes(
    parts: Sequence[re.Match[str]], plain: NumberFormat, *, native: bool
) -> tuple[NumberFormat, list[re.Match[str]]]:
    """Find what stands around the digits: nothing, one unit or currency, or marks at some.

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
    zeros = sum(not re.search(r"[1-9]", one["body"]) for one in parts if not _affixed(one))
    if len(around) == 1:
        (unit,) = around
        before = any(pair[0] for pair in counts)
        all_have = bare <= zeros
        if unit in ("%", "‰") and all_have:
            scale = 0.01 if unit == "%" else 0.001
            return replace(plain, unit=unit, scale=scale, bare=native), list(parts)
        if is_currency(unit) or (not before and all_have and len(unit) <= _LONGEST_UNIT):
            return replace(plain, unit=unit, bare=native or is_currency(unit)), list(parts)
    symbols = {affix for affix in around if _MARKS.fullmatch(affix)}
    # The flags of statistics offices stand apart: "12.5 b".
    flags = {
        (one["after"] or "").strip()
        for one in parts
        if one["gap"] and len(one["after"] or "") <= _LONGEST_FLAG and one["after"] != "%"
    }
    few = bare >= _LEAST_SHARE * len(parts)
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


def _affixed(one: re.Match[str]) -> bool:
    return bool(one["before"] or one["after"])


def _are_fractions(cells: Sequence[str]) -> bool:
    """Tell fractions from pairs of measurements such as 120/80, and from days and months."""
    found = [_FRACTION.fullmatch(cell) for cell in cells]
    pairs = [(int(one[1]), int(one[2])) for one in found if one]
    below = {bottom for _, bottom in pairs}
    days = all(top <= _MOST_DAYS and bottom <= _MOST_MONTHS for top, bottom in pairs)
    if 0 in below or any(part.startswith("0") for one in found if one for part in one.groups()):
        return False
    if len(below) == 1:
        return not (days and any(top > bottom for top, bottom in pairs))
    return below <= _DENOMINATORS and all(top < bottom for top, bottom in pairs)
