"""Numbers with more around them than is read by itself, such as "12.5 ± 0.3": asked about.

Such a column is no number as it stands, and words would hide that. What begins with digits but
names something is left alone: dates, ranges, versions, numbers to dial, addresses.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import pandas as pd

from stiknn_core.tables.cells.affixes import parts_of
from stiknn_core.tables.cells.currencies import is_currency
from stiknn_core.tables.cells.formats import looks_numeric
from stiknn_core.tables.cells.moments import is_no_unit
from stiknn_core.tables.cells.numbers import NumberFormat, parse_numbers
from stiknn_core.tables.cells.spans import are_spans
from stiknn_core.tables.cells.writing import plain_number

_LEAST_SHARE: Final = 0.5
_MOST_ENDS: Final = 6
_LONGEST_CELL: Final = 80
_LONGEST_END: Final = 20
_MOST_ODD: Final = 100
_MOST_CELLS: Final = 3_000
_MOST_DAYS: Final = 31
_AMOUNT: Final = re.compile(r"(?P<before>\D*?)(?P<body>[.,]?\d(?:[\d.,' _˙]*\d)?)(?P<end>.*)", re.S)
_DIGITS: Final = re.compile(
    r"[.,]?\d+|\d{1,3}(?:[.,' _˙]\d{2,3})*(?:[.,' _˙]\d*)?|\d+[.,]\d*|\d'\d{1,2}"
)
_AN_AMOUNT: Final = re.compile(r"^\d{1,3}(?:[.,' ]\d{3})+(?!\d)|[.,]\d\d$")
_A_NAME: Final = re.compile(r"[^\W\d_a-z]|[^\W\d_]\S{1,4}")
_MORE: Final = {
    "±": re.compile(r" ?(?:±|\+/-|\+-) ?[\d.,]+.*"),
    "()": re.compile(r"\D{0,9}[(\[][^()\[\]]*[)\]]\D{0,9}"),
    ":": re.compile(r" ?: ?\d{1,2}(?::\d{2})?(?:\.\d+)?"),
    "°": re.compile(r" ?°.*"),
    "e": re.compile(r" ?[eE][-+]?\d{1,3}"),
    "/": re.compile(r" ?/ ?\d{1,4}"),
    "two units": re.compile(
        r" ?(?:ft|feet|lbs?|st|m|km|kg)\.?,? \d{1,3} ?(?:ins?|inch(?:es)?|oz|lbs?|cm|m|g)\.?"
    ),
}
"""Ends that hold digits, by what is common to them."""
_BARE: Final = re.compile(r"[-+]? ?[\d.,' ]+(?:[eEdD][-+]?\d+)?")
_SYMBOLS: Final = re.compile(r"[^\w\s]{0,3}")
_THOUSANDS: Final = {
    "k": 1e3, "tsd": 1e3, "thousand": 1e3, "m": 1e6, "mn": 1e6, "mio": 1e6, "mln": 1e6,
    "million": 1e6, "millions": 1e6, "b": 1e9, "bn": 1e9, "mrd": 1e9, "mld": 1e9, "billion": 1e9,
    "billions": 1e9, "lakh": 1e5, "lakhs": 1e5, "lac": 1e5, "crore": 1e7, "crores": 1e7,
    "cr": 1e7, "万": 1e4, "亿": 1e8, "億": 1e8,
}  # fmt: skip
_UP_AND_DOWN: Final = {"△": -1.0, "▲": 1.0, "▼": -1.0}
_BOOKED: Final = {"credit": ("cr", "cr."), "debit": ("dr", "dr.")}


def hold_amounts(cells: Sequence[str]) -> bool:
    """Tell whether most of some different cells are numbers with more around them."""
    if are_spans(list(cells)):
        return True
    told = [plain_number(cell) for cell in cells]
    ends = [_end(cell) for cell in told]
    amounts = [end for end in ends if end is not None]
    if len(amounts) < _LEAST_SHARE * len(told) or not any(amounts):
        return False
    return len({end for end in amounts if end}) <= _MOST_ENDS


def _end(cell: str) -> str | None:
    """Return what kind of thing stands around a number; None where the cell is no amount."""
    if _BARE.fullmatch(cell) and looks_numeric(cell):
        return ""
    found = _AMOUNT.fullmatch(cell) if len(cell) <= _LONGEST_CELL else None
    if found is None:
        return None
    body = found["body"]
    if not _DIGITS.fullmatch(body):
        return None
    before, end = found["before"].strip(" '+-"), found["end"].strip()
    name = before.lstrip("([△▲ ")
    if not end.strip(")]- ") and _AN_AMOUNT.search(body) and _A_NAME.fullmatch(name):
        return name  # a currency that is not known here
    if not _SYMBOLS.fullmatch(before) and not is_currency(before) and len(before) > 1:
        return None
    for kind, pattern in _MORE.items():
        if pattern.fullmatch(end):
            return kind if kind != "/" or _is_no_day(body, end.strip("/ ")) else None
    if (
        len(end) > _LONGEST_END
        or re.search(r"\d", end)
        or is_no_unit(end.strip(" -/."), close=True)
    ):
        return None
    if before[:1].isalpha() and not is_currency(before) and not found["before"].endswith(" "):
        return None  # as in "A12" and "t5"
    return end or before or ("_" if re.search("[_˙]", body) else None)


def _is_no_day(*pair: str) -> bool:
    """Tell a pair of measurements such as 120/80 from a day and a month."""
    return any(not part.isdigit() or int(part) > _MOST_DAYS for part in pair)


def ways_to_read(column: pd.Series[Any], style: NumberFormat) -> dict[str, NumberFormat]:
    """Return formats that read such a column, by a name for each."""
    cells = column.dropna().unique()[:_MOST_CELLS]
    parts = parts_of([plain_number(str(cell)) for cell in cells])
    style = replace(
        style,
        mixed=(),
        unit="",
        marks=(),
        brackets=any(one["open"] for one in parts),
        trailing_minus=any(one["trail"] for one in parts),
    )
    found = span_ways(column, style)
    for name, factors, left_out in _factors(parts):
        other = replace(style, factors=factors, marks=left_out)
        if not parse_numbers(column, other).not_numeric.any():
            found[name] = other
    first = replace(style, first=True)
    odd = parse_numbers(column, first).not_numeric
    words = tuple(dict.fromkeys(str(cell) for cell in column[odd]))
    if not odd.all() and len(words) <= _MOST_ODD:
        missing = (*style.missing_words, *words)
        found["the first number of each cell"] = replace(first, missing_words=missing)
    return found


def span_ways(column: pd.Series[Any], style: NumberFormat) -> dict[str, NumberFormat]:
    """Return the format that counts spans of time, if all cells are such."""
    other = replace(style, span=True)
    read = parse_numbers(column, other)
    some = [str(cell) for cell in column[~read.missing].unique()[:_MOST_ODD]]
    clear = not read.not_numeric.any() and are_spans(some)
    return {"spans of time, in seconds": other} if clear else {}


def _factors(
    parts: Sequence[re.Match[str]],
) -> list[tuple[str, tuple[tuple[str, float], ...], tuple[str, ...]]]:
    """Return what the words at numbers may multiply them with, and what may be left out.

    The first where all are known words, the last where one stands at every number.
    """
    stand = [{(one[side] or "").strip() for side in ("before", "after")} for one in parts]
    around = sorted(set().union(*stand) - {""})
    rest = tuple(word for word in around if is_currency(word))
    words = [word for word in around if word not in rest]
    if not words:
        return []
    left_out: list[tuple[str, tuple[tuple[str, float], ...], tuple[str, ...]]] = []
    if len(words) == 1 and all(words[0] in texts for texts in stand):
        left_out.append((f"numbers, {words[0]} left out", (), tuple(around)))
    if all(word.lower().rstrip(".") in _THOUSANDS for word in words) and words != ["CR"]:
        told = tuple((word, _THOUSANDS[word.lower().rstrip(".")]) for word in words)
        said = " and ".join(f"{word} times {factor:,g}" for word, factor in told)
        return [(said, told, rest), *left_out]
    if set(words) <= _UP_AND_DOWN.keys():
        # Alone a triangle is the minus of Japan, beside the other one it may point up.
        both = {"▲", "▼"} <= {*words}
        signs = tuple((word, _UP_AND_DOWN[word] if both else -1.0) for word in words)
        down = ", ".join(word for word, sign in signs if sign < 0)
        return [(f"numbers, {down} as minus", signs, rest)]
    if all(any(word.lower() in known for known in _BOOKED.values()) for word in words):
        return [
            (
                f"numbers, {side} ({', '.join(minus)}) as minus",
                tuple((word, -1.0 if word in minus else 1.0) for word in words),
                rest,
            )
            for side, known in _BOOKED.items()
            if (minus := [word for word in words if word.lower() in known])
        ]
    return left_out
