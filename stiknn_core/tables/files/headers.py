"""Where a table begins inside its sheet or file, and what its columns are called."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from stiknn_core.errors import FileError, ParameterError
from stiknn_core.phrases import counted, listed
from stiknn_core.tables.cells.formats import looks_numeric
from stiknn_core.tables.cells.numbers import MISSING_WORDS, TEXT_MISSING_WORDS
from stiknn_core.tables.files.leftovers import RULE, TOTALS, UNIT

Rows = Sequence[Sequence[str]]

# Short words of statistics offices for "no value", such as "x", are good names.
_NOTHING = {*TEXT_MISSING_WORDS, "None"} | {word for word in MISSING_WORDS if not word.isalpha()}
_CODE = re.compile(r"\d{1,9}")
_LEAST_BELOW = 4
_MOST_ABOVE = 30
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
    "etiquetas de fila", "etiquetas de columna", "total general", "total result",
    "etichette di riga", "etichette di colonna", "totale complessivo", "rijlabels", "kolomlabels",
    "eindtotaal", "etykiety wierszy", "suma końcowa", "rótulos de linha", "total geral",
}  # fmt: skip
_SUMMARY = re.compile(
    r"(?i)(sum|count|average|mean|min|max|product|summe|anzahl|mittelwert|somme|nombre|moyenne|suma)"
    r" (- |of |von |de )"
)


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


def refuse_pivot(rows: Rows, last: Sequence[str]) -> None:
    """Refuse a pivot table or cross table: a summary has no row per item.

    It is known by the words of spreadsheet programs, or by a last column and a last row that
    are called the same, such as "All".
    """
    cells = {cell.strip().lower() for row in rows[:10] for cell in row}
    cells |= {row[0].strip().lower() for row in rows if row}
    first = next((row for row in rows if row), [])
    corner = {told.strip().lower() for told in (*first[-1:], *last[:1])}
    margins = len(first) > 2 and len(corner) == 1 and corner <= TOTALS
    above = any(sum(map(bool, row)) <= 2 and _SUMMARY.match(row[0]) for row in rows[:5] if row)
    if cells & _PIVOT or margins or above:
        raise FileError(
            "This looks like a pivot table (it has row labels or grand totals); expected one row "
            "per item, so load the table it was made from."
        )


def find_header(rows: Rows, width: int, header: bool | int | None = None) -> Header:
    """Find the header among the first rows of a grid of ``width`` columns.

    ``header`` True: it is the first row; False: there is none; a whole number: it is that row,
    counted from 0; None: told by content. About 100 rows are enough for that.
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
    if header is None and (above := _statements(full)):
        found = find_header(full[above:], width)
        said = f"Left out above the table: {counted(above, 'row')}."
        return replace(found, first_row=found.first_row + above, notices=(said, *found.notices))
    if header is None:
        two = _two_rows(full)
        if two is not None:
            names, first_row = two
            said = f"Two header rows were joined, as in {max(names, key=len)!r}."
            return _named(names, first_row, {}, [said])
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
    over_numbers = repeated = strange = 0
    for place in words:
        below = [row[place] for row in body if row[place] and row[place] not in MISSING_WORDS]
        over_numbers += _numeric(below)
        repeated += first[place] in below
        # Over classes that come back there is a word that does not.
        strange += len(below) >= _LEAST_BELOW and len({*below}) <= 0.5 * len(below)
    if numeric:
        told = [first[place] for place in numeric]
        counted_up = _counts(told) or (strange > 0 and (_are_codes(told) or _are_steps(told)))
        return over_numbers > 0 or (counted_up and not repeated)
    if over_numbers:
        return True
    distinct = len({first[place] for place in words}) == len(words)
    return distinct and repeated < 0.5 * len(words)


def _statements(rows: Rows) -> int:
    """Count the rows above a table that say something of it, such as "Created:" and a date.

    Programs that fill rows up make them as wide as the table. Below them stands a row of names.
    """
    said: list[list[str]] = []
    for place, row in enumerate(rows[:_MOST_ABOVE]):
        filled = [cell for cell in row if cell]
        if len(filled) == len(row):
            told = len(said) > 1 or any(
                one[0].endswith(":") or re.search(r"\d", one[1]) for one in said if len(one) > 1
            )
            names = told and len({*row}) == len(row) and not any(map(looks_numeric, row))
            return place if names and looks_like_header(rows[place:]) else 0
        if len(filled) > 2 or len(row) < 3 or filled != row[: len(filled)]:
            return 0
        said += [filled] if filled else []
    return 0


