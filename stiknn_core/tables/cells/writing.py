"""Letters that programs use where a plain number has ASCII: digits, minus signs, blanks.

Word processors write U+2212 for minus, French and SI typography U+00A0, U+202F or U+2009
between thousands, Swiss offices U+2019, Arabic and Indian ones digits of their own.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

_MINUS: Final = "\u2212\u2010\u2011\u2012\u2013\u2014\ufe63\uff0d"
_BLANKS: Final = "\u00a0\u202f\u2009\u2007\u2008\u2002\u2003\u2004\u2005\u2006\u200a\u3000"
_MARKS: Final = {
    "\u2019": "'", "\u02bc": "'", "\u00b4": "'", "\u2032": "'", "\u066c": ",", "\u066b": ".",
    "\uff0c": ",", "\uff0e": ".", "\uff0b": "+", "\uff05": "%", "\u066a": "%", "\u221e": "inf",
    "\uffe5": "\u00a5", "\uff04": "$", "\uffe1": "\u00a3", "\uff08": "(", "\uff09": ")",
}  # fmt: skip
_DIGITS: Final = {
    chr(zero + digit): str(digit)
    for zero in (0x660, 0x6F0, 0x966, 0x9E6, 0xFF10)  # Arabic, Persian, Hindi, Bengali, wide
    for digit in range(10)
}
_PLAIN: Final = (
    dict.fromkeys(_MINUS, "-") | dict.fromkeys(_BLANKS, " ") | _MARKS | _DIGITS
    # Marks that only say in which direction to read.
    | dict.fromkeys("\u200e\u200f\u061c\u2060\ufeff", "")
)  # fmt: skip
_TABLE: Final = str.maketrans(_PLAIN)
_ODD: Final = "[" + "".join(re.escape(letter) for letter in _PLAIN) + "]"


def plain_marks(cell: str) -> str:
    """Return a cell with ASCII digits, signs, blanks and marks."""
    return cell if cell.isascii() else cell.translate(_TABLE)


def plain_column(cells: pa.Array) -> pa.Array:
    """Do the same to a column; one look tells the usual case, in which nothing is done."""
    if not pc.any(pc.match_substring_regex(cells, r"[^\x00-\x7F]")).as_py():
        return cells
    distinct = pc.unique(pc.filter(cells, pc.match_substring_regex(cells, _ODD)))
    if not len(distinct):
        return cells
    found = {letter for cell in distinct.to_pylist() for letter in cell} & _PLAIN.keys()
    for letter in sorted(found):
        cells = pc.replace_substring(cells, letter, _PLAIN[letter])
    return cells


def is_currency(affix: str) -> bool:
    """Tell whether the text before or after a number names a currency."""
    told = affix.strip()
    return told in _CURRENCIES or (
        any(unicodedata.category(letter) == "Sc" for letter in told) and len(told) <= 4
    )


_CURRENCIES: Final = frozenset(
    """
    USD EUR GBP JPY CHF CNY RMB INR AUD CAD NZD SEK NOK DKK ISK PLN CZK HUF RON BGN TRY RUB UAH
    BRL MXN ARS CLP COP PEN ZAR KRW SGD HKD TWD THB IDR MYR PHP VND ILS AED SAR QAR EGP MAD NGN
    KES PKR BDT LKR DM Fr Fr. SFr. Rs Rs. kr kr. zł Kč Ft lei Lt Ls RM Rp TL
    Euro Euros euro euros Dollar dollars
    """.split()  # noqa: SIM905 - eighty strings in quotes would be harder to read
)
