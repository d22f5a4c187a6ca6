"""Native cell values as text."""

from __future__ import annotations

import datetime
from typing import Any


def cell_text(value: Any) -> str:
    """Return a native cell value as a person would write it.

    Whole numbers have no ".0"; dates are ISO 8601; True and False keep their names.
    """
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, datetime.datetime):
        midnight = value.time() == datetime.time(0)
        return value.date().isoformat() if midnight else value.isoformat(sep=" ")
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    return str(value)
