"""Numbers written as text: decimal marks, thousands marks, missing-value words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from stiknn_core.types import FloatArray

Decimal = Literal[".", ","]
Thousands = Literal["", ",", ".", " ", "'"]

MISSING_WORDS: tuple[str, ...] = (
    "NA", "N/A", "n/a", "#N/A", "NaN", "nan", "NAN", "-nan", "NULL", "null", "None", "?", "-",
    ".", "<NA>", "NaT", "#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!",
)  # fmt: skip
"""Words that stand for a missing value in a column of numbers."""

TEXT_MISSING_WORDS: tuple[str, ...] = tuple(
    word for word in MISSING_WORDS if word not in ("None", "-", ".")
)
"""Words that stand for a missing value in a text feature ("None" may be a category)."""


_SAMPLE_CELLS = 400_000


@dataclass(frozen=True)
class NumberFormat:
    """How numbers are written in a file.

    Attributes
    ----------
    decimal : "." or ","
    thousands : "", ",", ".", " " or "'"
        Mark between groups of three digits; "" where there is none.
    missing_words : tuple of str
        Words that mean "no value" in a column of numbers.
    """

    decimal: Decimal = "."
    thousands: Thousands = ""
    missing_words: tuple[str, ...] = MISSING_WORDS


@dataclass(frozen=True, eq=False)
class Numbers:
    """A column read as numbers.

    Attributes
    ----------
    values : (n,) float64
        NaN where the cell is missing or is no number; infinite where it says so.
    missing : (n,) bool
        Empty cells and missing-value words.
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


def number_pattern(style: NumberFormat) -> str:
    """Return the regular expression of one number in the given writing."""
    mark = re.escape(style.decimal)
    tail = rf"(?:{mark}\d*)?(?:[eE][+-]?\d+)?"
    plain = rf"(?:\d+{tail}|{mark}\d+(?:[eE][+-]?\d+)?)"
    if style.thousands:
        plain = rf"(?:{plain}|\d{{1,3}}(?:{re.escape(style.thousands)}\d{{3}})+{tail})"
    return rf"^[+-]?(?:{plain}|(?i:inf|infinity|∞))$"


def parse_numbers(column: pd.Series[Any], style: NumberFormat) -> Numbers:
    """Read a column of text, numbers or booleans as numbers.

    O(n); a cell that is no number is flagged, never silently dropped.
    """
    n = len(column)
    if not is_text(column):
        values = column.to_numpy(dtype=np.float64, na_value=np.nan)
        return Numbers(values, np.isnan(values), np.zeros(n, dtype=bool))
    array = arrow_text(column)
    if style.decimal == "." and style.missing_words == MISSING_WORDS:
        # Plain numbers are the usual case, and a column without doubt is read in one step.
        try:
            values = _floats(pc.cast(array, pa.float64()))
        except pa.ArrowInvalid:
            pass
        else:
            return Numbers(values, np.isnan(values), np.zeros(n, dtype=bool))
    missing = _blank(array, style.missing_words)
    nothing = pa.scalar(None, array.type)
    told = pc.if_else(missing, nothing, array)
    numeric = pc.fill_null(pc.match_substring_regex(told, number_pattern(style)), False)
    told = pc.if_else(numeric, told, nothing)
    if style.thousands:
        told = pc.replace_substring(told, style.thousands, "")
    if style.decimal != ".":
        told = pc.replace_substring(told, style.decimal, ".")
    if pc.any(pc.match_substring(told, "∞")).as_py():
        told = pc.replace_substring(told, "∞", "inf")
    values = _floats(pc.cast(told, pa.float64()))
    gone = np.asarray(missing)
    return Numbers(values, gone, ~gone & ~np.asarray(numeric))


def _floats(array: pa.Array) -> FloatArray:
    """Return an Arrow column of numbers as float64 with NaN for nulls."""
    return np.array(array.to_numpy(zero_copy_only=False), dtype=np.float64)


