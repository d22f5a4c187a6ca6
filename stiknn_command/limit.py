"""How many flagged rows are too many."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Self


@dataclass(frozen=True)
class Limit:
    """Most rows that may be flagged.

    Attributes
    ----------
    text : str
        As it was written: "5%" or "12".
    most : Fraction
        A share of all rows in [0, 1] where ``text`` ends in a percent sign, else a number of rows.
        A fraction, so that 5 % of 20 rows is one row and not a little more.
    """

    text: str
    most: Fraction

    @classmethod
    def read(cls, text: str) -> Self | None:
        """Return the limit that a text means; None if it means none."""
        text = text.strip()
        if re.fullmatch(r"\d{1,12}", text):
            return cls(text, Fraction(text))
        if re.fullmatch(r"\d{1,3}(\.\d{1,9})? ?%", text):
            share = Fraction(text.rstrip("% ")) / 100
            return cls(text, share) if share <= 1 else None
        return None

    def exceeded(self, flagged: int, n: int) -> bool:
        """Tell whether ``flagged`` of ``n`` rows are too many."""
        return flagged > (self.most * n if self.text.endswith("%") else self.most)
