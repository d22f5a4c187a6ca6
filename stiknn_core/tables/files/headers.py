"""Where a table begins inside its sheet or file, and what its columns are called."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from stiknn_core.errors import FileError, ParameterError
from stiknn_core.phrases import counted, listed
from stiknn_core.tables.cells.formats import looks_numeric
from stiknn_core.tables.cells.numbers import MISSING_WORDS, TEXT_MISSING_WORDS

Rows = Sequence[Sequence[str]]

# Short words of statistics offices for "no value", such as "x", are good names.
_NOTHING = {*TEXT_MISSING_WORDS, "None", "-", "."}
_KINDS = {"c", "d", "s", "t", "continuous", "discrete", "string", "time", "basket"}
_FLAG = re.compile(r"^(class|meta|ignore|i|m|c|weight|w|cont.*)?$")
_ROLES = {
    **dict.fromkeys(("class", "c"), "label"),
    **dict.fromkeys(("meta", "m"), "id"),
    **dict.fromkeys(("ignore", "i", "weight", "w"), "ignored"),
}
_FLAGGED_NAME = re.compile(r"^([mciw]?[CDST]?)#(.*)$")
_PIVOT = {
    "row labels", "column labels", "grand total", "zeilenbeschriftungen", "spaltenbeschriftungen",
    "gesamtergebnis", "étiquettes de lignes", "étiquettes de colonnes", "total général",
    "etiquetas de fila", "etiquetas de columna", "total general",
}  # fmt: skip


@dataclass(frozen=True)
class Header:
    """Column names and where the data begin.

    Attributes
    ----------
    names : tuple of str
        One per column, distinct, never empty.
    first_row : int
        0-based row of the grid where the data begin.
    found : bool
        Whether a header row was there.
    unnamed : tuple of str
        Those of ``names`` that were made up because the header cell was empty.
    flags : mapping of column name to "label", "id", "ignored"
        Roles written into the header by the program that saved the file.
    notices : tuple of str
    """

    names: tuple[str, ...]
    first_row: int
    found: bool
    unnamed: tuple[str, ...] = ()
    flags: dict[str, str] = field(default_factory=dict)
    notices: tuple[str, ...] = ()


def refuse_pivot(rows: Rows) -> None:
    """Refuse a pivot table, such as one with "Grand Total": a summary has no row per item."""
    cells = {cell.strip().lower() for row in rows[:10] for cell in row}
    cells |= {row[0].strip().lower() for row in rows if row}
    if cells & _PIVOT:
        raise FileError(
            "This looks like a pivot table (it has row labels or grand totals); expected one row "
            "per item, so load the table it was made from."
        )


def find_header(rows: Rows, width: int, header: bool | int | None = None) -> Header:
    """Find the header among the first rows of a grid of ``width`` columns.

    ``header`` True: it is the first row; False: there is none; a whole number: it is that row,
    counted from 0; None: judge by content. About 100 rows are enough for that.
    """
    if header is not None and not isinstance(header, (bool, int)):
        raise ParameterError(
            f"header must be True, False, None or a row number from 0; got {header!r}."
        )
    full = [[*row, *[""] * (width - len(row))] for row in rows]
    at = 0
    if isinstance(header, int) and not isinstance(header, bool):
        if not 0 <= header < len(full):
            raise ParameterError(
                f"header must be a row number from 0 to {len(full) - 1}; got {header}."
            )
        at, header = header, True
    three = _three_rows(full[at:])
    if three is not None and header is not False:
        names, flags = three
        return _named(names, at + 3, flags, ["The header has three rows: names, kinds and roles."])
    if header is None:
        header = looks_like_header(full)
    if not header:
        names = [f"col{place + 1}" for place in range(width)]
        notice = f"There is no header row; the columns are called col1 to col{width}."
        return Header(tuple(names), 0, False, notices=(notice,))
    names, flags, notices = _strip_flags(full[at])
    return _named(names, at + 1, flags, notices)


def looks_like_header(rows: Rows) -> bool:
    """Tell whether the first row names the columns rather than being data."""
    first, body = rows[0], rows[1:]
    filled = [place for place, cell in enumerate(first) if cell]
    numeric = [place for place in filled if looks_numeric(first[place])]
    words = [place for place in filled if place not in numeric and first[place] not in _NOTHING]
    if not words:
        return False
    if not body:
        return not numeric
    over_numbers = 0
    repeated = 0
    for place in words:
        below = [row[place] for row in body if row[place] and row[place] not in MISSING_WORDS]
        if below and sum(map(looks_numeric, below)) > 0.5 * len(below):
            over_numbers += 1
        repeated += first[place] in below
    if numeric:
        told = [first[place] for place in numeric]
        counting = (
            any(told == [str(start + step) for step in range(len(told))] for start in (0, 1))
            and len(told) > 1
        )
        return over_numbers > 0 or (counting and not repeated)
    if over_numbers:
        return True
    distinct = len({first[place] for place in words}) == len(words)
    return distinct and repeated < 0.5 * len(words)


def _three_rows(rows: Rows) -> tuple[list[str], dict[int, str]] | None:
    """Recognise names, kinds and roles in three rows (the .tab files of Orange)."""
    if len(rows) < 4:
        return None
    names, kinds, roles = (list(row) for row in rows[:3])
    filled = [kind.lower() for kind in kinds if kind]
    if not filled or len(filled) < 0.8 * len(names) or not set(filled) <= _KINDS:
        return None
    if not all(_FLAG.match(role.lower()) for role in roles):
        return None
    flags = {place: _ROLES.get(role.lower()) for place, role in enumerate(roles)}
    return names, {place: role for place, role in flags.items() if role}


def _strip_flags(names: Sequence[str]) -> tuple[list[str], dict[int, str], list[str]]:
    """Take role flags such as ``c#`` or ``mS#`` off the names."""
    matches = [_FLAGGED_NAME.match(name) for name in names]
    if sum(match is not None and match.group(1) != "" for match in matches) < 2:
        return list(names), {}, []
    flags = {
        place: _ROLES[match.group(1)[0]]
        for place, match in enumerate(matches)
        if match and match.group(1)[:1] in _ROLES
    }
    plain = [match.group(2) if match else name for name, match in zip(names, matches, strict=True)]
    return plain, flags, ["Role flags before the column names (such as c#) were read and removed."]


