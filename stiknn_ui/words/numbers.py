"""Numbers as people read them, written as `frontend/shared/format.js` writes them."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Final

_RAISED: Final = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_LEAST_PLAIN: Final = 1e-6


def number(value: float, *, signed: bool = False) -> str:
    """Return a number with three digits: written out down to a millionth, else a power of ten.

    Parameters
    ----------
    value : float
    signed : bool
        Whether a plus stands before what is positive.
    """
    if not math.isfinite(value):
        return "–"
    size = float(f"{abs(value):.2e}")
    if size == 0:
        return "0"
    sign = "−" if value < 0 else "+" if signed else ""
    if size >= _LEAST_PLAIN:
        plain = f"{Decimal(repr(size)):f}"
        return sign + (plain.rstrip("0").rstrip(".") if "." in plain else plain)
    digits, power = f"{size:.2e}".split("e-")
    digits = digits.rstrip("0").rstrip(".")
    return f"{sign}{digits} × 10⁻{power.lstrip('0').translate(_RAISED)}"
