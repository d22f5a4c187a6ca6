"""Colours of classes: seen on both grounds, told apart, and never those of interactions."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from stiknn_core.plotting.palette import CLASS_COLORS, DIVERGING, class_color, class_symbol
from stiknn_core.types import FloatArray

GROUNDS = ("#ffffff", "#12151d")
FEW = 7  # classes that have to be told apart by colour alone
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
# What an eye without working green cones sees, in linear RGB (Machado et al. 2009, severity 1).
DEUTERANOPIA = np.array(
    [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ]
)


def linear(color: str) -> FloatArray:
    """(3,) linear RGB."""
    parts = np.array([int(color[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.asarray(np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4))


def lab(rgb: FloatArray) -> FloatArray:
    """(3,) CIELAB of linear RGB, in which distances are about what an eye sees."""
    x, y, z = np.cbrt(TO_XYZ @ rgb / [0.9505, 1.0, 1.089])
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def hue(color: str) -> float:
    _, a, b = lab(linear(color))
    return float(np.degrees(np.arctan2(b, a)) % 360)


def brightness(color: str) -> float:
    return float(TO_XYZ[1] @ linear(color))


@pytest.mark.parametrize("ground", GROUNDS)
def test_each_shows_on_both_grounds(ground: str) -> None:
    for color in CLASS_COLORS:
        low, high = sorted([brightness(color), brightness(ground)])
        assert (high + 0.05) / (low + 0.05) >= 3, color


def test_few_classes_are_told_apart_even_without_green_cones() -> None:
    for one, other in combinations(CLASS_COLORS[:FEW], 2):
        seen = [np.clip(DEUTERANOPIA @ linear(color), 0, 1) for color in (one, other)]
        assert np.linalg.norm(lab(seen[0]) - lab(seen[1])) > 20, (one, other)
    # Red and green of so many legends fail the same test.
    red, green = (np.clip(DEUTERANOPIA @ linear(c), 0, 1) for c in ("#d75a3c", "#69912f"))
    assert np.linalg.norm(lab(red) - lab(green)) < 20


def test_all_are_told_apart_by_most_eyes() -> None:
    for one, other in combinations(CLASS_COLORS, 2):
        assert np.linalg.norm(lab(linear(one)) - lab(linear(other))) > 12, (one, other)


def test_none_has_the_hue_of_an_interaction() -> None:
    strong = [color for place, color in DIVERGING if place != 0.5]
    for color in CLASS_COLORS:
        for taken in strong:
            apart = abs(hue(color) - hue(taken))
            assert min(apart, 360 - apart) > 25, (color, taken)


def test_sixty_classes_and_more_look_different() -> None:
    assert len({(class_color(code), class_symbol(code)) for code in range(126)}) == 126
