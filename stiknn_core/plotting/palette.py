"""Colours and symbols that keep their meaning for colour-blind readers and in both themes."""

from __future__ import annotations

#: No blue and no orange, which mean substitutes and complements. Each shows on white and on the
#: dark ground, so a class keeps its colour; the first seven stay apart without green cones.
CLASS_COLORS = (
    "#187565",
    "#b960fe",
    "#9b9419",
    "#fa45b9",
    "#247819",
    "#8354a4",
    "#98916e",
    "#ca70dc",
    "#d67597",
    "#81668e",
    "#7d49c5",
    "#536d45",
    "#75a048",
    "#667d03",
)

#: A second mark for each class, so that colour is never the only one. As many as have no factor
#: in common with the colours: 126 classes look different.
CLASS_SYMBOLS = (
    "circle",
    "square",
    "diamond",
    "triangle-up",
    "cross",
    "x",
    "triangle-down",
    "star",
    "hourglass",
)

#: Negative (substitutes) is blue, positive (complements) orange, zero neutral.
DIVERGING = (
    (0.0, "#08519c"),
    (0.25, "#6baed6"),
    (0.5, "#f2f2f2"),
    (0.75, "#fdae6b"),
    (1.0, "#a63603"),
)


#: Measured targets, low to high: one hue from pale to dark, which lightness alone tells apart. The
#: ends show on white and on the dark ground; a view has two scales, one for each.
TARGET_SCALE = (
    (0.0, "#b7d58c"),
    (0.33, "#74b06c"),
    (0.66, "#35875f"),
    (1.0, "#1f665a"),
)


def class_color(code: int) -> str:
    """Return the colour of class ``code``, going round when there are more classes."""
    return CLASS_COLORS[code % len(CLASS_COLORS)]


def class_symbol(code: int) -> str:
    """Return the symbol of class ``code``; with the colour it tells 126 classes apart."""
    return CLASS_SYMBOLS[code % len(CLASS_SYMBOLS)]
