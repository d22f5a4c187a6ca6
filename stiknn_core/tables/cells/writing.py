"""Writings of numbers that programs do not have, in those that they have.

First letter by letter: word processors write U+2212 for minus, French and SI typography U+00A0,
U+202F or U+2009 between thousands, Swiss offices U+2019, and half of the world digits of its own.
Then by what letters form together: ``1.2×10³``, ``1½``, ``$(5.00)``, ``75.–``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

_MINUS: Final = "\u2212\u2010\u2011\u2012\u2013\u2014\ufe63\uff0d\u207b\u2796"
_BLANKS: Final = (
    "\u00a0\u202f\u2009\u2007\u2008\u2002\u2003\u2004\u2005\u2006\u200a\u205f\u3000\t\n\r"
)
_MARKS: Final = {
    "\u2019": "'", "\u2018": "'", "\u02bc": "'", "\u00b4": "'", "\u2032": "'", "`": "'",
    "\u066c": "'", "\uff0c": ",", "\ufe50": ",", "\u066b": ".", "\uff0e": ".", "\ufe52": ".",
    "\u00b7": ".", "\u2219": ".", "\u22c5": ".", "\uff0b": "+", "\ufe62": "+",
    "\uff05": "%", "\u066a": "%", "\ufe6a": "%", "\u2044": "/", "\u23e8": "e", "\u221e": "inf",
    "\uffe5": "\u00a5", "\uff04": "$", "\uffe1": "\u00a3", "\uff08": "(", "\uff09": ")",
}  # fmt: skip
# The zeros of all scripts with ten digits in order: Arabic, Persian, Indian, Thai, wide, ...
_ZEROS: Final = (
    0x660, 0x6F0, 0x7C0, 0x966, 0x9E6, 0xA66, 0xAE6, 0xB66, 0xBE6, 0xC66, 0xCE6, 0xD66, 0xDE6,
    0xE50, 0xED0, 0xF20, 0x1040, 0x17E0, 0x1810, 0xFF10, *range(0x1D7CE, 0x1D800, 10),
)  # fmt: skip
_DIGITS: Final = {chr(zero + digit): str(digit) for zero in _ZEROS for digit in range(10)}
# Marks without a width, which say in which direction to read or where a word may be parted.
_UNSEEN: Final = (
    "\u200b\u200c\u200d\u200e\u200f\u061c\u2060\ufeff\u00ad"
    "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)
_PLAIN: Final = (
    dict.fromkeys(_MINUS, "-") | dict.fromkeys(_BLANKS, " ") | dict.fromkeys(_UNSEEN, "")
    | _MARKS | _DIGITS
)  # fmt: skip
_TABLE: Final = str.maketrans(_PLAIN)
_ODD: Final = "[" + "".join(re.escape(letter) for letter in _PLAIN) + "]"
_ODD_ASCII: Final = tuple(letter for letter in _PLAIN if letter.isascii())

_DOT: Final = "[\u00b7\u2219\u22c5]"
_GROUPED: Final = rf"^\D*[1-9]\d{{0,2}}(?:{_DOT}\d{{3}})+"

_POWERS: Final = str.maketrans("⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "+-0123456789")
_RAISED: Final = re.compile(r"10([⁺⁻-]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)")
_VULGAR: Final = re.compile("([0-9]?) ?([¼-¾⅐-⅞])")
_SPECIAL: Final = r"10[⁺⁻-]?[⁰¹²³⁴-⁹]|[¼-¾⅐-⅞]"
_LONGEST: Final = 200
_BODY: Final = r"[0-9][0-9.,' ]*"
_LETTER: Final = "[A-Za-z/À-ɏͰ-ӿ\u0620-\u06d3\u0900-\u097f]"
_RULES: Final = (
    # In quotation marks, as text is in ="12"; behind the apostrophe of a spreadsheet.
    (rf"""^=?["'«„“] ?([^"'«„“\d]*{_BODY}[^"'»”“\d]*) ?["'»”“]$""", r"\1"),
    (rf"^'([-+(]? ?[^'\d]{{0,4}}{_BODY}[^'\d]*)$", r"\1"),
    (r"&(?:nbsp|thinsp|#160|#8239);", " "),
    (r"&(?:minus|ndash|#8722);", "-"),
    # Powers of ten.
    (r"(\d) ?[×xX*.]? ?10\^\{?([-+]?\d+)\}?", r"\1e\2"),
    (r"^([-+]?1)0\^\{?([-+]?\d+)\}?$", r"\1e\2"),
    # Whole amounts of money: 75.- and 1.200,-- and 1,200/-
    (r"(\d) ?(?:[.,] ?--?|/-)($| ?[^\d -])", r"\1\2"),
    # The point of an abbreviation, which is no decimal mark: Rs.500 and S/.1,200.50
    (rf"^([-+(]? ?{_LETTER}(?:[^\d.,()]{{0,3}}{_LETTER})?)\.(\d)", r"\1. \2"),
    # A minus or brackets at the number, with the unit outside.
    (rf"^({_BODY})-( [^\d\s()-][^\d()-]*|[%‰$€£¥])$", r"\1\2-"),
    (rf"^([^\d\s()-][^\d()-]{{0,4}}?) ?\( ?({_BODY})\)$", r"(\1 \2)"),
    (rf"^\( ?({_BODY})\) ?([^\d\s()-][^\d()-]{{0,9}})$", r"(\1\2)"),
)
"""What is put in the place of what, written so that RE2 and Python understand it alike."""
_RULE: Final = "|".join(f"(?:{pattern})" for pattern, _ in _RULES)
_TRIGGER: Final = re.compile(rf"""["'«„“&^(]|[\d.,'/ ]-|{_LETTER}\.\d""")
"""One of these is in every cell that a rule changes."""
_IN_PYTHON: Final = tuple(
    (re.compile(pattern), re.sub(r"\\(\d)", r"\\g<\1>", instead)) for pattern, instead in _RULES
)


