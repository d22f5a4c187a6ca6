"""Counts and lists as people say them, for the sentences of errors and notices."""

from __future__ import annotations

from collections.abc import Iterable


def counted(count: int, thing: str, plural: str | None = None) -> str:
    """Return a count with what it counts, such as ``"1 row"`` or ``"2 rows"``.

    ``thing`` is said of one, ``plural`` of several (by default with an s); a verb may belong to it,
    as in ``"row does"``.
    """
    return f"{count:,} {thing if count == 1 else plural or thing + 's'}"


def listed(names: Iterable[object], most: int = 8) -> str:
    """Return names as a short list in prose, such as ``"a, b and 3 more"``."""
    told = list(names)
    shown, rest = [str(name) for name in told[:most]], len(told) - most
    last = f"{rest:,} more" if rest > 0 else shown.pop() if shown else ""
    return f"{', '.join(shown)} and {last}" if shown else last


def quoted(names: Iterable[object], most: int = 8) -> str:
    """Return names in quotation marks as a short list, such as ``"'a' and 'b'"``."""
    return listed(map(repr, names), most)


def numbered(thing: str, names: Iterable[object], most: int = 5) -> str:
    """Return a few places with their noun, such as ``"row 3"`` or ``"rows 1, 4 and 7 more"``."""
    told = list(names)
    return f"{thing}{'' if len(told) == 1 else 's'} {listed(told, most)}"
