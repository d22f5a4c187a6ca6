"""How the numbers of a column are written: found column by column, each with its own marks.

Which of point and comma is the decimal mark follows from the cells, and where these allow both,
from the other columns of the file; `affixes` says what stands around the digits.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from stiknn_core.phrases import quoted
from stiknn_core.tables.cells.affixes import (
    CELL,
    FRACTION,
    LEAST_SHARE,
    affixes,
    are_fractions,
    nothing_booked,
    parts_of,
)
from stiknn_core.tables.cells.currencies import is_currency
from stiknn_core.tables.cells.moments import are_names
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
from stiknn_core.tables.cells.writing import plain_cells, plain_number

_SAMPLE: Final = 1_000
_LONGEST_CELL: Final = 80
_FLAGGED_NOTHING: Final = re.compile(r": ?[a-z]{1,3}")
"""How Eurostat writes that there is no value, and why."""

_ANY_BODY: Final = re.compile(
    "|".join(body_pattern(d, t) for d in DECIMALS for t in THOUSANDS if d != t)
)


def looks_numeric(cell: str) -> bool:
    """Tell whether a cell could be a number in any usual writing, its unit and sign apart."""
    with suppress(ValueError):  # the usual case, at a tenth of the time
        float(cell)
        return "_" not in cell and "nan" not in cell.lower()
    told = plain_number(cell)
    found = CELL.fullmatch(told) if len(told) <= _LONGEST_CELL else None
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
    read : bool
        Whether they are numbers at all.
    """

    style: NumberFormat
    pairs: tuple[tuple[Decimal, Thousands], ...]
    decides: bool
    read: bool = True


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
        pair, doubt = _choose(one.pairs, usual, separator, money=is_currency(one.style.unit))
        formats[name] = replace(one.style, decimal=pair[0], thousands=pair[1])
        if doubt and one.read and decimal is None and thousands is None:
            doubts.setdefault(doubt, []).append(name)
    return formats, [
        f"{'Column' if len(names) == 1 else 'Columns'} {quoted(names, 5)}: {doubt}"
        for doubt, names in doubts.items()
    ]


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
    pairs: Sequence[tuple[Decimal, Thousands]],
    usual: Decimal | None,
    separator: str | None,
    *,
    money: bool,
) -> tuple[tuple[Decimal, Thousands], str | None]:
    """Choose among marks that fit alike, and say where it was a guess.

    Three digits behind a mark are more than most currencies have decimals.
    """
    first = {mark: next((pair for pair in pairs if pair[0] == mark), None) for mark in DECIMALS}
    point, comma = first["."], first[","]
    if point is None or comma is None:
        return pairs[0], None
    if point[1] == comma[1]:  # no mark that could be either: "12", "1 234"
        return (comma if usual == "," else point), None
    if usual is not None:
        return (comma if usual == "," else point), None
    if point[1] == "":
        return (comma, _DOUBT["1.234 $"]) if money else (point, _DOUBT["1.234"])
    return (comma, _DOUBT["1,234;"]) if separator == ";" and not money else (point, _DOUBT["1,234"])


_DOUBT: Final = {
    "1.234": (
        "numbers such as 1.234 were read with a decimal point; if it marks thousands, set "
        "the decimal mark to a comma."
    ),
    "1.234 $": (
        "numbers such as 1.234 were read with the point as thousands mark; if it is a decimal "
        "point, set the decimal mark to a point."
    ),
    "1,234;": (
        "numbers such as 1,234 were read with a decimal comma; if it marks thousands, "
        "set the decimal mark to a point."
    ),
    "1,234": (
        "numbers such as 1,234 were read with the comma as thousands mark; if it is a decimal "
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
        return Seen(replace(plain, padded=_padded(cells)), pairs, decides)
    some = _different(cells)
    seen = _look(some, plain, allowed, native=native is not None)
    if len(cells) <= _SAMPLE:
        return seen
    tried = replace(seen.style, decimal=seen.pairs[0][0], thousands=seen.pairs[0][1])
    odd = parse_numbers(pd.Series(cells, dtype="str"), tried).not_numeric
    if odd.any() and seen.style.reads and odd.mean() < LEAST_SHARE:
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


def _padded(cells: pa.Array) -> bool:
    """Tell whether zeros stand in front of some numbers."""
    zeros = cells.filter(pc.starts_with(cells, "0"))
    return bool(pc.any(pc.match_substring_regex(zeros, r"^0\d")).as_py())


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
    told = plain_cells([cell for cell in cells if cell not in words])
    told = [cell for cell in told if cell not in words]
    flagged = tuple(sorted(cell for cell in set(told) if _FLAGGED_NOTHING.fullmatch(cell)))
    if flagged:
        told = [cell for cell in told if cell not in flagged]
        plain = replace(plain, missing_words=(*plain.missing_words, *flagged))
    with_digit = [
        cell for cell in told if len(cell) <= _LONGEST_CELL and any(map(str.isdigit, cell))
    ]
    if len(with_digit) < LEAST_SHARE * len(told) or not with_digit:
        return Seen(plain, tuple(allowed), decides=False)
    if are_fractions(with_digit):
        return Seen(replace(plain, fraction=True), tuple(allowed), decides=False)
    parts = [] if all(map(FRACTION.fullmatch, with_digit)) else parts_of(with_digit)
    style, fitting = affixes(parts, plain, native=native)
    pairs, most = _fitting((one["body"] for one in fitting), allowed)
    if most < LEAST_SHARE * len(told):
        # Not read; how the first numbers of the cells are written is asked for later.
        pairs, _ = _fitting(map(_first_body, with_digit), allowed)
        return Seen(replace(plain, mixed=style.mixed), pairs, decides=False, read=False)
    style = replace(
        style,
        brackets=any(one["open"] for one in fitting),
        trailing_minus=any(one["trail"] for one in fitting),
        zeros=nothing_booked(told, style.unit),
        padded=any(re.match(r"0\d", one["body"]) for one in fitting),
    )
    return Seen(style, pairs, decides=len({pair[0] for pair in pairs}) == 1)


_FRONT: Final = str.maketrans("23456789", "1" * 8)
_BEHIND: Final = str.maketrans("023456789", "1" * 9)


def _first_body(cell: str) -> str:
    found = re.search(r"[.,]?\d[\d.,' ]*", cell)
    return found[0].rstrip(".,' ") if found else ""


def _fitting(
    bodies: Iterable[str], allowed: Sequence[tuple[Decimal, Thousands]]
) -> tuple[tuple[tuple[Decimal, Thousands], ...], int]:
    """Return the marks with which most of some digits are numbers, and how many are."""
    # One digit is like another, but for a zero in front.
    shapes = Counter(body[:1].translate(_FRONT) + body[1:].translate(_BEHIND) for body in bodies)
    fits = {
        pair: sum(count for shape, count in shapes.items() if pattern.fullmatch(shape))
        for pair in allowed
        for pattern in [re.compile(body_pattern(*pair))]
    }
    most = max(fits.values())
    return tuple(pair for pair in allowed if fits[pair] == most), most
