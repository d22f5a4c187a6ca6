"""Labels changed and records taken out of JSON text, and not a letter besides."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from stiknn_core.tables.files.json_files import DEEPEST

Span = tuple[int, int]

_LINE: Final = re.compile(r"[^\r\n]+[\r\n]*|[\r\n]+")
_BLANK: Final = re.compile(r"[ \t\r\n]*")
_NUMBER: Final = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?")
_read: Final = json.JSONDecoder().raw_decode


class NotRecords(ValueError):  # noqa: N818  # it says what the text is; nothing is broken
    """The text is no list of records that belong to the rows of the table, one to one."""


def edit_json(
    text: str,
    label: str,
    given: Sequence[str | None],
    changes: Mapping[int, str | None],
    *,
    lines: bool,
    table: str = "",
) -> str:
    """Return JSON text with some labels changed and some records taken out.

    Parameters
    ----------
    text : str
        As it stands in the file, without a byte-order mark.
    label : str
        Column of the labels, as the reader calls it: "outer.inner" inside a record.
    given : sequence of n str or None
        The labels as they were read, None where one is missing.
    changes : mapping of row to str or None
        The new label of 0-based rows; None takes the record out. A class that other rows have is
        written as it is there, a number as a number.
    lines : bool
        Whether each line is a record (JSON Lines), or the text a list of them.
    table : str
        Where the list stands in the text, as the reader calls it; "" where it is the text.

    Raises
    ------
    NotRecords
        If the records of the text are not the rows, or a label there is another one.
    """
    try:
        records = list(_lines(text) if lines else _entries(text, _list_at(text, table)))
    except (ValueError, IndexError, RecursionError) as error:
        raise NotRecords(str(error)) from None
    if len(records) != len(given):
        raise NotRecords(f"{len(records)} records for {len(given)} rows")
    spelled = _Spelling(text, records, label, given, changes)
    parts: list[str] = []
    end = records[0][0] if records else len(text)
    parts.append(text[:end])
    kept = False
    for row, (start, stop) in enumerate(records):
        new = changes.get(row, "")
        if new is not None:
            if kept:
                parts.append(text[end:start])
            parts.append(text[start:stop] if row not in changes else spelled.changed(row, new))
            kept = True
        end = stop
    parts.append(text[end:])
    return "".join(parts)


class _Spelling:
    """How labels stand in the text."""

    def __init__(
        self,
        text: str,
        records: Sequence[Span],
        label: str,
        given: Sequence[str | None],
        changes: Mapping[int, str | None],
    ) -> None:
        self._text, self._records, self._label, self._given = text, records, label, given
        wanted = {new for new in changes.values() if new is not None}
        first: dict[str, int] = {}
        for row, old in enumerate(given):
            if old in wanted and old not in first:
                first[old] = row
        self._raw = {name: text[slice(*place)] for name, row in first.items()
                     if (place := self._place(row)) is not None}  # fmt: skip

    def changed(self, row: int, new: str) -> str:
        """Return a record with another label."""
        place = self._place(row)
        start, stop = self._records[row]
        raw = self._raw.get(new)
        if raw is None:
            old = None if place is None else self._text[slice(*place)]
            raw = self._anew(new, old)
        if place is not None:
            return self._text[start : place[0]] + raw + self._text[place[1] : stop]
        at = self._text.rindex("}", start, stop)
        between = ", " if _after(self._text, start + 1) < at else ""
        return (
            f"{self._text[start:at]}{between}{json.dumps(self._label)}: {raw}"
            + (self._text[at:stop])
        )

    def _anew(self, new: str, old: str | None) -> str:
        """Write a class that no row had: as a number where the label was one and this is."""
        if old is not None and _NUMBER.fullmatch(old) and _NUMBER.fullmatch(new):
            return new
        return json.dumps(new, ensure_ascii=self._text.isascii())

    def _place(self, row: int) -> Span | None:
        """Return where the label of a row stands; None where the record has none."""
        start = self._records[row][0]
        try:
            if self._text[start] != "{":
                raise NotRecords("an entry is no record")
            found = _fields(self._text, start, "")
            places = {re.sub(r"\s+", " ", name).strip(): place for name, place in found}
        except (ValueError, IndexError, RecursionError) as error:
            raise NotRecords(str(error)) from None
        place, given = places.get(self._label), self._given[row]
        if place is None:
            if given is not None:
                raise NotRecords(f"row {row} has no field {self._label!r}")
            return None
        if not _same(json.loads(self._text[slice(*place)]), given):
            raise NotRecords(f"row {row} has another label")
        return place


def _same(value: Any, given: str | None) -> bool:
    """Tell whether a label was read from a value of JSON; lists are taken on trust."""
    if value is None or value != value:
        return given is None
    if isinstance(value, str):
        return value.strip() == (given or "")
    if given is None:
        return False
    if isinstance(value, bool):
        return str(value) == given
    if isinstance(value, (int, float)):
        return _NUMBER.fullmatch(given) is not None and float(given) == float(value)
    return True


def _lines(text: str) -> Iterator[Span]:
    """Yield the records of JSON Lines, with their line ends: those go with the line."""
    for found in _LINE.finditer(text):
        start = _after(text, found.start())
        if start < found.end():
            yield start, found.end()


def _entries(text: str, at: int) -> Iterator[Span]:
    """Yield the entries of the list that begins at ``at``."""
    at = _after(text, at + 1)
    while text[at] != "]":
        _, end = _read(text, at)
        yield at, end
        at = _after(text, end)
        if text[at] == ",":
            at = _after(text, at + 1)


def _list_at(text: str, table: str) -> int:
    """Return where a list of records begins."""
    at = _after(text, 0)
    if text[at] == "{":
        # What pandas writes with orient="table" is read without being asked for.
        found = _inside(text, at, table or "data")
        at = len(text) if found is None else found
    elif table:
        raise NotRecords(f"no list {table!r}")
    if text[at : at + 1] != "[":
        raise NotRecords("no list of records")
    return at


def _inside(text: str, at: int, wanted: str) -> int | None:
    """Return where the value begins that the reader calls ``wanted``."""
    found = None
    for name, start, _ in _members(text, at):
        if name == wanted:
            found = start
        elif text[start] == "{" and wanted.startswith(f"{name}."):
            inner = _inside(text, start, wanted[len(name) + 1 :])
            found = found if inner is None else inner
    return found


def _fields(text: str, at: int, before: str) -> Iterator[tuple[str, Span]]:
    """Yield the fields of a record by the names of the reader, and where their values stand."""
    for name, start, end in _members(text, at):
        if text[start] == "{" and before.count(".") < DEEPEST:
            yield from _fields(text, start, f"{before}{name}.")
        else:
            yield f"{before}{name}", (start, end)


def _members(text: str, at: int) -> Iterator[tuple[str, int, int]]:
    """Yield name, start and end of the value of each member of an object."""
    at = _after(text, at + 1)
    while text[at] != "}":
        name, at = _read(text, at)
        start = _after(text, _after(text, at) + 1)
        _, end = _read(text, start)
        yield name, start, end
        at = _after(text, end)
        if text[at] == ",":
            at = _after(text, at + 1)


def _after(text: str, at: int) -> int:
    """Return the first place from ``at`` on that is no blank."""
    found = _BLANK.match(text, at)
    return at if found is None else found.end()
