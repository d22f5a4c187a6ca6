"""Colours and symbols that keep their meaning for colour-blind readers and in both themes."""

from __future__ import annotations

#: Okabe and Ito's palette (2008), without black and yellow, which one theme each would hide.
CLASS_COLORS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00")

#: A second mark for each class, so that colour is never the only one.
CLASS_SYMBOLS = ("circle", "diamond", "square", "triangle-up", "cross", "star", "x", "hexagon")

#: Negative (redundant) is blue, positive (complementary) orange, zero neutral.
DIVERGING = (
    (0.0, "#08519c"),
    (0.25, "#6baed6"),
    (0.5, "#f2f2f2"),
    (0.75, "#fdae6b"),
    (1.0, "#a63603"),
)


def class_color(code: int) -> str:
    """Return the colour of class ``code``, going round when there are more classes."""
    return CLASS_COLORS[code % len(CLASS_COLORS)]


def class_symbol(code: int) -> str:
    """Return the symbol of class ``code``; with the colour it tells 24 classes apart."""
    return CLASS_SYMBOLS[code % len(CLASS_SYMBOLS)]