def _named(
    names: Sequence[str], first_row: int, flags: dict[int, str], notices: list[str]
) -> Header:
    fixed, changed = distinct_names(names)
    return Header(
        tuple(fixed),
        first_row,
        found=True,
        unnamed=tuple(new for new, old in zip(fixed, names, strict=True) if not old.strip()),
        flags={fixed[place]: role for place, role in flags.items()},
        notices=(*notices, *changed),
    )


def distinct_names(names: Sequence[str]) -> tuple[list[str], list[str]]:
    """Make column names distinct and never empty; return a sentence about repeated ones too.

    Blanks and line breaks inside names become single blanks; an empty name becomes "column 3";
    the second "x" becomes "x (2)".
    """
    clean = [re.sub(r"\s+", " ", name).strip() for name in names]
    total = Counter(clean)
    taken = {name for name in clean if name}
    seen: Counter[str] = Counter()
    result: list[str] = []
    for place, name in enumerate(clean):
        wanted = name or f"column {place + 1}"
        seen[name] += 1
        number = seen[name]
        fresh = wanted
        if (name and number > 1) or (not name and wanted in taken):
            number = max(number, 2)
            while (fresh := f"{wanted} ({number})") in taken:
                number += 1
        taken.add(fresh)
        result.append(fresh)
    repeated = [name for name, count in total.items() if count > 1 and name]
    if not repeated:
        return result, []
    return result, [
        f"{counted(len(repeated), 'column name')} occurred more than once ({listed(repeated)}); "
        "the later ones got a number."
    ]