_POINT = r"^[+-]?\d*\.\d+([eE][+-]?\d+)?$"
_COMMA = r"^[+-]?\d*,\d+([eE][+-]?\d+)?$"
_GROUPED = r"^[+-]?[1-9]\d{0,2}(%s\d{3})+$"
_GROUPED_TWICE = r"^[+-]?[1-9]\d{0,2}(,\d{3}){2,}$"
_GROUPED_POINT = r"^[+-]?[1-9]\d{0,2}(%s\d{3})+\.\d+$"
_GROUPED_COMMA = r"^[+-]?[1-9]\d{0,2}(%s\d{3})+,\d+$"


def _count(cells: pa.Array, pattern: str) -> int:
    return int(pc.sum(pc.match_substring_regex(cells, pattern)).as_py() or 0)


def _sample(columns: Sequence[pd.Series[Any]]) -> pa.Array:
    """Return cells of all text columns as one array: a few patterns then cost a few calls."""
    texts = [arrow_text(column) for column in columns if is_text(column)]
    most = max(_SAMPLE_CELLS // max(len(texts), 1), 100)
    cells = [text.slice(0, most) for text in texts]
    return pc.drop_null(pa.concat_arrays(cells)) if cells else pa.array([], pa.large_string())


def detect_format(
    columns: Sequence[pd.Series[Any]],
    separator: str | None,
    *,
    decimal: Decimal | None = None,
    thousands: Thousands | None = None,
    missing_words: tuple[str, ...] = MISSING_WORDS,
) -> tuple[NumberFormat, str | None]:
    """Find how numbers are written in the text columns of a file, and say what was doubtful.

    The column separator says where commas are at home. A thousands mark is only taken where it
    turns a whole column into numbers: one ``1,234.5`` among words does not make the words go away.
    """
    cells = _sample(columns)
    doubt = None
    if decimal is None:
        decimal, doubt = _find_decimal(cells, separator)
    if thousands is None:
        thousands = _find_thousands(columns, cells, NumberFormat(decimal, "", missing_words))
    return NumberFormat(decimal, thousands, missing_words), doubt


def _find_decimal(cells: pa.Array, separator: str | None) -> tuple[Decimal, str | None]:
    points, commas = _count(cells, _POINT), _count(cells, _COMMA)
    if not commas:
        with_group = sum(_count(cells, _GROUPED_COMMA % mark) for mark in (r"\.", " ", "'"))
        if with_group > points:
            return ",", None
        if separator == ";" and points and points == _count(cells, _GROUPED % r"\."):
            return ".", (
                "Numbers such as 1.234 were read with a decimal point; if it marks thousands, set "
                "the decimal mark to a comma."
            )
        return ".", None
    if _count(cells, _GROUPED_COMMA % r"\."):
        return ",", None
    english = _GROUPED_POINT % ",", _GROUPED_TWICE
    if points >= commas or any(_count(cells, pattern) for pattern in english):
        return ".", None
    if commas == _count(cells, _GROUPED % ","):
        # Every comma could be a thousands mark. Between commas or tabs English writing is
        # likelier; a semicolon is chosen by programs that need the comma for decimals.
        if separator == ";":
            return ",", (
                "Numbers such as 1,234 were read with a decimal comma; if it marks thousands, "
                "set the decimal mark to a point."
            )
        return ".", (
            "Numbers such as 1,234 were read with the comma as thousands mark; if it is a decimal "
            "comma, set the decimal mark to a comma."
        )
    return ",", None


def _find_thousands(
    columns: Sequence[pd.Series[Any]], cells: pa.Array, plain: NumberFormat
) -> Thousands:
    marks: tuple[Thousands, ...] = (",", ".", " ", "'")
    for mark in marks:
        if mark == plain.decimal:
            continue
        style = NumberFormat(plain.decimal, mark, plain.missing_words)
        decimal_part = rf"({re.escape(plain.decimal)}\d+)?$"
        grouped = (_GROUPED % re.escape(mark)).removesuffix("$") + decimal_part
        if not _count(cells, grouped):
            continue
        for column in columns:
            if not is_text(column) or not _count(arrow_text(column), grouped):
                continue
            # "1.234" next to a decimal point is a plain number already.
            before = parse_numbers(column, plain).not_numeric.any()
            if before and not parse_numbers(column, style).not_numeric.any():
                return mark
    return ""
