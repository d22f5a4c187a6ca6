"""What a neighbour brings, k times: scores that stay fractions."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from typing import Final, Literal, TypeAlias

Score: TypeAlias = Literal["plain", "inverse", "absolute", "squared"]

PLAIN: Final = "plain"
LARGEST: Final = 999
_NUMBER: Final = re.compile(r"0|[1-9]\d{0,2}", re.ASCII)


def measured(score: str) -> bool:
    """Return whether labels are numbers to this score, not classes."""
    return score in ("absolute", "squared")


def label_word(score: str) -> str:
    """Return what a label is to this score."""
    return "target" if measured(score) else "class"


def misfit(score: str, space: str, labels: Iterable[str]) -> str:
    """Return a sentence where a score makes no sense on these points, else nothing."""
    if score == "inverse" and space != "line":
        return (
            "Nearer counts more on a line only, where every distance is a fraction; got a plane, "
            "whose distances are roots. Lay the points on a line."
        )
    if measured(score):
        other = next((label for label in labels if not _NUMBER.fullmatch(label)), None)
        if other is not None:
            return (
                f"Measured targets must be whole numbers from 0 to {LARGEST} in place of classes; "
                f"got {other}. Type numbers as classes, or open the example Measured targets."
            )
    return ""


def gain(score: str, label: str, right: str, distance: Fraction) -> Fraction:
    """Return k times u of one training point; ``distance`` counts for "inverse" alone."""
    if measured(score):
        loss = abs(Fraction(label) - Fraction(right))
        return -loss if score == "absolute" else -(loss**2)
    if label != right:
        return Fraction(0)
    return 1 / (1 + distance) if score == "inverse" else Fraction(1)
