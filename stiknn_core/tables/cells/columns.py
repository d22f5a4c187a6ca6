"""What a column holds: numbers, yes or no, dates, words, or nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from stiknn_core.tables.cells.moments import DATE
from stiknn_core.tables.cells.numbers import (
    PLAIN,
    TEXT_MISSING_WORDS,
    NumberFormat,
    Numbers,
    arrow_text,
    is_missing,
    is_text,
    parse_numbers,
)
from stiknn_core.tables.cells.unread import hold_amounts
from stiknn_core.types import FloatArray
from stiknn_core.validation.sentinels import far_nines

ColumnKind = Literal["number", "boolean", "date", "text", "vector", "picture", "empty"]

_BOOLEAN = r"^(?i:true|false)$"
_NOTHING = r"^[-–—−.…:/ ]+$"
"""What dashes and points alone say is that there is no value."""
_EXACT: Final = 2.0**53
_MOST_ODD: Final = 3
_SHOWN_FROM: Final = 50
_MANY: Final = 20_000
_COUNTED: Final = 2_000
_LOOKED_AT: Final = 300
# Scripts without blanks between words: two signs stand for one.
_UNPARTED: Final = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}"
_A_WORD: Final = rf"[{_UNPARTED}]{{1,2}}|[^\s{_UNPARTED}]+"


@dataclass(frozen=True)
class ColumnFacts:
    """Facts about one column, all counts in cells.

    Attributes
    ----------
    name : str
    kind : ColumnKind
        "number" where every filled cell is one; "vector" and "picture" where the table holds
        such beside the cells.
    filled : int
        Cells with a value.
    missing : int
        Empty cells, and missing-value words where the column is numeric.
    infinite : int
    not_numeric : int
        Filled cells that are no number; 0 for numbers, everything for words.
    distinct : int
        Different filled values: as written, where there are thousands of numbers as read.
    whole : bool
        Whether all numbers are whole.
    longest : int
        Letters of the longest cell; 0 for native numbers.
    words : tuple of str
        Missing-value words that occurred.
    style : NumberFormat
        How its numbers are written.
    examples : tuple of (cell as written, number)
        A few cells of a text column of numbers and what was read from them.
    odd_cells : tuple of (row from 0, cell)
        The first cells that are no number, in a column that is not all numbers.
    rounded : int
        Different values that are left of whole numbers too long for float64; 0 if all are.
    width : int
        Numbers of one vector; 0 in other columns.
    lists : str
        Of lists that are no vectors: half a sentence that says why, behind "holds".
    amounts : bool
        Whether a text column holds numbers with more around them, which nothing reads by itself.
    mean_words : float
        Mean number of words of its different cells; 0 in columns of numbers.
    nines : (number, count) or None
        Numbers such as -9999 far from all others, which may stand for no value.
    """

    name: str
    kind: ColumnKind
    filled: int
    missing: int
    infinite: int
    not_numeric: int
    distinct: int
    whole: bool
    longest: int
    words: tuple[str, ...]
    style: NumberFormat = PLAIN
    examples: tuple[tuple[str, float], ...] = ()
    odd_cells: tuple[tuple[int, str], ...] = ()
    rounded: int = 0
    width: int = 0
    lists: str = ""
    amounts: bool = False
    mean_words: float = 0.0
    nines: tuple[float, int] | None = None

    @property
    def constant(self) -> bool:
        """Whether there is at most one different value."""
        return self.known <= 1

    @property
    def known(self) -> int:
        """Different values that are not missing-value words."""
        return self.distinct - (len(self.words) if self.kind not in ("number", "empty") else 0)


def examine(column: pd.Series[Any], style: NumberFormat) -> ColumnFacts:
    """Look at one column of text or native values; O(n)."""
    name = str(column.name)
    n = len(column)
    numbers = parse_numbers(column, style)
    odd = int(numbers.not_numeric.sum())
    finite = numbers.values[np.isfinite(numbers.values)]
    whole = bool((finite == np.floor(finite)).all())
    infinite = int(np.isinf(numbers.values).sum())
    missing = int(numbers.missing.sum())
    if not is_text(column):
        kind: ColumnKind = "boolean" if column.dtype == bool else "number"
        kind = kind if missing < n else "empty"
        return ColumnFacts(
            name,
            kind,
            n - missing,
            missing,
            infinite,
            0,
            int(column.nunique()),
            whole,
            0,
            (),
            style,
            nines=far_nines(finite),
        )
    array = arrow_text(column)
    if odd == 0 and missing < n:
        distinct = _different(array, numbers)
        # A mark such as 1.797e308 is missing too, and no word.
        words = () if missing == array.null_count else _words_among(array, style.missing_words)
        return ColumnFacts(
            name, "number", n - missing, missing, infinite, 0, distinct - len(words), whole, 0,
            words, style, examples=_examples(array, numbers, style),
            rounded=_rounded(finite, whole, distinct - len(words)), nines=far_nines(finite),
        )  # fmt: skip
    distinct_cells = pc.drop_null(pc.unique(array))
    longest = int(pc.max(pc.utf8_length(distinct_cells)).as_py() or 0) if len(distinct_cells) else 0
    blank = is_missing(column, TEXT_MISSING_WORDS)
    # "None" and "-" mean no value among numbers, but may be words among words.
    strange = numbers.not_numeric | (numbers.missing & ~blank)
    odd, missing = int(strange.sum()), int(blank.sum())
    told = distinct_cells.filter(
        pc.invert(pc.is_in(distinct_cells, value_set=_word_set(distinct_cells.type)))
    )
    if missing == n or _all_match(told, _NOTHING):
        kind, missing, odd = "empty", n, 0
    elif _all_match(told, _BOOLEAN):
        kind = "boolean"
    elif _all_match(told, DATE):
        kind = "date"
    else:
        kind = "text"
    return ColumnFacts(
        name, kind, n - missing, missing, 0, odd, len(distinct_cells), False, longest,
        _present(TEXT_MISSING_WORDS, distinct_cells), style,
        odd_cells=_odd_cells(array, numbers.not_numeric),
        amounts=kind == "text" and style.reads and hold_amounts(_some(told)),
        mean_words=_mean_words(told),
    )  # fmt: skip


def _different(array: pa.Array, numbers: Numbers) -> int:
    """Count different cells: as written where there are few or they are too long for float64."""
    if len(array) <= _MANY:
        return int(pc.count_distinct(array).as_py())
    count = len(pd.unique(numbers.values[~numbers.missing]))
    largest = np.abs(numbers.values[np.isfinite(numbers.values)]).max(initial=0.0)
    if count > _MANY // 10 and largest < _EXACT:
        return count + len(pc.unique(array.filter(pa.array(numbers.missing))).drop_null())
    return int(pc.count_distinct(array).as_py())


def _words_among(array: pa.Array, words: tuple[str, ...]) -> tuple[str, ...]:
    return _present(words, pc.drop_null(pc.unique(array)))


def _examples(
    array: pa.Array, numbers: Numbers, style: NumberFormat
) -> tuple[tuple[str, float], ...]:
    """Return a few cells as written and as read: the first, the longest, the last.

    Where something was guessed, the longest of those that show it.
    """
    rows = np.flatnonzero(~numbers.missing)
    some = np.unique([rows[0], *rows[:_SHOWN_FROM], rows[-1]])
    cells = array.take(pa.array(some)).to_pylist()
    guessed = [bool(style.guess) and not is_plain(cell) for cell in cells]
    longest = max(range(len(some)), key=lambda place: (guessed[place], len(cells[place])))
    chosen = dict.fromkeys((cells[place], float(numbers.values[some[place]]))
                           for place in (0, longest, len(some) - 1))  # fmt: skip
    return tuple(chosen)


def is_plain(cell: str) -> bool:
    """Tell whether a cell is a number as programs write it, without zeros in front."""
    with suppress(ValueError):
        float(cell)
        return not re.match(r"[+-]?0\d", cell)
    return False


def _rounded(finite: FloatArray, whole: bool, distinct: int) -> int:
    """Return how many different whole numbers beyond 2^53 are left; 0 where none is lost."""
    if not whole or not len(finite) or np.abs(finite).max() < _EXACT:
        return 0
    left = len(np.unique(finite))
    return left if left < distinct else 0


def _odd_cells(array: pa.Array, not_numeric: NDArray[np.bool_]) -> tuple[tuple[int, str], ...]:
    rows = np.flatnonzero(not_numeric)[:_MOST_ODD]
    return tuple(zip(rows.tolist(), array.take(pa.array(rows)).to_pylist(), strict=True))


def _mean_words(told: Any) -> float:
    """Count the words of different cells, of many cells in some of them."""
    step = max(1, len(told) // _COUNTED)
    if not len(told):
        return 0.0
    some = told.take(pa.array(range(0, len(told), step)))
    return float(pc.mean(pc.count_substring_regex(some, _A_WORD)).as_py())


def _some(told: Any) -> list[str]:
    step = max(1, len(told) // _LOOKED_AT)
    cells: list[str] = told.take(pa.array(range(0, len(told), step))).to_pylist()
    return cells


def _present(words: tuple[str, ...], distinct_cells: Any) -> tuple[str, ...]:
    if not words:
        return ()
    told = pc.is_in(pa.array(words, type=distinct_cells.type), value_set=distinct_cells)
    return tuple(word for word, there in zip(words, told.to_pylist(), strict=True) if there)


def _word_set(kind: pa.DataType) -> pa.Array:
    return pa.array(TEXT_MISSING_WORDS, kind)


def _all_match(told: Any, pattern: str) -> bool:
    return bool(pc.all(pc.match_substring_regex(told, pattern)).as_py())


def same_but_for_case(values: Iterable[str]) -> list[list[str]]:
    """Group values that differ only by case or blanks; each group has at least two, sorted."""
    groups: dict[str, set[str]] = {}
    for value in values:
        key = re.sub(r"[\s_-]+", " ", value).strip().casefold()
        groups.setdefault(key, set()).add(value)
    return [sorted(group) for group in groups.values() if len(group) > 1]
