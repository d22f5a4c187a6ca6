"""Dates and times as people write them, and what looks like a number but is none.

Names of months are those of English, German and French, whole names of Spanish, Italian,
Portuguese and Dutch too. A cell with such a name holds a day or a month and no amount: "3 May 2024"
is not three of something.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

_MONTHS: Final = {
    word: month
    for month, words in enumerate(
        (
            "january jan januar jänner janvier janv enero gennaio janeiro januari",
            "february feb februar feber février fevrier févr fevr fév fev febrero febbraio "
            "fevereiro februari",
            "march mar märz maerz mär mrz mars marzo março maart",
            "april apr avril avr abril aprile",
            "may mai mayo maggio maio mei",
            "june jun juni juin junio giugno junho",
            "july jul juli juillet juil julio luglio julho",
            "august aug août aout agosto augustus",
            "september sep sept septembre septiembre settembre setembro",
            "october oct oktober okt octobre octubre ottobre outubro",
            "november nov novembre noviembre novembro",
            "december dec dezember dez décembre decembre déc diciembre dicembre dezembro",
        ),
        start=1,
    )
    for word in words.split()
}
_WEEKDAYS: Final = tuple(
    """
    monday mon tuesday tue tues wednesday wed thursday thu thur thurs friday fri saturday sat
    sunday sun montag mo dienstag di mittwoch mi donnerstag do freitag fr samstag sa sonnabend
    sonntag so lundi lun mardi mercredi mer jeudi jeu vendredi ven samedi sam dimanche dim
    """.split()  # noqa: SIM905 - fifty strings in quotes would be harder to read
)
_OF_THE_DAY: Final = ("am", "pm", "a.m.", "p.m.", "a.m", "p.m", "uhr", "o'clock")
_ORDINALS: Final = ("st", "nd", "rd", "th", "er", "e", "ème", "eme")


def _any_of(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


_MONTH: Final = rf"(?i:{_any_of(_MONTHS)})\.?"
_WEEKDAY: Final = rf"(?:(?i:{_any_of(_WEEKDAYS)})[.,]{{0,2}} )?"
_DAY: Final = r"\d{1,2}(?:st|nd|rd|th|er|\.)?"
_GAP: Final = r"[-. /,]{0,2}"
_HALF: Final = r" ?[APap]\.?[Mm]\.?"
_TIME: Final = (
    rf"\d{{1,2}}(?:[:.]\d{{2}}(?:[:.]\d{{2}}(?:\.\d+)?)?(?:{_HALF})?|{_HALF})"
    r"(?:Z| ?[+-]\d{2}:?\d{2}| (?:UTC|GMT)(?:[+-]\d{1,2}(?::?\d{2})?)?)?"
)
# 57:30 is a duration, and no time of the day.
_HOUR: Final = r"(?:[01]?\d|2[0-3])"
_CLOCK: Final = (
    rf"{_HOUR}[:.][0-5]\d[:.][0-5]\d(?:\.\d+)?|{_HOUR}:[0-5]\d|"
    rf"\d{{1,2}}(?:[:.]\d{{2}}){{0,2}}{_HALF}|\d{{1,2}}h\d{{2}}|"
    r"\d{1,2}(?:[:.]\d{2})? ?(?:Uhr|o'clock)"
)
DATE: Final = (
    rf"^(?:\d{{4}}-(?:0[1-9]|1[0-2])|\d{{4}}[-/.]\d{{1,2}}[-/.]\d{{1,2}}|\d{{1,2}}[-/.]\d{{1,2}}[-/.](?:\d{{4}}|\d{{2}})|"
    rf"{_WEEKDAY}{_DAY}{_GAP}(?:of |de )?{_MONTH}{_GAP}(?:\d{{4}}|\d{{2}})|"
    rf"{_WEEKDAY}{_MONTH}{_GAP}{_DAY}[ ,]{{1,2}}\d{{4}}|"
    rf"{_MONTH}{_GAP}\d{{4}}|\d{{4}}{_GAP}{_MONTH}(?:{_GAP}{_DAY})?)"
    rf"(?:(?:T|:|,? (?:at |um |à )?){_TIME})?$"
    rf"|^(?:{_CLOCK})$"
)
"""Regular expression, of Arrow and Python alike, of a date, a time of the day, or both."""

_NAMED: Final = re.compile(
    rf"{_WEEKDAY}(?:"
    rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th|er|\.)?{_GAP}(?:of |de )?(?P<month>{_MONTH}){_GAP}"
    rf"(?P<year>\d{{4}}|\d{{2}})|"
    rf"(?P<month2>{_MONTH}){_GAP}(?P<day2>\d{{1,2}})(?:st|nd|rd|th|er|\.)?[ ,]{{1,2}}"
    rf"(?P<year2>\d{{4}})|"
    rf"(?P<month3>{_MONTH}){_GAP}(?P<year3>\d{{4}})|"
    rf"(?P<year4>\d{{4}}){_GAP}(?P<month4>{_MONTH})(?:{_GAP}(?P<day4>\d{{1,2}})\.?)?)"
    rf"(?=$|T|,| )"
)
_TIME_ALONE: Final = re.compile(_CLOCK)
_TIME_WITHIN: Final = re.compile(rf"(?:T|:|,? (?:at |um |à )?)(?P<time>{_TIME})$")
_CENTURY: Final = 69
"""Two digits from here on are years of the last century, as in POSIX."""


def standard_moment(cell: str) -> str:
    """Return a date or time with its month as a number, a day, and colons in its time."""
    if _TIME_ALONE.fullmatch(cell):
        return f"1970-01-01 {_standard_time(cell)}"
    time = _TIME_WITHIN.search(cell)
    date = cell[: time.start()] if time else cell
    behind = f" {_standard_time(time['time'])}" if time else ""
    named = _NAMED.fullmatch(date)
    if named is None:
        return date + behind
    told = {name.rstrip("234"): part for name, part in named.groupdict().items() if part}
    year, month, day = told["year"], told["month"], told.get("day", "1")
    if len(year) == 2:
        year = f"{'19' if int(year) >= _CENTURY else '20'}{year}"
    return f"{year}-{_MONTHS[month.rstrip('.').lower()]:02}-{int(day):02}{behind}"


def _standard_time(time: str) -> str:
    time = re.sub(r"(?i) ?(uhr|o'clock)$", "", time)
    # "GMT+1" is an hour before Greenwich to those who write it, and behind it to POSIX.
    time = re.sub(r" (?:UTC|GMT)([+-])(\d{1,2})(?::?(\d{2}))?$", _zone, time)
    time = re.sub(r"^(\d{1,2})[.h](\d{2})(?:\.(\d{2})(?!\d))?", _with_colons, time)
    return re.sub(r"^(\d{1,2})(?= ?[APap]|$)", r"\1:00", time)


def _zone(found: re.Match[str]) -> str:
    return f"{found[1]}{int(found[2]):02}:{found[3] or '00'}"


def _with_colons(found: re.Match[str]) -> str:
    return ":".join(part for part in found.groups() if part)


_AMOUNT_BEHIND: Final = re.compile(r"(?i)(?:/|\b(?:per|pro|par|je|of|von|sur|out of))\s*\d[\d., ]*")
_POWER: Final = re.compile(r"(?<=[^\W\d_])-?[0-9](?![0-9])")
_QUARTER: Final = re.compile(r"(?i)[qhtsw]w?\s*\d{1,2}")
_TIMES: Final = re.compile(r"[xX×*]\s*\d.*")


def is_no_unit(affix: str, *, close: bool) -> bool:
    """Tell whether what stands behind a number says that it is no amount.

    A month, a quarter, a half of the day, the end of an ordinal, or another number that is
    no power as in m2, and no amount that it is a share of, as in "per 1000".

    Parameters
    ----------
    affix : str
    close : bool
        Whether it stands at the digits without a blank: "3rd", unlike "3 St".
    """
    told = affix.strip().strip(".,").lower()
    if told in _MONTHS or (told in _WEEKDAYS and len(told) > 2):
        return True
    if affix.strip().lower() in _OF_THE_DAY or told in _OF_THE_DAY:
        return True
    if close and told in _ORDINALS:
        return True
    if _QUARTER.fullmatch(told) or _TIMES.fullmatch(told):
        return True
    return re.search("[0-9]", _POWER.sub("", _AMOUNT_BEHIND.sub("", told))) is not None


_FEW: Final = 100
_DIALLED: Final = r"^(?:\+[1-9]\d{7,}|0+[1-9]\d{5,})$"
_DAY_AND_MONTH: Final = r"^(?:0[1-9]|[12]\d|3[01])\.(?:0[1-9]|1[0-2])$"
_ADDRESS: Final = r"^(?:25[0-5]|2[0-4]\d|1?\d{1,2})(?:\.(?:25[0-5]|2[0-4]\d|1?\d{1,2})){3}$"
_PHONE_NAME: Final = re.compile(r"(?i).*(phone|telefon|téléphone|handy|mobile|\bfax\b|\btel\b).*")
_PHONE: Final = r"^\+?\d(?:[ .'-]?\d){6,14}$"


def are_names(cells: pa.Array, column: str) -> bool:
    """Tell whether digits name something in all cells, which then are no numbers.

    Numbers to dial, with their plus or zero in front, or in a column that says so; addresses such
    as 192.168.100.101, whose groups could be thousands; days and months such as 03.05, told from
    decimal numbers by the zero in front. The first cells tell soonest that it is not so.
    """
    patterns = [_DIALLED, _DAY_AND_MONTH, _ADDRESS]
    if _PHONE_NAME.fullmatch(column):
        patterns.append(_PHONE)
    return any(
        all(_all(some, pattern) for some in (cells.slice(0, _FEW), cells))
        and (pattern is not _DAY_AND_MONTH or pc.any(pc.starts_with(cells, "0")).as_py())
        for pattern in patterns
    )


def _all(cells: pa.Array, pattern: str) -> bool:
    return len(cells) > 0 and bool(pc.all(pc.match_substring_regex(cells, pattern)).as_py())
