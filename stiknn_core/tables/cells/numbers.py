"""Numbers written as text: decimal marks, thousands marks, units, missing-value words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from stiknn_core.phrases import listed
from stiknn_core.tables.cells.spans import seconds_of
from stiknn_core.tables.cells.writing import plain_column
from stiknn_core.types import FloatArray
from stiknn_core.validation.sentinels import is_sentinel

Decimal = Literal[".", ","]
Thousands = Literal["", ",", ".", " ", "'"]
DECIMALS: Final[tuple[Decimal, ...]] = (".", ",")
THOUSANDS: Final[tuple[Thousands, ...]] = ("", ",", ".", " ", "'")

TEXT_MISSING_WORDS: tuple[str, ...] = (
    "NA", "N/A", "n/a", "#N/A", "NaN", "nan", "NAN", "-nan", "NULL", "null", "?", "<NA>", "NaT",
    "#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!",
)  # fmt: skip
"""Words that stand for a missing value in a text feature ("None" may be a category)."""

MISSING_WORDS: tuple[str, ...] = (
    *TEXT_MISSING_WORDS, "None", "-", ".", "none", "NONE", "na", "n.a.", "N.A.", "n.d.", "nd",
    "k.A.", "k. A.", "(null)", "<null>", "nil", "NIL", "missing", "Missing", "MISSING", "#N/A N/A",
    # What statistics offices write: unknown, none, secret, not reliable, not applicable.
    "..", "...", "…", ":", "\u2013", "\u2014", "\u2212", "--", "---", "----",
    "-----", "/", "x", "X", "*",
    "\u2010", "\u2011", "\u2012", "\uff0d", "•", "·", "[c]", "[x]", "[z]", "(D)", "(X)", "(NA)",
    # Of databases, of C, and of spreadsheets in other languages.
    "\\N", "1.#QNAN", "1.#IND", "-1.#IND", "#NV", "#WERT!", "#BEZUG!", "#ZAHL!", "#N/D", "#VALEUR!",
    "#NOM?", "#NOMBRE!", "#NOMBRE?", "#VALOR!", "#¡VALOR!", "#¡DIV/0!", "#VALORE!", "#NOME?",
    "#RIF!", "#WAARDE!", "#SPILL!", "#CALC!",
)  # fmt: skip
"""Words that stand for a missing value in a column of numbers."""


@dataclass(frozen=True)
class NumberFormat:
    """How the numbers of a column are written.

    Attributes
    ----------
    decimal : "." or ","
    thousands : "", ",", ".", " " or "'"
        Mark between groups of digits; "" where there is none.
    missing_words : tuple of str
        Words that mean "no value" in a column of numbers.
    unit : str
        What stands before or behind the numbers and is left out: a currency, a unit, "%".
    scale : float
        Factor of numbers that carry the unit: 0.01 for per cent.
    bare : bool
        Whether numbers other than 0 may lack the unit.
    brackets : bool
        Whether (5) means -5.
    trailing_minus : bool
        Whether 5- means -5.
    marks : tuple of str
        Flags at some numbers that are left out, such as "*", "<" or the "b" of "12.5 b".
    fraction : bool
        Whether 3/4 means 0.75.
    factors : tuple of (text, number)
        What may stand at a number and multiplies it: 1000 for the "k" of "12.5k", -1 for "CR".
    zeros : tuple of str
        Cells that mean 0, such as the "$ -" of accountants.
    either : bool
        Whether point and comma both mark decimals, and nothing marks thousands.
    padded : bool
        Whether zeros stand in front of some numbers, as in codes; they say nothing to a number.
    span : bool
        Whether cells are spans of time, such as 57:30, and are counted in seconds.
    first : bool
        Whether only the first number of each cell counts, whatever else stands there.
    mixed : tuple of str
        Several units, so that the numbers cannot be compared and are not read.
    reads : bool
        False leaves all cells words, whatever they look like.
    """

    decimal: Decimal = "."
    thousands: Thousands = ""
    missing_words: tuple[str, ...] = MISSING_WORDS
    unit: str = ""
    scale: float = 1.0
    bare: bool = True
    brackets: bool = False
    trailing_minus: bool = False
    marks: tuple[str, ...] = ()
    fraction: bool = False
    factors: tuple[tuple[str, float], ...] = ()
    zeros: tuple[str, ...] = ()
    either: bool = False
    padded: bool = False
    span: bool = False
    first: bool = False
    mixed: tuple[str, ...] = ()
    reads: bool = True

    @property
    def guess(self) -> str:
        """What was done to the numbers besides reading their digits; empty if nothing was."""
        said = []
        if self.scale != 1:
            said.append(f"{self.unit} divided by {round(1 / self.scale)}")
        if self.brackets:
            said.append("brackets read as minus")
        left_out = [self.unit] if self.unit and self.scale == 1 else []
        if left_out or self.marks:
            said.append(f"{', '.join([*left_out, *self.marks])} left out")
        if self.fraction:
            said.append("fractions divided")
        if self.factors:
            said.append(listed([f"{text} times {factor:,g}" for text, factor in self.factors], 6))
        if self.zeros:
            said.append(f"{', '.join(self.zeros)} read as 0")
        if self.either:
            said.append("point and comma read as decimal marks")
        if self.padded:
            said.append("zeros in front left out")
        if self.span:
            said.append("spans of time counted in seconds")
        if self.first:
            said.append("only the first number read")
        return ", ".join(said)

    @property
    def plain(self) -> bool:
        """Whether a computer writes numbers so, and they can be read in one step."""
        return (
            self.decimal == "." and self.reads and not self.guess and not self.trailing_minus
            and self.missing_words == MISSING_WORDS
        )  # fmt: skip


PLAIN: Final = NumberFormat()


@dataclass(frozen=True, eq=False)
class Numbers:
    """A column read as numbers.

    Attributes
    ----------
    values : (n,) float64
        NaN where the cell is missing or is no number; infinite where it says so.
    missing : (n,) bool
        Empty cells, missing-value words and numbers that only stand for a missing value.
    not_numeric : (n,) bool
        Cells with something in them that is no number.
    """

    values: FloatArray
    missing: NDArray[np.bool_]
    not_numeric: NDArray[np.bool_]


def is_text(column: pd.Series[Any]) -> bool:
    """Tell whether a column of a table holds text (else it holds native numbers)."""
    return isinstance(column.dtype, pd.StringDtype)


def arrow_text(column: pd.Series[Any]) -> pa.Array:
    """Return a text column as one Arrow array, without copying where possible."""
    array = pa.array(column.array, type=pa.large_string())
    return array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array


def is_missing(column: pd.Series[Any], words: Sequence[str]) -> NDArray[np.bool_]:
    """Return which cells are empty, NaN or one of ``words``."""
    if not is_text(column):
        return np.asarray(column.isna(), dtype=bool)
    return np.asarray(_blank(arrow_text(column), words))


def _blank(array: pa.Array, words: Sequence[str]) -> pa.Array:
    """Return which cells are empty or one of ``words``."""
    return pc.is_in(array, value_set=pa.array([None, *words], type=array.type))


_FEW: Final = 100
_MANY: Final = 20_000
_ZERO: Final = r"^[^1-9]*$"


def body_pattern(decimal: Decimal, thousands: Thousands) -> str:
    """Return the regular expression of digits and their marks, groups of Indian writing too."""
    mark = re.escape(decimal)
    tail = rf"(?:{mark}\d*)?(?:[eEdD][+-]?\d+)?"
    plain = rf"\d+{tail}|{mark}\d+(?:[eEdD][+-]?\d+)?"
    if not thousands:
        return f"(?:{plain})"
    between = re.escape(thousands)
    # No group begins with zero: 0,123 is a decimal number.
    groups = rf"[1-9]\d{{0,2}}(?:{between}\d{{3}})+|[1-9]\d?(?:{between}\d{{2}})+{between}\d{{3}}"
    parted = rf"|\d{{1,3}}(?: \d{{3}})*{mark}(?:\d{{3}} )+\d{{1,3}}" if thousands == " " else ""
    return f"(?:(?:{groups}){tail}|{plain}{parted})"


def number_pattern(style: NumberFormat) -> str:
    """Return the regular expression of one number in the given writing."""
    body = rf"(?:{body_pattern(style.decimal, style.thousands)}|(?i:inf|infinity))"
    if style.fraction:
        body = r"(?:(?:\d+[ -])?\d+/\d+|\d+)"
    texts = (style.unit, *style.marks, *(text for text, _ in style.factors))
    around = "|".join(re.escape(text) for text in sorted(texts, key=len, reverse=True) if text)
    around = rf"(?: ?(?:{around}) ?)*" if around else ""
    behind = " ?-?" if style.trailing_minus else ""
    signed = rf"(?:[+-] ?{around}|{around}[+-] ?|{around}){body}{around}{behind}"
    bracketed = rf"|\( ?{around}{body}{around} ?\){around}" if style.brackets else ""
    return f"^(?:{signed}{bracketed})$"


def parse_numbers(column: pd.Series[Any], style: NumberFormat) -> Numbers:
    """Read a column of text, numbers or booleans as numbers.

    O(n); a cell that is no number is flagged, never silently dropped.
    """
    n = len(column)
    if not is_text(column):
        return _told(column.to_numpy(dtype=np.float64, na_value=np.nan), np.zeros(n, dtype=bool))
    array = arrow_text(column)
    if style.plain and (values := plain_values(array)) is not None:
        return _told(values, np.zeros(n, dtype=bool))
    # Words and codes repeat; then each different one is looked at once.
    if n > _MANY and len(pc.unique(array.slice(0, _MANY))) < _MANY // 4:
        encoded = array.dictionary_encode()
        codes = np.asarray(pc.fill_null(encoded.indices, len(encoded.dictionary)))
        told = _parsed(pa.concat_arrays([encoded.dictionary, pa.nulls(1, array.type)]), style)
        return Numbers(told.values[codes], told.missing[codes], told.not_numeric[codes])
    return _parsed(array, style)


def plain_values(array: pa.Array) -> FloatArray | None:
    """Return cells as numbers in one step, or None; the first few tell soonest that it fails."""
    try:
        pc.cast(array.slice(0, _FEW), pa.float64())
        return _floats(pc.cast(array, pa.float64()))
    except pa.ArrowInvalid:
        return None


def _parsed(array: pa.Array, style: NumberFormat) -> Numbers:
    nothing = pa.scalar(None, array.type)
    missing = _blank(array, style.missing_words)
    array = plain_column(array)
    missing = pc.or_(missing, _blank(array, style.missing_words))
    told = pc.if_else(missing, nothing, array)
    if style.span:
        values, gone = seconds_of(told), np.asarray(missing)
        return Numbers(values, gone, ~gone & np.isnan(values))
    if style.either:
        told = pc.replace_substring(told, ",", ".")
    zero = pc.is_in(told, value_set=pa.array(style.zeros, array.type)) if style.zeros else None
    if zero is not None:
        told = pc.if_else(zero, pa.scalar("0", array.type), told)
    if style.first:
        told = _first(told, style)
    if style.reads:
        numeric = pc.fill_null(pc.match_substring_regex(told, number_pattern(style)), False)
    else:
        numeric = pa.array(np.zeros(len(array), dtype=bool))
    if style.unit and not style.bare:
        # Beside "5 %", a lone "5" could be as much or a hundred times that; 0 is 0.
        nought = pc.match_substring_regex(array, _ZERO)
        with_unit = pc.or_(pc.match_substring(array, style.unit), nought)
        numeric = pc.and_(numeric, pc.fill_null(with_unit, False))
    told = pc.if_else(numeric, told, nothing)
    values = _divided(told) if style.fraction else _values(told, style)
    gone = np.asarray(missing)
    found = _told(values, ~gone & ~np.asarray(numeric))
    return Numbers(found.values, found.missing & ~found.not_numeric, found.not_numeric)


def _first(told: pa.Array, style: NumberFormat) -> pa.Array:
    """Return the first number of each cell; a cell without one as it is."""
    body = body_pattern(style.decimal, style.thousands)
    found = pc.extract_regex(told, rf"^(?:[^0-9.,+-]|[.,] )*(?P<sign>[+-]?) ?(?P<body>{body})")
    sign, number = found.flatten()
    joined = pc.binary_join_element_wise(sign, number, pa.scalar("", told.type))
    return pc.coalesce(joined, told)


def _told(values: FloatArray, not_numeric: NDArray[np.bool_]) -> Numbers:
    marks = is_sentinel(values)
    if marks.any():
        values = np.where(marks, np.nan, values)
    return Numbers(values, np.isnan(values), not_numeric)


def _values(told: pa.Array, style: NumberFormat) -> FloatArray:
    """Return cells that match the pattern of a style as numbers."""
    scaled = pc.match_substring(told, style.unit) if style.scale != 1 else None
    factors = np.ones(len(told))
    for text, factor in style.factors:
        there = pc.match_substring_regex(told, _alone(text))
        factors[np.asarray(pc.fill_null(there, False))] = factor
    texts = {style.unit, *style.marks, *(text for text, _ in style.factors)} - {""}
    for text in sorted(texts, key=len, reverse=True):
        told = pc.replace_substring(told, text, "")
    negative = None
    if style.brackets or style.trailing_minus:
        negative = pc.match_substring_regex(told, r"^ *\(|- *$")
        told = pc.replace_substring_regex(told, r"[()]|- *$", "")
    told = pc.replace_substring(told, " ", "")
    if style.thousands:
        told = pc.replace_substring(told, style.thousands, "")
    if style.decimal != ".":
        told = pc.replace_substring(told, style.decimal, ".")
    told = pc.replace_substring_regex(told, "[dD]([+-]?[0-9])", r"e\1")
    values = _floats(pc.cast(told, pa.float64()))
    if negative is not None:
        values = np.where(np.asarray(pc.fill_null(negative, False)), -values, values)
    if scaled is not None:
        # Dividing is exact where it can be: 94.1 / 100 is the number nearest to 0.941.
        values = np.where(
            np.asarray(pc.fill_null(scaled, False)), values / round(1 / style.scale), values
        )
    return values * factors if style.factors else values


def _alone(text: str) -> str:
    """Return the regular expression of a text at a number that is no part of another word."""
    return rf"(?:^|[^\pL]){re.escape(text)}(?:$|[^\pL])"


def _divided(told: pa.Array) -> FloatArray:
    parts = pc.extract_regex(
        told,
        r"^(?P<sign>[+-]?)(?:(?P<whole>\d+)(?:[ -]|$))?(?:(?P<top>\d+)/(?P<bottom>\d+))?$",
    )
    sign, whole, top, bottom = (
        pc.if_else(pc.equal(cells, ""), pa.scalar(nothing, cells.type), cells)
        for cells, nothing in zip(parts.flatten(), ("", "0", "0", "1"), strict=True)
    )
    minus = np.asarray(pc.fill_null(pc.equal(sign, "-"), False))
    with np.errstate(divide="ignore", invalid="ignore"):
        size = _floats(pc.cast(whole, pa.float64())) + (
            _floats(pc.cast(top, pa.float64())) / _floats(pc.cast(bottom, pa.float64()))
        )
    return np.where(minus, -size, size)


def _floats(array: pa.Array) -> FloatArray:
    """Return an Arrow column of numbers as float64 with NaN for nulls."""
    return np.array(array.to_numpy(zero_copy_only=False), dtype=np.float64)
