"""How a file was read, in words, and what else it could have been read as. Pure."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from stiknn_core.phrases import listed
from stiknn_core.tables import ChoiceError, Table
from stiknn_ui.uploads.files import Trouble

_ENCODINGS: Final[dict[Hashable, str]] = {
    "utf-8": "UTF-8",
    "utf-8-sig": "UTF-8 with a mark",
    "utf-16": "UTF-16",
    "utf-16-le": "UTF-16, little end first",
    "utf-16-be": "UTF-16, big end first",
    "cp1252": "Windows-1252 (Western)",
    "cp1250": "Windows-1250 (Central European)",
    "cp1251": "Windows-1251 (Cyrillic)",
    "cp1253": "Windows-1253 (Greek)",
    "cp1254": "Windows-1254 (Turkish)",
    "cp1255": "Windows-1255 (Hebrew)",
    "cp1256": "Windows-1256 (Arabic)",
    "iso8859_2": "ISO 8859-2 (Central European)",
    "cp850": "MS-DOS 850 (Western)",
    "cp866": "MS-DOS 866 (Cyrillic)",
    "koi8_r": "KOI8-R (Cyrillic)",
    "mac_roman": "Mac Roman",
    "cp932": "Shift JIS (Japanese)",
    "euc_jp": "EUC-JP (Japanese)",
    "gb18030": "GB 18030 (Chinese)",
    "big5": "Big5 (Chinese)",
    "cp949": "EUC-KR (Korean)",
}
_SEPARATORS: Final[dict[Hashable, str]] = {
    ",": "comma",
    ";": "semicolon",
    "\t": "tab",
    "|": "pipe",
    " ": "blank",
    "  ": "two blanks or more",
    ":": "colon",
    "::": "two colons",
    "~": "tilde",
    "^": "caret",
    "¦": "broken bar",
    "，": "Chinese comma",  # noqa: RUF001
    "；": "Chinese semicolon",  # noqa: RUF001
    "؛": "Arabic semicolon",
    "\x01": "first control sign (Hive)",
    "": "none",
}
_QUOTES: Final[dict[Hashable, str]] = {'"': "double quote", "'": "single quote", "": "none"}
_DECIMALS: Final[dict[Hashable, str]] = {".": "point", ",": "comma"}
_THOUSANDS: Final[dict[Hashable, str]] = {
    "": "none",
    ",": "comma",
    ".": "point",
    " ": "blank",
    "'": "apostrophe",
}
_HEADERS: Final[dict[Hashable, str]] = {
    True: "yes",
    False: "no, the first row holds data",
    # The keys are texts: 0 and 1 would be the same keys as False and True.
    "2": "yes, the second row",
    "3": "yes, the third row",
}
_RAGGED: Final[dict[Hashable, str]] = {"drop": "leave them out"}
_LINE_ENDS: Final = {"LF": "Unix line ends", "CRLF": "Windows line ends", "CR": "old Mac line ends"}
_MOST_WORDS: Final = 6
_GRIDS: Final = ("text", "Excel", "OpenDocument", "web page")
"""Formats in which a header row has to be found, and cells may be numbers written as text."""
_FILES_OF_TEXT: Final = ("ARFF", "Parquet", "Arrow", "ORC", "JSON", "JSON Lines", "SQLite")


@dataclass(frozen=True)
class Offer:
    """One decision about a file that can be changed.

    Attributes
    ----------
    option : str
        Its name in ``read_table``.
    label : str
        Its name on screen.
    choices : mapping
        From value to its name on screen; ``given`` turns a value into the argument.
    found : str
        What the content decided, in words; empty where it was not decided.
    """

    option: str
    label: str
    choices: Mapping[Hashable, str]
    found: str = ""


def given(option: str, value: Any) -> Any:
    """Return the argument of ``read_table`` for a value of an offer."""
    if option == "header" and isinstance(value, str):
        return int(value) - 1
    return value


def shown(option: str, value: Any) -> Any:
    """Return the value of an offer for an argument of ``read_table``."""
    if option == "header" and isinstance(value, int) and not isinstance(value, bool):
        return str(value + 1)
    return value


def decision_line(table: Table) -> str:
    """Return everything that was decided about a file, in one line."""
    told = table.decisions
    parts = [f"{told['format']} in {told['packing']}" if "packing" in told else told["format"]]
    if "encoding" in told:
        parts.append(_ENCODINGS.get(told["encoding"], told["encoding"]))
    if "separator" in told:
        parts.append(f"separator {_named(_SEPARATORS, told['separator'])}")
    if "table" in told:
        parts.append(f"table {told['table']}")
    if "sheet" in told:
        parts.append(f"sheet {told['sheet']} from {told['corner']}")
    if "X" in told:
        parts.append(f"features {told['X']}, labels {told.get('y')}")
    if "header" in told:
        parts.append("header row" if told["header"] is not False else "no header row")
    if told["format"] in (*_GRIDS, "ARFF", "LIBSVM"):
        parts.append(f"decimal {_named(_DECIMALS, told['decimal'])}")
    if told["thousands"]:
        parts.append(f"thousands {_named(_THOUSANDS, told['thousands'])}")
    if told["missing_words"]:
        parts.append(f"missing: {listed(told['missing_words'], _MOST_WORDS)}")
    if told.get("line_ends") in _LINE_ENDS:
        parts.append(_LINE_ENDS[told["line_ends"]])
    return " · ".join([*parts, f"{table.n_rows:,} rows, {len(table.columns):,} columns"])


def offers(table: Table) -> list[Offer]:
    """Return what can be changed about the way a file was read."""
    told = table.decisions
    found: list[Offer] = []
    if table.members:
        found.append(Offer("member", "File of the archive", _same(table.members)))
    if len(table.sheets) > 1:
        found.append(Offer("sheet", "Sheet", _same(table.sheets), str(told["sheet"])))
    if len(table.tables) > 1:
        found.append(Offer("table", "Table", _same(table.tables), str(told["table"])))
    for option, label in (("X", "Array of features"), ("y", "Array of labels")):
        if table.array_names and option in told:
            found.append(Offer(option, label, _same(table.array_names), str(told[option])))
    if "encoding" in told:
        name = _ENCODINGS.get(told["encoding"], str(told["encoding"]))
        found.append(Offer("encoding", "Encoding", _ENCODINGS, name))
    for option, label, names in (
        ("separator", "Separator", _SEPARATORS),
        ("quote", "Quotation mark", _QUOTES),
    ):
        if option in told:
            found.append(Offer(option, label, names, _named(names, told[option])))
    if told["format"] in _GRIDS:
        header = "yes" if told["header"] is not False else "no"
        found.append(Offer("header", "Header row", _HEADERS, header))
    if told["format"] in (*_GRIDS, "ARFF"):
        found += [
            Offer("decimal", "Decimal mark", _DECIMALS, _named(_DECIMALS, told["decimal"])),
            Offer("thousands", "Thousands mark", _THOUSANDS, _named(_THOUSANDS, told["thousands"])),
        ]
    return found


def takes_words(table: Table) -> bool:
    """Tell whether words that mean "no value" make sense for the kind of file."""
    return table.decisions["format"] in (*_GRIDS, *_FILES_OF_TEXT)


def ways_out(trouble: Trouble) -> list[Offer]:
    """Return what may help with a file that could not be read."""
    error = trouble.error
    if isinstance(error, ChoiceError):
        names = {"sheet": "Sheet", "member": "File of the archive", "table": "Table"}
        names |= {"X": "Array of features", "y": "Array of labels"}
        label = names.get(error.option, error.option)
        found = [Offer(error.option, label, _same(error.choices))]
        if error.option == "y" and "X" in trouble.overrides:
            found.insert(0, Offer("X", "Array of features", _same(error.choices)))
        return found
    if b"\0" in trouble.content[:4096] and not trouble.overrides:
        return []
    return [
        Offer("encoding", "Encoding", _ENCODINGS),
        Offer("separator", "Separator", _SEPARATORS),
        Offer("quote", "Quotation mark", _QUOTES),
        Offer("header", "Header row", _HEADERS),
        Offer("ragged", "Rows of the wrong length", _RAGGED),
    ]


def _same(names: Iterable[str]) -> dict[Hashable, str]:
    return {name: name for name in names}


def _named(names: Mapping[Hashable, str], value: Any) -> str:
    return names.get(value, repr(value))
