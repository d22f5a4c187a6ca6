"""Turn counts and positions into the words of an error message."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

_SHOWN = 5


def row_list(positions: Sequence[int] | Iterable[int]) -> str:
    """Name some positions: ``row 3`` or ``rows 1, 3, 8, ... (7 in all)``."""
    rows = [int(position) for position in positions]
    word = "row" if len(rows) == 1 else "rows"
    return f"{word} {listing(rows)}"


def listing(items: Sequence[Any]) -> str:
    """Join a few items with commas, and say how many were left out."""
    shown = ", ".join(str(item) for item in items[:_SHOWN])
    if len(items) > _SHOWN:
        return f"{shown}, … ({len(items):,} in all)"
    return shown


def count(number: int, singular: str, plural: str | None = None) -> str:
    """Say ``1 row`` or ``2 rows``."""
    word = singular if number == 1 else (plural or singular + "s")
    return f"{number:,} {word}"


def rows_text(positions: Iterable[int], shown: int = 10) -> str:
    """Name 0-based positions as 1-based rows: ``"row 3"``, ``"rows 1, 4 and 7 more"``."""
    rows = [position + 1 for position in positions]
    word = "row" if len(rows) == 1 else "rows"
    text = ", ".join(str(row) for row in rows[:shown])
    return f"{word} {text}" + (f" and {len(rows) - shown} more" if len(rows) > shown else "")


def names_text(names: Iterable[Any], shown: int = 8) -> str:
    """List names for a sentence, cut off after ``shown``."""
    texts = [str(name) for name in names]
    more = f" and {len(texts) - shown} more" if len(texts) > shown else ""
    return ", ".join(texts[:shown]) + more