def _counts(told: Sequence[str]) -> bool:
    """Tell whether numbers are names that count: 0, 1, 2 or 1, 2, or years."""
    if len(told) < 2 or not all(map(_CODE.fullmatch, told)):
        return False
    steps = {int(after) - int(before) for before, after in pairwise(told)}
    years = all(map(_is_year, told))
    if len(steps) != 1 or steps == {0}:
        return False
    return years or (steps == {1} and int(told[0]) in (0, 1))


def _are_codes(told: Sequence[str]) -> bool:
    return len(set(told)) == len(told) and all(map(_CODE.fullmatch, told))


def _are_steps(told: Sequence[str]) -> bool:
    """Tell whether numbers go one way, as wavelengths and shares do that name columns."""
    found = [re.search(r"\d+(?:[.,]\d+)?", cell) for cell in told]
    sizes = [float(one[0].replace(",", ".")) for one in found if one]
    ways = {after > before for before, after in pairwise(sizes)}
    return len(sizes) == len(told) > 2 and len(ways) == 1 and len(set(sizes)) == len(sizes)


def _three_rows(rows: Rows) -> tuple[list[str], dict[int, str]] | None:
    """Recognise names, kinds and roles in three rows (the .tab files of Orange)."""
    if len(rows) < 4:
        return None
    names, kinds, roles = (list(row) for row in rows[:3])
    # Of words it may say which there are: "low high".
    filled = [kind.lower() for kind in kinds if kind and " " not in kind]
    if not filled or len(filled) < 0.5 * len(names) or not set(filled) <= _KINDS:
        return None
    if not all(_FLAG.match(role.lower()) for role in roles):
        return None
    flags = {place: _ROLES.get(role.lower()) for place, role in enumerate(roles)}
    return names, {place: role for place, role in flags.items() if role}


def _two_rows(rows: Rows) -> tuple[list[str], int] | None:
    """Recognise groups of columns in a first row and their names in a second.

    A group is said once, over the first of its columns, or over each. Return the joined names
    and where the data begin.
    """
    numbers = [cell for cell in rows[0] if cell and looks_numeric(cell)]
    if len(rows) < 4 or not all(map(_is_year, numbers)) or (numbers and not all(rows[1])):
        return None
    first, second, body = rows[0], rows[1], rows[2:]
    told = [cell for cell in first if cell]
    grouped = len(set(told)) < len(told) or "" in first[1:]
    numeric = [
        place for place in range(len(first)) if _numeric(row[place] for row in body if row[place])
    ]
    words = [place for place in range(len(first)) if place not in numeric]
    if any(map(looks_numeric, filter(None, second))) and not _years(first, second, words):
        return None
    # A choice that could be ticked stands under its own name, and nothing else does.
    cells = {place: {row[place] for row in body} - {""} for place in words}
    recurs = any(second[place] in found != {second[place]} for place, found in cells.items())
    # A line of dashes or a row of units is no row of names.
    apart = [cell for cell in second if cell]
    if all(RULE.fullmatch(cell) or UNIT.fullmatch(cell) for cell in apart):
        return None
    if not grouped or recurs or sum(bool(second[place]) for place in numeric) < 1:
        return None
    names, group = [], ""
    for place, (above, below) in enumerate(zip(first, second, strict=True)):
        # An empty cell over a name belongs to the group to its left.
        group = above if above or not below or not place else group
        names.append(f"{group} / {below}" if group and below and group != below else group or below)
    # pandas writes the name of the rows into a third row of its own.
    index_name = bool(body[0][0]) and not any(body[0][1:]) and not looks_numeric(body[0][0])
    return names, 3 if index_name else 2


def _years(first: Sequence[str], second: Sequence[str], words: Sequence[int]) -> bool:
    """Tell whether a second row says the years of groups, and nothing over words."""
    told = [place for place, cell in enumerate(second) if cell]
    alike = any(first[place] in ("", *first[:place]) for place in told)
    years = all(_is_year(second[at]) for at in told)
    return alike and years and bool(words) and not any(second[place] for place in words)


def _is_year(cell: str) -> bool:
    return _CODE.fullmatch(cell) is not None and 1800 <= int(cell) <= 2100


def _numeric(cells: Iterable[str]) -> bool:
    told = [cell for cell in cells if cell not in MISSING_WORDS]
    return bool(told) and sum(map(looks_numeric, told)) > 0.5 * len(told)


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
            seen[name] = number
        taken.add(fresh)
        result.append(fresh)
    repeated = [name for name, count in total.items() if count > 1 and name]
    if not repeated:
        return result, []
    return result, [
        f"{counted(len(repeated), 'column name')} occurred more than once ({listed(repeated)}); "
        "the later ones got a number."
    ]