def plain_marks(cell: str) -> str:
    """Return a cell with ASCII digits, signs, blanks and marks."""
    if cell.isascii() and not any(letter in cell for letter in _ODD_ASCII):
        return cell
    return cell.translate(_TABLE).strip()


def plain_number(cell: str) -> str:
    """Return a cell with powers, fractions and the like as programs write them too."""
    if len(cell) > _LONGEST:
        return cell  # no number
    told = plain_marks(_with_slashes(cell))
    if not _TRIGGER.search(told):  # the usual case, at a tenth of the time
        return told
    for pattern, instead in _IN_PYTHON:
        told = pattern.sub(instead, told)
    return told


def plain_cells(cells: Sequence[str]) -> list[str]:
    """Do the same to some cells of one column."""
    short = pa.array([cell if len(cell) <= _LONGEST else None for cell in cells], pa.string())
    told = plain_column(short).to_pylist()
    return [cell if one is None else one for cell, one in zip(cells, told, strict=True)]


def plain_column(cells: pa.Array) -> pa.Array:
    """Do the same to a column; a look tells the usual case, in which nothing is done.

    A middle dot in one cell is a thousands mark where another cell has a point behind it, and
    no cell speaks against that: a factor of 10³ may stand behind such a dot as well.
    """
    if pc.any(pc.match_substring_regex(cells, r"[^\x00-\x7F]|[`\t\n\r]")).as_py():
        cells = _plain_letters(cells)
    if not pc.any(pc.match_substring_regex(cells, _RULE)).as_py():
        return cells
    for pattern, instead in _RULES:
        cells = pc.replace_substring_regex(cells, pattern, instead)
    return cells


def _plain_letters(cells: pa.Array) -> pa.Array:
    if _has_dots_of_thousands(cells):
        cells = pc.replace_substring_regex(cells, _DOT, "'")
    special = pc.fill_null(pc.match_substring_regex(cells, _SPECIAL), False)
    if pc.any(special).as_py():
        some = cells.filter(special).dictionary_encode()
        told = pa.array([_with_slashes(cell) for cell in some.dictionary.to_pylist()], cells.type)
        cells = pc.replace_with_mask(cells, special, told.take(some.indices))
    distinct = pc.unique(pc.filter(cells, pc.match_substring_regex(cells, _ODD)))
    if not len(distinct):
        return cells
    found = set("".join(filter(None, distinct.to_pylist()))) & _PLAIN.keys()
    for letter in sorted(found):
        cells = pc.replace_substring(cells, letter, _PLAIN[letter])
    return pc.utf8_trim_whitespace(cells)


def _has_dots_of_thousands(cells: pa.Array) -> bool:
    dotted = cells.filter(pc.match_substring_regex(cells, rf"\d{_DOT}\d"))
    return (
        pc.any(pc.match_substring_regex(dotted, rf"{_GROUPED}\.\d+\D*$")).as_py() is True
        and pc.all(pc.match_substring_regex(dotted, rf"{_GROUPED}(?:\.\d+)?\D*$")).as_py()
    )


def _with_slashes(cell: str) -> str:
    """Write 10³ as 10^3, ½ as 1/2 and 1½ as 1 1/2."""
    if cell.isascii():
        return cell
    cell = _RAISED.sub(lambda found: f"10^{found[1].translate(_POWERS)}", cell)
    return _VULGAR.sub(_sum, cell)


def _sum(found: re.Match[str]) -> str:
    return f"{found[1]} {unicodedata.normalize('NFKC', found[2])}".strip()
